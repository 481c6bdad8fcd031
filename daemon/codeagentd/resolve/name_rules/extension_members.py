"""Kotlin's extensions: functions and properties that are called on values of a type without being members of it.

Source: Kotlin language specification, "Overload resolution", sections "Call with an explicit receiver" and "Call
        without an explicit receiver".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from codeagentd.model.kinds import TYPES, Origin
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.overloads.conversion_ranking import is_assignable
from codeagentd.resolve.overloads.csharp_delegates import EXTENDED
from codeagentd.resolve.overloads.overload_resolution import applicable
from codeagentd.resolve.symbol_table import Symbol, SymbolTable
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import CALLED_WITHOUT_ARGUMENTS, VALUE, Usage


def is_extension(symbol: Symbol) -> bool:
    """Whether `symbol` is an extension function or property: it declares the type that it extends."""
    return symbol.kind not in TYPES and bool(symbol.bases)


def may_extend(symbol: Symbol) -> bool:
    """Whether `symbol` may be called on values of a type that it names: by a base, or by its first parameter (C#)."""
    return is_extension(symbol) or EXTENDED.match(symbol.signature) is not None


def is_member(world: SymbolTable, symbol: Symbol) -> bool:
    """Whether `symbol` is a member of the type that contains it, and no extension."""
    return bool(symbol.parent) and not is_extension(symbol) and world.symbol(symbol.parent).kind in TYPES


def receivers(names: NameLookup, enclosing: Iterable[Symbol]) -> Iterator[int]:
    """The ids of the types whose members need no receiver inside of the definitions `enclosing`: each type among these,
    and for an extension the type that it extends.
    """
    for symbol in enclosing:
        if symbol.kind in TYPES:
            yield symbol.id
        elif symbol.bases:
            yield from names.inheritance.bases(symbol).types


def extension(names: NameLookup, levels: Iterable[Sequence[Symbol]], target: Target, use: Usage) -> Target | None:
    """The extension that a call on `target` refers to, or None. Of the first of `levels` with applicable extensions it
    is the one for the nearest type.

    An extension of an external type may be applicable without proof. The one for the exact type name of `target` is
    chosen, or the only one, and the result is inferred.
    """
    order = names.inheritance.mro(target.symbol) if target.symbol else ()
    for level in levels:
        candidates = [symbol for symbol in level if is_extension(symbol)]
        fits = applicable(names, candidates, use) if candidates else ()
        by_distance = {
            symbol: min(
                (order.index(base) for base in names.inheritance.bases(symbol).types if base in order), default=-1
            )
            for symbol in fits
        }
        near = [distance for distance in by_distance.values() if distance >= 0]
        if near:
            result = names.select_overload(
                [symbol for symbol, distance in by_distance.items() if distance == min(near)], use, Origin.NAMESPACE
            )
            return result.bound_to(target.symbol, target.confidence, Origin.NAMESPACE)
        unknown = (
            [symbol for symbol in fits if not names.inheritance.bases(symbol).types]
            if target.symbol or target.is_external
            else list(fits)
        )
        very = [symbol for symbol in unknown if target.type_name and extended(symbol) == target.type_name]
        left = very or [
            symbol
            for symbol in unknown
            if is_assignable(names.world.file(symbol.file).language, target.type_name, extended(symbol))
        ]
        if very or len(left) == 1:
            return names.select_overload(left, use, Origin.NAMESPACE).inferred()
    return None


def extended(symbol: Symbol) -> str:
    """The last part of the name of the type that the extension `symbol` extends."""
    return symbol.bases[0].rpartition(".")[2]


def accessor(names: NameLookup, target: Target, name: str, use: Usage) -> Target | None:
    """The getter of Java that a Kotlin property `name` of `target` reads, or None: `shelf.title` calls getTitle()."""
    if (
        use is not VALUE
        or not target.symbol
        or names.world.file(names.world.symbol(target.symbol).file).language != "java"
    ):
        return None
    getter = name if name.startswith("is") else f"get{name[:1].upper()}{name[1:]}"
    return names.inheritance.member(target.symbol, getter, use=CALLED_WITHOUT_ARGUMENTS)
