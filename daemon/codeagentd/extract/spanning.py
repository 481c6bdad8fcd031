"""Names that the grammar's nodes are not cut to: several nodes that are one name, one node that is several, and names inside of a text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

Captures = dict[str, list[Node]]

_WITHIN: Final = {
    "ref.first": re.compile(rb"\s*([^\s,$()]+).*", re.DOTALL),  # a first word
    "ref.shell": re.compile(rb"(?<!\\)\$\{?(\w+)"),  # variables of a shell
    "typename.from": re.compile(rb"\bfrom=([\w.-]*[A-Za-z_][\w.-]*)"),  # the stage that an option takes from
}


class Irregular(NamedTuple):
    """Where such names start and end; `members` are (start, end, where the receiver ends)."""

    names: dict[int, int]
    types: dict[int, int]
    members: list[tuple[int, int, int]]


def irregular(captures: Captures, source: bytes) -> Irregular:
    """What @ref.to, @ref.dotted, @ref.first, @ref.shell and @typename.from say; they are captured in formats whose grammars stop short of names."""
    dotted = list(_dotted(captures, source))
    names = {start: end for start, end, _ in dotted}
    names.update(_stretched(captures))
    names.update(_within(captures, source, "ref.shell"))
    names.update(_within(captures, source, "ref.first"))
    return Irregular(names, dict(_within(captures, source, "typename.from")), [part for part in dotted if part[2] >= 0])


def _stretched(captures: Captures) -> Iterator[tuple[int, int]]:
    """A name that begins at a @ref ends where the next @ref.to ends: `var.region` is one name."""
    ends = sorted(node.end_byte for node in captures.get("ref.to", ()))
    starts = sorted(node.start_byte for node in captures.get("ref", ())) if ends else []
    for end in ends:
        if at := bisect_right(starts, end - 1):
            yield starts[at - 1], end


def _dotted(captures: Captures, source: bytes) -> Iterator[tuple[int, int, int]]:
    """(start, end, where its receiver ends or -1) of each part of the @ref.dotted nodes: `colors.$red` is a member of `colors`; `:-x` is no part."""
    for start, end in [node.byte_range for node in captures.get("ref.dotted", ())]:
        receiver = -1
        for part in source[start:end].partition(b":")[0].split(b"."):
            if part:
                yield start, start + len(part), receiver
            receiver = start + len(part)
            start = receiver + 1


def _within(captures: Captures, source: bytes, capture: str) -> Iterator[tuple[int, int]]:
    for node in captures.get(capture, ()):
        for match in _WITHIN[capture].finditer(source, *node.byte_range):
            yield match.span(1)
