"""Object destructuring: `const { lend, of: other } = shelf` reads the members lend and of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children
from codeagentd.model.facts import CALLBACK_PARAMETER, DECLARED, DESTRUCTURED_FROM, ELEMENT, VALUE

from .callback_parameters import callback_position

_SHORT: Final = "shorthand_property_identifier_pattern"
_WRAPPERS: Final = frozenset({"await_expression", "non_null_expression", "parenthesized_expression"})
_PARAMETERS: Final = frozenset({"required_parameter", "optional_parameter"})
_WITH_DEFAULT: Final = frozenset({"assignment_pattern", "object_assignment_pattern"})
_VALUES: Final = frozenset({"identifier", "member_expression", "call_expression", "new_expression", "this"})

ValueOrigin = tuple[int, Node]


class DestructuredMember(NamedTuple):
    """A member that an object pattern reads.

    `key` is the node of its name. `local` is the local variable that gets it, None if an inner pattern does. `of` is
    the origin of the object.
    """

    key: Node
    local: Node | None
    of: ValueOrigin


def destructured_members(patterns: Iterable[Node]) -> Iterator[DestructuredMember]:
    """List the members that the object patterns `patterns` read from values with a known origin."""
    for pattern in patterns:
        if of := _source(pattern):
            for part in pattern.named_children:
                inner = part.child_by_field_name("left") if part.type == "object_assignment_pattern" else part
                if inner is not None and inner.type == _SHORT:
                    yield DestructuredMember(inner, inner, of)
                elif (
                    part.type == "pair_pattern"
                    and (key := part.child_by_field_name("key"))
                    and key.type == "property_identifier"
                ):
                    yield DestructuredMember(key, _local(part.child_by_field_name("value")), of)


def _local(value: Node | None) -> Node | None:
    if value is not None and value.type in _WITH_DEFAULT:
        value = value.child_by_field_name("left")
    return value if value is not None and value.type == "identifier" else None


def _source(pattern: Node) -> ValueOrigin | None:
    """Return the origin of the value that a pattern destructures."""
    enclosing = pattern.parent
    if enclosing is not None and enclosing.type in _WITH_DEFAULT and enclosing.parent is not None:
        enclosing = enclosing.parent
    if enclosing is None:
        return None
    if enclosing.type == "pair_pattern":
        key = enclosing.child_by_field_name("key")
        return (DESTRUCTURED_FROM, key) if key is not None and key.type == "property_identifier" else None
    if annotation := enclosing.child_by_field_name("type"):
        return DECLARED, children(annotation)[0]
    if enclosing.type in _PARAMETERS:
        return (CALLBACK_PARAMETER, pattern) if callback_position(pattern) else None
    if enclosing.type == "variable_declarator":
        return _value(enclosing.child_by_field_name("value"), VALUE)
    return _value(enclosing.child_by_field_name("right"), ELEMENT) if enclosing.type == "for_in_statement" else None


def _value(value: Node | None, how: int) -> ValueOrigin | None:
    while value is not None and value.type in _WRAPPERS:
        value = children(value)[0]
    if value is not None and value.type == "as_expression":
        return DECLARED, children(value)[-1]
    return (how, value) if value is not None and value.type in _VALUES else None
