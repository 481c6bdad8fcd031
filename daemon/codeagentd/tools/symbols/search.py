"""Which symbols match this text, or have this name?"""

from __future__ import annotations

from typing import Final

from codeagentd.model.parameters import Cursor, LanguageName, NodeType, SearchLimit, SearchText
from codeagentd.model.results import SymbolHit
from codeagentd.query.search import search
from codeagentd.query.symbols import filters, lookup
from codeagentd.toolkit.answers import Page, page, position
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

LOOKUP_PAGE: Final = 100


@tool("symbols")
def search_symbols(
    ctx: Context,
    query: SearchText,
    project_id: str | None = None,
    node_type: NodeType | None = None,
    language: LanguageName | None = None,
    limit: SearchLimit = 20,
) -> Page[SymbolHit]:
    """Search symbols by name, part of a name, words or FTS5 expression ("Authenticate*").

    Returns: hits, exact names first, then by BM25 (`rank`, lower is better).
    Errors:  invalid_parameter, not_found (project_id).
    Source:  000 search_symbols.
    """
    with ctx.read() as db:
        return Page(search(db, query, filters(db, node_type, language, project_id), limit))


@tool("symbols")
def lookup_symbol(
    ctx: Context, qualified_name: str, language: LanguageName | None = None, project_id: str | None = None, cursor: Cursor | None = None
) -> Page[SymbolHit]:
    """Find symbols by exact qualified name.

    Returns: all that have it (overloads, several projects), by path and line.
    Errors:  invalid_parameter, not_found (project_id).
    Source:  000 lookup_symbol.
    """
    question = ("lookup_symbol", qualified_name)
    after = position(cursor, *question)
    with ctx.read() as db:
        return page(lookup(db, qualified_name, filters(db, None, language, project_id), after, ctx.most(LOOKUP_PAGE)), *question)
