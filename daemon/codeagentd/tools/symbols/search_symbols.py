"""The tools that find symbols by text or by name."""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import InvalidParameter
from codeagentd.base.suggestions import did_you_mean
from codeagentd.languages.language import languages
from codeagentd.model.parameters import Cursor, LanguageName, NodeType, SearchLimit, SearchText
from codeagentd.model.results.symbol_results import SymbolHit
from codeagentd.query.symbols.coverage import is_indexed
from codeagentd.query.symbols.lookup import filters, lookup
from codeagentd.query.symbols.near_names import suggestion
from codeagentd.query.symbols.symbol_search import search
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
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
    """Find where a function, class or other symbol is defined (go to definition): by name, part of a name, words or
    FTS5 expression ("Authenticate*").

    Returns: hits, exact names first, then by BM25 (`rank`, lower is better).
    Errors:  invalid_parameter, not_found (project_id).
    Source:  000 search_symbols.
    """
    _check(language)
    if not query.strip():
        raise InvalidParameter("query is empty", remedy="pass a name, a part of one, or words", parameter="query")
    with ctx.read() as db:
        result = search(db, query, filters(db, node_type, language, project_id), limit)
        return Page(
            result.hits, note=result.note or ("" if result.hits else _nothing(db, language, suggestion(db, query)))
        )


@tool("symbols")
def lookup_symbol(
    ctx: Context,
    qualified_name: str,
    language: LanguageName | None = None,
    project_id: str | None = None,
    cursor: Cursor | None = None,
) -> Page[SymbolHit]:
    """Look up symbols by exact, fully qualified name: where each is declared.

    Returns: all that have it (overloads, several projects), by path and line.
    Errors:  invalid_parameter, not_found (project_id).
    Source:  000 lookup_symbol.
    """
    _check(language)
    question = ("lookup_symbol", qualified_name)
    after = position(cursor, *question)
    with ctx.read() as db:
        result = lookup(db, qualified_name, filters(db, None, language, project_id), after, ctx.most(LOOKUP_PAGE))
        if not result.items and not after:
            return Page(
                [],
                note=_nothing(
                    db,
                    language,
                    "nothing has exactly this qualified name; search_symbols finds names and parts of them",
                ),
            )
        return page(result, *question)


def _check(language: str | None) -> None:
    """Errors: invalid_parameter, for a word that is no language."""
    if language is not None and language not in languages():
        hint = did_you_mean(language, languages()) or "get_status lists those of the repository"
        raise InvalidParameter(f"no language is called {language}", remedy=hint, parameter="language")


def _nothing(db: Database, language: str | None, otherwise: str) -> str:
    """The text that explains why nothing was found."""
    return (
        f"no {language} is indexed; get_status lists the languages"
        if language and not is_indexed(db, language)
        else otherwise
    )
