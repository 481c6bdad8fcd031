"""The ranges of a document that an editor folds, or selects step by step."""

from __future__ import annotations

from typing import Final

from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import ANALYSIS_S, MethodContext
from codeagentd.lsp.positions import Position, Range
from codeagentd.lsp.protocol_types import DocumentParams, Result
from codeagentd.model.documents import Place
from codeagentd.model.documents import Range as TextRange

MOST_POSITIONS: Final = 1_000


class FoldingRange(Result, frozen=True):
    """Lines to fold, from 0; the last one is folded, too."""

    start_line: int
    end_line: int
    kind: str = ""


class SelectionRange(Result, frozen=True):
    """A range to select, and the next one around it."""

    range: Range
    parent: SelectionRange | None = None


class SelectionRangeParams(DocumentParams, frozen=True):
    """The parameters of textDocument/selectionRange."""

    positions: list[Position]


@method("textDocument/foldingRange", DocumentParams)
def folding_ranges(context: MethodContext, params: DocumentParams) -> list[FoldingRange]:
    """Return the lines of a document that can be folded."""
    document = context.text(context.path(params.text_document))
    folds = context.ctx.engine.documents.folds(document, ANALYSIS_S, context.ctx.session)
    return [FoldingRange(fold.line_start - 1, fold.line_end - 1, fold.kind) for fold in folds]


@method("textDocument/selectionRange", SelectionRangeParams)
def selection_ranges(context: MethodContext, params: SelectionRangeParams) -> list[SelectionRange]:
    """Return, for each position, the ranges of the syntax around it, the innermost first."""
    path = context.path(params.text_document)
    positions = params.positions[:MOST_POSITIONS]
    places = [context.place(path, position) for position in positions]
    chains = context.ctx.engine.documents.selection_ranges(context.text(path), places, ANALYSIS_S, context.ctx.session)
    return [_nested(context, path, position, chain) for position, chain in zip(positions, chains, strict=True)]


def _nested(context: MethodContext, path: str, position: Position, chain: list[TextRange]) -> SelectionRange:
    lines, encoding = context.lines(path), context.encoding
    result: SelectionRange | None = None
    for item in reversed(chain):
        start = lines.offset_of(Place(item.line_start, item.column_start))
        end = lines.offset_of(Place(item.line_end, item.column_end))
        result = SelectionRange(lines.span(start, end, encoding), result)
    return result or SelectionRange(Range(position, position))
