"""The compact form of every answer. Rows are texts, below the file where they are; nothing in it is empty, false or
said twice.

It is for models, which read it as it is. Programs have the form of the contract pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from codeagentd.model.results import change_results, graph_results, retrieval_results, symbol_results
from codeagentd.model.retrieval import CodeHit, IndexState, Read, SearchAnswer

from . import edge_rows, file_rows, graph_rows, symbol_rows

Object = dict[str, Any]
Lists = Mapping[type, Callable[[Any], Any]]

RESULTS: Final = "results"  # the field of a list's items; it stays where an answer would have no list at all

# the writers of lists, by the type of their items
LISTS: Final[Lists] = {
    symbol_results.Neighbour: edge_rows.incoming,
    symbol_results.SymbolHit: symbol_rows.symbol_hits,
    symbol_results.SimilarSymbol: symbol_rows.symbol_hits,
    symbol_results.OutlineItem: symbol_rows.outline,
    symbol_results.SourceSpan: symbol_rows.spans,
    symbol_results.DirectoryEntry: file_rows.entries,
    retrieval_results.FoundSymbol: symbol_rows.definitions,
    retrieval_results.RefSite: edge_rows.places,
    retrieval_results.ImpactNode: graph_rows.impact,
    retrieval_results.Related: edge_rows.related,
    retrieval_results.Relation: edge_rows.relations,
    retrieval_results.Place: symbol_rows.spots,
    retrieval_results.SymbolCard: symbol_rows.cards,
    CodeHit: file_rows.hits,
    Read: file_rows.reads,
    graph_results.AffectedNode: graph_rows.affected,
    graph_results.GraphNeighbour: graph_rows.neighbors,
    graph_results.NodeCandidate: graph_rows.labelled,
    graph_results.NodeLabel: graph_rows.labelled,
    graph_results.Hub: graph_rows.hubs,
    graph_results.Member: graph_rows.members,
    graph_results.SubgraphNode: graph_rows.subgraph_nodes,
    graph_results.SubgraphEdge: graph_rows.subgraph_edges,
    change_results.Dependent: graph_rows.dependents,
    change_results.ChangedNode: graph_rows.changed,
}
# the writers of single values
VALUES: Final[Lists] = {
    symbol_results.TreeNode: file_rows.tree,
    symbol_results.SymbolDetails: file_rows.details,
    retrieval_results.SymbolCard: symbol_rows.card,
    graph_results.MatchedNode: graph_rows.matched,
    retrieval_results.EdgeCoverage: lambda coverage: coverage.reason if coverage.partial else "",
    IndexState: lambda index: "" if not index.stale else f"{index.files_changed_since_build} files behind",
}
# fields that repeat the question, or that are for programs
_ALWAYS: Final = frozenset({"schema_version", "tool"})
_BESIDE: Final[Mapping[type, frozenset[str]]] = {
    SearchAnswer: frozenset({"query", "mode", "embedded"}),
    retrieval_results.ExplainAnswer: frozenset({"query", "mode", "embedded", "intent", "token_budget"}),
    retrieval_results.ImpactAnswer: frozenset({"target", "direction", "depth", "files"}),
    retrieval_results.DescribeAnswer: frozenset(
        {"node_id", "primary", "caller_count", "callee_count", "test_count", "member_count"}
    ),
    graph_results.AffectedAnswer: frozenset({"found", "seed", "total"}),
}

# fields that are written from the whole answer
_WRITTEN: Final[Lists] = {
    retrieval_results.DescribeAnswer: file_rows.described,
    retrieval_results.ExplainAnswer: file_rows.unsure,
    SearchAnswer: file_rows.unsure,
    change_results.Tests: file_rows.counted,
}


def compact_error(facts: Object) -> Object:
    """Return the fields of an error answer, its candidates as rows."""
    error = facts.get("error")
    if not isinstance(error, dict) or not isinstance(error.get("candidates"), list):
        return facts
    rows = [symbol_rows.candidate(item) if isinstance(item, dict) else item for item in error["candidates"]]
    return facts | {"error": error | {"candidates": rows}}


def compact(answer: msgspec.Struct, lists: Lists = LISTS) -> Object:
    """Return `answer` in compact form, its lists written by `lists`; one that says nothing has an empty list of
    results.
    """
    written = _value(answer, lists)
    assert isinstance(written, dict)
    return written or {RESULTS: []}


def _value(value: Any, lists: Lists) -> Any:
    if isinstance(value, list):
        return _list(value, lists)
    if isinstance(value, dict):
        return {key: _value(item, lists) for key, item in value.items()}  # numbers, or what the client has stored
    if not isinstance(value, msgspec.Struct):
        return value
    if write := VALUES.get(type(value)):
        written = write(value)
        return _without_blanks(written) if isinstance(written, dict) else written
    beside = _ALWAYS | _BESIDE.get(type(value), frozenset())
    fields = {
        field.encode_name: _value(getattr(value, field.name), lists)
        for field in msgspec.structs.fields(value)
        if field.encode_name not in beside and not _is_left_out(value, field)
    }
    filled = _without_blanks(fields | (write(value) if (write := _WRITTEN.get(type(value))) else {}))
    return {RESULTS: fields[RESULTS], **filled} if RESULTS in fields and not _has_list(filled) else filled


def _is_left_out(value: msgspec.Struct, field: msgspec.structs.FieldInfo) -> bool:
    """Whether the full form leaves out a field as well, since it has its default."""
    return value.__struct_config__.omit_defaults and bool(getattr(value, field.name) == field.default)


def _list(items: Sequence[Any], lists: Lists) -> Any:
    write = lists.get(type(items[0])) if items else None
    return write(items) if write else [_value(item, lists) for item in items]


def _has_list(fields: Object) -> bool:
    return any(isinstance(value, list | dict) for value in fields.values())


def _without_blanks(fields: Object) -> Object:
    return {
        name: value
        for name, value in fields.items()
        if value is not msgspec.UNSET and (value or (isinstance(value, int) and not isinstance(value, bool)))
    }
