"""Single steps along the edges of many symbols: the basis of impact and paths."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from codeagentd.languages.untyped_members import families, lending
from codeagentd.model.kinds import CANDIDATES, EDGE_OF_REFERENCE, TYPES, Confidence, ReferenceKind, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.query.hierarchy.virtual_dispatch import DISPATCH
from codeagentd.query.symbols.lookup import LABELS, Subject
from codeagentd.store.connection import Database

from .edges import EVERY_KIND
from .federated_graph import FederatedGraph, Graph, narrowed, number, shares

AMBIGUOUS: Final = int(Confidence.AMBIGUOUS)
FILES: Final = frozenset({SymbolKind.FILE, SymbolKind.MODULE})
CONTAINMENT: Final = 0  # the number for containment among reference kinds
_WEIGHT: Final = 64  # a step's weight is confidence * 64 + reference kind, as in the statements


class Step(NamedTuple):
    """A followed edge from `start` to `end`; not `is_forward`: against the direction of the reference."""

    start: int
    end: int
    confidence: int
    kind: int
    is_forward: bool

    @property
    def edge_type(self) -> str:
        """The type of the edge in answers."""
        return EDGE_OF_REFERENCE[ReferenceKind(self.kind)] if self.kind else "contains"


class Seeds(NamedTuple):
    """The start of a query: its name, and its symbols; a file stands for all symbols in it, a type for its members."""

    name: str
    ids: list[int]
    languages: tuple[str, ...]
    subject: Subject | None


class SymbolSummary(NamedTuple):
    """A symbol in short form."""

    kind: str
    name: str
    path: str
    line: int


def steps(
    graph: Graph, symbols: Collection[int], *, forward: bool, kinds: int = EVERY_KIND, pairs: bool = True
) -> list[Step]:
    """Return the edges out of `symbols` (`forward`), or into them, ordered by confidence: for each pair of symbols the
    most certain one. `kinds` are reference kinds as bits. Not `pairs`: each other end is reached from some symbol, and
    each symbol has some edge, but not every pair with an edge is returned.

    Edges of open references are included as in page 000's tools.
    """
    graph = narrowed(graph)
    rows = (
        _across(graph, symbols, forward, kinds, pairs)
        if isinstance(graph, FederatedGraph)
        else _within(graph, symbols, forward, kinds, pairs)
    )
    return sorted(rows, key=lambda step: (step.confidence, step.kind, step.start, step.end))


def _within(db: Database, symbols: Collection[int], forward: bool, kinds: int, pairs: bool) -> list[Step]:
    parameters = {"symbols": json.dumps(sorted(symbols)), "kinds": kinds}
    way = "out" if forward else "in"
    rows = db.all(f"retrieval.steps_{way}", parameters) + db.all(
        f"retrieval.open_steps_{way}", parameters | {"each": CANDIDATES, "families": families()} | lending()
    )
    rows += db.all(f"retrieval.dispatch_steps_{way}", parameters | DISPATCH | ({} if forward else {"pairs": pairs}))
    rows += db.all(f"retrieval.initial_steps_{way}", parameters)
    rows += db.all(f"retrieval.module_steps_{way}", parameters)
    return steps_of(rows, is_forward=forward)


def steps_of(rows: list[tuple[int, int, int]], *, is_forward: bool) -> list[Step]:
    """Return the steps in rows of (start, other end, weight), as the statements have them."""
    return [Step(start, end, weight // _WEIGHT, weight % _WEIGHT, is_forward) for start, end, weight in rows]


def _across(graph: FederatedGraph, symbols: Collection[int], forward: bool, kinds: int, pairs: bool) -> list[Step]:
    """The edges as `steps` returns them, over several indexes: an edge to an external symbol leads to its definition in
    another index.
    """
    best: dict[tuple[int, int], Step] = {}
    for index, db, numbers in graph.shares(symbols, used=not forward):
        edges = _within(db, numbers, forward, kinds, pairs)
        if forward and graph.joined.links:
            edges += steps_of(
                db.all("retrieval.steps_outside", {"symbols": json.dumps(numbers), "kinds": kinds}), is_forward=forward
            )
        for step in edges:
            start, end = graph.resolved_node(index, step.start), graph.resolved_node(index, step.end)
            sure = max(step.confidence, graph.doubt(index, step.start), graph.doubt(index, step.end))
            is_inside = step.end > 0 or graph.link(index, step.end)
            if is_inside and start != end and ((start, end) not in best or sure < best[start, end].confidence):
                best[start, end] = Step(start, end, sure, step.kind, forward)
    return list(best.values())


def seeds_of_all(db: Database, subjects: Sequence[Subject]) -> Seeds:
    """Return the start symbols for `subjects`, definitions that an answer treats as one: named after the first, with
    the symbols inside each.
    """
    first, *others = (seeds_of(db, subject) for subject in subjects)
    return first._replace(ids=list(dict.fromkeys([*first.ids, *(symbol for other in others for symbol in other.ids)])))


def seeds_of(db: Database, subject: Subject) -> Seeds:
    """Return the start symbols for `subject`: with all symbols of a file, or all members of a type."""
    if subject.is_file:
        inside = symbols_in_file(db, subject.file)
        return Seeds(subject.path, inside, language_family(subject.language), None)
    inside = [symbol for (symbol,) in db.all("retrieval.members", (subject.id,))] if subject.kind in TYPES else []
    return Seeds(subject.qualified_name, [subject.id, *inside], language_family(subject.language), subject)


def symbols_in_file(db: Database, file: int) -> list[int]:
    """Return the symbols with a definition or declaration in `file`, the file's own first."""
    parameters = {"file": file, "namespace": int(SymbolKind.NAMESPACE)}
    return [symbol for (symbol,) in db.all("retrieval.in_file", parameters)]


def summaries(graph: Graph, symbols: Collection[int]) -> dict[int, SymbolSummary]:
    """Return the short forms of `symbols`, by number."""
    return {
        number(index, native): SymbolSummary(LABELS[kind], name, path, line)
        for index, db, natives in shares(graph, symbols)
        for native, kind, name, path, line in db.all("retrieval.cards", (json.dumps(natives),))
    }
