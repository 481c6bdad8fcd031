"""Which pieces of the repository answer a question asked in words or names?"""

from __future__ import annotations

import json
from typing import Final

from codeagentd.model.ids import name_key, numbers_of
from codeagentd.store.connection import Database

from .ranking import CANDIDATES, Candidate, Query, definition, rank, read

MOST_WORDS: Final = 24  # of one question
MOST_NAMES: Final = 8


def retrieve(db: Database, text: str, limit: int) -> tuple[Query, list[Candidate]]:
    """The question as it was read, and the best chunks for it, best first."""
    query = read(text)
    words, names = query.words[:MOST_WORDS], query.names[:MOST_NAMES]
    asked = dict.fromkeys([*words, *(name.lower() for name in names if name.isalnum())])  # one token each: phrases are not kept
    figures: dict[int, float] = dict(db.all("chunks.ranked", (" OR ".join(map(_quoted, asked)), CANDIDATES))) if asked else {}
    defined = _defined(db, query, names)
    places = db.all("chunks.places", (json.dumps([*{**figures, **defined}]),))
    best = -min(figures.values(), default=-1.0)
    found = []
    for chunk, start, end, file, path, language, generated in places:
        worth, reasons = defined.get(chunk, (0.0, []))
        told = [*reasons, *(["text"] if chunk in figures else [])]
        found.append(Candidate(chunk, file, path, language, start, end, bool(generated), -figures.get(chunk, 0.0) / best, worth, reasons=told))
    return query, rank(query, found, limit)


def _defined(db: Database, query: Query, names: tuple[str, ...]) -> dict[int, tuple[float, list[str]]]:
    """The chunks that define a name which the question writes, with what that earns them."""
    found: dict[int, tuple[float, list[str]]] = {}
    for wanted in names:
        spellings = dict.fromkeys((wanted, wanted.lower(), wanted.capitalize()))
        for spelling in spellings:
            for file, start, name, kind in db.all("chunks.defined", (name_key(spelling),)):
                chunk = db.value("chunks.chunk_at", (*numbers_of(file), start), 0)
                worth = definition(query, name, wanted, kind)
                if chunk and worth > found.get(chunk, (0.0, []))[0]:
                    found[chunk] = (worth, [f"defines {name}"])
    return found


def _quoted(word: str) -> str:
    return '"' + word.replace('"', '""') + '"'


def defined_in(db: Database, one: Candidate) -> list[tuple[str, int]]:
    """(qualified name, line) of what a chunk defines."""
    return db.all("chunks.symbols_at", (one.file, one.line_start, one.line_end))
