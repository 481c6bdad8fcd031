"""The tools about definitions, references, and descriptions of symbols."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.parameters import Cursor, EdgeLimit, NodeType, SearchLimit, SearchText
from codeagentd.model.results.retrieval_results import (
    RefsAnswer,
    RefSite,
    SymbolCard,
    SymbolsAnswer,
)
from codeagentd.query.graph.reference_places import sites_of_match
from codeagentd.query.symbols.find_symbol import MAX_DEFINITIONS, find
from codeagentd.query.symbols.lookup import KINDS, LABELS
from codeagentd.query.symbols.near_names import suggestion
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import cursor as cursor_of
from codeagentd.toolkit.pages import position
from codeagentd.toolkit.symbol_arguments import listed
from codeagentd.toolkit.tool import tool

from .envelope import coverage, envelope, state, state_of

Symbol = Annotated[str, Meta(description="a name, dotted if need be, a file's path, or a node_id")]


@tool("retrieval", envelope=envelope)
def find_symbol(
    ctx: Context, name: SearchText, kind: NodeType | None = None, limit: SearchLimit = 10, cursor: Cursor | None = None
) -> SymbolsAnswer:
    """Find where a name is defined (go to definition): exact names first, then other case, then names with its words.
    E.g. `QuerySet.filter`, `parse url`. A name of nothing gives no results; an empty one fails.

    Returns: definitions, best first, with the places that refer to each (counted up to 1,000); none for an unknown
             name.
    Errors:  invalid_parameter.
    Source:  003 find_symbol.
    """
    if not name.strip():
        raise InvalidParameter("name is empty", remedy="pass a name, or words of one", parameter="name")
    (first,) = position(cursor, "find_symbol", name, kind) or (0,)
    with ctx.read() as db:
        result = find(db, name, KINDS[kind] if kind else None)
        suggested = "" if result else suggestion(db, name)
    following = cursor_of((first + limit,), "find_symbol", name, kind) if len(result) > first + limit else ""
    note = (
        f"more than {MAX_DEFINITIONS} match: a qualified name finds the one that is meant"
        if len(result) >= MAX_DEFINITIONS
        else ""
    )
    note = (
        note
        if result
        else " ".join(
            filter(None, ("nothing has this name or its words;", suggested, "search_code looks into the text"))
        )
    )
    return SymbolsAnswer(
        tool="find_symbol", index=state(ctx), results=result[first : first + limit], next_cursor=following, note=note
    )


@tool("retrieval", envelope=envelope)
def find_refs(ctx: Context, symbol: Symbol, limit: EdgeLimit = 100, cursor: Cursor | None = None) -> RefsAnswer:
    """Find references (usages): the places where a symbol, variable or field is used: calls, reads, types, imports,
    inheritance. E.g. `Order.total`. Several definitions of a name are answered one after the other. Fails on a name of
    nothing.

    Returns: sites, surest first, then by path and line (1-based; columns 0-based); coverage says how far these are all.
    Errors:  not_found, invalid_parameter (candidates).
    Source:  003 find_refs.
    """
    question = ("find_refs", symbol, "by group")
    after = position(cursor, *question)
    with ctx.read() as db:
        definitions = listed(ctx, db, symbol, "symbol")
        part = sites_of_match(db, definitions, after, limit)
    subject, sites = definitions.best, [RefSite(*site) for site in part.items]
    status = ctx.engine.status()
    return RefsAnswer(
        tool="find_refs",
        index=state_of(status),
        symbol=SymbolCard(subject.qualified_name, LABELS[subject.kind], subject.path, subject.line_start),
        sites=sites,
        coverage=coverage(
            status,
            tuple(dict.fromkeys(subject.language for subject in definitions.subjects)),
            {site.confidence for site in sites},
        ),
        next_cursor=cursor_of(part.after, *question) if part.after else "",
        note=part.note,
    )
