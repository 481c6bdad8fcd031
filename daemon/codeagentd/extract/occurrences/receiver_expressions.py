"""Receiver expressions: the ends of receivers that are not names but calls, parentheses, subscripts or casts."""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.syntax_nodes import children

_START: Final = attrgetter("start_byte")
_WRAPPERS: Final = frozenset({"await", "await_expression", "non_null_expression"})
_ASSERTIONS: Final = frozenset({"as_expression", "satisfies_expression"})


def inner_ends(captures: Captures) -> dict[int, int]:
    """Return a dictionary from the end of an expression to the end of its inner part.

    The inner part is the name before type arguments (@generic, @instantiated), the content of parentheses, `(new
    Shelf())`, or the type of a cast, `((Shelf) any)` (@enclosed).
    """
    results = {node.end_byte: node.start_byte for node in captures.get("generic", ())}
    results.update((node.end_byte, node.children[0].end_byte) for node in captures.get("instantiated", ()))
    results.update((node.end_byte, _inside(children(node)[0])) for node in captures.get("enclosed", ()))
    return results


def _inside(node: Node) -> int:
    while node.type in _WRAPPERS:
        node = children(node)[0]
    type_ = node.child_by_field_name("type") if node.type == "cast_expression" else _asserted(node)
    return type_.end_byte if type_ else node.end_byte


def _asserted(node: Node) -> Node | None:
    """Return the type in `one as Shelf`, for which the grammar has no field."""
    return children(node)[-1] if node.type in _ASSERTIONS else None


def indexed(captures: Captures) -> dict[int, int]:
    """Return a dictionary from the end of a subscript, `shelves[0]` (@indexed), to the end of its container, which is
    directly before it where `[0]` is a node of its own. A slice is left out, as it is no element.
    """
    return {
        node.end_byte: node.children[0].end_byte if node.children[0].is_named else node.start_byte
        for node in captures.get("indexed", ())
        if all(child.type != "slice" for child in node.children)
    }


def calls(captures: Captures) -> dict[int, int]:
    """Return a dictionary from the end of a call to the start of its arguments; for `Lint.new App.new` these are the
    arguments of the outer call.

    The order of captures does not matter. A literal, cast or assertion (@built) counts as a call of its type: its
    arguments "begin" where that type ends. The result of an operator in parentheses counts as a call of that operator,
    in languages in which operators are methods.
    """
    arguments = [
        node for capture in ("arguments", "called", "called.block", "called.one") for node in captures.get(capture, ())
    ]
    results = {node.end_byte: node.start_byte for node in arguments}
    if len(results) < len(arguments):
        results = {node.end_byte: node.start_byte for node in sorted(arguments, key=_START, reverse=True)}
    for node in captures.get("built", ()):
        inner = node.children[1]
        type_ = (
            node.child_by_field_name("type")
            or inner.child_by_field_name("type")
            or inner.child_by_field_name("operator")
            or _asserted(inner)
        )
        if type_ is not None:
            results[node.end_byte] = type_.end_byte
    return results
