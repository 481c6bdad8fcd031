"""The labels of nodes in answers, and the titles of communities on the map.

Names come from files of unknown authors, so a label must not contain anything that steers the reader of the answer.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from .kinds import SymbolKind

LONGEST: Final = 200  # characters of a label or path
STRONGEST: Final = 2  # symbols in the title of a community
CANDIDATES: Final = 12  # of its most connected symbols from which these are chosen

CALLABLE: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})

# control, format (bidi, zero width, tags), surrogates, private, unassigned, separators
HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# show nothing, and can carry a message
_SELECTORS: Final = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef\u034f\u115f\u1160\u3164\uffa0]")
_SEPARATOR: Final = re.compile(r"^(?:::|[.#\\/])")
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_TAG_OF_ITS_OWN: Final = re.compile(r"<(?=[/!?])|(?<!\w)<(?=[A-Za-z])")
_PLAIN: Final = re.compile(r"[\w ./:#$@,()\[\]-]*", re.ASCII)


def clean(text: str, *, generics: bool = False) -> str:
    """Return `text`, a name or path, for an answer: on one line, without characters that hide text or change its
    direction, without the start of an XML tag, a Markdown link or code.

    With `generics`, the text after a name in angle brackets counts as type arguments: `Map<String>`.
    """
    if not (_PLAIN.fullmatch(text) and "](" not in text):
        text = "".join(letter for letter in text if unicodedata.category(letter) not in HIDDEN)
        text = (
            (_TAG_OF_ITS_OWN if generics else _TAG)
            .sub("‹", _SELECTORS.sub("", text))
            .replace("](", "] (")
            .replace("`", "'")
        )
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def label(kind: int, qualified_name: str, module: str, path: str, *, is_file: bool) -> str:
    """Return the label of a node in answers: the path for a file; else the name inside its file, with parentheses for
    callables: `compute_total()`, `Order.total()`, `Order`.
    """
    if is_file:
        return clean(path)
    rest = qualified_name.removeprefix(module)
    inside = _SEPARATOR.sub("", rest, count=1) if module else ""
    name = inside if inside and inside != rest else qualified_name  # shop_test is not inside of shop
    return clean(name + ("()" if kind in CALLABLE else ""))


def bare(text: str) -> str:
    """Return the name in the label `text`, without the parentheses of a callable and dots at the beginning."""
    return text.strip().removesuffix("()").lstrip(".")


class Titled(NamedTuple):
    """What the title of a community is made of: its number, the folder of most of it, and the labels
    of its most connected symbols in descending order.
    """

    id: int
    folder: str
    labels: Sequence[str]


def titles(communities: Iterable[Titled]) -> list[str]:
    """Return a title for each of `communities`, in their order: the first ones have the shortest titles."""
    used: set[str] = set()
    chosen = []
    for community in communities:
        title = next(title for title in _possible(community) if title not in used)
        used.add(title)
        chosen.append(title)
    return chosen


def _possible(community: Titled) -> Iterable[str]:
    """Titles of growing length; the last one is no other's."""
    names: list[str] = []
    for label in community.labels:
        if not any(label == other or label.startswith(f"{other}.") for other in names):
            names.append(label)
    for count in range(min(STRONGEST, len(names)), len(names) + 1):
        if names:
            yield ", ".join(names[:count])
    folder = community.folder or "."
    yield f"{names[0]} ({folder})" if names else folder
    yield f"{names[0] if names else folder} ({community.id})"
    yield f"{', '.join(names)} ({folder}, {community.id})"
