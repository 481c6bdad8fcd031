"""The kinds of the names in a document, for editors that color them.

Source: Language Server Protocol 3.17, "Semantic Tokens": five numbers for each token, relative to the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from codeagentd.lsp.document_view import DEFINITION, DocumentView, length_at, length_of
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.positions import Range
from codeagentd.lsp.protocol_types import DocumentParams, Result
from codeagentd.model.documents import Place
from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import ReferenceKind, SymbolFlag, SymbolKind

TYPES: Final = (
    "namespace", "class", "interface", "struct", "enum", "enumMember", "type", "function", "method", "property",
    "variable", "parameter", "macro", "event",
)  # fmt: skip
MODIFIERS: Final = ("declaration", "readonly", "static", "abstract", "async", "deprecated", "modification")

_TYPE_OF_KIND: Final = {
    SymbolKind.FILE: "namespace", SymbolKind.MODULE: "namespace", SymbolKind.NAMESPACE: "namespace",
    SymbolKind.PACKAGE: "namespace", SymbolKind.CLASS: "class", SymbolKind.COMPONENT: "class",
    SymbolKind.RECORD: "class", SymbolKind.INTERFACE: "interface", SymbolKind.TRAIT: "interface",
    SymbolKind.STRUCT: "struct", SymbolKind.ENUM: "enum", SymbolKind.ENUM_MEMBER: "enumMember",
    SymbolKind.TYPE: "type", SymbolKind.DELEGATE: "type", SymbolKind.FUNCTION: "function",
    SymbolKind.METHOD: "method", SymbolKind.CONSTRUCTOR: "method", SymbolKind.PROPERTY: "property",
    SymbolKind.FIELD: "property", SymbolKind.CONSTANT: "variable", SymbolKind.VARIABLE: "variable",
    SymbolKind.MACRO: "macro", SymbolKind.EVENT: "event",
}  # fmt: skip
_MODIFIER_OF_FLAG: Final = {
    SymbolFlag.STATIC: "static", SymbolFlag.ABSTRACT: "abstract", SymbolFlag.ASYNC: "async",
    SymbolFlag.DEPRECATED: "deprecated",
}  # fmt: skip
_WRITE: Final = int(ReferenceKind.WRITE)
_CALL: Final = int(ReferenceKind.CALL)
_NUMBERS: Final = {name: number for number, name in enumerate(TYPES)}
_BITS: Final = {name: 1 << number for number, name in enumerate(MODIFIERS)}


class _Token(NamedTuple):
    """A name: its place and length, its type, and its modifiers as bits."""

    line: int
    column: int
    length: int
    type: int
    modifiers: int


class SemanticTokens(Result, frozen=True, omit_defaults=False):
    """The tokens, five numbers each."""

    data: list[int]


class RangeParams(DocumentParams, frozen=True):
    """The parameters of a request about a part of a document."""

    range: Range


@method("textDocument/semanticTokens/full", DocumentParams, is_exact=True)
def semantic_tokens(context: MethodContext, params: DocumentParams) -> SemanticTokens | None:
    """Return the tokens of a whole document."""
    path = context.path(params.text_document)
    view = context.view(path)
    return _encoded(context, view, 1, view.lines.count) if view.is_known else None


@method("textDocument/semanticTokens/range", RangeParams, is_exact=True)
def semantic_tokens_of_range(context: MethodContext, params: RangeParams) -> SemanticTokens | None:
    """Return the tokens on the lines of a range."""
    path = context.path(params.text_document)
    view = context.view(path)
    first, last = context.place(path, params.range.start).line, context.place(path, params.range.end).line
    return _encoded(context, view, first, last) if view.is_known else None


def _encoded(context: MethodContext, view: DocumentView, first: int, last: int) -> SemanticTokens:
    names = _indexed(context, view) if view.is_indexed else _analysed(context, view)
    tokens = {(token.line, token.column): token for token in [*_variables(view), *names] if first <= token.line <= last}
    data: list[int] = []
    line = character = end = 0
    for _, token in sorted(tokens.items()):
        place = view.lines.range(Place(token.line, token.column), token.length, context.encoding)
        start = place.start
        if not token.length or (start.line == line and data and start.character < end):
            continue
        data += [
            start.line - line, start.character - (character if start.line == line else 0),
            place.end.character - start.character, token.type, token.modifiers,
        ]  # fmt: skip
        line, character, end = start.line, start.character, place.end.character
    return SemanticTokens(data)


def _indexed(context: MethodContext, view: DocumentView) -> Iterator[_Token]:
    first, last = numbers_of(view.file)
    for line, column, _, kind, name, symbol_kind, flags in context.db.all(
        "lsp.names_in_file", {"file": view.file, "first": first, "last": last}
    ):
        length = length_of(view.lines.line(line), column, kind, name)
        yield from _token(line, column, length, kind, symbol_kind, flags or 0)


def _analysed(context: MethodContext, view: DocumentView) -> Iterator[_Token]:
    analysis = view.analysis
    if analysis is None:
        return
    kinds = {subject.id: subject.kind for subject in context.subjects({use.target for use in analysis.uses} - {0})}
    kinds |= {-1 - number: definition.kind for number, definition in enumerate(analysis.definitions)}
    for use in analysis.uses:
        length = length_of(view.lines.line(use.line), use.column, use.kind)
        yield from _token(use.line, use.column, length, use.kind, kinds.get(use.target), 0)
    for definition in analysis.definitions[1:]:
        length = length_at(view.lines.line(definition.line), definition.column, definition.name)
        yield from _token(definition.line, definition.column, length, DEFINITION, definition.kind, definition.flags)


def _variables(view: DocumentView) -> Iterator[_Token]:
    for variable in (known for known in view.variables if not known.is_import):
        type_ = _NUMBERS["parameter" if variable.is_parameter else "variable"]
        for line, column, is_binding in variable.places:
            yield _Token(line, column, len(variable.name), type_, _BITS["declaration"] if is_binding else 0)


def _token(line: int, column: int, length: int, kind: int, symbol_kind: int | None, flags: int) -> Iterator[_Token]:
    """The token of a name; of a reference of unknown target, by its kind; none for what code does not name."""
    type_ = (
        ("method" if kind == _CALL else "property")
        if symbol_kind is None
        else _TYPE_OF_KIND.get(SymbolKind(symbol_kind), "")
    )
    if not type_:
        return
    modifiers = sum(_BITS[name] for flag, name in _MODIFIER_OF_FLAG.items() if flags & flag)
    modifiers |= _BITS["declaration"] if kind == DEFINITION else 0
    modifiers |= _BITS["readonly"] if symbol_kind == SymbolKind.CONSTANT else 0
    modifiers |= _BITS["modification"] if kind == _WRITE else 0
    yield _Token(line, column, length, _NUMBERS[type_], modifiers)
