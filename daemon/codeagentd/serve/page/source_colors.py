"""The colours of source: where its comments, strings, keywords and numbers are. A page asks for them when it shows the
source already, since lexing a long file takes longer than all else of its page.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from .templating import visible

if TYPE_CHECKING:
    from pygments.lexer import Lexer

MOST_CHARACTERS: Final = 200_000  # that are lexed; the rest has no colours
COLORS: Final = ("comment", "string", "keyword", "number")
# the names of Pygments for languages that it calls otherwise
_NAMES: Final = {"dockerfile": "docker", "notebook": "json", "svelte": "html", "vue": "html"}

Run = tuple[int, int, int]  # line, first column, number of columns: in the units of UTF-16, as scripts count


def colors(language: str, lines: Sequence[str], first: int) -> dict[str, list[Run]]:
    """Return the runs of each colour in `lines`, which begin at the line `first`; none for an unknown language."""
    lexer = _lexer(language)
    result: dict[str, list[Run]] = {color: [] for color in COLORS}
    if lexer is None:
        return result
    number, column = first, 0
    shifted = {at for at, line in enumerate(lines, first) if visible(line) != line}  # shown with other characters
    for kind, value in lexer.get_tokens("\n".join(lines)[:MOST_CHARACTERS].replace("\r", " ")):
        color = _color(str(kind))
        for at, text in enumerate(value.split("\n")):
            number, column = (number + 1, 0) if at else (number, column)
            length = len(text.encode("utf-16-le", "surrogatepass")) // 2
            if color and text.strip() and number not in shifted:
                result[color].append((number, column, length))
            column += length
    return result


def _color(kind: str) -> str:
    """The colour of a kind of token, such as `Token.Literal.String.Doc`."""
    if kind.startswith(("Token.Literal.String", "Token.String")):
        return "string"
    if kind.startswith(("Token.Literal.Number", "Token.Number")):
        return "number"
    if kind.startswith("Token.Comment"):
        return "comment"
    return "keyword" if kind.startswith("Token.Keyword") or kind == "Token.Operator.Word" else ""


@functools.cache
def _lexer(language: str) -> Lexer | None:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(_NAMES.get(language, language), stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None
