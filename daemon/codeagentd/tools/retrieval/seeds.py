"""The definitions that a question is about: the one that answers in each hit, and what is one step away from those that
the question names.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from codeagentd.model.file_kinds import is_product
from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.model.labels import CALLABLE
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.model.retrieval import Read
from codeagentd.query.graph.edges import CALLERS, IMPLEMENTATIONS, EdgeFilter, bits
from codeagentd.query.graph.profile import ends
from codeagentd.query.retrieval.features import Candidate
from codeagentd.query.retrieval.question import stem, stems_of
from codeagentd.query.retrieval.snippets import matching_words
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context

from .hits import NAMES, Place, Symbols
from .hybrid_query import QueryResult

NAME: Final = 3  # a word of the question in the name of a definition, in words of its lines
MOST_WORDS: Final = 10  # words in the lines that count: long definitions have more by their length
RE_EXPORTS: Final = EdgeFilter(incoming=True, kinds=bits("re_exports"))
# followed from a definition that is named
STEPS: Final = ((IMPLEMENTATIONS, "extends"), (CALLERS, "calls"), (RE_EXPORTS, "re-exports"))
METHODS: Final = json.dumps([*map(int, CALLABLE)])
EXAMINED: Final = 50  # edges of one of these
NEIGHBOURS: Final = 3  # of each of these

_VALUES: Final = frozenset(
    {SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM_MEMBER, SymbolKind.PROPERTY}
)


class Seed(NamedTuple):
    """A hit, narrowed to the definition that answers in it; `subject` is None where it defines nothing but values, and
    is whole.
    """

    place: Place
    subject: Subject | None


def seeds(ctx: Context, db: Database, result: QueryResult) -> list[Seed]:
    """Return the hits of `result` in their order, each narrowed to one definition, and none twice."""
    stems = {stem(word) for word in result.query.words}
    narrowed: dict[tuple[int, int, int], Seed] = {}
    for candidate, symbols in zip(result.hits, result.symbols, strict=True):
        seed = _seed(ctx, db, candidate, symbols, stems)
        hit = seed.place.hit
        narrowed.setdefault((hit.file, hit.line_start, hit.line_end), seed)
    return list(narrowed.values())


def _seed(ctx: Context, db: Database, hit: Candidate, symbols: Symbols, stems: set[str]) -> Seed:
    rows = (
        db.row("retrieval.symbol_at", {"file": hit.file, "qualified_name": name, "line": line})
        for name, line in symbols
    )
    defined = [subject for row in rows if row and not _is_value(subject := Subject(*row))]
    if not defined:
        return Seed(Place(hit, symbols[:NAMES], {line for _, line in symbols}), None)
    lines = ctx.lines(hit.path)
    best = max(defined, key=lambda subject: _worth(subject, hit, lines, stems))
    narrow = replace(hit, line_start=best.line_start, line_end=best.line_end)
    named = [(best.qualified_name, best.line_start)]
    if best.kind in TYPES:  # the names of its methods say more than its first lines
        methods = db.all("retrieval.methods", {"symbol": best.id, "kinds": METHODS})
        return Seed(Place(narrow, [*named, *methods], {best.line_start}), best)
    return Seed(Place(narrow, named, {best.line_start}, from_beginning=True), best)


def _is_value(subject: Subject) -> bool:
    return subject.kind in _VALUES and subject.line_start == subject.line_end


def _worth(subject: Subject, hit: Candidate, lines: Sequence[str], stems: set[str]) -> tuple[int, int]:
    """How well a definition in a hit answers: words of the question in its name and lines; of two the shorter one."""
    first, last = max(subject.line_start, hit.line_start), min(subject.line_end, hit.line_end)
    words = sum(matching_words(lines[first - 1 : last], stems).values())
    name = len(stems.intersection(stems_of(subject.name)))
    return NAME * name + min(words, MOST_WORDS), first - last


def is_named(result: QueryResult, subject: Subject) -> bool:
    """Whether the question names `subject`: every word of its name is in the question."""
    return set(stems_of(subject.name)) <= {stem(word) for word in result.query.words}


def one_step_away(db: Database, subject: Subject) -> list[Read]:
    """Return what is one step away from `subject`: definitions that extend or override it, its callers, files
    that re-export it.
    """
    return [
        Read(end.file_path, [end.line_start, end.line_end], f"{relation} {subject.name}: {end.name}")
        for step, relation in STEPS
        for end in _first(db, subject, step)
    ]


def _first(db: Database, subject: Subject, step: EdgeFilter) -> list[Neighbour]:
    """The first ends of the edges of a step, those of the product before tests."""
    neighbours = ends(db, subject, step, EXAMINED)[0]
    return sorted(neighbours, key=lambda end: not is_product(end.file_path))[:NEIGHBOURS]
