"""Callback parameters: the parameters of functions that are arguments of a call, or whose type the context declares."""

from __future__ import annotations

from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children, first_of
from codeagentd.model.facts import CALL, LAST_ARGUMENT

_FUNCTIONS: Final = frozenset(
    {"arrow_function", "function_expression", "lambda_expression", "lambda_literal", "closure_expression"}
)
_METHOD: Final = "method_definition"  # of an object
_TAKING: Final = _FUNCTIONS | {_METHOD}
_OBJECT: Final = "object"
_ARGUMENTS: Final = frozenset({"arguments", "argument_list", "value_arguments"})
_ARGUMENT: Final = frozenset({"argument", "value_argument"})  # nodes in which some grammars wrap each argument
# parents of a function that follows a call's other arguments, or is its only one without parentheses
_TRAILING: Final = frozenset({"call_suffix", "block"})
_WRAPPERS: Final = frozenset({"annotated_lambda", "parenthesized_expression"})
_LABEL: Final = "value_argument_label"
# in which some grammars wrap a list of parameters
_LISTS: Final = frozenset({"lambda_parameters", "lambda_function_type"})
_NAMES: Final = "closure_parameters"  # Rust: the parameter list, with bare names
_IMPLICIT: Final = b"it"
_NUMBERED: Final = b"$"
_DECLARING: Final = frozenset({"lambda_parameter", "variable_declaration"})
_CALL: Final = "call_expression"
_TYPED: Final = frozenset({"variable_declarator", "public_field_definition"})
_ASSERTED: Final = frozenset({"as_expression", "satisfies_expression"})
_RETURNING: Final = frozenset({"arrow_function", "function_expression", "function_declaration", "method_definition"})
_KEYS: Final = frozenset({"property_identifier", "string"})
_QUOTES: Final = b"'\""
_THIS: Final = b"this"
_SPREAD: Final = "spread_element"
_MOST: Final = 255  # parameters that are counted
_DEEPEST: Final = 4  # objects inside of objects


class ArgumentPosition(NamedTuple):
    """The position of a callback's parameter in the call to which the callback is passed. All numbers count from 0.

    The callback is the argument number `argument` of `arguments`, or a member of that argument below `keys`. `label` is
    the label of the argument.
    """

    arguments: Node
    argument: int
    parameter: int
    keys: tuple[str, ...] = ()
    label: str = ""


class Expected(NamedTuple):
    """The position of a parameter in a function type that the context of the function declares. It counts from 0.

    `type` is the declared type: of the function, or of an object that has the function as a member below `keys`.
    """

    type: Node
    parameter: int
    keys: tuple[str, ...]


class _Place(NamedTuple):
    """The outermost function or object around a parameter's function, and the path from it to that function."""

    value: Node
    parameter: int
    keys: tuple[str, ...]


def callback_position(name: Node) -> ArgumentPosition | Expected | None:
    """Return the position of the parameter `name` in the call that gets its function, or in the declared type of its
    function; None if there is neither.
    """
    place = _place(name)
    return (_argument_position(place) or _expected(place)) if place else None


def _argument_position(place: _Place) -> ArgumentPosition | None:
    passed, label = place.value, ""
    if passed.parent is not None and passed.parent.type in _TRAILING:
        return _trailing_position(passed, passed.parent, place.parameter)
    if passed.parent is not None and passed.parent.type in _ARGUMENT:
        passed = passed.parent
        label = _label(passed)
    arguments = passed.parent
    if arguments is None or arguments.type not in _ARGUMENTS or _is_curried(arguments):
        return None
    argument = _number(passed, arguments)
    return ArgumentPosition(arguments, argument, place.parameter, place.keys, label) if argument >= 0 else None


def _expected(place: _Place) -> Expected | None:
    type_ = _declared_type(place.value)
    return Expected(type_, place.parameter, place.keys) if type_ is not None else None


def implied_function(name: Node) -> Node | None:
    """Return the nearest function around `name` that declares no parameters: the function of Kotlin's `it`, Swift's
    `$0`. None if there is none.
    """
    enclosing = name.parent
    while enclosing is not None and (
        enclosing.type != "lambda_literal" or any(child.type in _LISTS for child in children(enclosing)[:1])
    ):
        enclosing = enclosing.parent
    return enclosing


def _place(name: Node) -> _Place | None:
    """Return the outermost value that contains or returns the function of a parameter, with no declared type on the
    way.
    """
    # none in languages where these are ordinary names
    implied = implied_function(name) if _is_implied(name) else None
    function, parameter = (implied, _position(name)) if implied is not None else _declared(name)
    if function is None or function.type not in _TAKING or not 0 <= parameter <= _MOST:
        return None
    value, keys = function, list[str]()
    while len(keys) <= _DEEPEST:
        enclosing, key = _outwards(value)
        if enclosing is None:
            return _Place(value, parameter, tuple(keys)) if value.type != _METHOD else None
        value, keys = enclosing, [key, *keys] if key else keys
    return None


