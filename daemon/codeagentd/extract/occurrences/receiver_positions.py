"""Receiver positions: where the receiver of each member name ends, and the flags of the name."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from codeagentd.extract.syntax_nodes import children
from codeagentd.model.facts import (
    ARGUMENTS,
    CONSTRUCTED,
    DESTRUCTURED,
    MOST_COUNTED,
    SCOPED,
    TAG,
    THROUGH_CALL,
    THROUGH_ITEM,
    TYPE_ARGUMENTS,
)

from .call_arguments import type_arguments
from .member_operators import NO_RECEIVER, gaps, members_without_dot
from .object_initializers import receivers_of_initialised
from .parsed_file import ParsedFile
from .receivers import Receivers
from .rust_receivers import AWAITED, unwrapped

_DOT: Final = ord(".")
_COLON: Final = ord(":")
_SPACE: Final = frozenset(b" \t\r\n\\")
_LISTS: Final = frozenset({"arguments", "expr_args"})
_MARKS: Final = frozenset(b"?!")
_BETWEEN: Final = _SPACE | _MARKS  # bytes that may be between a receiver and its dot
_APART: Final = _BETWEEN | {_DOT}  # a dot without any of these before it directly follows the receiver
# how grammars call a dot that is no part of a comment or number
_DOTS: Final = frozenset({".", "?.", "optional_chain"})


class ReceiverPositions:
    """The positions of the receivers of one file's member names.

    `irregular`: starts of member names that no dot joins directly to their receivers. `marks`: start of a name -> its
    flags. `dot`: the byte that joins most members to their receivers, NO_RECEIVER in languages without such a byte.
    `apart`: bytes before a dot that may separate it from the receiver.
    """

    def __init__(self, file: ParsedFile, receivers: Receivers) -> None:
        symbols = file.language.symbols
        self._file = file
        self._source = file.source
        self._unwraps = file.language.types.tries
        self._inner_ends = receivers.inner_ends
        joints = tuple(joint.encode() for joint in symbols.joints)
        initialised = receivers_of_initialised(file.captures)
        self._gaps = gaps(file.source) if symbols.dots else {}
        self._dotless = initialised.receivers | members_without_dot(
            file.source, file.captures, receivers.inner_ends, joints, file.hidden, unwraps=self._unwraps
        )
        self.marks = self._marked(bool(joints))
        self.marks |= dict.fromkeys(initialised.of_elements, THROUGH_CALL | THROUGH_ITEM)
        self._attach_to_values(receivers)
        self.irregular = {*self._gaps, *self._dotless}
        self.dot = _DOT if symbols.dots else NO_RECEIVER
        self.apart = _APART | AWAITED if self._unwraps else _APART

    def _attach_to_values(self, receivers: Receivers) -> None:
        """Record receivers for members that follow no expression: those that patterns take out of a value, and those
        whose type the context determines. These receivers end at positions outside of the source.
        """
        for number, ((start, _), bound) in enumerate(receivers.variables.destructured.items()):
            nowhere = NO_RECEIVER - 1 - number
            self._dotless[start], receivers.ends[nowhere], self.marks[start] = nowhere, bound, DESTRUCTURED
        for start, (bound, is_element) in receivers.variables.implied.items():
            nowhere = NO_RECEIVER - 1 - len(self._dotless)
            self._dotless[start], receivers.ends[nowhere] = nowhere, bound
            self.marks[start] = SCOPED | THROUGH_ITEM * is_element

    def _marked(self, has_joints: bool) -> dict[int, int]:
        """Return the flags of names: tags of C, types after `new`, destructured members, members of a namespace or
        type.
        """
        captures = self._file.captures
        marks = {node.start_byte: TAG for node in captures.get("tag", ())}
        marks.update((node.start_byte, SCOPED) for node in captures.get("outermost", ()))
        marks.update((node.start_byte, CONSTRUCTED) for node in captures.get("created", ()))
        marks.update((node.start_byte, 1 << ARGUMENTS) for node in captures.get("destructured", ()))
        marks.update((node.start_byte, _arity(node) << ARGUMENTS) for node in captures.get("called.arity", ()))
        if self._file.language.symbols.type_arity:
            for node in captures.get("generic", ()):
                if name := node.prev_named_sibling:
                    marks[name.start_byte] = type_arguments(node) << TYPE_ARGUMENTS
        if has_joints:
            marks.update((start, SCOPED) for start in self._dotless if self._source[start - 1] == _COLON)
        return marks

    def is_member(self, start: int, end: int) -> bool:
        """Whether the identifier from `start` to `end`, which the query captures as a member, has a receiver."""
        if self._source[start - 1] == _DOT or start in self._dotless:
            return True
        return start in self._gaps and self.receiver_end(start, end) != NO_RECEIVER

    def receiver_end(self, start: int, end: int) -> int:
        """Return the end of the receiver of the name from `start` to `end`, which no dot joins directly to it;
        NO_RECEIVER if it has none.
        """
        if start in self._dotless:
            return self._dotless[start]
        source = self._source
        dot = at = start - 1 if source[start - 1] == _DOT else self._gaps[start]
        if source[dot - 1] == _DOT:
            return NO_RECEIVER  # ...rest, 1..9
        if at in self._inner_ends:
            return at
        while source[at - 1] in _MARKS and not self._unwraps:
            at -= 1
        if dot != start - 1 or source[at - 1] in _SPACE:
            at = self._object_end(dot, end)
        if self._unwraps and at > 0:
            at, tried = unwrapped(source, at)
            self.marks.update({start: THROUGH_ITEM} if tried else {})
            return at
        while at > 0 and source[at - 1] in _BETWEEN:
            at -= 1
        return at

    def _object_end(self, dot: int, end: int) -> int:
        """Return the end of the expression before a dot; NO_RECEIVER when the dot is part of a comment or a number."""
        root = self._file.root
        sign, node = root.descendant_for_byte_range(dot, dot + 1), root.named_descendant_for_byte_range(dot, end)
        while sign is not None and sign.type in _DOTS and node is not None:
            first = node.child(0)  # there is at least one child: the dot
            if first.end_byte <= dot:
                return first.end_byte
            node = node.parent
        return NO_RECEIVER


def _arity(name: Node) -> int:
    """Return 1 + the number of arguments of a function that is named with it, `lend/2`, or with parameters; 0 if there
    are too many to be counted.
    """
    at: Node | None = name
    while at is not None and at.next_named_sibling is None:
        at = at.parent
    following = at.next_named_sibling if at is not None else None
    text = following.text if following is not None else None
    listed = following.child_by_field_name("args") or following if following is not None else None
    number = text.lstrip(b"/") if text else b""
    is_list = listed is not None and listed.type in _LISTS
    count = int(number) if number.isdigit() else len(children(listed)) if listed is not None and is_list else 0
    return 1 + count if count <= MOST_COUNTED else 0
