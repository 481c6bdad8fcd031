"""Targets of names."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from codeagentd.model.ids import outside_number, outside_uid
from codeagentd.model.kinds import Confidence, Origin


class ExternalSymbol(msgspec.Struct, frozen=True, gc=False):
    """A definition of another package, or a module of it, by the name that imports and uses here say."""

    family: str  # of languages
    package: str
    name: str  # qualified, beginning with the module
    separator: str

    @property
    def uid(self) -> bytes:
        """The uid of its symbol."""
        return outside_uid(self.family, self.package, self.name)

    @property
    def number(self) -> int:
        """The number of its symbol."""
        return outside_number(self.uid)

    @property
    def whole(self) -> ExternalSymbol:
        """The package itself."""
        return msgspec.structs.replace(self, name=self.package)


class TargetKind(enum.IntEnum):
    """The kinds of targets. Those from EXTERNAL on are outside of the repository."""

    SYMBOL = 0  # of the repository
    NAMESPACE = 1  # it has no symbol, but a name
    PACKAGE = 2  # the beginning of a package's name, `namespace`
    SWIFT_MODULE = 3  # `namespace`
    RUST_MODULE = 4  # the module that `crate` or `super` stands for, `module`
    SELF_TYPE = 5  # the type through which a member was reached
    UNION = 6  # of the targets in `among`
    EXTERNAL = 7
    METHOD = 8  # an external method whose result is known
    SEQUENCE = 9  # a list, whose methods are known
    BUILT_IN = 10
    OPAQUE = 11  # a member of what is built in
    OBJECT = 12  # a value whose type is written out and has no name
    STRUCTURAL_MEMBER = 13  # a member of such a value


class Target(msgspec.Struct, frozen=True, gc=False):
    """The target of a name: a symbol of the repository, a namespace that has no symbol, or an external one."""

    symbol: int = 0
    namespace: str = ""  # its name, where it is a namespace, package or module without a symbol
    confidence: int = int(Confidence.EXACT)
    origin: int = int(Origin.SCOPE)
    instance: bool = False  # a value of the type `symbol`, not the type itself
    owner: int = 0  # the type of the receiver of this member; it may have inherited it
    among: tuple[Target, ...] = ()  # of a union: its members, which have no symbol in common
    element: Target | None = None  # the element type of iterating over it, where that is known
    hands: Target | None = None  # the value that an external method passes to its callback
    held: Target | None = None  # the result of subscripting it, where that differs from `element`
    # of a type that is written out, `{ book: Book }`: the symbol at which it is, and the text
    written: tuple[tuple[int, str], ...] = ()
    said: str = ""  # the name of its type, where that is external and nothing else is known of it
    # the external symbol, where it is outside of the repository and that is known
    outside: ExternalSymbol | None = None
    kind: TargetKind = TargetKind.SYMBOL
    module: int = 0  # Rust: the symbol of the module that it stands for

    @property
    def is_external(self) -> bool:
        """Whether it is proved to be outside the repository."""
        return self.kind >= _EXTERNAL

    @property
    def is_built_in(self) -> bool:
        """Whether it is built into the language: a value that may contain anything, or a member of such a value."""
        return self.kind in (_BUILT_IN, _OPAQUE)

    @property
    def is_structural_member(self) -> bool:
        """Whether it is a member of an object whose type is written out: it has no symbol, but a type."""
        return self.kind == _STRUCTURAL_MEMBER

    @property
    def external_member(self) -> Target:
        """The target of a member of an external value."""
        return OPAQUE if self.is_built_in else EXTERNAL

    @property
    def known_return_type(self) -> Target | None:
        """The result of calling an external method, where that is known."""
        return self.element if self.kind == _METHOD else None

    def with_origin(self, origin: Origin) -> Target:
        """The same target, found by another rule."""
        return msgspec.structs.replace(self, origin=int(origin))

    def bound_to(self, owner: int, confidence: int, origin: Origin) -> Target:
        """The same member, reached through a value of the type `owner` that is known with this confidence."""
        return msgspec.structs.replace(
            self, owner=owner, confidence=max(self.confidence, confidence), origin=int(origin)
        )

    def capped_by(self, step: Target) -> Target:
        """The target that was reached from `step`: no more certain than that."""
        return self if step.confidence <= self.confidence else msgspec.structs.replace(self, confidence=step.confidence)

    def inferred(self) -> Target:
        """The same, but only plausible."""
        return self if self.confidence else msgspec.structs.replace(self, confidence=int(Confidence.INFERRED))


def union_of(several: Iterable[Target], *, instance: bool = True) -> Target | None:
    """A value of one of several types, or a member that several of them have: every member is inferred; None where
    there are too many.
    """
    result = tuple(
        {
            (member.symbol, member.instance): member.inferred()
            for some in several
            for member in some.among or (some,)
            if member.symbol
        }.values()
    )
    if len(result) <= 1:
        return result[0] if result else None
    is_told = instance or len(result) <= MOST_MEMBERS
    return (
        Target(kind=TargetKind.UNION, instance=instance, among=result, confidence=int(Confidence.INFERRED))
        if is_told
        else None
    )


def map_union(target: Target, ask: Callable[[Target], Target | None], *, instance: bool = True) -> Target | None:
    """The union of the results of `ask` for each member of a union."""
    return union_of((result for member in target.among if (result := ask(member))), instance=instance)


MOST_MEMBERS: Final = 8  # targets of one name: a member that all nodes of a syntax tree have is read everywhere

# names of the module are read faster than members of the enum
_EXTERNAL: Final = TargetKind.EXTERNAL
_METHOD: Final = TargetKind.METHOD
_BUILT_IN: Final = TargetKind.BUILT_IN
_OPAQUE: Final = TargetKind.OPAQUE
_STRUCTURAL_MEMBER: Final = TargetKind.STRUCTURAL_MEMBER
EXTERNAL: Final = Target(kind=_EXTERNAL)
# a type or value that is built into the language; its contents may be anything
BUILT_IN: Final = Target(kind=_BUILT_IN)
OPAQUE: Final = Target(kind=_OPAQUE)  # a member of such a value: the result of calling it may be anything


def origin_of(receiver: Target) -> Origin:
    """The rule by which a member of a receiver's type is found."""
    if not receiver.instance:
        return Origin.MEMBER
    return Origin.TYPE if receiver.origin == Origin.TYPE else Origin.CONSTRUCTOR


def structural_type(place: int, text: str) -> Target:
    """A value of a type that is written out where it is used: `{ book: Book }`."""
    return Target(kind=TargetKind.OBJECT, instance=True, written=((place, text),))


def structural_member(place: int, text: str, confidence: int) -> Target:
    """The member of a type that is written out: a value of another type."""
    return Target(kind=_STRUCTURAL_MEMBER, confidence=confidence, written=((place, text),))


def method_returning(result: Target) -> Target:
    """An external method whose result is known: `unwrap`, `clone`."""
    return Target(kind=_METHOD, element=result)
