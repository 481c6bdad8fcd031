"""The parameters of the call that is being written."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from codeagentd.lsp.document_view import IDENTIFIER
from codeagentd.lsp.method import method
from codeagentd.lsp.method_context import MethodContext
from codeagentd.lsp.name_at import Meaning, name_at
from codeagentd.lsp.positions import units
from codeagentd.lsp.protocol_types import MarkupContent, PositionParams, Result
from codeagentd.model.kinds import TYPES
from codeagentd.model.labels import CALLABLE
from codeagentd.query.symbols.lookup import Subject, with_constructors

from .hover_card import declared_as

LOOKED_BACK: Final = 4_000  # characters before the cursor in which a call may begin
LISTED: Final = 20  # signatures of one call

_OPENING: Final = "([{"
_CLOSING: Final = {")": "(", "]": "[", "}": "{"}
_QUOTES: Final = "\"'`"
_NAME_BEFORE: Final = re.compile(r"[^\W\d][\w$]*[?!]?\s*(?:<[^<>()]*>|\[[^\[\]()]*\])?\s*$")


class ParameterInformation(Result, frozen=True):
    """A parameter: the offsets of its text in the label of its signature, in the client's units."""

    label: tuple[int, int]


class SignatureInformation(Result, frozen=True):
    """A signature."""

    label: str
    parameters: list[ParameterInformation]
    documentation: MarkupContent | None = None


class SignatureHelp(Result, frozen=True, omit_defaults=False):
    """The signatures of a call, and which parameter is being written."""

    signatures: list[SignatureInformation]
    active_signature: int
    active_parameter: int


class OpenCall(NamedTuple):
    """A call that is being written: the offset of the end of its name, and the number of the argument."""

    name_end: int
    argument: int


@method("textDocument/signatureHelp", PositionParams)
def signature_help(context: MethodContext, params: PositionParams) -> SignatureHelp | None:
    """Return the signatures of the innermost call around a position."""
    path = context.path(params.text_document)
    lines = context.lines(path)
    call = open_call(lines.text, lines.offset(params.position, context.encoding))
    if call is None:
        return None
    name = name_at(context, path, lines.position(call.name_end, context.encoding))
    if name is None or not name.meanings:
        return None
    signatures = [
        signature
        for meaning in _called(context, name.meanings)[:LISTED]
        if (signature := _signature(context, meaning)) is not None
    ]
    if not signatures:
        return None
    active = next((at for at, signature in enumerate(signatures) if len(signature.parameters) > call.argument), 0)
    return SignatureHelp(signatures, active, call.argument)


def open_call(text: str, offset: int) -> OpenCall | None:
    """Return the innermost call whose parentheses are open at an offset; None where there is none. Brackets in strings
    do not count.
    """
    start = max(0, offset - LOOKED_BACK)
    before = _without_strings(text[start:offset])
    argument, closed = 0, []
    for at in range(len(before) - 1, -1, -1):
        sign = before[at]
        if sign in _CLOSING:
            closed.append(_CLOSING[sign])
        elif sign in _OPENING:
            if closed:
                closed.pop()
            elif sign == "(" and (match := _NAME_BEFORE.search(before[:at])):
                name = IDENTIFIER.match(before, match.start())
                return OpenCall(start + (name.end() if name else match.start()), argument)
            else:
                argument = 0
        elif sign == "," and not closed:
            argument += 1
    return None


def _without_strings(text: str) -> str:
    """The text with the contents of its strings blanked; one that is still open goes to the end of its line."""
    result, quote = [], ""
    skip = False
    for sign in text:
        if quote:
            is_end = not skip and (sign == quote or (sign == "\n" and quote != "`"))
            skip = sign == "\\" and not skip
            result.append(sign if sign == "\n" else " ")
            quote = "" if is_end else quote
        else:
            quote = sign if sign in _QUOTES else ""
            result.append(" " if quote else sign)
    return "".join(result)


def _called(context: MethodContext, known: list[Meaning]) -> list[Meaning]:
    """What a call of these definitions runs: for a type its constructors, if it has any."""
    results: list[Meaning] = []
    for meaning in known:
        constructors: list[Subject] = []
        if meaning.subject and meaning.kind in TYPES:
            constructors = with_constructors(context.db, meaning.subject)[1:]
        results += [Meaning(subject.id, subject.path, subject.name, subject, None) for subject in constructors] or [
            meaning
        ]
    return list(dict.fromkeys(results))


def _signature(context: MethodContext, meaning: Meaning) -> SignatureInformation | None:
    label, documentation = declared_as(context, meaning)
    parameters = _parameters(label, meaning)
    if parameters is None:
        return None
    encoded = [
        ParameterInformation((units(label[:start], context.encoding), units(label[:end], context.encoding)))
        for start, end in parameters
    ]
    text = MarkupContent("markdown" if context.features.markdown else "plaintext", documentation)
    return SignatureInformation(label, encoded, text if documentation else None)


def _parameters(label: str, meaning: Meaning) -> list[tuple[int, int]] | None:
    """The ranges of the parameters in a signature, without the receiver of a method of Python; None for what is not
    called.
    """
    name = label.find(meaning.name)
    opening = label.find("(", name + len(meaning.name) if name >= 0 else 0)
    if opening < 0:
        return [] if meaning.kind in CALLABLE else None
    ranges, start, depth = [], opening + 1, 0
    blanked = _without_strings(label)
    for at in range(opening, len(label)):
        sign = blanked[at]
        depth += (sign in "([{<") - (sign in ")]}>" and label[at - 1 : at + 1] not in ("->", "=>"))
        if depth == 0 or (sign == "," and depth == 1):
            piece = label[start:at]
            if piece.strip():
                first = start + len(piece) - len(piece.lstrip())
                ranges.append((first, start + len(piece.rstrip())))
            start = at + 1
        if depth == 0:
            break
    if ranges and label[slice(*ranges[0])] in ("self", "cls", "&self", "&mut self", "self: &Self"):
        ranges = ranges[1:]
    return ranges
