"""Occurrences of names in one file: the hot loop of extraction.

Most identifiers of a file are local variables; they are dropped here, so that only what other symbols can answer for is kept.
"""

from __future__ import annotations

import re
from array import array
from typing import Final

from tree_sitter import Node

from codeagentd.languages.language import Language
from codeagentd.model.facts import CLASS, COMPLEX, FIRST_BOUND, FIRST_REFERENCE, FREE, PLAIN, SELF, SUPER, THROUGH_CALL, Source
from codeagentd.model.facts import LOCAL as LOCAL_RECEIVER
from codeagentd.model.kinds import ReferenceKind

from .initialisers import UNKNOWN, receivers_of_initialised
from .places import Places
from .scopes import LOCAL, Scope, ScopeTree, Visible
from .spanning import irregular
from .symbols import Captures
from .variables import Triple, Variables

SKIP: Final = -1
_CONSTRUCTING: Final = frozenset({"new_expression", "object_creation_expression"})  # what they name is a type, what they give an instance
_DOT: Final = ord(".")
_SPACE: Final = frozenset(b" \t\r\n\\")
_BETWEEN: Final = _SPACE | frozenset(b"?!")  # what may stand between a receiver and its dot
_JOINT: Final = re.compile(rb"(?:[ \t\r\n\\]|//[^\n]*\n|#[^\n]*\n|/\*.*?\*/)*(?:\?\.|!\.|\.|::|->)(?:[ \t\r\n\\]|//[^\n]*\n|#[^\n]*\n|/\*.*?\*/)*", re.DOTALL)
_CALL: Final = int(ReferenceKind.CALL)
_READ: Final = int(ReferenceKind.READ)
_SPECIFIC: Final = {f"ref.{kind.name.lower()}": int(kind) for kind in ReferenceKind}
_REGIONS: Final = {f"region.{kind.name.lower()}": int(kind) for kind in ReferenceKind} | {"import": SKIP, "region.skip": SKIP}
_OUTSIDE: Final = frozenset({int(ReferenceKind.ACCEPTS), int(ReferenceKind.RETURNS)})  # written inside a function, looked up outside it
_TYPES: Final = _OUTSIDE | {int(ReferenceKind.TYPE)}  # where a type is meant


