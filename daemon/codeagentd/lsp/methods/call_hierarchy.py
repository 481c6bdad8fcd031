"""Who calls a function, and whom it calls, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codeagentd.lsp.document_view import length_at
from codeagentd.lsp.hierarchy_items import HierarchyItem, ItemParams, item_at, item_of, subject_of
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.name_at import name_at
from codeagentd.lsp.positions import Range
from codeagentd.lsp.protocol_types import PositionParams, Result
from codeagentd.model.documents import Place
from codeagentd.model.ids import uid_of
from codeagentd.model.kinds import Confidence
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.graph.edges import CALLEES, CALLERS, EdgeFilter, neighbours

LISTED: Final = 1_000


class IncomingCall(Result, frozen=True):
    """A caller, and where it calls."""

    from_: HierarchyItem
    from_ranges: list[Range]


class OutgoingCall(Result, frozen=True):
    """What is called, and where."""

    to: HierarchyItem
    from_ranges: list[Range]


@method("textDocument/prepareCallHierarchy", PositionParams)
def prepare_call_hierarchy(context: MethodContext, params: PositionParams) -> list[HierarchyItem] | None:
    """Return what is at a position as the start of a call hierarchy."""
    name = name_at(context, context.path(params.text_document), params.position)
    items = [item for meaning in name.meanings if (item := item_of(context, meaning))] if name else []
    return items or None


@method("callHierarchy/incomingCalls", ItemParams)
def incoming_calls(context: MethodContext, params: ItemParams) -> list[IncomingCall] | None:
    """Return the callers of an item, surest first: those that the tool get_callers lists, without ambiguous ones."""
    ends = _ends(context, params, CALLERS)
    if ends is None:
        return None
    return [
        IncomingCall(item, _ranges(context, end.file_path, end))
        for end in ends
        if (item := item_at(context, uid_of(end.node_id) or b""))
    ]


@method("callHierarchy/outgoingCalls", ItemParams)
def outgoing_calls(context: MethodContext, params: ItemParams) -> list[OutgoingCall] | None:
    """Return what an item calls, surest first: what the tool get_callees lists, without ambiguous ones."""
    ends = _ends(context, params, CALLEES)
    subject = subject_of(context, params.item)
    if ends is None or subject is None:
        return None
    return [
        OutgoingCall(item, _ranges(context, subject.path, end))
        for end in ends
        if (item := item_at(context, uid_of(end.node_id) or b""))
    ]


def _ends(context: MethodContext, params: ItemParams, direction: EdgeFilter) -> Iterable[Neighbour] | None:
    """The symbols at the other ends of calls, each once with all places; None for an item that is gone."""
    subject = subject_of(context, params.item)
    if subject is None:
        return None
    ends: dict[str, Neighbour] = {}
    for end in neighbours(context.db, subject, direction, None, LISTED, has_note=False).items:
        if end.confidence != Confidence.AMBIGUOUS.label:
            known = ends.setdefault(end.node_id, end)
            if known is not end:
                known.sites.extend(end.sites)
    return ends.values()


def _ranges(context: MethodContext, path: str, end: Neighbour) -> list[Range]:
    lines = context.lines(path)
    return [
        context.range(path, Place(site.line, site.column), length_at(lines.line(site.line), site.column))
        for site in end.sites
    ]
