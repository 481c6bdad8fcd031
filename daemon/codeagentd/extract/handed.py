"""Functions that are handed to a call: which argument they are, and which of their parameters a name is."""

from __future__ import annotations

from typing import Final, NamedTuple

from tree_sitter import Node

_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression"})
_LISTS: Final = frozenset({"formal_parameters", "arguments"})
_THIS: Final = b"this"
_SPREAD: Final = "spread_element"


class Handed(NamedTuple):
    """A parameter of a function that is an argument, both counted from 0."""

    arguments: Node
    argument: int
    parameter: int


def handed(name: Node) -> Handed | None:
    """What the name of a parameter is to the call that its function is handed to; None where that cannot be counted."""
    parameter = 0
    node, around = name, name.parent
    while around is not None and around.type != "arguments":
        if around.type in _LISTS:
            parameter = _number(node, around)
        node, around = around, around.parent
    if around is None or node.type not in _FUNCTIONS:
        return None
    argument = _number(node, around)
    return Handed(around, argument, parameter) if argument >= 0 and parameter >= 0 else None


def _number(node: Node, among: Node) -> int:
    """How many stand before a node; `this` is no parameter, and what is spread may be any number."""
    number = 0
    for child in among.named_children:
        if child.start_byte >= node.start_byte:
            return number
        if child.type == _SPREAD:
            return -1
        number += not child.is_extra and not (child.named_child_count and child.named_children[0].text == _THIS)
    return -1
