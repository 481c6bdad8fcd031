"""Object initializers: members that are written without their object, `new Shelf { Name = 1 }`, `book is { Title: "x"
}`.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final, NamedTuple

from codeagentd.extract.captures import Captures

UNKNOWN: Final = -2


class Initialised(NamedTuple):
    """The receivers of the members in object initializers.

    `receivers`: the start of a member name -> the end of the expression for the object, or UNKNOWN. `of_elements`: the
    starts of the names in `receivers` whose expression is a list, and which are members of its elements.
    """

    receivers: dict[int, int]
    of_elements: set[int]


def receivers_of_initialised(captures: Captures) -> Initialised:
    """Return the receivers of the member names in object initializers.

    The query captures the braces as @initializer where it also captures the object before them as @instance, else as
    @initializer.unknown. It captures the braces of a list as @initializer.elements after the @instance.element that
    braces directly inside stand for. @uninitialized excludes names. Braces that are no node of their own are captured
    singly, as @initializer.open and @initializer.close.
    """
    names = sorted(
        {node.start_byte for node in captures.get("initialized", ())}
        - {node.start_byte for node in captures.get("uninitialized", ())}
    )
    receivers, of_elements = dict[int, int](), set[int]()
    if not names:
        return Initialised(receivers, of_elements)
    pairs = _pairs(captures)
    known = {node.start_byte for node in captures.get("initializer", ())} | {start for start, _ in pairs}
    braces = sorted({*(node.byte_range for node in captures.get("initializer.unknown", ())), *pairs})
    lists = {node.start_byte for node in captures.get("initializer.elements", ())}
    instances = sorted(node.end_byte for node in captures.get("instance", ()))
    elements = sorted(node.end_byte for node in captures.get("instance.element", ()))
    stack: list[tuple[int, int]] = []
    at = 0
    for name in names:
        while at < len(braces) and braces[at][0] <= name:
            stack.append(braces[at])
            at += 1
            while len(stack) > 1 and stack[-2][1] <= stack[-1][0]:
                del stack[-2]
        while stack and stack[-1][1] <= name:
            stack.pop()
        start, enclosing = stack[-1][0] if stack else UNKNOWN, stack[-2][0] if len(stack) > 1 else UNKNOWN
        if start in known:
            receivers[name] = _last_before(instances, start)
        elif enclosing in lists:
            receivers[name] = _last_before(elements, enclosing)
        elif enclosing in known:  # the braces around are a list with a name
            receivers[name] = _last_before(instances, enclosing)
            of_elements.add(name)
        else:
            receivers[name] = UNKNOWN
    return Initialised(receivers, of_elements)


def _last_before(ends: list[int], start: int) -> int:
    """Return the end of the nearest expression before a pair of braces; UNKNOWN without one."""
    number = bisect_right(ends, start)
    return ends[number - 1] if number else UNKNOWN


def _pairs(captures: Captures) -> list[tuple[int, int]]:
    """Return (start, end) of each pair of braces."""
    results: list[tuple[int, int]] = []
    waiting: list[int] = []
    closing = {node.start_byte for node in captures.get("initializer.close", ())}
    for at in sorted({node.start_byte for node in captures.get("initializer.open", ())} | closing):
        if at not in closing:
            waiting.append(at)
        elif waiting:
            results.append((waiting.pop(), at + 1))
    return results
