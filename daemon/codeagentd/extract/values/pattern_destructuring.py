"""Pattern destructuring: a pattern binds a name to a part of a variant or tuple, or to the whole matched value.

Source: The Rust Reference, "Patterns".
"""

from __future__ import annotations

from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children
from codeagentd.model.facts import ELEMENT, PART, VALUE

_TAKING: Final = "tuple_struct_pattern"
_REST: Final = "remaining_field_pattern"
# patterns around a name that only change how it is bound
_PASSING: Final = frozenset({"mut_pattern", "ref_pattern", "reference_pattern"})
_WRAPPING: Final = frozenset({b"Some", b"Ok"})  # The Rust Standard Library: iterating over them yields their content
_SAME: Final = frozenset({"await_expression", "parenthesized_expression", "reference_expression"})
_VALUES: Final = frozenset({"call_expression", "field_expression", "identifier", "self"})

ValueOrigin = tuple[int, Node]


class Part(NamedTuple):
    """A part of a variant or tuple, counted from 0. `of` is the node of the name of the variant or tuple type."""

    of: Node
    number: int


def pattern_origin(name: Node) -> ValueOrigin | None:
    """Return the origin of the value that a pattern binds to `name`: (PART, `name` itself), or the origin of the
    matched value. None if it is unknown.
    """
    if part := part_of(name):
        if part.of.text not in _WRAPPING:
            return PART, name
        return _matched(_outermost(name).parent, ELEMENT)
    return _matched(_outermost(name), VALUE)


def part_of(name: Node) -> Part | None:
    """Return the part of a variant or tuple that a pattern binds to `name`; None if there is none, or if it cannot be
    counted.
    """
    place = _outermost(name)
    pattern = place.parent
    of = pattern.child_by_field_name("type") if pattern is not None and pattern.type == _TAKING else None
    if pattern is None or of is None:
        return None
    before = [child for child in children(pattern)[1:] if child.start_byte < place.start_byte]
    return None if any(child.type == _REST for child in before) else Part(of, len(before))


def _outermost(name: Node) -> Node:
    while name.parent is not None and name.parent.type in _PASSING:
        name = name.parent
    return name


def _matched(pattern: Node | None, how: int) -> ValueOrigin | None:
    """Return the origin of the value that a whole pattern is matched against."""
    arm = (
        pattern.parent.parent
        if pattern is not None and pattern.parent is not None and pattern.parent.type == "match_pattern"
        else None
    )
    match = arm.parent.parent if arm is not None and arm.parent is not None else None
    value = match.child_by_field_name("value") if match is not None else None
    while value is not None and value.type in _SAME:
        value = children(value)[-1]
    if value is not None and value.type == "try_expression" and how == VALUE:
        value, how = children(value)[0], ELEMENT
    return (how, value) if value is not None and value.type in _VALUES else None
