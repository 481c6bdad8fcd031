"""Operations: syntax and built-in functions that run a method of their operand, and calls of values without a name."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.scopes import LOCAL, ScopeTree
from codeagentd.extract.values.value_sources import Triple
from codeagentd.languages.language import CALLING
from codeagentd.model.facts import BUILT_IN_RECEIVER, CLASS, COMPLEX, FREE, PLAIN, SUPER
from codeagentd.model.facts import LOCAL as LOCAL_RECEIVER

from .parsed_file import ParsedFile
from .receivers import Receivers
from .value_receivers import ValueReceivers

_CAPTURE: Final = "runs."
_CALL: Final = "call"  # such a capture
_BINARY: Final = frozenset({"binary", "comparison"})
_UNARY: Final = {"-": "unary_minus", "+": "unary_plus", "~": "unary_invert"}
# the only or first argument of a built-in function, where that is a name or a member
_OPERAND: Final = re.compile(rb"\(\s*((?:[^\W\d]\w*\.)*[^\W\d]\w*)\s*[,)]")
_WITHOUT_MEMBERS: Final = frozenset({COMPLEX, BUILT_IN_RECEIVER, SUPER, PLAIN})


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

    def packed(self, tree: ScopeTree) -> tuple[list[str], bytes]:
        """Return (operation words, packed operations) as FileFacts has them, after all names have been visited."""
        words: dict[str, int] = {}
        numbers: list[int] = []
        places = self._file.places
        for start, symbol, word, (receiver, binding, flags) in sorted(self._found(tree)):
            line = places.line(start)
            number = words.setdefault(word, len(words))
            numbers += (number, line, places.column(start, line), symbol, binding, receiver, flags)
        return list(words), array("I", numbers).tobytes()

    def _found(self, tree: ScopeTree) -> Iterator[tuple[int, int, str, Triple]]:
        """List (start, symbol, operation, operand) of the operations on operands with members."""
        for start, end, symbol, name in self.by_name:
            if triple := self._operand(end, name):
                word = name.decode() if self._receivers.ends[end] == BUILT_IN_RECEIVER else CALLING
                yield start, symbol, word, triple
        nodes = sorted(_nodes(self._file.captures), key=lambda item: item[0].start_byte)
        for (node, word), scope in zip(nodes, tree.locate([node.start_byte for node, _ in nodes]), strict=True):
            if word in self._known and (triple := self._with_members(self._values.expression(node))):
                yield node.start_byte, scope.symbol, word, triple

    def _operand(self, end: int, name: bytes) -> Triple | None:
        """The called variable that ends at an offset, or the argument of the built-in function `name` there."""
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
        if kind in _BINARY:
            for node in nodes:
                left, operator = node.children[0], node.children[1].type
                yield left, operator
        elif kind == "unary":
            for node in nodes:
                yield node.children[1], _UNARY[node.children[0].type]
        elif kind == "text":
            for node in nodes:
                following = node.next_named_sibling
                is_repr = following is not None and following.type == "type_conversion" and following.text == b"!r"
                yield node, "!r" if is_repr else kind
        elif kind == _CALL:
            yield from ((node, CALLING) for node in nodes)
        elif kind in ("raise", "in"):
            yield from ((node, kind) for node in nodes)
        elif kind:
            for node in nodes:
                key = node.byte_range
                if key not in operands or len(kind) > len(operands[key][1]):
                    operands[key] = node, kind
    yield from operands.values()
