"""Operations: syntax and built-in functions that run a method of their operand, and calls of values without a name."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.definitions.draft import CALLABLES
from codeagentd.extract.scopes import LOCAL, ScopeTree
from codeagentd.extract.syntax_nodes import children
from codeagentd.extract.values.called_values import DEEPEST, CalledValues, is_definition
from codeagentd.extract.values.value_sources import Triple
from codeagentd.languages.language import CALLING
from codeagentd.model.facts import (
    BUILT_IN_RECEIVER,
    CLASS,
    COLUMNS,
    COMPLEX,
    FIRST_BOUND,
    FIRST_REFERENCE,
    FREE,
    PLAIN,
    SUPER,
)
from codeagentd.model.facts import LOCAL as LOCAL_RECEIVER
from codeagentd.model.kinds import ReferenceKind

from .parsed_file import NameBindings, ParsedFile
from .receivers import Receivers
from .value_receivers import ValueReceivers

MOST_CALLS: Final = 400  # of values, in one file: the others are not followed
ROUNDS: Final = 3  # in which the calls of values are calls of the functions that these are

_CAPTURE: Final = "runs."
_CALL: Final = "call"  # such a capture
_UNARY: Final = {"-": "unary_minus", "+": "unary_plus", "~": "unary_invert"}
# the only or first argument of a built-in function, where that is a name or a member
_OPERAND: Final = re.compile(rb"\(\s*((?:[^\W\d]\w*\.)*[^\W\d]\w*)\s*[,)]")
_WITHOUT_MEMBERS: Final = frozenset({COMPLEX, BUILT_IN_RECEIVER, SUPER, PLAIN})
_FIELDS: Final = {"call": "function", "subscript": "value"}  # the field with the beginning of such an expression
_FIRST: Final = itemgetter(0)
_PLACE: Final = itemgetter(0, 1, 2)
_CALLING: Final = frozenset({int(ReferenceKind.CALL), int(ReferenceKind.DECORATE)})


class _Operation(NamedTuple):
    """An operation: where it stands, in which symbol, and its operand."""

    start: int
    symbol: int
    word: str
    operand: Triple
    is_sure: bool = True


class _Call(NamedTuple):
    """A call of a value: the called expression, and the symbol that contains it. `operand`: the called variable, where
    its type may be known.
    """

    callee: Node
    symbol: int
    operand: Triple | None = None


class Operations:
    """The operations of one file. `by_name`: (start, end, symbol, name) of each called name that is a local variable or
    in `built_in`, which the collector adds. `sign`: the byte after such a name, -1 in languages without operations.
    """

    def __init__(self, file: ParsedFile, receivers: Receivers, values: ValueReceivers) -> None:
        self._file = file
        self._receivers = receivers
        self._values = values
        self._known = file.language.operations
        self.built_in = frozenset(word.encode() for word in self._known)
        self.sign = ord(file.language.symbols.call_sign or "\0") if self._known else -1
        self.by_name: list[tuple[int, int, int, bytes]] = []
        self._calls: list[_Call] = []  # of values without a type
        self._references: Sequence[int] = ()
        self._own = range(0)  # bindings to definitions of the file

    def packed(self, bindings: NameBindings, references: Sequence[int]) -> tuple[list[str], bytes]:
        """Return (operation words, packed operations) as FileFacts has them, after all names have been visited.
        `references` are the packed ones of the file.
        """
        if not self._known:
            return [], b""
        words: dict[str, int] = {}
        numbers: list[int] = []
        places = self._file.places
        self._own = range(FIRST_BOUND + 1, FIRST_BOUND + 1 + len(bindings.drafts))
        self._references = references
        operations = [*self._of_names(), *self._of_captures(bindings.tree)]
        self._calls += self._of_symbols(bindings)
        for operation in sorted([*operations, *self._of_values(bindings)]):
            line = places.line(operation.start)
            number = words.setdefault(operation.word, len(words))
            place = (number, line, places.column(operation.start, line), operation.symbol)
            numbers += (*place, *operation.operand, operation.is_sure)
        return list(words), array("I", numbers).tobytes()

    def _of_names(self) -> Iterator[_Operation]:
        """List the operations by called names."""
        ends, variables = self._receivers.ends, self._receivers.variables
        for start, end, symbol, name in self.by_name:
            operand, code = self._operand(end), ends[end]
            if code <= LOCAL and (operand is None or variables.has_value(operand[1])):
                self._add_call(start, end, symbol, operand)
            elif operand is not None:
                yield _Operation(start, symbol, name.decode() if code == BUILT_IN_RECEIVER else CALLING, operand)
            if code == BUILT_IN_RECEIVER and CALLING in self._known[name.decode()]:
                self._add_callbacks(start, end, symbol)

    def _of_captures(self, tree: ScopeTree) -> Iterator[_Operation]:
        """List the operations that the query captures."""
        ends, known = self._receivers.ends, self._known
        nodes: list[tuple[int, int, str, Node]] = []
        for node, word in _nodes(self._file.captures):
            # most operands are names: those of unknown type are passed over fast
            is_name = word != CALLING and (node.child_count == 0 or node.type == "attribute")
            is_unknown = is_name and ends.get(node.end_byte, COMPLEX) in _WITHOUT_MEMBERS
            if word in known and not is_unknown:
                nodes.append((node.start_byte, node.end_byte, word, node))
        nodes.sort(key=_PLACE)  # captures come in no order, and sources are numbered as they are needed
        located: list[tuple[int, Node, str, Triple | None]] = []
        for start, _, word, node in nodes:
            if word == CALLING:
                if self._is_own(node):
                    located.append((start, node, word, None))
            elif operand := self._with_members(self._values.expression(node)):
                located.append((start, node, word, operand))
        for (start, node, word, operand), scope in zip(located, tree.locate([*map(_FIRST, located)]), strict=True):
            if operand is None:
                self._calls.append(_Call(node, scope.symbol))
            else:
                yield _Operation(start, scope.symbol, word, operand)

    def _is_own(self, node: Node) -> bool:
        """Whether an expression begins with a local variable or a definition of the file."""
        inner: Node | None = node
        for _ in range(DEEPEST):
            if inner is not None and inner.type in _FIELDS:
                inner = inner.child_by_field_name(_FIELDS[inner.type])
        code = self._receivers.ends.get(inner.end_byte, COMPLEX) if inner is not None else COMPLEX
        if inner is None or inner.type != "identifier" or code <= LOCAL:
            return inner is not None and inner.type == "identifier"
        return code >= FIRST_REFERENCE and self._references[(code - FIRST_REFERENCE) * COLUMNS + 5] in self._own

    def _of_symbols(self, bindings: NameBindings) -> Iterator[_Call]:
        """List the calls of variables of the file, and of functions that decorators may replace."""
        indirect = {
            FIRST_BOUND + draft.index
            for draft in bindings.drafts
            if (draft.is_value and draft.parent is None) or (draft.decorators and draft.kind in CALLABLES)
        }
        places, root, references = self._file.places, self._file.root, self._references
        for at, binding in enumerate(references[5::COLUMNS]) if indirect else ():
            if binding in indirect:
                _, kind, line, column, symbol, _, receiver, _ = references[at * COLUMNS : (at + 1) * COLUMNS]
                if receiver == PLAIN and kind in _CALLING:
                    start = places.offset(line, column)
                    node = root.descendant_for_byte_range(start, start + 1)
                    if node is not None and node.type == "identifier":
                        yield _Call(node, symbol)

    def _add_call(self, start: int, end: int, symbol: int, operand: Triple | None) -> None:
        node = self._file.root.descendant_for_byte_range(start, end)
        if node is not None and node.type == "identifier":
            self._calls.append(_Call(node, symbol, operand))

    def _add_callbacks(self, start: int, end: int, symbol: int) -> None:
        """Add the functions that a built-in function calls: its arguments."""
        node = self._file.root.descendant_for_byte_range(start, end)
        call = node.parent if node is not None else None
        arguments = call.child_by_field_name("arguments") if call is not None and call.type == "call" else None
        for argument in children(arguments) if arguments is not None else ():
            if argument.type in ("identifier", "attribute"):
                self._calls.append(_Call(argument, symbol))

    def _of_values(self, bindings: NameBindings) -> Iterator[_Operation]:
        """List the calls of values whose definitions the file shows."""
        if not self._calls:
            return
        definitions = {draft.name_start: draft.index for draft in bindings.drafts if not draft.is_value}
        analysis = CalledValues(self._file.source, self._file.root, self._file.captures.get("ref", ()))
        decorated = {draft.name: FIRST_BOUND + draft.index for draft in bindings.drafts if draft.decorators}
        calls = self._calls[:MOST_CALLS]
        values = [analysis.values(call.callee) for call in calls]
        for _ in range(ROUNDS):
            news = [
                analysis.note_call(value.node, outer)
                for call, of_call in zip(calls, values, strict=True)
                for value in of_call
                if is_definition(value.node) and (outer := call.callee.parent) is not None and outer.type == "call"
            ]
            if not any(news):
                break
            values = [analysis.values(call.callee) for call in calls]
        for call, of_call in zip(calls, values, strict=True):
            own = decorated.get(call.callee.text or b"", 0)  # of which there is a reference
            if call.operand is not None and not all(is_definition(value.node) for value in of_call):
                of_call = []
            if call.operand is not None and not of_call:
                yield _Operation(call.callee.start_byte, call.symbol, CALLING, call.operand)
            for value in of_call:
                name = value.node.child_by_field_name("name") if is_definition(value.node) else None
                index = definitions.get(name.start_byte, 0) if name is not None else 0
                operand = (PLAIN, FIRST_BOUND + index, 0) if index else self._expression(value.node)
                if operand is not None and (not own or operand[1] != own):
                    yield _Operation(call.callee.start_byte, call.symbol, CALLING, operand, value.is_sure)

    def _expression(self, node: Node) -> Triple | None:
        return None if is_definition(node) else self._with_members(self._values.expression(node))

    def _operand(self, end: int) -> Triple | None:
        """The called variable that ends at an offset, or the argument of the built-in function there."""
        code = self._receivers.ends[end]
        if code == CLASS:
            return code, FREE, 0
        if code < LOCAL:
            source = self._receivers.variables.source(code, end)
            return (LOCAL_RECEIVER, source, 0) if source else None
        argument = _OPERAND.match(self._file.source, end) if code == BUILT_IN_RECEIVER else None
        return self._with_members(self._receivers.receiver(argument.end(1))) if argument else None

    def _with_members(self, triple: Triple) -> Triple | None:
        code, binding, _ = triple
        return None if code in _WITHOUT_MEMBERS or (code == LOCAL_RECEIVER and not binding) else triple


def _nodes(captures: Captures) -> Iterator[tuple[Node, str]]:
    """List the operands that the query captures, each with its operation; the more telling captures come last."""
    operands: dict[tuple[int, int], tuple[Node, str]] = {}
    for capture, nodes in captures.items():
        kind = capture.removeprefix(_CAPTURE) if capture.startswith(_CAPTURE) else ""
        if kind == "binary":
            for node in nodes:
                left, operator = node.children[0], node.children[1].type
                yield left, operator
        elif kind == "unary":
            for node in nodes:
                yield node.children[1], _UNARY[node.children[0].type]
        elif kind == _CALL:
            yield from ((node, CALLING) for node in nodes)
        elif kind in ("raise", "in"):
            yield from ((node, kind) for node in nodes)
        elif kind:
            for node in nodes:
                key = node.byte_range
                if key not in operands or (len(kind), kind) > (len(operands[key][1]), operands[key][1]):
                    operands[key] = node, kind
    yield from operands.values()
