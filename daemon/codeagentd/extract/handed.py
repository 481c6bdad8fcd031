"""Functions that are handed to a call: which argument they are, and which of their parameters a name is."""

from __future__ import annotations

from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.model.facts import LAST_ARGUMENT

_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "lambda_expression", "lambda_literal", "closure_expression"})
_ARGUMENTS: Final = frozenset({"arguments", "argument_list", "value_arguments"})
_ARGUMENT: Final = frozenset({"argument", "value_argument"})  # what some grammars wrap each of them in
_BEHIND: Final = frozenset({"call_suffix", "block"})  # what a function stands in that follows a call's other arguments, or is its only one without parentheses
_AROUND: Final = frozenset({"annotated_lambda"})
_LABEL: Final = "value_argument_label"
_PARAMETERS: Final = frozenset({"lambda_parameters", "lambda_function_type"})
_NAMES: Final = "closure_parameters"  # Rust: where the names of parameters stand by themselves
_IMPLICIT: Final = b"it"
_NUMBERED: Final = b"$"
_CALL: Final = "call_expression"
_THIS: Final = b"this"
_SPREAD: Final = "spread_element"


class Handed(NamedTuple):
    """A parameter of a function that is an argument, both counted from 0; `label`: the name that the argument carries."""

    arguments: Node
    argument: int
    parameter: int
    label: str = ""


def handed(name: Node) -> Handed | None:
    """What the name of a parameter is to the call that its function is handed to; None where that cannot be counted."""
    function, parameter = (implied_function(name), _position(name)) if _is_implied(name) else _declared(name)
    passed = function if function is not None and function.type in _FUNCTIONS else None
    while passed is not None and passed.parent is not None and passed.parent.type in _AROUND:
        passed = passed.parent
    if passed is not None and passed.parent is not None and passed.parent.type in _BEHIND:
        return _behind(passed, passed.parent, parameter)
    label = ""
    if passed is not None and passed.parent is not None and passed.parent.type in _ARGUMENT:
        passed = passed.parent
        label = _label(passed)
    arguments = passed.parent if passed is not None else None
    if passed is None or arguments is None or arguments.type not in _ARGUMENTS or _is_curried(arguments):
        return None
    argument = _number(passed, arguments)
    return Handed(arguments, argument, parameter, label) if argument >= 0 and parameter >= 0 else None


def _declared(name: Node) -> tuple[Node | None, int]:
    """The function whose parameter a name declares, and which of them it is."""
    place = name.parent
    if place is None or place.type in _FUNCTIONS or place.parent is None:
        return place, 0
    if place.type == _NAMES:
        return place.parent, _number(name, place)
    function = place.parent.parent  # the parameter stands in a list
    if function is not None and function.type in _PARAMETERS:
        function = function.parent
    return function, _number(place, place.parent)


def _is_implied(name: Node) -> bool:
    text = name.text or b""
    return (text == _IMPLICIT or text.startswith(_NUMBERED)) and (name.parent is None or name.parent.type not in ("lambda_parameter", "variable_declaration"))


def implied_function(name: Node) -> Node | None:
    """The nearest function around a name that declares no parameters: Kotlin's `it` and Swift's `$0` are some of those."""
    around = name.parent
    while around is not None and (around.type != "lambda_literal" or any(child.type in _PARAMETERS for child in around.named_children[:1])):
        around = around.parent
    return around


def _position(name: Node) -> int:
    text = name.text or b""
    return int(text[1:]) if text[1:].isdigit() else 0


def _behind(function: Node, place: Node, parameter: int) -> Handed | None:
    """A function behind the arguments of a call, `shelves.each { … }`."""
    last = function.next_named_sibling is None
    is_only = place.type != "block" or (place.named_child_count == 1 and place.parent is not None and place.parent.type == _CALL)
    return Handed(place, LAST_ARGUMENT, parameter) if last and is_only and not _is_curried(place) and parameter >= 0 else None


def _is_curried(arguments: Node) -> bool:
    """Whether these are the arguments of what a call gives, `lend(a) { b => … }`: the second list of a function's parameters."""
    called = arguments.parent.child_by_field_name("function") if arguments.parent is not None and arguments.parent.type == _CALL else None
    return called is not None and called.type == _CALL


def _label(argument: Node) -> str:
    first = argument.named_children[0]
    if first.type == _LABEL:
        return (first.text or b"").decode(errors="replace")
    sign = first.next_sibling
    return (first.text or b"").decode(errors="replace") if sign is not None and sign.type == "=" else ""


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
