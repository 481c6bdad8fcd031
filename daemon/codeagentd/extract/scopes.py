"""Lexical scopes of one file, and the bindings of names in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from codeagentd.languages.language import SymbolRules
from codeagentd.model.kinds import ReferenceKind

LOCAL: Final = -1  # bound to a variable that is no symbol
FUNCTION: Final = 1  # names hide outer ones, for everything inside
# names are members: visible in the body itself, and in its functions only by a rule of the language
TYPE: Final = 2
BLOCK: Final = 3  # like FUNCTION, but hoisted variables pass through to the function

# written inside a function, looked up outside it
OUTSIDE: Final = frozenset({int(ReferenceKind.ACCEPTS), int(ReferenceKind.RETURNS)})
TYPE_USES: Final = OUTSIDE | {int(ReferenceKind.TYPE)}  # type positions


# names of one scope, then those of the enclosing scopes: never copied, a class may have thousands
Visible = tuple[dict[bytes, int], "Visible"] | None


class Owner(Protocol):
    """The definition whose body a scope is. `index` is the number of its symbol, 0 until symbols are numbered."""

    index: int


class Scope:
    """A range of bytes, and the names that are bound in it."""

    __slots__ = (
        "end",
        "environment",
        "inner",
        "is_open",
        "kind",
        "names",
        "owner",
        "parent",
        "start",
        "symbol",
        "type_environment",
        "types",
        "within",
    )

    def __init__(self, start: int, end: int, kind: int, owner: Owner | None = None, is_open: bool = False) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.owner = owner
        self.is_open = is_open  # the names of this TYPE are visible in everything inside: a namespace
        self.symbol = 0
        self.parent: Scope | None = None
        self.within: Scope | None = None  # the type whose member this is, where it is outside of the type
        self.names: dict[bytes, int] = {}
        self.types: dict[bytes, int] = {}  # those of `names` that may be in type positions
        self.environment: Visible = None  # visible directly in this scope
        self.inner: Visible = None  # visible in the scopes inside it
        self.type_environment: Visible = None  # visible in type positions


class ScopeTree:
    """All scopes of a file, outermost first; scopes[0] is the file."""

    def __init__(self, size: int, scopes: list[Scope]) -> None:
        self.file = Scope(0, size + 1, TYPE)
        self.last = Scope(size + 1, size + 1, BLOCK)  # after every offset
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
        """Give every scope the number of its symbol: that of its owner, else that of the enclosing scope."""
        for scope in self.scopes[1:]:
            own = scope.owner.index if scope.owner else 0
            scope.symbol = own or (scope.parent.symbol if scope.parent else 0)

    def locate(self, offsets: Sequence[int]) -> list[Scope]:
        """Return the innermost scope at each of `offsets`, which must ascend."""
        results: list[Scope] = []
        if not offsets:
            return results
        following = iter(self.scopes)
        current = ahead = next(following)
        for offset in offsets:
            while ahead.start <= offset:
                current, ahead = ahead, next(following, self.last)
            while current.end <= offset:
                current = current.parent or self.file
            results.append(current)
        return results

    def close(self, rules: SymbolRules) -> None:
        """Compute which names are visible in each scope. It is called once, after all names are bound.

        Variables with a sigil are not visible inside of functions.
        """
        members_in_scope, sigil, closed, closed_modules = (
            rules.members_in_scope,
            rules.sigil.encode(),
            rules.closed,
            rules.closed_modules,
        )
        nothing = Scope(0, 0, TYPE)
        self.file.environment = (self.file.names, None)
        self.file.inner = (_without(self.file.names, sigil), None) if sigil else self.file.environment
        self.file.type_environment = (self.file.types, None)
        for scope in self.scopes[1:]:
            enclosing = nothing if closed_modules and scope.is_open else scope.parent or self.file
            if scope.within is not None and scope.within.inner is not None:
                enclosing = scope.within
            outer = None if closed and scope.owner else enclosing.inner
            scope.environment = (scope.names, outer) if scope.names else outer
            if closed:
                scope.inner = scope.environment
            elif scope.kind == TYPE and scope.is_open and sigil:
                scope.inner = (_without(scope.names, sigil), enclosing.inner)
            else:
                scope.inner = (
                    scope.environment if scope.kind != TYPE or members_in_scope or scope.is_open else enclosing.inner
                )
            scope.type_environment = (
                (scope.types, enclosing.type_environment) if scope.types else enclosing.type_environment
            )


def _without(names: dict[bytes, int], sigil: bytes) -> dict[bytes, int]:
    return {name: bound for name, bound in names.items() if not name.startswith(sigil)} if sigil else names


def tag_of(name: bytes) -> bytes:
    """Return the key (`struct shelf`) under which a scope binds the C tag `name` (`shelf`), apart from other names."""
    return b"struct " + name


def outermost(name: bytes) -> bytes:
    """Return the key (`::lend`) under which the file's scope binds `name` (`lend`) for C++ lookups in the global
    namespace.
    """
    return b"::" + name


def function_of(scope: Scope) -> Scope:
    """Return the nearest scope around `scope`, or itself, that is not a block: the scope of hoisted variables."""
    while scope.kind == BLOCK and scope.parent:
        scope = scope.parent
    return scope


def binding_outside_function(enclosing: Visible, name: bytes) -> int | None:
    """Return the number of the symbol or import to which the nearest of the scopes `enclosing` binds `name`, local
    variables passed over; None if there is none. In some languages a local variable does not hide functions.
    """
    bound: int | None = None
    while enclosing and (bound is None or bound <= LOCAL):
        inside, enclosing = enclosing
        bound = inside.get(name)
    return None if bound is not None and bound <= LOCAL else bound


def visible_in(scope: Scope, region: int, separate: bool) -> Visible:
    """Return the names that are visible in `scope` in a region of the kind `region`. With `separate` a type position
    sees only types. Code outside of a method's body sees the types that the class contains.
    """
    if separate and region in TYPE_USES:
        return scope.type_environment
    enclosing = scope.parent
    if region not in OUTSIDE or enclosing is None:
        return scope.environment
    if enclosing.types and enclosing.inner is not enclosing.environment:  # the heads of a class's methods see its types
        return (enclosing.types, enclosing.inner)
    return enclosing.inner
