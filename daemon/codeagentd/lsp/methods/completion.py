"""The names that may be written at a position."""

from __future__ import annotations

from typing import Final

from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import ANALYSIS_S, MethodContext
from codeagentd.lsp.protocol_types import PositionParams, Result
from codeagentd.lsp.symbol_kinds import completion_kind

LISTED: Final = 200  # names of one answer; with more, the client asks again as the user types


class CompletionItem(Result, frozen=True):
    """A name that may be written."""

    label: str
    kind: int
    detail: str = ""
    sort_text: str = ""


class CompletionList(Result, frozen=True, omit_defaults=False):
    """The names; `is_incomplete`: there may be others once more is written."""

    is_incomplete: bool
    items: list[CompletionItem]


@method("textDocument/completion", PositionParams)
def completion(context: MethodContext, params: PositionParams) -> CompletionList:
    """Return the members of the value before a position, as far as its type is known, or the names in scope there."""
    path = context.path(params.text_document)
    place = context.place(path, params.position)
    documents, session = context.ctx.engine.documents, context.ctx.session
    names = documents.completions(context.text(path), place.line, place.column, ANALYSIS_S, session)
    items = [
        CompletionItem(name.name, completion_kind(name.kind), name.detail, f"{number:04}")
        for number, name in enumerate(names[:LISTED])
    ]
    return CompletionList(not names or len(names) >= LISTED, items)
