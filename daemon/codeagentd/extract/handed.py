"""Functions that are handed to a call, or stand where their type is said: which of their parameters a name is, and where in that they are."""

from __future__ import annotations

from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.model.facts import CALL

_FUNCTIONS: Final = frozenset({"arrow_function", "function_expression", "lambda_expression"})
_METHOD: Final = "method_definition"  # of an object
_TAKING: Final = _FUNCTIONS | {_METHOD}
_OBJECT: Final = "object"
_ARGUMENTS: Final = frozenset({"arguments", "argument_list"})
_ARGUMENT: Final = "argument"  # what some grammars wrap each of them in
_TYPED: Final = frozenset({"variable_declarator", "public_field_definition"})
_ASSERTED: Final = frozenset({"as_expression", "satisfies_expression"})
_RETURNING: Final = frozenset({"arrow_function", "function_expression", "function_declaration", "method_definition"})
_KEYS: Final = frozenset({"property_identifier", "string"})
_QUOTES: Final = b"'\""
_THIS: Final = b"this"
_SPREAD: Final = "spread_element"
_MOST: Final = 255  # parameters that are counted
_DEEPEST: Final = 4  # objects inside of objects


class Handed(NamedTuple):
    """A parameter of a function that is an argument, or in an object that is one under some keys; both counted from 0."""

    arguments: Node
    argument: int
    parameter: int
    keys: tuple[str, ...]


class Expected(NamedTuple):
    """A parameter of a function that has to be of a type, or is in an object of that type under some keys; counted from 0."""

    type: Node
    parameter: int
    keys: tuple[str, ...]


class _Place(NamedTuple):
    """The function or object that a parameter's function is, and where in that."""

    value: Node
    parameter: int
    keys: tuple[str, ...]


def handed(name: Node) -> Handed | None:
    """What the name of a parameter is to the call that its function is handed to; None where that cannot be counted."""
    place = _place(name)
    if place is None:
        return None
    passed = place.value.parent if place.value.parent is not None and place.value.parent.type == _ARGUMENT else place.value
    arguments = passed.parent
    if arguments is None or arguments.type not in _ARGUMENTS:
        return None
    argument = _number(passed, arguments)
    return Handed(arguments, argument, place.parameter, place.keys) if argument >= 0 else None


def expected(name: Node) -> Expected | None:
    """What the name of a parameter is to the type that is said where its function stands."""
    place = _place(name)
    type_ = _said(place.value) if place else None
    return Expected(type_, place.parameter, place.keys) if place and type_ is not None else None


def keys_of(name: Node) -> list[bytes]:
    """The keys under which the function of a parameter is in an object."""
    place = _place(name)
    return [key.encode() for key in place.keys if key != CALL] if place else []


def _place(name: Node) -> _Place | None:
    function, parameter = name.parent, 0
    if function is not None and function.type not in _FUNCTIONS and function.parent is not None:  # in a list of parameters
        parameter = _number(function, function.parent)
        function = function.parent.parent
    if function is None or function.type not in _TAKING or not 0 <= parameter <= _MOST:
        return None
    value, keys = function, list[str]()
    while len(keys) <= _DEEPEST:
        around, key = _outwards(value)
        if around is None:
            return _Place(value, parameter, tuple(keys)) if value.type != _METHOD else None
        value, keys = around, [key, *keys] if key else keys
    return None


def _outwards(value: Node) -> tuple[Node | None, str]:
    """(what holds a value or gives it, under which key or by a CALL); (None, '') where nothing does that has no type of its own."""
    around = value.parent
    if value.type == _METHOD or (around is not None and around.type == "pair"):
        holder = value if value.type == _METHOD else around
        key = _key(holder.child_by_field_name("name") or holder.child_by_field_name("key")) if holder else ""
        return (holder.parent, key) if holder and key and holder.parent is not None and holder.parent.type == _OBJECT else (None, "")
    if around is not None and around.type == "parenthesized_expression":
        return around, ""
    function = _returning(value)
    return (function, CALL) if function is not None and function.type in _TAKING and not function.child_by_field_name("return_type") else (None, "")


def _returning(value: Node) -> Node | None:
    """The function that gives a value."""
    around = value.parent
    if around is not None and around.type == "return_statement":
        while around is not None and around.type not in _RETURNING:
            around = around.parent
        return around
    return around if around is not None and around.type == "arrow_function" and around.child_by_field_name("body") == value else None


def _key(node: Node | None) -> str:
    """The name of a member of an object; '' where it is not one word."""
    text = node.text.strip(_QUOTES).decode(errors="replace") if node is not None and node.type in _KEYS and node.text else ""
    return text if text.isidentifier() else ""


def _said(value: Node) -> Node | None:
    """The type that is said where a value stands: of a variable, a field, a result, by an assertion."""
    around = value.parent
    if around is None:
        return None
    if around.type in _TYPED and around.child_by_field_name("value") == value:
        return _type(around.child_by_field_name("type"))
    if around.type in _ASSERTED:
        return around.named_children[-1] if around.named_children[0] == value else None
    function = _returning(value)
    return _type(function.child_by_field_name("return_type")) if function is not None else None


def _type(annotation: Node | None) -> Node | None:
    """The type in an annotation."""
    return annotation.named_children[0] if annotation is not None and annotation.type == "type_annotation" and annotation.named_children else None


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
