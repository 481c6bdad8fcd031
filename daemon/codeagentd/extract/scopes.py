"""Lexical scopes of one file, and what each name is bound to in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

LOCAL: Final = -1  # bound to a variable that is no symbol
FUNCTION: Final = 1  # names hide outer ones, for everything inside
TYPE: Final = 2  # names are members: visible in the body itself, and inside its functions only where the language says so
BLOCK: Final = 3  # like FUNCTION, but hoisted variables pass through to the function


class Owner(Protocol):
    """The definition whose body a scope is; `index` is its symbol, 0 while it has none."""

    index: int


class Scope:
    """A range of bytes with names of its own. `environment` holds what is visible inside besides the file's own names."""

    __slots__ = ("end", "environment", "inner", "kind", "names", "owner", "parent", "start", "symbol", "type_environment", "types")

    def __init__(self, start: int, end: int, kind: int, owner: Owner | None = None) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.owner = owner
        self.symbol = 0
        self.parent: Scope | None = None
        self.names: dict[bytes, int] = {}
        self.environment: dict[bytes, int] = {}  # visible directly in this scope
        self.inner: dict[bytes, int] = {}  # visible in the scopes inside it
        self.types: dict[bytes, int] = {}  # those of `names` that can stand where a type is meant
        self.type_environment: dict[bytes, int] = {}  # the same, with those of the scopes around


class ScopeTree:
    """All scopes of a file, outermost first; scopes[0] is the file."""

    def __init__(self, size: int, scopes: list[Scope]) -> None:
        self.file = Scope(0, size + 1, TYPE)
        scopes.sort(key=lambda scope: (scope.start, -scope.end))
        self.scopes = [self.file, *scopes]
        self._nest()

    def _nest(self) -> None:
        stack = [self.file]
        for scope in self.scopes[1:]:
            while stack[-1].end <= scope.start:
                stack.pop()
            scope.parent = stack[-1]
            stack.append(scope)

    def number(self) -> None:
        """Tell every scope which symbol stands for it: its owner, else that of the scope around it."""
        for scope in self.scopes[1:]:
            own = scope.owner.index if scope.owner else 0
            scope.symbol = own or (scope.parent.symbol if scope.parent else 0)

    def locate(self, offsets: Iterable[int]) -> list[Scope]:
        """The innermost scope of each offset; offsets ascend."""
        found: list[Scope] = []
        scopes, count, at = self.scopes, len(self.scopes), 1
        current = self.file
        for offset in offsets:
            while at < count and scopes[at].start <= offset:
                current = scopes[at]
                at += 1
            while current.end <= offset:
                current = current.parent or self.file
            found.append(current)
        return found

    def close(self, members_in_scope: bool) -> None:
        """Compute what is visible where; call it once all names are bound."""
        for scope in self.scopes[1:]:
            outer = scope.parent.inner if scope.parent else {}
            scope.environment = {**outer, **scope.names} if scope.names else outer
            scope.inner = scope.environment if scope.kind != TYPE or members_in_scope else outer
            around = scope.parent.type_environment if scope.parent else {}
            scope.type_environment = {**around, **scope.types} if scope.types else around
        self.file.environment = self.file.names


def function_of(scope: Scope) -> Scope:
    """The nearest scope that is not a block: where hoisted variables live."""
    while scope.kind == BLOCK and scope.parent:
        scope = scope.parent
    return scope
