"""The use of a name by a reference: as a value, as a type, or in a call with these arguments."""

from __future__ import annotations

import enum
import functools
from typing import Final, NamedTuple

import msgspec

from codeagentd.model.facts import ARGUMENTS, CONSTRUCTED, LABELS
from codeagentd.model.kinds import ReferenceKind


class ArgumentType(NamedTuple):
    """The type of an argument: the id of a type of the repository, else the name of the type without type arguments.
    With neither nothing is known.
    """

    symbol: int = 0
    name: str = ""
    is_sure: bool = True


UNKNOWN: Final = ArgumentType()


class Usage(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One use of a name. Equal uses are one object, which is compared and hashed by its identity."""

    form: str  # what it is, for people who debug
    is_call: bool = False
    arguments: int = -1  # the number of a call's arguments, -1 = unknown
    mark: int = 0  # the labels of the arguments, the number of type arguments, or the kinds of the arguments
    types: tuple[ArgumentType, ...] = ()  # of the arguments, where they are known
    # whether the number, the mark or the types of a call's arguments are known
    has_arguments: bool = False

    @property
    def without_arguments(self) -> Usage:
        """The same use, with any arguments."""
        return CALLED if self.is_call else self

    def with_types(self, types: tuple[ArgumentType, ...]) -> Usage:
        """The same call with arguments of the types `types`; any other use unchanged."""
        return _call(self.arguments, self.mark, types) if self.is_call else self

    def with_receiver_argument(self) -> Usage:
        """The same call with the receiver as an additional first argument."""
        if not self.has_arguments:
            return self
        return _call(self.arguments + 1, self.mark, (UNKNOWN, *self.types) if self.types else ())


@functools.lru_cache(maxsize=20_000)
def _call(arguments: int, mark: int, types: tuple[ArgumentType, ...]) -> Usage:
    has_arguments = arguments >= 0 or bool(mark) or bool(types)
    return Usage("called", True, arguments, mark, types, has_arguments)


ANY: Final = Usage("any")  # nothing is known of the use
VALUE: Final = Usage("value")
TYPE: Final = Usage("type")
SET: Final = Usage("set")  # it assigns to a member, in languages where that calls a method
CALLED: Final = Usage("called", is_call=True)
CALLED_WITHOUT_ARGUMENTS: Final = _call(0, 0, ())

_USAGES: Final = {
    int(ReferenceKind.READ): VALUE, int(ReferenceKind.WRITE): VALUE, int(ReferenceKind.TYPE): TYPE,
    int(ReferenceKind.ACCEPTS): TYPE, int(ReferenceKind.RETURNS): TYPE, int(ReferenceKind.INHERIT): TYPE,
    int(ReferenceKind.IMPLEMENT): TYPE, int(ReferenceKind.EXTEND): TYPE, int(ReferenceKind.DECORATE): TYPE,
    int(ReferenceKind.EMBED): TYPE, int(ReferenceKind.MIXIN): TYPE,
}  # fmt: skip
_CALL: Final = int(ReferenceKind.CALL)
_COUNT: Final = (1 << LABELS) - 1


@functools.lru_cache(maxsize=20_000)
def usage_of(kind: int, flags: int) -> Usage:
    """Return how a reference of `kind` with `flags` uses its name. A pattern that destructures a value uses the name of
    its constructor as a type, as it calls nothing.
    """
    if kind == _CALL and flags & CONSTRUCTED:
        return TYPE
    arguments = flags >> ARGUMENTS
    if kind != _CALL and not arguments & _COUNT:
        return _USAGES.get(kind, ANY)
    return _call((arguments & _COUNT) - 1, arguments >> LABELS, ()) if arguments else CALLED


class Side(enum.IntEnum):
    """The side to which a member belongs: the type itself, or its objects."""

    EITHER = 0  # that is not known
    INSTANCE = 1
    STATIC = 2


EITHER: Final = Side.EITHER
INSTANCE: Final = Side.INSTANCE
STATIC: Final = Side.STATIC
