"""The tool that describes a symbol in a short card."""

from __future__ import annotations

import functools

import msgspec

from codeagent_protocol.errors import NotFound
from codeagentd.model.results.lens_results import HoverCard
from codeagentd.query.symbols.definitions import definitions_named
from codeagentd.query.symbols.hover import foremost, hover
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.path_arguments import viewpoint
from codeagentd.toolkit.tool import tool


class Hover(msgspec.Struct, frozen=True, omit_defaults=True):
    """The hover card, or None for an unknown name; `note` when the name means several symbols."""

    result: HoverCard | None
    note: str = ""


@tool("lens", name="code.symbol.getHoverInfo")
def get_hover_info(ctx: Context, symbol_name: str, context_path: str | None = None) -> Hover:
    """Show hover information for a symbol: signature, type, documentation and place.

    Returns: result, null for an unknown name; of several symbols the nearest to context_path, of these the most
             referenced.
    Errors:  invalid_parameter, path_escape, not_found (context_path).
    Source:  001 code.symbol.getHoverInfo.
    """
    view = viewpoint(ctx, context_path)
    with ctx.read() as db:
        try:
            result = definitions_named(db, symbol_name, None, view)
        except NotFound:
            return Hover(None)
        card = hover(db, ctx.root, foremost(db, result.subjects), functools.cache(ctx.lines))
    return Hover(card, result.note)