class Occurrences:
    """Collects the references of one file into packed columns (see model.facts)."""

    def __init__(
        self, source: bytes, captures: Captures, tree: ScopeTree, skip: set[int], language: Language, places: Places, variables: Variables
    ) -> None:  # fmt: skip
        self._source = source
        self._captures = captures
        self._tree = tree
        self._places = places
        self._words = {word.encode(): code for words, code in _receiver_words(language) for word in words}
        self._calls = {node.end_byte: node.start_byte for capture in ("arguments", "called") for node in captures.get(capture, ())}
        self._generics = {node.end_byte: node.start_byte for node in captures.get("generic", ())}  # type arguments belong to the name before them
        self._separate = language.symbols.separate_types
        self._sign = ord(language.symbols.call_sign or "\0")
        self._ends: dict[int, int] = {UNKNOWN: COMPLEX}  # where a name ends -> receiver code for what hangs on it
        self._variables = variables
        self._local_sources: dict[int, int] = {}  # where a local variable ends -> what it is made of there
        self._receivers = {node.end_byte for node in captures.get("receiver", ())}
        self._spans: dict[int, int] = {}  # names that are known to be members, and where they end
        self._irregular = irregular(captures, source)
        self._members_at = self._members()
        self._skip = skip
        self.names: dict[bytes, int] = {}
        self.numbers: list[int] = []

    def _members(self) -> dict[int, int]:
        """Where each member name starts -> where its receiver ends."""
        source = self._source
        members = {end + 1: end for end in self._receivers}
        odd = [end for end in self._receivers if source[end] != _DOT or source[end + 1] in _SPACE]
        for end in odd:
            del members[end + 1]
        for end in odd:
            if joint := _JOINT.match(source, end):
                members[joint.end()] = end
        for start, end in [node.byte_range for node in self._captures.get("member", ())]:
            at = _before_dot(source, start)
            if at >= 0:
                members[start] = at
                self._receivers.add(at)
                self._spans[start] = end
        self._spans |= self._irregular.names
        for start, _, receiver in self._irregular.members:
            members[start] = receiver
            self._receivers.add(receiver)
        initialised = receivers_of_initialised(self._captures)
        self._receivers.update(initialised.values())
        members.update(initialised)
        self._receivers |= self._variables.ends
        members.update((node.start_byte, node.end_byte) for node in self._captures.get("ref.construct", ()))  # this(…), base(…): their own receivers
        return members

    def collect(self) -> None:
        """Walk every identifier once, in document order."""
        kinds, called = self._kinds(), {self._callee(node.start_byte) for node in self._captures.get("called", ())}
        source, members, receivers, words = self._source, self._members_at, self._receivers, self._words
        separate, sign, types = self._separate, self._sign, dict([node.byte_range for node in self._captures.get("typename", ())]) | self._irregular.types
        ends, names, numbers, starts, column = self._ends, self.names, self.numbers, self._places.starts, self._places.column
        scopes, regions, file = self._tree.scopes, self._regions(), self._tree.file
        scope, scope_at, scope_end = file, 1, file.end
        next_scope = scopes[1].start if len(scopes) > 1 else file.end
        visible, symbol, following, line, lines, plain = file.environment, file.symbol, FIRST_REFERENCE, 0, len(starts), self._places.is_ascii
        region_at, (region_start, region_end, region_kind), spans = (
            0,
            regions[0],
            dict([node.byte_range for node in self._captures.get("ref", ())]) | types | self._spans,
        )
        for start in sorted(spans.keys() - self._skip):
            if next_scope <= start or scope_end <= start:
                while next_scope <= start:
                    scope, scope_at = scopes[scope_at], scope_at + 1
                    next_scope = scopes[scope_at].start if scope_at < len(scopes) else file.end
                while scope.end <= start:
                    scope = scope.parent or file
                visible, scope_end, symbol = scope.environment, scope.end, scope.symbol
            while region_end <= start:
                region_at += 1
                region_start, region_end, region_kind = regions[region_at]
            region = region_kind if region_start <= start else 0
            if region == SKIP:
                continue
            end = spans[start]
            name = source[start:end]
            receiver_end = members.get(start)
            if receiver_end is not None:
                receiver, binding, flags = ends.get(receiver_end), FREE, 0
                if receiver is None or receiver == LOCAL_RECEIVER:
                    receiver, binding, flags = self._receiver(receiver_end)
            else:
                bound, around = None, visible
                if region in _TYPES or start in types:
                    around = _visible_types(scope, region, separate or start in types)
                while around and not bound:
                    inside, around = around
                    bound = inside.get(name)
                if bound is not None and bound <= LOCAL:
                    if end in receivers:
                        self._local(end, name, bound, start)
                    continue
                if bound is None and name in words:
                    ends[end] = words[name]
                    continue
                receiver, binding, flags = PLAIN, FREE if bound is None else FIRST_BOUND + bound, 0
            while line < lines and starts[line] <= start:
                line += 1
            ends[end], following = following, following + 1
            kind = kinds.get(start) or (_CALL if source[end] == sign or end in called else region or _READ)
            numbers += (
                names.setdefault(name, len(names)), kind, line, start - starts[line - 1] if plain else column(start, line),
                symbol, binding, receiver, flags,
            )  # fmt: skip

    def _kinds(self) -> dict[int, int]:
        """Where a name starts -> what the query says of it in particular."""
        return {node.start_byte: code for capture, code in _SPECIFIC.items() for node in self._captures.get(capture, ())}

    def _regions(self) -> list[tuple[int, int, int]]:
        """Ranges that say what the names inside do; the outermost wins. A sentinel ends the list."""
        found = [(node.start_byte, node.end_byte, code) for capture, code in _REGIONS.items() for node in self._captures.get(capture, ())]
        found.sort(key=lambda item: (item[0], -item[1]))
        flat: list[tuple[int, int, int]] = []
        for item in found:
            if not flat or item[0] >= flat[-1][1]:
                flat.append(item)
        size = len(self._source) + 1
        return [*flat, (size, size + 1, 0)]

    def _receiver(self, end: int) -> tuple[int, int, int]:
        """(receiver code, binding, flags) of a member name whose receiver ends at `end`."""
        end = self._generics.get(end, end)
        code, flags = self._ends.get(end), 0
        if code is None and end in self._calls:
            code, flags = self._ends.get(self._callee(self._calls[end])), THROUGH_CALL
        if code is None:
            code, flags = self._keyword(end), 0
        return code, self._local_sources.get(end, 0) if code == LOCAL_RECEIVER and not flags else FREE, flags

    def _callee(self, arguments: int) -> int:
        """Where the name ends that stands before the arguments of a call."""
        while arguments and self._source[arguments - 1] in _SPACE:
            arguments -= 1
        return self._generics.get(arguments, arguments)

    def _keyword(self, end: int) -> int:
        """this, base and their like are no identifiers in some grammars."""
        for word, code in self._words.items():
            if self._source.endswith(word, 0, end) and not self._source[end - len(word) - 1 : end - len(word)].isalnum():
                return code
        return COMPLEX

    def _local(self, end: int, name: bytes, bound: int, start: int) -> None:
        if name in self._words:
            self._ends[end] = self._words[name]
        else:
            self._ends[end] = LOCAL_RECEIVER
            self._local_sources[end] = self._variables.source(bound, start)

    def sources(self) -> tuple[list[Source], list[str]]:
        """(what the local variables that something was asked of are made of, the texts of declared types)."""
        return self._variables.sources(self._value)

    def _value(self, node: Node) -> Triple:
        """An expression as a receiver."""
        end, last = node.end_byte, node.children[-1] if node.child_count else None
        code, binding, flags = self._receiver(end)
        if code == COMPLEX and last is not None and self._source[last.start_byte : last.start_byte + 1] == b"(":
            end = self._callee(last.start_byte)
            code, flags = self._ends.get(end, COMPLEX), THROUGH_CALL
        if node.type in _CONSTRUCTING:
            flags = THROUGH_CALL
        return code, binding, flags

    def columns(self) -> tuple[bool, bytes]:
        """(whether 4 bytes a number are needed, the packed numbers)."""
        try:
            return False, array("H", self.numbers).tobytes()
        except OverflowError:
            return True, array("I", self.numbers).tobytes()


def _before_dot(source: bytes, start: int) -> int:
    """Where the receiver ends of a name that begins at `start`; -1 when no dot stands before it."""
    at = start - 1
    while at > 0 and source[at] in _SPACE:
        at -= 1
    if source[at] != _DOT:
        return -1
    while at > 0 and source[at - 1] in _BETWEEN:
        at -= 1
    return at


def _visible_types(scope: Scope, region: int, separate: bool) -> Visible:
    """What is visible where a type is meant."""
    if separate:
        return scope.type_environment
    return scope.parent.inner if region in _OUTSIDE and scope.parent else scope.environment


def _receiver_words(language: Language) -> tuple[tuple[tuple[str, ...], int], ...]:
    words = language.receivers
    return (words.self_words, SELF), (words.class_words, CLASS), (words.super_words, SUPER), (language.symbols.keywords, COMPLEX)
