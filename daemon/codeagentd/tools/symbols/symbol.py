"""The tools that describe a symbol, and list the places of its declarations."""

from __future__ import annotations

import functools
import re
import textwrap
from typing import Final

import msgspec

from codeagentd.model.parameters import Cursor, SymbolId
from codeagentd.model.results.symbol_results import SourceSpan, SymbolDetails
from codeagentd.query.symbols.hover import documented
from codeagentd.query.symbols.lookup import details
from codeagentd.query.symbols.spans import spans
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.symbol_arguments import single
from codeagentd.toolkit.tool import tool

SPANS_PAGE: Final = 500  # a namespace may have thousands
LONGEST_DOC: Final = 300  # characters

_PARAGRAPH: Final = re.compile(r"\n\s*\n")


@tool("symbols")
def get_symbol(ctx: Context, node_id: SymbolId) -> SymbolDetails:
    """Go to the definition of a symbol and describe it in full, as hover does: where declared, signature, type, docs,
    visibility, parameters.

    Returns: its metadata; parameter_signature, parameter_count, return_type and doc (the first paragraph) only where it
             has them.
    Errors:  not_found, invalid_parameter (candidates of an ambiguous name).
    Source:  000 get_symbol.
    """
    with ctx.read() as db:
        match = single(ctx, db, node_id)
        doc = _beginning(documented(db, match.best, functools.cache(ctx.lines)))
        return msgspec.structs.replace(details(db, match.best), doc=doc, note=match.note_of_best)


def _beginning(doc: str) -> str:
    """The first paragraph of a documentation on one line; a long one is cut between words."""
    return textwrap.shorten(_PARAGRAPH.split(doc.strip(), maxsplit=1)[0], LONGEST_DOC, placeholder=" …")


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
        match = single(ctx, db, node_id)
        part = spans(db, match.best, after, ctx.most(SPANS_PAGE))
    return page(part if after else msgspec.structs.replace(part, note=match.note_of_best), *question)
