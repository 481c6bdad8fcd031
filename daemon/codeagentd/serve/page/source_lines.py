"""The lines of a file with links: every reference leads to what it names, every definition to its own page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from codeagentd.model.ids import node_id, numbers_of
from codeagentd.store.connection import Database

_WORD: Final = re.compile(r"[^\W\d]\w*|\S", re.UNICODE)  # a name, or one sign where no name is written
LONGEST: Final = 2_000  # characters of a line that are shown
SURE: Final = 0  # model.kinds.Confidence.EXACT


class Piece(NamedTuple):
    """A part of a line; `url` leads from it, '' where it leads nowhere. `hint` says where to; `role` is `definition`,
    `reference` or `guess`.
    """

    text: str
    url: str = ""
    hint: str = ""
    role: str = ""


class Line(NamedTuple):
    """One line, by its number."""

    number: int
    pieces: list[Piece]


class _Link(NamedTuple):
    column: int
    node_id: str
    hint: str
    role: str


def linked_lines(db: Database, file: int, shown: Sequence[str], first: int) -> list[Line]:
    """Return the lines `shown`, which begin at the line `first` of the file with this id in the index (0: in none)."""
    last = first + len(shown) - 1
    links: dict[int, dict[int, _Link]] = {}
    low, high = numbers_of(file)
    for line, column, _, confidence, uid, name, path, at in db.all(
        "page.links", {"first": low, "last": high, "from": first, "until": last}
    ):
        link = _Link(column, node_id(uid), f"{name}  {path}:{at}", "reference" if confidence == SURE else "guess")
        links.setdefault(line, {}).setdefault(column, link)
    for line, column, _, uid, name in db.all("page.definitions", {"file": file, "from": first, "until": last}):
        links.setdefault(line, {})[column] = _Link(column, node_id(uid), name, "definition")
    return [
        Line(number, _pieces(text[:LONGEST], sorted(links.get(number, {}).values())))
        for number, text in enumerate(shown, first)
    ]


def _pieces(text: str, links: Sequence[_Link]) -> list[Piece]:
    pieces, done = [], 0
    for link in links:
        word = _WORD.match(text, link.column) if link.column >= done else None
        if word is None or _is_within_name(text, link.column):
            continue  # inside of another one, or the file has changed since
        if link.column > done:
            pieces.append(Piece(text[done : link.column]))
        pieces.append(Piece(word[0], f"/symbol/{link.node_id}", link.hint, link.role))
        done = word.end()
    if done < len(text) or not pieces:
        pieces.append(Piece(text[done:]))
    return pieces


def _is_within_name(text: str, column: int) -> bool:
    """Whether the letters on both sides of a column belong to one name."""
    return column > 0 and f"_{text[column - 1 : column + 1]}".isidentifier()
