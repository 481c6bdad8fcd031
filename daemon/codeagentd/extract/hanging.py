"""Where do expressions end that members hang on and that are no names: calls, what stands in parentheses, elements by index, values of a written type?"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from .symbols import Captures

_START: Final = attrgetter("start_byte")


def enclosed(captures: Captures) -> dict[int, int]:
    """Where parentheses end -> where ends what stands in them (@enclosed)."""
    return {node.end_byte: node.children[1].end_byte for node in captures.get("enclosed", ())}


def indexed(captures: Captures) -> dict[int, int]:
    """Where `shelves[0]` ends -> where the container ends (@indexed)."""
    return {node.end_byte: node.children[0].end_byte for node in captures.get("indexed", ())}


def calls(captures: Captures) -> dict[int, int]:
    """Where calls end -> where the arguments of each begin; of `Lint.new App.new` those of the whole. Captures come in no order.

    A literal, cast or assertion (@built) counts as a call of the type that it says: it "begins" where that type ends.
    """
    arguments = [node for capture in ("arguments", "called", "called.block", "called.one") for node in captures.get(capture, ())]
    found = {node.end_byte: node.start_byte for node in arguments}
    if len(found) < len(arguments):
        found = {node.end_byte: node.start_byte for node in sorted(arguments, key=_START, reverse=True)}
    for node in captures.get("built", ()):
        type_ = node.child_by_field_name("type") or node.children[1].child_by_field_name("type")
        if type_ is not None:
            found[node.end_byte] = type_.end_byte
    return found
