"""Which constructor another constructor hands over to: `this(…)`, `super(…)`, `: base(…)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagentd.model.kinds import Origin, SymbolKind

from .namesakes import fitting
from .targets import Target

if TYPE_CHECKING:
    from .names import Names


def constructor(names: Names, type_id: int, use: int, above: bool) -> Target | None:
    """The constructor of a type, or (`above`) of the class that it inherits from, that takes such a call; the type itself where it declares none."""
    origin = Origin.SUPER if above else Origin.SELF
    if above:
        bases = (names.world.symbol(base) for base in names.bases(names.world.symbol(type_id))[0])
        found = next((base.id for base in bases if base.kind != SymbolKind.INTERFACE), 0)
        if not found:
            return None
        type_id = found
    symbols = [symbol for same in names.world.members(type_id).values() for symbol in same if symbol.kind == SymbolKind.CONSTRUCTOR]
    if not symbols:
        return Target(type_id, origin=int(origin))
    fits = fitting(names.world, symbols, use)
    return names.pick(fits, origin) if fits else names.pick(symbols, origin).inferred()
