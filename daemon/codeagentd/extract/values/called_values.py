"""Called values: the definitions that a called variable, parameter, element or result may hold, as far as its own file
shows them (Python).

The analysis goes back from a call: through assignments, arguments of calls, returned values, decorators, and the
elements of literals. It does not tell the calls of one function apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children, first_of

from .python_bindings import CLASS, FUNCTION, Binding, PythonBindings

DEEPEST: Final = 12  # expressions that depend on each other
MOST_STEPS: Final = 200  # for one call
MOST_STEPS_OF_FILE: Final = 4_000
MOST: Final = 8  # definitions of one call: where there may be more, they are as good as unknown

_BOXES: Final = frozenset({"list", "tuple", "dictionary", "set", "expression_list"})
_DEFINITIONS: Final = frozenset({FUNCTION, CLASS})
_RETURN: Final = re.compile(rb"\breturn\b")
_YIELD: Final = re.compile(rb"\byield\b")


class Value(NamedTuple):
    """A value: the definition or the expression that it comes from. `is_sure`: whether it is the only one."""

    node: Node
    is_sure: bool


class CalledValues:
    """The values of the called expressions of one file."""

    def __init__(self, source: bytes, root: Node, identifiers: Iterable[Node]) -> None:
        self._names = PythonBindings(source, root, identifiers)
        self._open: set[tuple[int, int]] = set()  # expressions that are being evaluated
        self._steps = self._all_steps = 0
        self._calls: dict[int, list[tuple[Node, int]]] = {}  # by function
        self._further: dict[int, list[tuple[Node, int]]] = {}  # calls of values that may be the function

    def values(self, expression: Node) -> list[Value]:
        """Return the values of `expression`; none if there may be more than MOST."""
        if self._all_steps > MOST_STEPS_OF_FILE:
            return []
        self._steps = 0
        values: dict[int, Value] = {}
        for value in self._evaluated(expression, 0):
            values.setdefault(value.node.id, value)
        self._all_steps += self._steps
        is_sure = len(values) == 1
        return (
            [Value(value.node, value.is_sure and is_sure) for value in values.values()] if len(values) <= MOST else []
        )

    def note_call(self, function: Node, call: Node) -> bool:
        """Note that `call` may be one of `function`. Return whether that was unknown."""
        known = self._further.setdefault(function.id, [])
        if any(other == call for other, _ in known) or any(other == call for other, _ in self._calls_of(function)):
            return False
        known.append((call, 0))
        return True

    def _evaluated(self, node: Node, depth: int) -> list[Value]:
        key = (node.start_byte, node.end_byte)
        self._steps += 1
        if depth > DEEPEST or self._steps > MOST_STEPS or key in self._open:
            return []
        self._open.add(key)
        try:
            return [*self._by_type(node, depth + 1)]
        finally:
            self._open.discard(key)

    def _by_type(self, node: Node, depth: int) -> Iterable[Value]:
        match node.type:
            case "identifier":
                return self._of_name(node, depth)
            case "parenthesized_expression":
                return self._evaluated(first_of(node) or node, depth)
            case "assignment":
                return self._field(node, "right", depth)
            case "named_expression":
                return self._field(node, "value", depth)
            case "decorated_definition":
                return self._field(node, "definition", depth)
            case "conditional_expression":
                return self._any_of(children(node)[::2], depth)
            case "boolean_operator":
                return self._any_of(children(node), depth)
            case "call":
                return self._result(node, depth)
            case "subscript":
                return self._element(node, depth)
        return [Value(node, True)]

    def _field(self, node: Node, name: str, depth: int) -> list[Value]:
        inner = node.child_by_field_name(name)
        return self._evaluated(inner, depth) if inner is not None else []

    def _any_of(self, nodes: Iterable[Node], depth: int) -> list[Value]:
        return [Value(value.node, False) for node in nodes for value in self._evaluated(node, depth)]

    # -- names
    def _of_name(self, node: Node, depth: int) -> Iterator[Value]:
        bindings, is_sure = self._names.reaching(node)
        if not bindings:
            yield Value(node, True)
        for binding in bindings:
            for value in self._bound(binding, node, depth):
                yield Value(value.node, value.is_sure and is_sure)

    def _bound(self, binding: Binding, use: Node, depth: int) -> Iterable[Value]:
        if binding.kind == "import":
            return [Value(use, True)]
        if binding.place is None:
            return []
        if binding.kind == "definition":
            return [Value(binding.place, True), *self._decorated(binding.place, depth)]
        if binding.kind == "parameter":
            return self._arguments(binding.place, binding.name, depth)
        values = self._evaluated(binding.place, depth)
        if binding.kind == "iterated":
            values = [element for value in values for element in self._elements(value.node, depth)]
        for position in binding.path:
            values = [
                element
                for value in values
                for part in position.parts(children(value.node) if value.node.type in _BOXES else [])
                for element in self._evaluated(part, depth)
            ]
        return values

    def _decorated(self, definition: Node, depth: int) -> list[Value]:
        """The functions that the outermost decorators of a definition return instead of it."""
        outer = definition.parent
        if outer is None or outer.type != "decorated_definition":
            return []
        decorators = (child for child in outer.children if child.type == "decorator")
        return next((values for node in decorators if (values := self._replacements(node, depth))), [])

    def _decorated_by(self, decorator: Node, depth: int) -> list[Value]:
        """What a decorator is called with: the definition, or what the decorator below it returns."""
        below = decorator.next_named_sibling
        while below is not None and below.type == "decorator":
            if values := self._replacements(below, depth):
                return values
            below = below.next_named_sibling
        return [Value(below, False)] if below is not None else []

    def _replacements(self, decorator: Node, depth: int) -> list[Value]:
        """The functions of its own that a decorator returns."""
        callee = first_of(decorator)
        if callee is None or depth > DEEPEST:
            return []
        return [
            Value(inner.node, False)
            for value in self._evaluated(callee, depth)
            if value.node.type == FUNCTION
            for result in self._statements(value.node, _RETURN)
            for inner in self._evaluated(result, depth)
            if inner.node.type == FUNCTION and self._names.function_around(inner.node) == value.node
        ]

    # -- calls
    def _arguments(self, function: Node, name: Node, depth: int) -> Iterator[Value]:
        """The values that calls of a function in its file pass to a parameter, and its default value."""
        number, default = self._names.parameter(function, name)
        if default is not None:
            yield from self._any_of([default], depth)
        for call, skipped in [*self._calls_of(function), *self._further.get(function.id, ())]:
            if call.type == "decorator":
                yield from self._decorated_by(call, depth) if number == 0 else ()
            elif (argument := _argument(call, number - skipped, name)) is not None:
                yield from self._any_of([argument], depth)

    def _calls_of(self, function: Node) -> list[tuple[Node, int]]:
        if function.id not in self._calls:
            self._calls[function.id] = []
            self._calls[function.id] = [*self._names.calls_of(function)]
        return self._calls[function.id]

    def _result(self, call: Node, depth: int) -> Iterator[Value]:
        callee = call.child_by_field_name("function")
        values = self._evaluated(callee, depth) if callee is not None else []
        for value in values:
            results = self._statements(value.node, _RETURN) if value.node.type == FUNCTION else []
            if not results:
                yield Value(call, value.is_sure)
            for result in results:
                for inner in self._evaluated(result, depth):
                    yield Value(inner.node, inner.is_sure and value.is_sure and len(results) == 1)

    def _statements(self, function: Node, word: re.Pattern[bytes]) -> list[Node]:
        """The values that a function returns or yields."""
        return [
            value for statement in self._names.statements(function, word) if (value := first_of(statement)) is not None
        ]

    # -- elements
    def _element(self, subscript: Node, depth: int) -> Iterator[Value]:
        """The elements of a container under a key: those that a literal has, and those that are set."""
        container, keys = subscript.child_by_field_name("value"), subscript.children_by_field_name("subscript")
        if container is None or len(keys) != 1 or keys[0].type == "slice":
            return
        constants = {key for value in self._evaluated(keys[0], depth) if (key := _constant(value.node)) is not None}
        is_known = bool(constants)
        entries = [*self._entries(container, subscript, depth)]
        last = next((entry for entry in reversed(entries) if entry[2] and entry[0] in constants), None)
        if last is not None and len(constants) == 1:
            entries = entries[entries.index(last) :]
        for key, value, _ in entries:
            if not is_known or key is None or key in constants:
                for element in self._evaluated(value, depth):
                    yield Value(element.node, element.is_sure and is_known)

    def _entries(self, container: Node, use: Node, depth: int) -> Iterator[tuple[object, Node, bool]]:
        """List (key, value, whether it replaces those before) of the elements of a container; key None: unknown."""
        for box in self._evaluated(container, depth):
            if box.node.type == "dictionary":
                for key, value in _pairs(box.node):
                    yield key, value, False
            elif box.node.type in _BOXES:
                elements = children(box.node)
                yield from ((number, value, False) for number, value in enumerate(elements))
                yield from ((number - len(elements), value, False) for number, value in enumerate(elements))
        for key_node, value, replaces in self._names.set_elements(container, use):
            keys = [_constant(item.node) for item in self._evaluated(key_node, depth)]
            for key in keys:
                yield key, value, replaces and len(keys) == 1
        if container.type == "identifier":
            for literal, replaces in self._names.updates(container, use):
                for key, value in _pairs(literal):
                    yield key, value, replaces

    def _elements(self, node: Node, depth: int) -> Iterator[Value]:
        """The values of iterating over a value."""
        if node.type == "dictionary":
            return
        if node.type in _BOXES:
            yield from self._any_of(children(node), depth)
        elif node.type == "call" and (callee := node.child_by_field_name("function")) is not None:
            for value in self._evaluated(callee, depth):
                next_ = self._names.method(value.node, b"__next__") if value.node.type == CLASS else None
                results = (
                    self._statements(next_, _RETURN) if next_ is not None else self._statements(value.node, _YIELD)
                )
                yield from self._any_of(results, depth)


def is_definition(node: Node) -> bool:
    """Whether a value is a definition of its file."""
    return node.type in _DEFINITIONS


def _argument(call: Node, number: int, name: Node) -> Node | None:
    """The argument of a call for the parameter `name`, which has this number."""
    arguments = call.child_by_field_name("arguments")
    position = 0
    for argument in children(arguments) if arguments is not None else ():
        if argument.type == "keyword_argument":
            key = argument.child_by_field_name("name")
            if key is not None and key.text == name.text:
                return argument.child_by_field_name("value")
        elif argument.type in ("list_splat", "dictionary_splat"):
            return None
        elif position == number:
            return argument
        else:
            position += 1
    return None


def _pairs(dictionary: Node) -> Iterator[tuple[object, Node]]:
    for pair in children(dictionary):
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if pair.type == "pair" and key is not None and value is not None:
            yield _constant(key), value


def _constant(node: Node) -> object:
    """The value of a literal text or number; None for other expressions."""
    text = node.text or b""
    if node.type == "integer":
        return int(text) if text.isdigit() else text
    if node.type == "unary_operator" and text[:1] == b"-" and text[1:].isdigit():
        return int(text)
    return text.strip(b"\"'") if node.type == "string" else None
