"""The references to what a name means."""

from __future__ import annotations

from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.name_at import name_at
from codeagentd.lsp.protocol_types import Location, Params, PositionParams
from codeagentd.lsp.uses import definitions_of, uses_of


class ReferenceContext(Params, frozen=True):
    """Whether the definitions are listed, too."""

    include_declaration: bool = False


class ReferenceParams(PositionParams, frozen=True):
    """The parameters of textDocument/references."""

    context: ReferenceContext = ReferenceContext()


@method("textDocument/references", ReferenceParams)
def references(context: MethodContext, params: ReferenceParams) -> list[Location] | None:
    """Return the references to what is at a position, surest first: those that the tool findReferences lists."""
    name = name_at(context, context.path(params.text_document), params.position)
    if name is None or not (name.meanings or name.variable):
        return None
    uses = uses_of(context, name)
    if params.context.include_declaration:
        uses = [*definitions_of(context, name), *uses]
    elif name.variable:
        uses = [use for use in uses if not use.writes]
    return list(dict.fromkeys(context.location(use.path, use.place, use.length) for use in uses))
