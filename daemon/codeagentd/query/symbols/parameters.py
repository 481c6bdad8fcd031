"""The parameters of a signature, parsed from the written list, in the usual word order of the language."""

from __future__ import annotations

import re
from typing import Final

from codeagentd.model.labels import clean
from codeagentd.model.results.graph_results import Parameter, Signature

MOST: Final = 50  # parameters listed of one signature

_TYPE_FIRST: Final = frozenset({"java", "csharp", "c", "cpp", "php", "sql"})
_TYPE_BEHIND_BLANK: Final = frozenset({"go"})
_OPENING, _CLOSING = "([{<", ")]}>"
_NAME: Final = re.compile(r"[^\W\d][\w$]*")
_DEFAULT: Final = re.compile(r"=(?!>)")
_QUIET: Final = re.compile(
    r"^(?:@\w+\s+|final\s+|const\s+|mut\s+|ref\s+|out\s+|in\s+|this\s+|params\s+|readonly\s+|public\s+|private\s+"
    r"|protected\s+|val\s+|var\s+)+"
)


def signature(name: str, parameters: str | None, returns: str | None, language: str) -> Signature | None:
    """Return the signature of the callable `name`, with its written `parameters` parsed; None for one without
    parameters and return type.
    """
    if not parameters and not returns:
        return None
    raw = f"{name}{parameters or ''}" + (f" -> {returns}" if returns else "")
    return Signature(
        _parsed_parameters(parameters or "", language), clean(raw, generics=True), clean(returns or "", generics=True)
    )


def _parsed_parameters(written: str, language: str) -> list[Parameter]:
    inside = written.strip().removeprefix("(").removesuffix(")")
    result = [_parameter(part, language) for part in split(inside)[:MOST]]
    return [parameter for parameter in result if parameter is not None]


def split(text: str) -> list[str]:
    """Return the parts of `text` between commas outside of brackets. The `>` of an arrow (`->`, `=>`) closes no
    bracket, and an unmatched closing bracket is ignored.
    """
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        if letter in _OPENING:
            depth += 1
        elif letter in _CLOSING and text[at - 1 : at] not in ("-", "="):
            depth = max(0, depth - 1)
        elif letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in [*parts, text[start:]] if part.strip()]


def _parameter(part: str, language: str) -> Parameter | None:
    plain = _QUIET.sub("", _DEFAULT.split(part, maxsplit=1)[0].strip())
    if language in _TYPE_FIRST:
        head, _, last = plain.rpartition(" ")
        name, written = (last, head) if head else ("", plain)
    elif language in _TYPE_BEHIND_BLANK:
        name, _, written = plain.partition(" ")
    else:
        name, _, written = plain.partition(":")
    match = _NAME.search(name)
    if match is None:
        return (
            Parameter("", clean(written.strip(), generics=True))
            if written.strip() and language in _TYPE_FIRST
            else None
        )
    stars = "*" * (len(name) - len(name.lstrip("*"))) if language == "python" else ""
    return Parameter(stars + match[0], clean(written.strip(), generics=True))
