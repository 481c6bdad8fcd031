"""Implicit members: `.tall` without a receiver, a member of the type that the context expects.

Source: The Swift Programming Language, "Implicit Member Expression", "Enumeration Case Pattern", "Implicitly Returned
        Values".
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.syntax_nodes import children
from codeagentd.model.facts import DECLARED, EXPECTED_ARGUMENT, VALUE

ValueOrigin = tuple[int, Node]

_START: Final = attrgetter("start_byte")
# expressions that continue after such a member
_CHAIN: Final = frozenset({"call_expression", "navigation_expression", "postfix_expression"})
_WRAPPERS: Final = frozenset(
    {
        "try_expression",
        "await_expression",
        "tuple_expression",
        "ternary_expression",
        "nil_coalescing_expression",
        "ErrorUnionExpr",
        "UnaryExpr",
        "IfExpr",
    }
)
_ARRAY: Final = "array_literal"
_LITERALS: Final = frozenset({_ARRAY, "InitList"})
_BODIES: Final = frozenset(
    {
        "lambda_literal",
        "function_declaration",
        "init_declaration",
        "deinit_declaration",
        "class_declaration",
        "Decl",
        "TestDecl",
    }
)
_HEADS: Final = frozenset({"FnProto"})  # a function without its body, where the grammar has a node for that
_SOURCES: Final = {"": DECLARED, ".value": VALUE, ".case": VALUE, ".result": DECLARED}  # the parts of @expects<part>


class Implied(NamedTuple):
    """An implicit member. `of` is the origin of its type; `is_element` says whether that is the element type of the
    origin.
    """

    name: Node
    of: ValueOrigin
    is_element: bool


def implied(captures: Captures) -> Iterator[Implied]:
    """List the implicit members in `captures` whose contexts determine their types."""
    members = [(node, node.parent) for node in captures.get("implied", ())]
    members += [(node, _literal_around(node)) for node in captures.get("implied.field", ())]
    places = _Places(captures if members else {})
    for name, value in sorted(members, key=lambda member: _START(member[0])):
        while (
            value is not None
            and value.parent is not None
            and value.parent.type in _CHAIN
            and value.parent.start_byte == value.start_byte
        ):
            value = value.parent
        value = _widest(value)
        literal = value.parent if value is not None and value.parent and value.parent.type in _LITERALS else None
        if literal is not None and (type_ := _type_before(literal)):
            yield Implied(name, (DECLARED, type_), True)
            continue
        if literal is not None:
            value = _widest(literal if literal.type == _ARRAY else literal.parent)
        if value is not None and (of := places.type_source(value)):
            yield Implied(name, of, literal is not None)
    for name in sorted(captures.get("implied.test", ()), key=_START):
        if of := _tested(name):
            yield Implied(name, of, False)


def _type_before(literal: Node) -> Node | None:
    """Return the type before the braces `literal`, `[2]Book{ … }`; None without one."""
    before = literal.prev_named_sibling
    return before if before is not None and before.end_byte == literal.start_byte else None


def _literal_around(field: Node) -> Node | None:
    """Return the literal that names its field `field`: `.{ .pages = 1 }`."""
    literal = field.parent.parent if field.parent is not None else None
    return literal.parent if literal is not None else None


def _widest(value: Node | None) -> Node | None:
    """Return the widest expression around a value that has the same value."""
    while value is not None and value.parent is not None and value.parent.type in _WRAPPERS:
        enclosing = value.parent
        if (parts := children(enclosing))[0] != value or len(parts) == 1:  # else it is the condition, or may be missing
            value = enclosing
        else:
            break
    return value


def _tested(name: Node) -> ValueOrigin | None:
    """Return the value that the pattern of a condition is matched against, for which the grammar has no node."""
    sign = name.next_sibling
    while sign is not None and sign.type not in ("=", ","):
        sign = sign.next_sibling
    value = sign.next_sibling if sign is not None and sign.type == "=" else None
    return (VALUE, value) if value is not None and value.is_named else None


class _Places:
    """The contexts of one file that expect values of a type, and the origins of these types."""

    def __init__(self, captures: Captures) -> None:
        self._expected = {
            node.id: part
            for part in ("", ".case", ".result", ".default", ".argument")
            for node in captures.get(f"expected{part}", ())
        }
        self._by_parent: dict[int, list[tuple[str, Node]]] = {}  # by the id of the parent node
        for part in _SOURCES:
            for node in captures.get(f"expects{part}", ()):
                holder = node.parent.parent if node.parent is not None and node.parent.type in _HEADS else node.parent
                if holder is not None:
                    self._by_parent.setdefault(holder.id, []).append((part, node))

    def type_source(self, value: Node) -> ValueOrigin | None:
        """Return the origin of the type that the context of a value expects."""
        part = self._expected.get(value.id)
        enclosing = value.parent
        if part is None or enclosing is None:
            return None
        if part == ".argument":
            return EXPECTED_ARGUMENT, value
        if part == ".default":
            parameter = value.prev_sibling.prev_sibling if value.prev_sibling else None
            return (DECLARED, children(parameter)[-1]) if parameter is not None else None
        result = self._before(value, enclosing, part)
        while result is None and part and enclosing.type not in _BODIES and enclosing.parent is not None:
            enclosing = enclosing.parent
            result = self._before(value, enclosing, part)
        return (_SOURCES[result[0]], result[1]) if result else None

    def _before(self, value: Node, enclosing: Node, part: str) -> tuple[str, Node] | None:
        """Return the last origin in a node that precedes the value."""
        parts = (part,) if part else ("", ".value")
        candidates = [
            entry
            for entry in self._by_parent.get(enclosing.id, ())
            if entry[0] in parts and entry[1].end_byte <= value.start_byte
        ]
        return max(candidates, key=lambda entry: entry[1].start_byte) if candidates else None
