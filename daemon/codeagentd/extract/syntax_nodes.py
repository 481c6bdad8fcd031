"""The children and the text of a node without its comments, which may be between any two words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from tree_sitter import Node

_SIGN: Final = re.compile(rb"/[/*]|#|--")
_COMMENT: Final = "comment"


def children(node: Node) -> list[Node]:
    """Return the named children of `node` without comments."""
    return [child for child in node.named_children if not child.is_extra]


def first_of(node: Node | None) -> Node | None:
    """Return the first named child of `node` that is no comment; None if there is none."""
    return next(iter(children(node)), None) if node is not None else None


def last_of(node: Node | None) -> Node | None:
    """Return the last named child of `node` that is no comment; None if there is none."""
    return next(reversed(children(node)), None) if node is not None else None


def uncommented(node: Node, source: bytes, start: int, end: int, first: int = 0) -> str:
    """Return the text from `start` to `end` inside of `node`, without comments. `first` is the offset at which `source`
    begins.
    """
    text = source[start - first : end - first]
    if not _SIGN.search(text):
        return text.decode(errors="replace")
    parts, at = [], start
    for began, ended in _comments(node, start, end):
        parts.append(source[at - first : began - first])
        at = ended
    return b" ".join([*parts, source[at - first : end - first]]).decode(errors="replace")


def text_of(node: Node, source: bytes) -> str:
    """Return the text of `node` without comments."""
    return uncommented(node, source, node.start_byte, node.end_byte)


def cut_out(node: Node) -> str:
    """Return the text of `node` without comments. It needs no access to the source, and is slower."""
    return uncommented(node, node.text or b"", node.start_byte, node.end_byte, node.start_byte)


def _comments(node: Node, start: int, end: int) -> Iterator[tuple[int, int]]:
    """List the ranges of the comments in a range, in order."""
    stack = [node]
    while stack:
        result = stack.pop()
        if result.end_byte <= start or result.start_byte >= end:
            continue
        if result.is_extra and _COMMENT in result.type:
            yield max(result.start_byte, start), min(result.end_byte, end)
        else:
            stack.extend(reversed(result.children))


def start_of_type(node: Node, prefixes: Collection[str]) -> int:
    """Return the start of the type `node` with the signs before it, in grammars in which these are nodes beside it, of
    the kinds `prefixes`: of `[]Book` that of `[]`.
    """
    first = node
    while prefixes and (before := first.prev_sibling) is not None and before.type in prefixes:
        first = before
    return first.start_byte
