"""The symbols of changed files, their dependents, and the risk of the change."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from codeagentd.model.kinds import OUTLINE, SymbolFlag, SymbolKind
from codeagentd.model.results.change_results import ChangedNode, Dependent, Risk
from codeagentd.model.results.graph_results import CONFIDENCE_WORDS
from codeagentd.query.graph.federated_graph import Graph
from codeagentd.query.graph.impact import Reached, reached_from
from codeagentd.query.graph.nodes import Node, nodes
from codeagentd.query.graph.relation_names import ACROSS, kinds_of
from codeagentd.store.connection import Database

from .implicit_calls import ImplicitCalls

IMPACT: Final = (
    "calls", "references", "imports", "imports_from", "re_exports", "inherits", "extends", "implements", "uses",
    "mixes_in", "embeds", "depends_on", "reads_from", "overrides", "constructs", *ACROSS,
)  # fmt: skip
FOLLOWED: Final = 20_000  # symbols that one step of a blast radius starts from: files contain many
FARTHEST: Final = 16  # hops of the widest blast radius
REACHED: Final = 100_000  # symbols that are looked through for tests

THROUGH_OBJECTS: Final = "has objects that may run it"  # of a dependent that no chain of written calls reaches
NAMING: Final = kinds_of("imports", "re_exports")

CODE: Final = frozenset(
    {
        SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY, SymbolKind.CLASS,
        SymbolKind.STRUCT, SymbolKind.TRAIT, SymbolKind.COMPONENT,
    }
)  # fmt: skip
_PUBLIC: Final = SymbolFlag.PUBLIC_API
_DOUBT: Final = 0.04  # share of the score below which a part is not listed as a driver (page 002's origin)
_MEDIUM, _HIGH = 33, 66  # thresholds of the score, of 100


class SymbolsOfFiles(NamedTuple):
    """The symbols of some files: all, and those that are public and not part of a document. `has_code`: whether some
    define anything that can run.
    """

    symbols: list[int]
    public: list[int]
    files: list[str]
    has_code: bool


def symbols_in(db: Database, paths: Collection[str]) -> list[tuple[str, int, int, int, int]]:
    """(path, number, kind, flags, whether it stands for its file) of each symbol of some files, also of those that
    other files define too.
    """
    return db.all("change.in_files", {"paths": json.dumps(sorted(paths)), "namespace": int(SymbolKind.NAMESPACE)})


def touched(db: Database, paths: Collection[str]) -> SymbolsOfFiles:
    """The symbols of some files; files that are not in the index are left out."""
    rows = symbols_in(db, paths)
    public = {
        number: None
        for _, number, kind, flags, is_file in rows
        if flags & _PUBLIC and not is_file and kind not in OUTLINE
    }
    return SymbolsOfFiles(
        list(dict.fromkeys(row[1] for row in rows)),
        [*public],
        list(dict.fromkeys(row[0] for row in rows)),
        any(not is_file and kind in CODE for *_, kind, _, is_file in rows),
    )


def communities(db: Database, symbols: Collection[int]) -> int:
    """Return the number of communities that `symbols` are in, by the last analysis."""
    return int(db.value("change.communities_of", (json.dumps(list(symbols)),)))


def used_outside(db: Database, symbols: Collection[int]) -> dict[int, int]:
    """Return, by symbol, the number of symbols in other files that depend on it; symbols without such dependents are
    left out.
    """
    return dict(db.all("change.used_outside", (json.dumps(list(symbols)),)))


def changed_nodes(db: Database, symbols: Sequence[int], outside: dict[int, int]) -> list[ChangedNode]:
    """Return the changed nodes `symbols` in the form of answers. `outside`: dependents in other files, by symbol."""
    known = nodes(db, symbols)
    return [_changed(known[symbol], outside.get(symbol, 0)) for symbol in symbols if symbol in known]


def _changed(node: Node, outside: int) -> ChangedNode:
    return ChangedNode(node.label, node.kind, node.id, node.file, node.line_start, outside)


def blast(db: Graph, symbols: list[int], depth: int, *, by_use: bool = False) -> tuple[list[Reached], str]:
    """Return the dependents of `symbols` up to `depth` steps away, the nearest and most certain first, and notes in
    words on what is left out.

    `by_use`: imports of a symbol are not followed; a file that imports and uses the symbol is reached by the use.
    """
    reached, note = reached_from(db, symbols, False, depth, kinds_of(*IMPACT), FOLLOWED, NAMING if by_use else 0)
    return sorted(reached, key=lambda item: (item.distance, item.confidence, item.symbol)), note


def test_blast(db: Database, symbols: list[int]) -> tuple[list[Reached], str]:
    """Return what may run `symbols`, at any distance up to 16, and a note on what is left out: as `blast` by use, and
    through the objects of types, whose members run without being named.
    """
    reached, note = reached_from(
        db, symbols, False, FARTHEST, kinds_of(*IMPACT), REACHED, NAMING, REACHED, ImplicitCalls(db)
    )
    return sorted(reached, key=lambda item: (item.distance, item.confidence, item.symbol)), note


def dependents(db: Graph, reached: Sequence[Reached], reason: str = "") -> list[Dependent]:
    """Return the nodes `reached` in the form of answers. `reason`: why they are listed."""
    known = nodes(db, [item.symbol for item in reached])
    return [dependent(known[item.symbol], item, reason) for item in reached if item.symbol in known]


def dependent(node: Node, item: Reached, reason: str = "") -> Dependent:
    """Return `node` in the form of answers, with the last step by which `item` has reached it. `reason`: why it is
    listed.
    """
    return Dependent(
        node.label, item.distance, item.step.edge_type, node.id, node.file, CONFIDENCE_WORDS[item.confidence],
        reason or (THROUGH_OBJECTS if item.is_further else ""),
    )  # fmt: skip


def risk(*, reach: int, apis: int, lines: int, files: int, symbols: int, commits: int) -> Risk:
    """Return the risk score of a change with these figures, by the weights of page 002's origin, which are not based on
    measurements.
    """
    parts = (
        (0.30, reach, 100, f"{reach} dependents"), (0.20, apis, 3, f"{apis} public APIs that other files use"),
        (0.20, lines, 400, f"{lines} lines changed"), (0.10, files, 10, f"{files} files"),
        (0.10, symbols, 30, f"{symbols} symbols"), (0.10, commits, 20, f"{commits} commits in 90 days"),
    )  # fmt: skip
    worth = [(weight * min(value / most, 1.0), reason) for weight, value, most, reason in parts]
    score = round(100 * sum(value for value, _ in worth))
    level = "low" if score < _MEDIUM else "medium" if score < _HIGH else "high"
    return Risk(
        level, score, [reason for value, reason in sorted(worth, key=lambda entry: -entry[0]) if value >= _DOUBT]
    )
