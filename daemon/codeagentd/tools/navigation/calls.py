"""The tools about callers and callees."""

from __future__ import annotations

from codeagentd.model.parameters import Cursor, EdgeLimit, Include, SymbolId
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.graph.edges import CALLEES, CALLERS
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page
from codeagentd.toolkit.tool import tool

from .edge_pages import TARGETS, Users, neighbours


@tool("navigation")
def get_callers(
    ctx: Context,
    node_id: SymbolId,
    limit: EdgeLimit = 100,
    cursor: Cursor | None = None,
    include: Include = "",
    lines: bool = False,
) -> Users:
    """List who calls a symbol (incoming calls, upstream), with every call site.

    Returns: callers, surest first, then by path and line; sites (line 1-based, column 0-based), 50 per item.
    Errors:  not_found, invalid_parameter.
    Source:  000 get_callers.
    """
    return neighbours(ctx, "get_callers", CALLERS, node_id, limit, cursor, include=include, lines=lines)


@tool("navigation", rows=TARGETS)
def get_callees(
    ctx: Context, node_id: SymbolId, limit: EdgeLimit = 100, cursor: Cursor | None = None, lines: bool = False
) -> Page[Neighbour]:
    """List the functions that a symbol calls (outgoing calls, downstream).

    Returns: callees within the repository, as get_callers; `note` counts calls on receivers of unknown type that are
             left out.
    Errors:  not_found, invalid_parameter.
    Source:  000 get_callees.
    """
    return neighbours(ctx, "get_callees", CALLEES, node_id, limit, cursor, lines=lines)
