"""Names that the grammar's nodes are not cut to: several nodes that are one name, and one node that is several."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

_INSIDE: Final = {
    "ref.first": re.compile(rb"\s*([^\s,$()]+).*", re.DOTALL),
    "ref.shell": re.compile(rb"(?<!\\)\$\{?(\w+)"),
    "typename.from": re.compile(rb"\bfrom=([\w.-]*[A-Za-z_][\w.-]*)"),
}


def stretch(captures: dict[str, list[Node]], spans: dict[int, int]) -> None:
    """Let a name that begins at a @ref end where the next @ref.to ends: `var.region` is one name. `spans` are starts and ends of names."""
    ends = sorted(node.end_byte for node in captures.get("ref.to", ()))
    starts = sorted(node.start_byte for node in captures.get("ref", ())) if ends else []
    for end in ends:
        if at := bisect_right(starts, end - 1):
            spans[starts[at - 1]] = end


def dotted(captures: dict[str, list[Node]], source: bytes) -> Iterator[tuple[int, int, int]]:
    """(start, end, where its receiver ends; -1 = none) of each part of the @ref.dotted nodes: `colors.$red` is a member of `colors`."""
    for start, end in [node.byte_range for node in captures.get("ref.dotted", ())]:
        receiver = -1
        for part in source[start:end].partition(b":")[0].split(b"."):
            if part:
                yield start, start + len(part), receiver
            receiver = start + len(part)
            start = receiver + 1


def within(captures: dict[str, list[Node]], source: bytes, capture: str) -> dict[int, int]:
    """Where names begin and end that stand in a text: variables of a shell (@ref.shell), a first word (@ref.first), the stage that an option takes from (@typename.from)."""
    return dict(match.span(1) for node in captures.get(capture, ()) for match in _INSIDE[capture].finditer(source, *node.byte_range))
