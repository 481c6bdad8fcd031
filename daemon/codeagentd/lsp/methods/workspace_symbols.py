"""The symbols of the repository by parts of their names."""

from __future__ import annotations

from typing import Final

from codeagentd.lsp.definition_places import location, places_of
from codeagentd.lsp.hierarchy_items import meaning_of
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.protocol_types import Location, Params, Result
from codeagentd.lsp.symbol_kinds import symbol_kind
from codeagentd.query.symbols.lookup import Subject
from codeagentd.query.symbols.name_search import matching_symbols

LISTED: Final = 200
CENTRAL: Final = 50  # symbols that an empty query lists
ANALYSED_S: Final = 1.0  # seconds that it waits for the first analysis of the graph


class WorkspaceSymbol(Result, frozen=True):
    """A symbol of the repository. It has the form of SymbolInformation, which every client reads."""

    name: str
    kind: int
    location: Location
    container_name: str = ""


class WorkspaceSymbolParams(Params, frozen=True):
    """The parameters of workspace/symbol."""

    query: str = ""


@method("workspace/symbol", WorkspaceSymbolParams)
def workspace_symbols(context: MethodContext, params: WorkspaceSymbolParams) -> list[WorkspaceSymbol]:
    """Return the symbols whose names match the query, best first, as the tool code.symbol.search does; for an empty
    query, which some agents send, the symbols that most is connected to.
    """
    query = params.query.strip()
    subjects = _named(context, query) if query else _central(context)
    results = []
    for subject in subjects:
        places = places_of(context, meaning_of(context, subject))
        if places:
            container = subject.qualified_name.removesuffix(subject.name).rstrip(".:#\\")
            results.append(
                WorkspaceSymbol(subject.name, symbol_kind(subject.kind), location(context, places[0]), container)
            )
    return results


def _named(context: MethodContext, query: str) -> list[Subject]:
    numbers = matching_symbols(context.db, query, begins=True, limit=LISTED)
    if len(numbers) < LISTED:
        numbers = list(dict.fromkeys([*numbers, *matching_symbols(context.db, query, begins=False, limit=LISTED)]))
    return context.subjects(numbers[:LISTED])


def _central(context: MethodContext) -> list[Subject]:
    context.ctx.engine.analysed(ANALYSED_S)
    return context.subjects(number for (number,) in context.db.all("analysis.hubs", {"limit": CENTRAL}))
