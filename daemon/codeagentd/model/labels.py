"""The labels of nodes in answers.

Names come from files of unknown authors: nothing in them may steer the reader of the answer.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from .kinds import SymbolKind

LONGEST: Final = 200  # characters of a label or path

CALLABLE: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})

# control, format (bidi, zero width, tags), surrogates, private, unassigned, separators
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# show nothing, and can carry a message
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u034f\u115f\u1160\u3164\uffa0]")
_SEPARATOR: Final = re.compile(r"^(?:::|[.#\\/])")
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_TAG_OF_ITS_OWN: Final = re.compile(r"<(?=[/!?])|(?<!\w)<(?=[A-Za-z])")
_PLAIN: Final = re.compile(r"[\w ./:#$@,()\[\]-]*", re.ASCII)


def clean(text: str, *, generics: bool = False) -> str:
    """A name or path for an answer: on one line, with nothing that hides or turns text, no opening of an XML tag, no
    Markdown link or code.

    With `generics`, what follows a name in angle brackets are arguments of a type: `Map<String>`.
    """
    if not (_PLAIN.fullmatch(text) and "](" not in text):
        text = "".join(letter for letter in text if unicodedata.category(letter) not in _HIDDEN)
        text = (
            (_TAG_OF_ITS_OWN if generics else _TAG)
            .sub("‹", _SELECTORS.sub("", text))
            .replace("](", "] (")
            .replace("`", "'")
        )
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def label(kind: int, qualified_name: str, module: str, path: str, *, is_file: bool) -> str:
    """A file's path; else the name inside its file, with parentheses for what is called: `compute_total()`,
    `Order.total()`, `Order`.
    """
    if is_file:
        return clean(path)
    rest = qualified_name.removeprefix(module)
    inside = _SEPARATOR.sub("", rest, count=1) if module else ""
    name = inside if inside and inside != rest else qualified_name  # shop_test is not inside of shop
    return clean(name + ("()" if kind in CALLABLE else ""))


def bare(text: str) -> str:
    """A label as the name that it stands for."""
    return text.strip().removesuffix("()").lstrip(".")
