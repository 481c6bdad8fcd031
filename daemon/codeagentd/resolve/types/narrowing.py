"""Type narrowing by tests."""

from __future__ import annotations

from codeagentd.model.kinds import TYPES, Origin
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.targets import Target


def instance_of(names: NameLookup, type_: Target | None) -> Target | None:
    """Return an instance of the type that a test names, `type_`. It is None if `type_` is another kind of symbol, and
    `type_` itself if that is external.
    """
    if type_ is None or type_.is_external:
        return type_
    result = names.world.symbol(type_.symbol) if type_.symbol and not type_.instance else None
    if result is None or result.kind not in TYPES or result.type:
        return None
    return Target(result.id, instance=True, origin=int(Origin.TYPE), confidence=type_.confidence)


def narrowed(names: NameLookup, tested: Target | None, before: Target | None) -> Target | None:
    """Return the type of a variable that had the type `before` and passed a test for the type `tested`. It is `tested`,
    unless `before` is a type that inherits from it.
    """
    if tested is None or before is None or not before.symbol or not before.instance:
        return before if tested is None else tested
    if tested.alternatives:
        return before  # which has what they have in common
    if tested.is_external:
        # one of several types; a Shelf stays one when it is something of elsewhere besides
        return tested if before.confidence else before
    if tested.symbol in names.inheritance.mro(before.symbol) and before.confidence <= tested.confidence:
        return before
    return tested
