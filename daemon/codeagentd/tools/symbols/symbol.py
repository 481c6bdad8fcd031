"""What is known about this symbol, and where is it written?"""

from __future__ import annotations

from typing import Final

from codeagentd.model.parameters import Cursor, SymbolId
from codeagentd.model.results import SourceSpan, SymbolDetails
from codeagentd.query.source import spans
from codeagentd.query.symbols import details, resolve
from codeagentd.toolkit.answers import Page, page, position
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

SPANS_PAGE: Final = 500  # a namespace may have thousands


@tool("symbols", always_loaded=True)
def get_symbol(ctx: Context, node_id: SymbolId) -> SymbolDetails:
    """Go to the definition of a symbol and describe it in full, as hover does: where declared, signature, type, docs, visibility, parameters.

    Returns: its metadata; parameter_signature, parameter_count and return_type only where it has them.
    Errors:  not_found, invalid_parameter (candidates of an ambiguous name).
    Source:  000 get_symbol.
    """
    with ctx.read() as db:
        return details(db, resolve(db, node_id))


@tool("symbols")
def get_source_spans(ctx: Context, node_id: SymbolId, cursor: Cursor | None = None) -> Page[SourceSpan]:
    """List every place (location) where a symbol is declared or defined: partial classes, overloads.

    Returns: the primary span first, then by path and line.
    Errors:  not_found, invalid_parameter.
    Source:  000 get_source_spans.
    """
    question = ("get_source_spans", node_id)
    after = position(cursor, *question)
    with ctx.read() as db:
        return page(spans(db, resolve(db, node_id), after, ctx.most(SPANS_PAGE)), *question)
