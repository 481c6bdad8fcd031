"""Names that are no single nodes of the grammar: several nodes that form one name, one node with several names, and
names inside of a text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

Captures = dict[str, list[Node]]

_WITHIN: Final = {
    "ref.first": re.compile(rb"\s*([^\s,$()]+).*", re.DOTALL),  # a first word
    "ref.shell": re.compile(rb"(?<!\\)\$\{?(\w+)"),  # variables of a shell
    "typename.from": re.compile(rb"\bfrom=([\w.-]*[A-Za-z_][\w.-]*)"),  # the stage that an option takes from
}


def irregular(captures: Captures, source: bytes) -> tuple[dict[int, int], dict[int, int]]:
    """Return two dictionaries from the start to the end of a name: one with the names that are no single nodes, one
    with those of them that name types.

    They are captured as @ref.to, @ref.dotted, @ref.first, @ref.shell and @typename.from, in formats whose grammars have
    no nodes for names.
    """
    names = dict(_dotted(captures, source))
    names.update(_stretched(captures))
    names.update(_within(captures, source, "ref.shell"))
    names.update(_within(captures, source, "ref.first"))
    return names, dict(_within(captures, source, "typename.from"))


def _stretched(captures: Captures) -> Iterator[tuple[int, int]]:
    """List the names that begin at a @ref and end where the next @ref.to ends: `var.region` is one name."""
    # what the parser missed is empty
    ends = sorted(node.end_byte for node in captures.get("ref.to", ()) if node.end_byte > node.start_byte)
    starts = sorted(node.start_byte for node in captures.get("ref", ())) if ends else []
    for end in ends:
        if at := bisect_right(starts, end - 1):
            yield starts[at - 1], end


def _dotted(captures: Captures, source: bytes) -> Iterator[tuple[int, int]]:
    """List the parts of the @ref.dotted nodes: `colors.$red` is a member of `colors`; `:-x` is no part."""
    for start, end in [node.byte_range for node in captures.get("ref.dotted", ())]:
        for part in source[start:end].partition(b":")[0].split(b"."):
            if part:
                yield start, start + len(part)
            start += len(part) + 1


def _within(captures: Captures, source: bytes, capture: str) -> Iterator[tuple[int, int]]:
    for node in captures.get(capture, ()):
        for match in _WITHIN[capture].finditer(source, *node.byte_range):
            yield match.span(1)
