"""Parameters as they are written: the number of arguments that fit them, and the text of each."""

from __future__ import annotations

import functools
import re
from typing import Final

MANY: Final = 1 << 30
_OPENING: Final = "([{<"
_CLOSING: Final = ")]}>"
SEVERAL: Final = re.compile(r"\.\.\.|^(?:@\S+\s+)*(?:\w+\s+)*(?:vararg|params)\s|\*\s*$")
CONTEXT_PARAMETERS: Final = re.compile(
    r"\(\s*(?:implicit|using)\s"
)  # Scala: parameters that the compiler finds arguments for
DEFAULT: Final = re.compile(r"(?<![=<>!])=(?![=>])")
_LITERAL: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)\'')


@functools.lru_cache(maxsize=20_000)
def arity(signature: str) -> tuple[int, int]:
    """Return (the minimum, the maximum) of arguments that fit the parameters `signature` as written."""
    text = signature.strip()
    if not text.startswith("(") or "…" in text:
        return 0, MANY
    if text.startswith("(void)"):
        return 0, 0
    least = most = 0
    for parameter in parameters_in(text):
        if SEVERAL.search(parameter):
            most = MANY
        else:
            least += DEFAULT.search(parameter) is None
            most += 1
    return (0, most) if CONTEXT_PARAMETERS.match(text) else (least, most)


@functools.lru_cache(maxsize=20_000)
def parameters_in(text: str) -> tuple[str, ...]:
    """Return the parts between commas in the outermost parentheses of `text`, with quoted literals replaced by `0`."""
    text = _LITERAL.sub("0", text)
    parts, depth, start = [], 0, 1
    for at, sign in enumerate(text):
        if sign in _OPENING:
            depth += 1
        elif sign in _CLOSING and not (sign == ">" and text[at - 1] in "=-"):
            depth -= 1
            if depth == 0:
                parts.append(text[start:at])
                break
        elif sign == "," and depth == 1:
            parts.append(text[start:at])
            start = at + 1
    return tuple(part.strip() for part in parts if part.strip())


@functools.lru_cache(maxsize=20_000)
def takes(signature: str, arguments: int) -> bool:
    """Whether a function with the parameters `signature`, in parentheses or not, can be called with so many arguments
    (-1: any number); a parameter with a default value, `days \\\\ 14`, may be left out.
    """
    if arguments < 0 or signature.endswith("…"):
        return True
    parameters = parameters_in(signature if signature.startswith("(") else f"({signature})")
    return len(parameters) - sum(_OPTIONAL in parameter for parameter in parameters) <= arguments <= len(parameters)


_OPTIONAL: Final = "\\\\"
