"""Expressions that members hang on and that are neither names nor calls: what stands in parentheses, elements by index, values of a written type."""

from __future__ import annotations

from collections.abc import Iterator

from .symbols import Captures


def enclosed(captures: Captures) -> dict[int, int]:
    """Where parentheses end -> where ends what stands in them (@enclosed)."""
    return {node.end_byte: node.children[1].end_byte for node in captures.get("enclosed", ())}


def indexed(captures: Captures) -> dict[int, int]:
    """Where `shelves[0]` ends -> where the container ends (@indexed)."""
    return {node.end_byte: node.children[0].end_byte for node in captures.get("indexed", ())}


def built(captures: Captures) -> Iterator[tuple[int, int]]:
    """Where a literal, cast or assertion ends, and where the type ends that it says (@built): the same as a call of that type."""
    for node in captures.get("built", ()):
        type_ = node.child_by_field_name("type") or node.children[1].child_by_field_name("type")
        if type_ is not None:
            yield node.end_byte, type_.end_byte
