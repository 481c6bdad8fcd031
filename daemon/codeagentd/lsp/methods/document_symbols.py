"""The outline of a document."""

from __future__ import annotations

from codeagentd.lsp.definition_places import location, name_range, place_in, whole_range
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.positions import Range
from codeagentd.lsp.protocol_types import DocumentParams, Location, Result
from codeagentd.lsp.symbol_kinds import symbol_kind
from codeagentd.model.documents import Definition
from codeagentd.model.kinds import SymbolFlag

DEPRECATED = 1  # SymbolTag


class DocumentSymbol(Result, frozen=True):
    """A definition with those inside it."""

    name: str
    kind: int
    range: Range
    selection_range: Range
    detail: str = ""
    tags: list[int] = []
    children: list[DocumentSymbol] = []


class SymbolInformation(Result, frozen=True):
    """A definition, for clients that show no tree."""

    name: str
    kind: int
    location: Location
    container_name: str = ""


@method("textDocument/documentSymbol", DocumentParams, is_exact=True)
def document_symbols(
    context: MethodContext, params: DocumentParams
) -> list[DocumentSymbol] | list[SymbolInformation] | None:
    """Return the definitions of a document as a tree, or as a list where the client shows none."""
    path = context.path(params.text_document)
    view = context.view(path)
    if not view.is_known:
        return None
    definitions = view.definitions
    if not context.features.nested:
        return [
            SymbolInformation(
                definition.name,
                symbol_kind(definition.kind),
                location(context, place_in(context, path, definition)),  # where agents ask further
                definitions[definition.parent].name if definition.parent > 0 else "",
            )
            for definition in definitions[1:]
        ]
    children: dict[int, list[DocumentSymbol]] = {}
    for number in range(len(definitions) - 1, 0, -1):  # inner ones come after outer ones
        definition = definitions[number]
        parent = definition.parent if 0 < definition.parent < number else 0
        inner = children.pop(number, [])[::-1]
        children.setdefault(parent, []).append(_symbol(context, path, definition, inner))
    return children.get(0, [])[::-1]


def _symbol(
    context: MethodContext, path: str, definition: Definition, children: list[DocumentSymbol]
) -> DocumentSymbol:
    place = place_in(context, path, definition)
    return DocumentSymbol(
        name=definition.name or "?",
        kind=symbol_kind(definition.kind),
        range=whole_range(context, place),
        selection_range=name_range(context, place),
        detail=definition.signature or "",
        tags=[DEPRECATED] if definition.flags & SymbolFlag.DEPRECATED else [],
        children=children,
    )
