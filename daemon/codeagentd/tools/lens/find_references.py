"""The tool that finds the references to a symbol."""

from __future__ import annotations

from codeagentd.model.parameters import Cursor, EdgeLimit
from codeagentd.model.results.lens_results import ReferencePlace
from codeagentd.query.graph.reference_places import reference_places
from codeagentd.query.symbols.definitions import definitions_named
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.path_arguments import viewpoint
from codeagentd.toolkit.tool import tool


@tool("lens", name="code.symbol.findReferences")
def find_references(
    ctx: Context, symbol_name: str, context_path: str, limit: EdgeLimit = 200, cursor: Cursor | None = None
) -> Page[ReferencePlace]:
    """Find all references (usages) of a symbol. Of several with the name, those nearest to context_path (file, folder,
    or "." for all) are meant.

    Returns: places (line 1-based, column 0-based), surest first, then by path and line; `note` says what else could be
             meant.
    Errors:  not_found, invalid_parameter, path_escape.
    Source:  001 code.symbol.findReferences.
    """
    view = viewpoint(ctx, context_path)
    question = ("code.symbol.findReferences", symbol_name, view)
    after = position(cursor, *question)
    with ctx.read() as db:
        return page(
            reference_places(db, ctx.root, definitions_named(db, symbol_name, None, view), after, limit), *question
        )
