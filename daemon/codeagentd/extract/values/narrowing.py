"""Type narrowing: the types that tests give to local variables, and the ranges in which they hold: `isinstance(x,
Shelf)`, `x instanceof Shelf`, `case Shelf():`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import Final, NamedTuple

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.scopes import FUNCTION, LOCAL, Scope, ScopeTree

from .type_guards import Range, ranges_after, subject_of

_WRITES: Final = (
    "bind",
    "bind.define",
    "bind.hoist",
    "bind.lower",
    "ref.write",
    "assigned.name",
    "iterated.name",
    "entered.name",
)
_NAME: Final = re.compile(rb"[^\W\d][\w$]*")
_DOT: Final = ord(".")
_DEEPEST: Final = 4  # nodes between a name and the test around it


class Narrowing(NamedTuple):
    """A range of bytes, from `start` to `end`, in which a variable is known to be of the type `type`."""

    start: int
    end: int
    type: Node
    is_certain: bool  # nothing in the range may have changed the variable since the test


class _Test(NamedTuple):
    name: Node
    type: Node
    ranges: list[Range]


def narrowings_of(
    captures: Captures, source: bytes, tree: ScopeTree, assigned: dict[int, tuple[int, Node]]
) -> Iterator[tuple[Scope, bytes, list[Narrowing]]]:
    """List (scope, name, narrowings) of each local variable whose type is tested.

    `assigned`: the start of a name that is assigned -> the last value that it gets.
    """
    tests = [*_tests(captures), *_branches(captures)]
    if not tests:
        return
    tests.sort(key=lambda test: test.name.start_byte)
    writes = _writes(captures, source, {source[test.name.start_byte : test.name.end_byte] for test in tests}, tree)
    results: dict[tuple[int, bytes], tuple[Scope, list[Narrowing]]] = {}
    for test, scope in zip(tests, tree.locate([test.name.start_byte for test in tests]), strict=True):
        name = source[test.name.start_byte : test.name.end_byte]
        holder = _holder(scope, name)
        if holder is not None and not _names_variables(test.type, source, scope):
            own = [
                (start, _function(enclosing))
                for start, enclosing in writes.get(name, ())
                if _holder(enclosing, name) is holder
            ]
            changes = _Changes(own, _function(scope), assigned)
            pieces = results.setdefault((id(holder), name), (holder, []))[1]
            pieces += [piece for start, end in test.ranges for piece in changes.split(start, end, test.type, tree)]
    for (_, name), (holder, pieces) in results.items():
        yield holder, name, sorted(pieces, key=lambda piece: (piece.start, -piece.end))


def _tests(captures: Captures) -> Iterator[_Test]:
    """List the tests in conditions."""
    types = sorted(captures.get("narrowed.type", ()), key=lambda node: node.start_byte)
    starts = [node.start_byte for node in types]
    for name in captures.get("narrowed.name", ()):
        at = bisect_right(starts, name.start_byte)
        test = name.parent
        for _ in range(_DEEPEST):
            if test is not None and at < len(types) and test.end_byte < types[at].end_byte:
                test = test.parent
        if test is not None and test.type == "argument_list":
            test = test.parent
        if test is not None and at < len(types) and test.end_byte >= types[at].end_byte:
            yield _Test(name, types[at], ranges_after(test))


def _branches(captures: Captures) -> Iterator[_Test]:
    """List the types in the branches of a choice."""
    for node in captures.get("narrowed.branch", ()):
        if result := subject_of(node):
            yield _Test(result[0], node, [result[1]])


def _writes(
    captures: Captures, source: bytes, names: set[bytes], tree: ScopeTree
) -> dict[bytes, list[tuple[int, Scope]]]:
    """Return the positions at which variables of these names are assigned, with their scopes."""
    spans = [node.byte_range for capture in _WRITES for node in captures.get(capture, ())]
    places = {start: name for start, end in spans if (name := source[start:end]) in names and source[start - 1] != _DOT}
    starts = sorted(places)
    results: dict[bytes, list[tuple[int, Scope]]] = {}
    for start, scope in zip(starts, tree.locate(starts), strict=True):
        results.setdefault(places[start], []).append((start, scope))
    return results


class _Changes:
    """The assignments of a variable that may follow a test of its type. `writes`: their positions and functions;
    `function`: that of the test.
    """

    def __init__(
        self, writes: list[tuple[int, Scope | None]], function: Scope | None, assigned: dict[int, tuple[int, Node]]
    ) -> None:
        self._starts = [start for start, _ in writes]
        self._assigned = assigned
        # a function beside the one of the test sets it too
        self._is_shared = any(enclosing is not function for _, enclosing in writes[1:])

    def split(self, start: int, end: int, type_: Node, tree: ScopeTree) -> Iterator[Narrowing]:
        """List the parts of a range in which a test still holds: up to the next assignment, and in functions that run
        later only without any assignment.
        """
        at = bisect_left(self._starts, start)
        is_certain = not self._is_shared
        # a loop may return to code before the test
        if at < len(self._starts) and (write := self._starts[at]) < end:
            end, is_certain = max(write, self._assigned[write][1].end_byte if write in self._assigned else 0), False
        for first, last in _functions(tree, start, end):
            yield Narrowing(start, first, type_, is_certain)
            if len(self._starts) <= 1:
                yield Narrowing(first, last, type_, False)
            start = last
        if start < end:
            yield Narrowing(start, end, type_, is_certain)


def _functions(tree: ScopeTree, start: int, end: int) -> list[Range]:
    """Return the outermost functions inside of a range."""
    results: list[Range] = []
    at = bisect_left(tree.scopes, start, key=lambda scope: scope.start)
    while at < len(tree.scopes) and (scope := tree.scopes[at]).start < end:
        if scope.kind == FUNCTION and (not results or scope.start >= results[-1][1]):
            results.append((scope.start, scope.end))
        at += 1
    return results


def _names_variables(type_: Node, source: bytes, scope: Scope) -> bool:
    """Whether a local variable stands for a type, which is unknown then."""
    names = _NAME.findall(source, type_.start_byte, type_.end_byte)
    return any(holder.names[name] <= LOCAL for name in names if (holder := _holder(scope, name)))


def _holder(scope: Scope | None, name: bytes) -> Scope | None:
    """Return the nearest scope that binds a name, except the file's own scope; None without one."""
    while scope is not None and scope.parent is not None:
        if name in scope.names:
            return scope
        scope = scope.parent
    return None


def _function(scope: Scope | None) -> Scope | None:
    while scope is not None and scope.kind != FUNCTION:
        scope = scope.parent
    return scope
