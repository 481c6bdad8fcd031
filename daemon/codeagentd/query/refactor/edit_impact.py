"""The effects of an edit of one symbol: its removal, a changed signature, or reduced visibility."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from codeagentd.model.results.change_results import Dependent
from codeagentd.query.graph.federated_graph import Graph
from codeagentd.query.graph.impact import Reached
from codeagentd.query.graph.nodes import Node, nodes
from codeagentd.query.graph.traversal import AMBIGUOUS
from codeagentd.query.symbols.coverage import is_generic

from .changed_symbols import dependent

DELETE, SIGNATURE, VISIBILITY = ("delete", "signature", "visibility")

_NAMING: Final = frozenset({"imports", "re_exports"})  # relations that name a symbol without using it


class Verdict(NamedTuple):
    """The first dependents that break, and the first that need a look, the nearest first; `breaking` and `reviewing`
    count all.
    """

    breaks: list[Dependent]
    review: list[Dependent]
    breaking: int
    reviewing: int


def verdict(graph: Graph, kind: str, at: Node, reached: Sequence[Reached], limit: int) -> Verdict:
    """Return those of the dependents `reached` that break by an edit of the symbol `at`, and those that need a look, at
    most `limit` of each. `kind`: of edit. Dependents that are found by name alone need a look.
    """
    near = [item.symbol for item in reached if item.distance == 1] if kind == VISIBILITY else []
    inside = {number for number, node in nodes(graph, near).items() if node.file == at.file}
    breaks, review = list[tuple[Reached, str]](), list[tuple[Reached, str]]()
    for item in reached:
        is_breaking, reason = _judged(kind, item, item.symbol in inside)
        if is_breaking and is_generic(at.language):
            is_breaking, reason = False, f"{reason}, by name alone"
        if reason:
            (breaks if is_breaking else review).append((item, reason))
    known = nodes(graph, [item.symbol for item, _ in (*breaks[:limit], *review[:limit])])
    listed = [
        [dependent(known[item.symbol], item, reason) for item, reason in part[:limit] if item.symbol in known]
        for part in (breaks, review)
    ]
    return Verdict(listed[0], listed[1], len(breaks), len(review))


def _judged(kind: str, item: Reached, is_same_file: bool) -> tuple[bool, str]:
    """Whether a dependent breaks, and the reason; an empty reason if the edit does not affect it."""
    relation = item.step.edge_type
    if item.confidence == AMBIGUOUS:
        return False, f"{relation} something of this name; it may be another"
    if relation == "overrides" and kind == DELETE:
        return False, "overrides it, and may need no base for that"
    if kind == DELETE:
        return True, f"{relation} it" if item.distance == 1 else f"{relation} what breaks"
    if kind == VISIBILITY:
        if item.distance > 1:
            return False, ""
        return (False, "") if is_same_file else (True, f"{relation} it from another file")
    if item.distance > 1:
        return False, f"{relation} what may have to change"
    return (False, f"{relation} it by name alone") if relation in _NAMING else (True, f"{relation} it as it is now")
