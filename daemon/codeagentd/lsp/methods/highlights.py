"""The other places in a document that mean the same as a name."""

from __future__ import annotations

from typing import Final

from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.name_at import name_at
from codeagentd.lsp.positions import Range
from codeagentd.lsp.protocol_types import PositionParams, Result
from codeagentd.lsp.uses import uses_in

READ: Final = 2  # DocumentHighlightKind
WRITE: Final = 3


class DocumentHighlight(Result, frozen=True):
    """A place to highlight."""

    range: Range
    kind: int


@method("textDocument/documentHighlight", PositionParams)
def highlights(context: MethodContext, params: PositionParams) -> list[DocumentHighlight] | None:
    """Return the places in the document that refer to what is at a position, or define it, in their order."""
    path = context.path(params.text_document)
    name = name_at(context, path, params.position)
    if name is None or not (name.meanings or name.variable):
        return None
    places = {use.place: use for use in reversed(uses_in(context, name.view, name))}
    ordered = sorted(places.values(), key=lambda use: (use.place.line, use.place.column))
    return [
        DocumentHighlight(context.range(path, use.place, use.length), WRITE if use.writes else READ) for use in ordered
    ]
