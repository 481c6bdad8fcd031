"""Constructors, and calls of one constructor by another: `this(…)`, `super(…)`, `: base(…)`."""

from __future__ import annotations

from codeagentd.model.kinds import Origin, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import Usage

from .overload_resolution import applicable, is_within


def constructor(names: NameLookup, type_id: int, caller: int, use: Usage, above: bool) -> Target | None:
    """The constructor of the type `type_id` that takes the call `use` by the constructor `caller`; with `above` of the
    class that the type inherits from.

    Returns: the type itself if its header is the constructor, or if it declares none; None without such a class.
    """
    origin = Origin.SUPER if above else Origin.SELF
    if above:
        type_id = base_class(names, type_id)
        if not type_id:
            return None
    symbols = [symbol for symbol in names.inheritance.constructors(type_id) if symbol.id != caller]
    fits = list(applicable(names, symbols, use)) if symbols else []
    own = names.world.symbol(type_id)
    if own.signature and is_within(own.signature, use.arguments):
        fits.append(own)
    if fits:
        return names.select_overload(fits, use, origin)
    return names.first_by_position(symbols, origin).inferred() if symbols else Target(type_id, origin=int(origin))


def base_class(names: NameLookup, type_id: int) -> int:
    """The class from which the type `type_id` inherits; 0 without one in the repository."""
    bases = (names.world.symbol(base) for base in names.inheritance.bases(names.world.symbol(type_id)).types)
    return next((base.id for base in bases if base.kind != SymbolKind.INTERFACE), 0)