def _declared(name: Node) -> tuple[Node | None, int]:
    """Return the function that declares a name as its parameter, and the parameter's number."""
    place = name.parent
    if place is None or place.type in _FUNCTIONS or place.parent is None:
        return place, 0
    if place.type == _NAMES:
        return place.parent, _number(name, place)
    function = place.parent.parent  # the parameter is in a list
    if function is not None and function.type in _LISTS:
        function = function.parent
    return function, _number(place, place.parent)


def _is_implied(name: Node) -> bool:
    text = name.text or b""
    return (text == _IMPLICIT or text.startswith(_NUMBERED)) and (
        name.parent is None or name.parent.type not in _DECLARING
    )


def _position(name: Node) -> int:
    text = name.text or b""
    return int(text[1:]) if text[1:].isdigit() else 0


def _outwards(value: Node) -> tuple[Node | None, str]:
    """Return (the node that contains or returns a value, its key or a CALL); (None, '') where there is no such node
    without a declared type.
    """
    enclosing = value.parent
    if value.type == _METHOD or (enclosing is not None and enclosing.type == "pair"):
        holder = value if value.type == _METHOD else enclosing
        key = _key(holder.child_by_field_name("name") or holder.child_by_field_name("key")) if holder else ""
        return (
            (holder.parent, key)
            if holder and key and holder.parent is not None and holder.parent.type == _OBJECT
            else (None, "")
        )
    if enclosing is not None and enclosing.type in _WRAPPERS:
        return enclosing, ""
    function = _returning(value)
    return (
        (function, CALL)
        if function is not None and function.type in _TAKING and not function.child_by_field_name("return_type")
        else (None, "")
    )


def _returning(value: Node) -> Node | None:
    """Return the function that returns a value."""
    enclosing = value.parent
    if enclosing is not None and enclosing.type == "return_statement":
        while enclosing is not None and enclosing.type not in _RETURNING:
            enclosing = enclosing.parent
        return enclosing
    return (
        enclosing
        if enclosing is not None
        and enclosing.type == "arrow_function"
        and enclosing.child_by_field_name("body") == value
        else None
    )


def _key(node: Node | None) -> str:
    """Return the name of a member of an object; '' where it is not one word."""
    text = (
        node.text.strip(_QUOTES).decode(errors="replace")
        if node is not None and node.type in _KEYS and node.text
        else ""
    )
    return text if text.isidentifier() else ""


def _declared_type(value: Node) -> Node | None:
    """Return the type that is declared for a value: of a variable, a field, a result, or by an assertion."""
    enclosing = value.parent
    if enclosing is None:
        return None
    if enclosing.type in _TYPED and enclosing.child_by_field_name("value") == value:
        return _type(enclosing.child_by_field_name("type"))
    if enclosing.type in _ASSERTED:
        return children(enclosing)[-1] if children(enclosing)[0] == value else None
    function = _returning(value)
    return _type(function.child_by_field_name("return_type")) if function is not None else None


def _type(annotation: Node | None) -> Node | None:
    """Return the type in an annotation."""
    return first_of(annotation) if annotation is not None and annotation.type == "type_annotation" else None


def _trailing_position(function: Node, place: Node, parameter: int) -> ArgumentPosition | None:
    """Return the position of a function after the arguments of a call, `shelves.each { … }`."""
    last = function.next_named_sibling is None
    is_only = place.type != "block" or (
        len(children(place)) == 1 and place.parent is not None and place.parent.type == _CALL
    )
    return ArgumentPosition(place, LAST_ARGUMENT, parameter) if last and is_only and not _is_curried(place) else None


def _is_curried(arguments: Node) -> bool:
    """Whether these are the arguments of the result of a call, `lend(a) { b => … }`: the second parameter list of a
    function.
    """
    called = (
        arguments.parent.child_by_field_name("function")
        if arguments.parent is not None and arguments.parent.type == _CALL
        else None
    )
    return called is not None and called.type == _CALL


def _label(argument: Node) -> str:
    first = children(argument)[0]
    if first.type == _LABEL:
        return (first.text or b"").decode(errors="replace")
    sign = first.next_sibling
    return (first.text or b"").decode(errors="replace") if sign is not None and sign.type == "=" else ""


def _number(node: Node, among: Node) -> int:
    """Return the number of nodes before a node. `this` is no parameter, and a spread may stand for any number of
    parameters.
    """
    number = 0
    for child in children(among):
        if child.start_byte >= node.start_byte:
            return number
        if child.type == _SPREAD:
            return -1
        number += not (child.type == "required_parameter" and children(child)[0].text == _THIS)
    return -1
