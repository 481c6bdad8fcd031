"""Functions that are handed to a call: which argument they are, and which of their parameters a name is."""

from __future__ import annotations

from typing import Final, NamedTuple

from tree_sitter import Node

_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "lambda_expression"})
_ARGUMENTS: Final = frozenset({"arguments", "argument_list"})
_ARGUMENT: Final = "argument"  # what some grammars wrap each of them in
_THIS: Final = b"this"
_SPREAD: Final = "spread_element"


class Handed(NamedTuple):
    """A parameter of a function that is an argument, both counted from 0."""

    arguments: Node
    argument: int
    parameter: int


def handed(name: Node) -> Handed | None:
    """What the name of a parameter is to the call that its function is handed to; None where that cannot be counted."""
    function, parameter = name.parent, 0
    if function is not None and function.type not in _FUNCTIONS and function.parent is not None:  # in a list of parameters
        parameter = _number(function, function.parent)
        function = function.parent.parent
    passed = function if function is not None and function.type in _FUNCTIONS else None
    if passed is not None and passed.parent is not None and passed.parent.type == _ARGUMENT:
        passed = passed.parent
    arguments = passed.parent if passed is not None else None
    if passed is None or arguments is None or arguments.type not in _ARGUMENTS:
        return None
    argument = _number(passed, arguments)
    return Handed(arguments, argument, parameter) if argument >= 0 and parameter >= 0 else None


def _number(node: Node, among: Node) -> int:
    """How many stand before a node; `this` is no parameter, and what is spread may be any number."""
    number = 0
    for child in among.named_children:
        if child.start_byte >= node.start_byte:
            return number
        if child.type == _SPREAD:
            return -1
        is_this = child.type == "required_parameter" and child.named_children[0].text == _THIS
        number += not child.is_extra and not is_this
    return -1
