"""Value receivers: the expressions that give local variables their values, in the form of receivers."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import first_of
from codeagentd.extract.values.callback_parameters import ArgumentPosition, callback_position
from codeagentd.extract.values.pattern_destructuring import part_of
from codeagentd.extract.values.value_sources import Triple
from codeagentd.model.facts import (
    BUILT_IN_RECEIVER,
    CALL,
    CALLBACK_PARAMETER,
    COMPLEX,
    ELEMENT,
    EXPECTED_ARGUMENT,
    FIRST_REFERENCE,
    FREE,
    INJECTED,
    PART,
    THROUGH_CALL,
    ValueSource,
)

from .call_arguments import argument_of
from .parsed_file import ParsedFile
from .receivers import Receivers, codes_of

# expressions whose last name is a type, and whose value is an instance of it
_CONSTRUCTING: Final = frozenset({"new_expression", "object_creation_expression", "instance_expression"})
_LITERALS: Final = frozenset({"array", "string", "template_string", "number", "regex"})
_CHAINS: Final = frozenset({"identifier", "attribute", "call", "subscript"})


class ValueReceivers:
    """The evaluation of the sources of local variables, after all references of the file are known.

    `names`: the names of the file's references -> their numbers. Names that a value depends on are added to them.
    """

    def __init__(self, file: ParsedFile, receivers: Receivers, names: dict[bytes, int]) -> None:
        self._source = file.source
        self._receivers = receivers
        self._names = names
        self._passing = codes_of(file.language.types.passing, BUILT_IN_RECEIVER)

    def sources(self) -> tuple[list[ValueSource], list[str]]:
        """Return (the sources of the local variables that references depend on, the texts of declared types)."""
        return self._receivers.variables.sources(self._evaluate)

    def _evaluate(self, how: int, node: Node) -> Triple:
        """Return the receiver that a source stands for."""
        if how == CALLBACK_PARAMETER:
            return self._callback_parameter(node)
        if how == PART:
            part = part_of(node)
            code = self._receivers.ends.get(part.of.end_byte, COMPLEX) if part else COMPLEX
            return (code, FREE, part.number) if part and code >= FIRST_REFERENCE else (COMPLEX, FREE, 0)
        if how == INJECTED:
            # the definition of the name determines the value
            self._add(self._source[node.start_byte : node.end_byte])
            return 0, 0, 0
        if how == EXPECTED_ARGUMENT:
            return self._expected_argument(node)
        if node.type in _LITERALS:
            return BUILT_IN_RECEIVER, FREE, 0
        return self.expression(self._iterated(node) if how == ELEMENT and node.type == "call" else node)

    def _add(self, name: bytes) -> int:
        """Return the number of a name among those of the references."""
        return self._names.setdefault(name, len(self._names))

    def expression(self, node: Node) -> Triple:
        """Return an expression as a receiver."""
        receivers = self._receivers
        end, last = node.end_byte, node.children[-1] if node.child_count else None
        code, binding, flags = receivers.receiver(end)
        if code == BUILT_IN_RECEIVER and not receivers.built_in:
            code = COMPLEX
        if last is not None and (
            receivers.is_call(end, last.start_byte)
            or (code == COMPLEX and self._source[last.start_byte : last.start_byte + 1] == b"(")
        ):
            code, binding, flags = receivers.called_value(receivers.callee(last.start_byte))
        if node.type in _CONSTRUCTING:
            if code == COMPLEX and (type_ := node.child_by_field_name("type")):  # new Shelf { Size = 3 }
                code, binding, _ = receivers.receiver(type_.end_byte)
            flags = THROUGH_CALL
        return code, binding, flags

    def _callback_parameter(self, node: Node) -> Triple:
        """Return, for a parameter of a function that is an argument, the call that has the argument, and the argument's
        number.
        """
        position = callback_position(node)
        for key in position.keys if position else ():
            if key != CALL:
                self._add(key.encode())  # the definition of the member determines the value
        if not isinstance(position, ArgumentPosition):
            return COMPLEX, 0, 0
        code = self._called(position.arguments.start_byte)
        return (code, position.argument, 0) if code >= FIRST_REFERENCE else (COMPLEX, 0, 0)

    def _expected_argument(self, node: Node) -> Triple:
        """Return the call in which a value is an argument, the number of that argument, and its label."""
        arguments, number, label = argument_of(node)
        code = self._called(arguments)
        if code < FIRST_REFERENCE:
            return COMPLEX, 0, 0
        return code, number, 1 + self._add(label) if label else 0

    def _called(self, arguments: int) -> int:
        """Return the receiver code of the call whose arguments begin at an offset."""
        return self._receivers.called_value(self._receivers.callee(arguments))[0]

    def _iterated(self, call: Node) -> Node:
        """Return the argument of a call that yields the elements of that argument: `sorted(shelves)`."""
        callee, *_, arguments = call.children
        if callee.text not in self._passing or self._receivers.ends.get(callee.end_byte) not in (
            COMPLEX,
            BUILT_IN_RECEIVER,
        ):
            return call
        first = first_of(arguments) or call
        return first if first.type in _CHAINS else call
