"""Retrieval: the pieces of the repository that answer a question in words or names."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from codeagentd.model.embedding import EMBEDDED_KINDS
from codeagentd.model.ids import name_key, numbers_of
from codeagentd.model.kinds import SymbolKind
from codeagentd.store.connection import Database

from .bm25 import having, ranked_pieces, total_pieces
from .features import Candidate, Facts
from .nearest_vectors import Meaning, similarities
from .question import Query
from .question_condensing import condensed, mentions
from .ranking import CANDIDATES, Defined, definition, distinctiveness, rank

TAILS: Final = 12  # parts of a path that are compared, since it may come from another checkout
VALUES: Final = json.dumps(
    [*map(int, (SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM_MEMBER, SymbolKind.KEY))]
)

EMBEDDED: Final = json.dumps([*map(int, EMBEDDED_KINDS)])


class Retrieved(NamedTuple):
    """The question with the words that were looked up, the best chunks for it, best first, and the number of chunks
    that contain each word; `weighed`: the same for the words from which those of a long text were chosen.
    """

    query: Query
    chunks: list[Candidate]
    counted: Mapping[str, int]
    weighed: dict[str, int]


class Gathered(NamedTuple):
    """The chunks that may answer a question, with what the ranking needs to know."""

    facts: Facts
    candidates: list[Candidate]
    weighed: dict[str, int]


def retrieve(db: Database, text: str, limit: int, meaning: Callable[[], Meaning | None] = lambda: None) -> Retrieved:
    """Return the best `limit` chunks that answer the question `text`. `meaning` returns what is nearest to it in
    meaning, None without a model, and is called when the words have been looked up.
    """
    gathered = gather(db, text, meaning)
    chunks = rank(gathered.facts, gathered.candidates, limit)
    return Retrieved(gathered.facts.query, chunks, gathered.facts.counted, gathered.weighed)


def gather(db: Database, text: str, meaning: Callable[[], Meaning | None] = lambda: None) -> Gathered:
    """Return the candidates for the question `text`, as retrieve takes them."""
    query, weighed = condensed(db, text)
    # single tokens, since the index does not support phrases
    counted = having(db, dict.fromkeys([*query.words, *(name.lower() for name in query.names if name.isalnum())]))
    figures = ranked_pieces(db, counted, CANDIDATES)
    defined = _defined(db, query, query.names, counted)
    mentioned = _mentioned(db, text)
    nearest = meaning()
    by_meaning = _chunks_of(db, nearest) if nearest else {}
    every = json.dumps([*{**figures, **defined, **by_meaning, **dict.fromkeys(mentioned.values())}])
    names = _names(db, every)
    places = db.all("chunks.places", (every,))
    similar = similarities(db, nearest, every) if nearest else {}
    unknown = _without_vector(db, figures) if nearest else frozenset[int]()
    best = -min(figures.values(), default=-1.0)
    candidates = []
    for chunk, start, end, file, path, language, generated in places:
        worth, reasons = defined.get(chunk, (0.0, []))
        by_words = -figures.get(chunk, 0.0) / best
        near, score = by_meaning.get(chunk, (0, by_words if chunk in unknown else 0.0))
        signs = {"named by path": file in mentioned, "text": chunk in figures, "meaning": chunk in by_meaning}
        candidates.append(
            Candidate(
                chunk, file, path, language, start, end, bool(generated), by_words, worth,
                (file in mentioned) + (mentioned.get(file) == chunk), score, near,
                similar.get(chunk, by_words if chunk in unknown else None), names=names.get(chunk, []),
                reasons=[*reasons, *(sign for sign, is_there in signs.items() if is_there)],
            )
        )  # fmt: skip
    files = json.dumps([*{candidate.file for candidate in candidates}])
    facts = Facts(
        query, counted, total_pieces(db), best, dict(db.all("chunks.of_files", (files,))),
        dict(db.all("links.users", (files,))),
        similarities(db, nearest, files, "vectors.similar_files") if nearest else {},
        db.all("links.among", {"files": files}), nearest is not None,
    )  # fmt: skip
    return Gathered(facts, candidates, weighed)


def _names(db: Database, chunks: str) -> dict[int, list[tuple[str, int]]]:
    """The names of the definitions in chunks, with their kinds."""
    result: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for chunk, name, kind in db.all("chunks.names", (chunks, VALUES)):
        result[chunk].append((name, kind))
    return result


def _defined(
    db: Database, query: Query, names: Iterable[str], counted: Mapping[str, int]
) -> dict[int, tuple[float, list[str]]]:
    """The chunks that define a name in the question, with their score and its reasons."""
    result: dict[int, tuple[float, list[str]]] = {}
    total = 0 if query.is_name else total_pieces(db)
    for name in names:
        lowered = name.lower()
        factor = (
            1.0
            if query.is_name
            else distinctiveness(counted[lowered] if lowered in counted else having(db, [lowered])[lowered], total)
        )
        spellings = dict.fromkeys((name, name.lower(), name.capitalize()))
        places = [Defined(*row) for spelling in spellings for row in db.all("chunks.defined", (name_key(spelling),))]
        most = max((place.references for place in places), default=0)
        for definition_place in places:
            chunk = db.value("chunks.chunk_at", (*numbers_of(definition_place.file), definition_place.line), 0)
            worth = definition(query, name, definition_place, most) * factor
            if chunk and worth > result.get(chunk, (0.0, []))[0]:
                result[chunk] = (worth, [f"defines {definition_place.name}"])
    return result


def _mentioned(db: Database, text: str) -> dict[int, int]:
    """The files that the question names by their path, each with the chunk of the line that it names, or else its first
    chunk.
    """
    result: dict[int, int] = {}
    for path, line in mentions(text):
        parts = path.strip("/").split("/")[-TAILS:]
        file = db.value("chunks.mentioned", (json.dumps(["/".join(parts[start:]) for start in range(len(parts))]),), 0)
        if file and (chunk := db.value("chunks.chunk_at", (*numbers_of(file), line or 1), 0)):
            result[file] = chunk
    return result


def _chunks_of(db: Database, meaning: Meaning) -> dict[int, tuple[int, float]]:
    """The chunks in which the nearest symbols begin, each with its first rank from 1, and its score."""
    chunks: dict[int, int] = dict(db.all("vectors.chunks", (json.dumps([near.symbol for near in meaning.nearest]),)))
    result: dict[int, tuple[int, float]] = {}
    for rank_of, near in enumerate(meaning.nearest, start=1):
        if chunk := chunks.get(near.symbol):
            result.setdefault(chunk, (rank_of, max(0.0, meaning.score(near.distance))))
    return result


def _without_vector(db: Database, chunks: Iterable[int]) -> frozenset[int]:
    """The chunks in which symbols begin that may have a vector, and none of them has one: the budget has no place for
    them, or they have not been embedded yet. How near they are in meaning is not known; their words stand for it, or
    they would come behind pieces of which it is known (decision 0012).
    """
    if not db.value("vectors.are_partial", (), 0):
        return frozenset()
    return frozenset(chunk for (chunk,) in db.all("vectors.chunks_without", (json.dumps([*chunks]), EMBEDDED)))


def defined_in(db: Database, candidate: Candidate) -> list[tuple[str, int]]:
    """Return the definitions in the chunk of `candidate`, as (qualified name, line)."""
    return db.all("chunks.symbols_at", (candidate.file, candidate.line_start, candidate.line_end))
