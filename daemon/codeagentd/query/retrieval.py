"""Which pieces of the repository answer a question asked in words or names?"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from codeagentd.model.ids import name_key, numbers_of
from codeagentd.model.kinds import SymbolKind
from codeagentd.store.connection import Database

from .nearest import Near
from .ranking import CANDIDATES, Candidate, Defined, Query, definition, meanings, rank, read, telling
from .wording import having, worded

MOST_WORDS: Final = 24  # of one question
MOST_NAMES: Final = 8
VALUES: Final = json.dumps([*map(int, (SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM_MEMBER, SymbolKind.KEY))])


class Retrieved(NamedTuple):
    """The question as it was read, the best chunks for it, best first, and how many of all chunks have each of its words."""

    query: Query
    found: list[Candidate]
    counted: dict[str, int]


def retrieve(db: Database, text: str, limit: int, near: Callable[[], Sequence[Near]] = tuple) -> Retrieved:
    """What answers a question; `near` gives the symbols nearest to it in meaning, and is asked last."""
    query = read(text)
    words, names = query.words[:MOST_WORDS], query.names[:MOST_NAMES]
    counted = having(db, dict.fromkeys([*words, *(name.lower() for name in names if name.isalnum())]))  # one token each: phrases are not kept
    figures = worded(db, counted, CANDIDATES)
    defined = _defined(db, query, names, counted)
    meant = _meant(db, near())
    defines = _names(db, {**figures, **defined, **meant})
    places = db.all("chunks.places", (json.dumps([*{**figures, **defined, **meant}]),))
    best = -min(figures.values(), default=-1.0)
    found = []
    for chunk, start, end, file, path, language, generated in places:
        worth, reasons = defined.get(chunk, (0.0, []))
        told = [*reasons, *(["text"] if chunk in figures else []), *(["meaning"] if chunk in meant else [])]
        found.append(
            Candidate(
                chunk, file, path, language, start, end, bool(generated), -figures.get(chunk, 0.0) / best, worth, meant.get(chunk, 0.0),
                names=defines.get(chunk, []), reasons=told,
            )
        )  # fmt: skip
    users: dict[int, int] = dict(db.all("links.users", (json.dumps(list({one.file for one in found})),)))
    return Retrieved(query, rank(query, found, limit, users, lambda files: db.all("links.used", (json.dumps(files),))), counted)


def _names(db: Database, chunks: Iterable[int]) -> dict[int, list[str]]:
    """The names of what chunks define."""
    found: dict[int, list[str]] = defaultdict(list)
    for chunk, name in db.all("chunks.names", (json.dumps([*chunks]), VALUES)):
        found[chunk].append(name)
    return found


def _defined(db: Database, query: Query, names: Iterable[str], counted: Mapping[str, int]) -> dict[int, tuple[float, list[str]]]:
    """The chunks that define a name which the question writes, with what that earns them."""
    found: dict[int, tuple[float, list[str]]] = {}
    total = 0 if query.is_name else db.value("chunks.count")
    for wanted in names:
        lowered = wanted.lower()
        factor = 1.0 if query.is_name else telling(counted[lowered] if lowered in counted else having(db, [lowered])[lowered], total)
        spellings = dict.fromkeys((wanted, wanted.lower(), wanted.capitalize()))
        places = [Defined(*row) for spelling in spellings for row in db.all("chunks.defined", (name_key(spelling),))]
        most = max((one.references for one in places), default=0)
        for one in places:
            chunk = db.value("chunks.chunk_at", (*numbers_of(one.file), one.line), 0)
            worth = definition(query, wanted, one, most) * factor
            if chunk and worth > found.get(chunk, (0.0, []))[0]:
                found[chunk] = (worth, [f"defines {one.name}"])
    return found


def _meant(db: Database, near: Sequence[Near]) -> dict[int, float]:
    """The chunks where these symbols begin, with what their nearness earns them."""
    worth = dict(zip((one.symbol for one in near), meanings([one.distance for one in near]), strict=True))
    found: dict[int, float] = {}
    for symbol, chunk in db.all("vectors.chunks", (json.dumps([*worth]),)):
        if chunk:
            found[chunk] = max(found.get(chunk, 0.0), worth[symbol])
    return found


def defined_in(db: Database, one: Candidate) -> list[tuple[str, int]]:
    """(qualified name, line) of what a chunk defines."""
    return db.all("chunks.symbols_at", (one.file, one.line_start, one.line_end))
