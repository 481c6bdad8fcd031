"""Hints behind names whose meaning is not certain, for clients that ask for them."""

from __future__ import annotations

from typing import Final

from codeagentd.lsp.document_view import DEFINITION
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.positions import Position, Range
from codeagentd.lsp.protocol_types import DocumentParams, Result
from codeagentd.model.documents import Place
from codeagentd.model.kinds import Confidence

MOST_LINES: Final = 500  # a client asks for the lines that it shows
_MARKS: Final = {
    int(Confidence.INFERRED): ("~", "inferred: the only definition of this name that fits"),
    int(Confidence.AMBIGUOUS): ("?", "ambiguous: several definitions have this name"),
}


class InlayHint(Result, frozen=True):
    """A text behind a name."""

    position: Position
    label: str
    tooltip: str
    padding_left: bool = False


class InlayHintParams(DocumentParams, frozen=True):
    """The parameters of textDocument/inlayHint."""

    range: Range


@method("textDocument/inlayHint", InlayHintParams)
def inlay_hints(context: MethodContext, params: InlayHintParams) -> list[InlayHint] | None:
    """Return a mark behind each name whose meaning was inferred or is ambiguous; where initializationOptions has
    `inlayHints: true`.
    """
    if not context.features.hints:
        return None
    path = context.path(params.text_document)
    view = context.view(path)
    first, last = context.place(path, params.range.start).line, context.place(path, params.range.end).line
    hints = []
    for line in range(first, min(last, first + MOST_LINES) + 1):
        surest: dict[tuple[int, int], int] = {}
        for name in view.names_on(line):
            if name.kind != DEFINITION and name.target:
                at = (name.column, name.length)
                surest[at] = min(surest.get(at, name.confidence), name.confidence)
        for (column, length), confidence in surest.items():
            if mark := _MARKS.get(confidence):
                end = context.range(path, Place(line, column), length).end
                hints.append(InlayHint(end, *mark))
    return hints
