"""The card of what is under the cursor: its declaration and its documentation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from codeagentd.languages.doc_comments import documentation
from codeagentd.languages.language import languages
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.name_at import Meaning, NameAt, meanings, name_at
from codeagentd.lsp.positions import Range
from codeagentd.lsp.protocol_types import MarkupContent, PositionParams, Result
from codeagentd.model.documents import Definition
from codeagentd.model.kinds import TYPES, Confidence
from codeagentd.model.labels import clean
from codeagentd.query.symbols.declaration import Declared, declaration
from codeagentd.query.symbols.hover import documented, foremost, hover
from codeagentd.query.symbols.lookup import LABELS
from codeagentd.secrets.redaction import shown

LISTED = 5  # meanings of a name that a card names


class Hover(Result, frozen=True):
    """A card, and the name that it is about."""

    contents: MarkupContent
    range: Range


@method("textDocument/hover", PositionParams)
def hover_card(context: MethodContext, params: PositionParams) -> Hover | None:
    """Return the declaration and the documentation of what is at a position: what the tool getHoverInfo says of it."""
    path = context.path(params.text_document)
    name = name_at(context, path, params.position)
    if name is None or not (name.meanings or name.variable):
        return None
    signature, text = _variable(context, name) if name.variable else _card(context, name, name.meanings)
    kind = "markdown" if context.features.markdown else "plaintext"
    if context.features.markdown:
        signature = f"```{name.view.language}\n{signature}\n```"
    value = "\n\n".join(filter(None, (signature, text, _doubts(name))))
    return Hover(MarkupContent(kind, value), context.range(path, name.place, len(name.text)))


def declared_as(context: MethodContext, meaning: Meaning) -> tuple[str, str]:
    """Return the declaration and the documentation of a symbol, as the text that the editor sees has them."""
    if meaning.definition:
        return _unsaved(context, meaning, meaning.definition)
    assert meaning.subject is not None
    card = hover(context.db, context.ctx.root, meaning.subject, partial(_indexed_lines, context))
    return card.signature, card.documentation or ""


def _card(context: MethodContext, name: NameAt, known: list[Meaning]) -> tuple[str, str]:
    subjects = name.subjects
    if len(known) == 1 or not subjects:
        return declared_as(context, known[0])
    best = foremost(context.db, subjects)
    return declared_as(context, next(meaning for meaning in known if meaning.subject == best))


def _unsaved(context: MethodContext, meaning: Meaning, definition: Definition) -> tuple[str, str]:
    lines = context.lines(meaning.path).all
    declared = Declared(
        definition.name, definition.line_start, definition.line, definition.column, definition.kind in TYPES,
        definition.signature, definition.returns or "",
    )  # fmt: skip
    signature = declaration(lines, declared) or f"{LABELS[definition.kind]} {definition.name}"
    language = languages().get(context.view(meaning.path).language)
    place = (definition.line_start, definition.line, definition.line_end)
    text = documentation(lines, language.rules.doc, place, whole=False) if language else ""
    if not text and meaning.subject:  # the comment may be at another declaration
        text = documented(context.db, meaning.subject, partial(_indexed_lines, context))
    return shown(signature, meaning.path), shown(text or "", meaning.path)


def _indexed_lines(context: MethodContext, path: str) -> Sequence[str]:
    """The lines of a file to which the places of the index belong: those on disk where the editor has others."""
    return context.ctx.lines(path) if path in context.overlays else context.lines(path).all


def _variable(context: MethodContext, name: NameAt) -> tuple[str, str]:
    assert name.variable is not None
    types = [meaning.name for meaning in meanings(context, name.view, list(name.variable.types))]
    variable = name.variable
    what = "import" if variable.is_import else "parameter" if variable.is_parameter else "variable"
    return f"({what}) {name.text}" + (f": {' | '.join(types)}" if types else ""), ""


def _doubts(name: NameAt) -> str:
    """What is not certain about the meaning of a name, in words."""
    if name.variable or name.is_definition or name.confidence == Confidence.EXACT:
        return ""
    if len(name.meanings) == 1:
        return "Inferred: the only definition of this name that fits."
    named = [clean(meaning.subject.qualified_name) for meaning in name.meanings[:LISTED] if meaning.subject]
    return f"Ambiguous: one of {', '.join(named)}."
