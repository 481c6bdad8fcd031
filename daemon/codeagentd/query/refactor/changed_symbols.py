"""The symbols of changed files, what depends on them, and the risk of the change."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from codeagentd.model.kinds import OUTLINE, SymbolFlag
from codeagentd.model.results.change_results import ChangedNode, Dependent, Risk
from codeagentd.model.results.graph_results import CONFIDENCE_WORDS
from codeagentd.query.graph.federated_graph import Graph
from codeagentd.query.graph.impact import Reached, reached_from
from codeagentd.query.graph.nodes import Node, nodes
from codeagentd.query.graph.relation_names import ACROSS, kinds_of
from codeagentd.store.connection import Database

IMPACT: Final = (
    "calls", "references", "imports", "imports_from", "re_exports", "inherits", "extends", "implements", "uses",
    "mixes_in", "embeds", "depends_on", "reads_from", *ACROSS,
)  # fmt: skip
FOLLOWED: Final = 20_000  # symbols that one step of a blast radius starts from: files have many

NAMING: Final = kinds_of("imports", "re_exports")

_PUBLIC: Final = SymbolFlag.PUBLIC_API
_DOUBT: Final = 0.04  # of the score; a part that gives less is no driver (page 002's origin)
_MEDIUM, _HIGH = 33, 66  # of 100


class Touched(NamedTuple):
    """The symbols of some files: all, and those that are public and no part of a document."""

    symbols: list[int]
    public: list[int]
    files: list[str]


def touched(db: Database, paths: Collection[str]) -> Touched:
    """What some files hold; files that the index does not have are left out."""
    rows = db.all("change.in_files", (json.dumps(sorted(paths)),))
    public = [
        number for _, number, kind, flags, is_file in rows if flags & _PUBLIC and not is_file and kind not in OUTLINE
    ]
    return Touched([row[1] for row in rows], public, list(dict.fromkeys(row[0] for row in rows)))


def communities(db: Database, symbols: Collection[int]) -> int:
    """How many communities some symbols belong to, as of the last analysis."""
    return int(db.value("change.communities_of", (json.dumps(list(symbols)),)))


def used_outside(db: Database, symbols: Collection[int]) -> dict[int, int]:
    """How many symbols of other files depend on each of these; without those on which none does."""
    return dict(db.all("change.used_outside", (json.dumps(list(symbols)),)))


def changed_nodes(db: Database, symbols: Sequence[int], outside: dict[int, int]) -> list[ChangedNode]:
    """Nodes as answers list them."""
    known = nodes(db, symbols)
    return [_changed(known[symbol], outside.get(symbol, 0)) for symbol in symbols if symbol in known]


def _changed(node: Node, outside: int) -> ChangedNode:
    return ChangedNode(node.label, node.kind, node.id, node.file, node.line_start, outside)


def blast(db: Graph, symbols: list[int], depth: int, *, by_use: bool = False) -> tuple[list[Reached], str]:
    """What depends on some symbols, the nearest and surest first; and what is left out, in words.

    `by_use`: who only imports a symbol passes nothing on; who then uses it is reached by that.
    """
    reached, note = reached_from(db, symbols, False, depth, kinds_of(*IMPACT), FOLLOWED, NAMING if by_use else 0)
    return sorted(reached, key=lambda item: (item.distance, item.confidence, item.symbol)), note


def dependents(db: Graph, reached: Sequence[Reached], reason: str = "") -> list[Dependent]:
    """The reached nodes as answers list them."""
    known = nodes(db, [item.symbol for item in reached])
    return [dependent(known[item.symbol], item, reason) for item in reached if item.symbol in known]


def dependent(node: Node, item: Reached, reason: str = "") -> Dependent:
    """One reached node as answers list it."""
    return Dependent(
        node.label, item.distance, item.step.edge_type, node.id, node.file, CONFIDENCE_WORDS[item.confidence], reason
    )


def risk(*, reach: int, apis: int, lines: int, files: int, symbols: int, commits: int) -> Risk:
    """A score by the weights of page 002's origin, which rest on no measurement."""
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
