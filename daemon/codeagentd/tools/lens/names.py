"""The tools that find symbols by name."""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.parameters import Cursor, EdgeLimit, SearchText
from codeagentd.model.results.lens_results import SymbolPlace
from codeagentd.query.symbols.definitions import definitions, kind_number
from codeagentd.query.symbols.name_search import matching
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.tool import tool

DEFINITIONS_PAGE: Final = 200


@tool("lens", name="code.symbol.search")
def search(
    ctx: Context, query: SearchText, kind: str | None = None, prefix_mode: bool = True, limit: EdgeLimit = 50
) -> Page[SymbolPlace]:
    """Search the workspace's symbols by prefix: names that begin with a text, or contain it (prefix_mode false). A
    capital letter makes case matter.

    Returns: exact names first, then names and words that begin so, code before documents, the shorter and more
             referenced first.
    Errors:  invalid_parameter.
    Source:  001 code.symbol.search.
    """
    text = query.strip()
    if not text:
        raise InvalidParameter("query is empty", remedy="pass a name, or a part of one", parameter="query")
    with ctx.read() as db:
        return Page(matching(db, ctx.root, text, kind_number(kind), prefix_mode, limit))


@tool("lens", name="code.symbol.findDefinition")
def find_definition(
    ctx: Context, symbol_name: str, kind: str | None = None, cursor: Cursor | None = None
) -> Page[SymbolPlace]:
    """Go to definition: where a symbol is declared, by exact name or dotted end of its qualified name.

    Returns: every place, code before documents, then by path and line; none for an unknown name, with a note.
    Errors:  invalid_parameter.
    Source:  001 code.symbol.findDefinition.
    """
    question = ("code.symbol.findDefinition", symbol_name, kind)
    after = position(cursor, *question)
    with ctx.read() as db:
        return page(
            definitions(db, ctx.root, symbol_name, kind_number(kind), after, ctx.most(DEFINITIONS_PAGE)), *question
        )
