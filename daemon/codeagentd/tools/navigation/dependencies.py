"""The tools about dependencies and dependents of a symbol."""

from __future__ import annotations

from codeagentd.model.parameters import Cursor, EdgeLimit, EdgeType, SymbolId
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.graph.edges import DEPENDENCIES, DEPENDENTS
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page
from codeagentd.toolkit.tool import tool

from .edge_pages import DEPENDENT_ROWS, TARGETS, neighbours


@tool("navigation", rows=TARGETS)
def get_dependencies(
    ctx: Context,
    node_id: SymbolId,
    edge_type: EdgeType | None = None,
    limit: EdgeLimit = 100,
    cursor: Cursor | None = None,
    lines: bool = False,
) -> Page[Neighbour]:
    """List what a symbol or module depends on: all its outgoing edges.

    Returns: neighbours with edge_type and direction, as get_callers; of other packages what imports prove (file_path
             external:…).
    Errors:  not_found, invalid_parameter.
    Source:  000 get_dependencies.
    """
    return neighbours(ctx, "get_dependencies", DEPENDENCIES, node_id, limit, cursor, edge_type, lines=lines)


@tool("navigation", rows=DEPENDENT_ROWS)
def get_dependents(
    ctx: Context,
    node_id: SymbolId,
    edge_type: EdgeType | None = None,
    limit: EdgeLimit = 100,
    cursor: Cursor | None = None,
    lines: bool = False,
) -> Page[Neighbour]:
    """List what depends on a symbol or imports it, and may break (incoming edges).

    Returns: neighbours with edge_type and direction, as get_callers.
    Errors:  not_found, invalid_parameter.
    Source:  000 get_dependents.
    """
    return neighbours(ctx, "get_dependents", DEPENDENTS, node_id, limit, cursor, edge_type, lines=lines)
