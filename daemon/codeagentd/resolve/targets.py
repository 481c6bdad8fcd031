"""Targets of names."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from codeagentd.model.ids import outside_number, outside_uid
from codeagentd.model.kinds import Confidence, Origin


class ExternalSymbol(msgspec.Struct, frozen=True, gc=False):
    """A definition or module of another package, by the name under which the repository imports or uses it."""

    family: str  # of languages
    package: str
    name: str  # qualified, beginning with the module
    separator: str

    @property
    def uid(self) -> bytes:
        """The uid of the symbol that stands for this definition in the index."""
        return outside_uid(self.family, self.package, self.name)

    @property
    def number(self) -> int:
        """The number of the symbol that stands for this definition in the index."""
        return outside_number(self.uid)

    @property
    def whole(self) -> ExternalSymbol:
        """The symbol of the whole package."""
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
    """What a name refers to: a symbol of the repository, a namespace that has no symbol, or something external."""

    symbol: int = 0
    namespace: str = ""  # its name, where it is a namespace, package or module without a symbol
    confidence: int = int(Confidence.EXACT)
    origin: int = int(Origin.SCOPE)
    instance: bool = False  # a value of the type `symbol`, not the type itself
    owner: int = 0  # the type of the receiver of this member; it may have inherited it
    alternatives: tuple[Target, ...] = ()  # of a union: its members, which have no symbol in common
    element: Target | None = None  # the element type of iterating over it, where that is known
    callback_value: Target | None = None  # the value that an external method passes to its callback
    subscripted: Target | None = None  # the result of subscripting it, where that differs from `element`
    # of a type that is written out, `{ book: Book }`: the symbol at which it is, and the text
    written: tuple[tuple[int, str], ...] = ()
    type_name: str = ""  # the name of its type, where that is external and nothing else is known of it
    # the external symbol, where it is outside of the repository and that is known
    outside: ExternalSymbol | None = None
    kind: TargetKind = TargetKind.SYMBOL
    module: int = 0  # Rust: the symbol of the module that it stands for

    @property
    def is_external(self) -> bool:
        """Whether the target is proved to be outside of the repository."""
        return self.kind >= _EXTERNAL

    @property
    def is_built_in(self) -> bool:
        """Whether the target is built into the language: a value that may contain anything, or a member of such a
        value.
        """
        return self.kind in (_BUILT_IN, _OPAQUE)

    @property
    def is_structural_member(self) -> bool:
        """Whether the target is a member of an object whose type is written out: it has no symbol, but a type."""
        return self.kind == _STRUCTURAL_MEMBER

    @property
    def external_member(self) -> Target:
        """The target of any member of this external target."""
        return OPAQUE if self.is_built_in else EXTERNAL

    @property
    def known_return_type(self) -> Target | None:
        """The type of the result of calling this external method; None if it is unknown."""
        return self.element if self.kind == _METHOD else None

    def with_origin(self, origin: Origin) -> Target:
        """The same target, as found by the rule `origin`."""
        return msgspec.structs.replace(self, origin=int(origin))

    def bound_to(self, owner: int, confidence: int, origin: Origin) -> Target:
        """The same member, as read from a value of the type `owner` that is known with this `confidence`, by the rule
        `origin`.
        """
        return msgspec.structs.replace(
            self, owner=owner, confidence=max(self.confidence, confidence), origin=int(origin)
        )

    def capped_by(self, step: Target) -> Target:
        """The same target, reached through `step`: it is no more certain than that."""
        return self if step.confidence <= self.confidence else msgspec.structs.replace(self, confidence=step.confidence)

    def inferred(self) -> Target:
        """The same target, at most inferred."""
        return self if self.confidence else msgspec.structs.replace(self, confidence=int(Confidence.INFERRED))


def union_of(several: Iterable[Target], *, instance: bool = True) -> Target | None:
    """Return a target that stands for all of `several`: values of several types, or with `instance` False definitions
    of one name. Each of its members is inferred; None if there is none, or too many definitions.
    """
    result = tuple(
        {
            (member.symbol, member.instance): member.inferred()
            for some in several
            for member in some.alternatives or (some,)
            if member.symbol
        }.values()
    )
    if len(result) <= 1:
        return result[0] if result else None
    is_small_enough = instance or len(result) <= MOST_MEMBERS
    return (
        Target(kind=TargetKind.UNION, instance=instance, alternatives=result, confidence=int(Confidence.INFERRED))
        if is_small_enough
        else None
    )


def map_union(target: Target, ask: Callable[[Target], Target | None], *, instance: bool = True) -> Target | None:
    """Return the union of the results of `ask` for each member of the union `target`."""
    return union_of((result for member in target.alternatives if (result := ask(member))), instance=instance)


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
    """Return the rule by which a member of `receiver` is found, by how the type of `receiver` is known."""
    if receiver.origin == Origin.TYPE:
        return Origin.TYPE
    return Origin.CONSTRUCTOR if receiver.instance else Origin.MEMBER


def structural_type(place: int, text: str) -> Target:
    """Return a value of the type `text` that is written out at the symbol `place`: `{ book: Book }`."""
    return Target(kind=TargetKind.OBJECT, instance=True, written=((place, text),))


def structural_member(place: int, text: str, confidence: int) -> Target:
    """Return a member whose type is `text`, of an object whose type is written out at the symbol `place`."""
    return Target(kind=_STRUCTURAL_MEMBER, confidence=confidence, written=((place, text),))


def method_returning(result: Target) -> Target:
    """Return an external method that returns `result`: `unwrap`, `clone`."""
    return Target(kind=_METHOD, element=result)


def external_result(target: Target, built_in: Target | None = BUILT_IN) -> Target | None:
    """The result of an operation on an external value, which is external; `built_in`: the result for a value that is
    built into the language.
    """
    if target.is_built_in:
        return built_in
    return EXTERNAL if target.is_external else None
