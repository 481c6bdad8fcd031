"""The tools about references and implementations."""

from __future__ import annotations

from codeagentd.model.parameters import Cursor, EdgeLimit, Include, SymbolId
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.graph.edges import IMPLEMENTATIONS, REFERENCES
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page
from codeagentd.toolkit.tool import tool

from .edge_pages import Users, neighbours


@tool("navigation", always_loaded=True)
def get_references(
    ctx: Context,
    node_id: SymbolId,
    limit: EdgeLimit = 100,
    cursor: Cursor | None = None,
    include: Include = "",
    lines: bool = False,
) -> Users:
    """Find all references (usages): every place where a symbol, such as a variable or field, is used, of any kind (is
    it unused?).

    Returns: referring symbols with edge_type and sites, as get_callers.
    Errors:  not_found, invalid_parameter.
    Source:  000 get_references.
    """
    return neighbours(ctx, "get_references", REFERENCES, node_id, limit, cursor, include=include, lines=lines)


@tool("navigation")
def get_implementations(
    ctx: Context, node_id: SymbolId, limit: EdgeLimit = 100, cursor: Cursor | None = None, lines: bool = False
) -> Page[Neighbour]:
    """Find implementations of an interface, subclasses that extend a type, or overrides of a method.

    Returns: direct implementers and heirs; overriding methods of all heirs; as get_callers.
    Errors:  not_found, invalid_parameter.
    Source:  000 get_implementations.
    """
    return neighbours(ctx, "get_implementations", IMPLEMENTATIONS, node_id, limit, cursor, lines=lines)
