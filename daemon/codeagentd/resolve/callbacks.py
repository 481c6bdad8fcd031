"""What a function gets that is handed to another: a parameter that says no type has the one that the callee declares for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeagentd.languages.language import languages
from codeagentd.model.facts import EXPRESSION
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind

from .delegates import DELEGATE, EXTENDED
from .function_types import Function, Functions, agreed, cut, functions_in, functions_of, parameters_of, type_of
from .signatures import parameters_in
from .targets import Target

if TYPE_CHECKING:
    from .names import Names
    from .world import Symbol


def given(names: Names, callee: Target | None, argument: int, parameter: int) -> Target | None:
    """What a call hands to a function that is one of its arguments; both counted from 0.

    Exact where all signatures that have such a parameter take a function there, and all of these functions the same.
    """
    if callee and callee.hands and not argument and not parameter:
        return callee.hands
    symbol = _called(names, callee) if callee and callee.symbol else None
    if symbol is None or callee is None:
        return None
    if delegates := languages()[names.world.file(symbol.file).language].types.delegates:
        return _delegated(names, symbol, callee, argument, parameter, delegates) if not callee.instance else None
    calls = _signatures(names, callee, symbol)
    is_sure, found = calls.is_whole, list[Target | None]()
    for call in calls.found:
        taken = functions_in(names, call.place, type_of(call.parameters, argument))
        is_sure = is_sure and taken.is_whole
        said = ((one.place, type_of(one.parameters, parameter)) for one in taken.found)
        found += [names.values.declared(place, text, callee.owner or symbol.parent) for place, text in said if text]
    handed = agreed(found, is_sure=is_sure)
    return handed.after(callee) if handed else None


def _signatures(names: Names, callee: Target, symbol: Symbol) -> Functions:
    """How something can be called: a function by its parameters, a value by what its type says."""
    if callee.instance:
        return functions_of(names, symbol)
    if symbol.signature and symbol.kind != SymbolKind.PROPERTY:
        inside = parameters_of(symbol.signature)
        return Functions([Function(symbol, inside, symbol.returns)] if inside else [], not symbol.flags & SymbolFlag.OVERLOADED)
    text = symbol.returns or symbol.type
    if text and not text.startswith(EXPRESSION):
        return functions_in(names, symbol, text)
    held = names.values.behind(callee)
    return functions_of(names, names.world.symbol(held.symbol)) if held and held.instance and held.symbol else Functions([], False)


def _delegated(names: Names, symbol: Symbol, callee: Target, argument: int, parameter: int, delegates: tuple[str, ...]) -> Target | None:
    """C#: what a delegate takes that is a method's parameter, by the type arguments of the library's, or by the parameters of one of the repository."""
    extends = bool(EXTENDED.match(symbol.signature)) and callee.owner != symbol.parent  # called on what it extends
    parameters = parameters_in(symbol.signature)[int(extends) :]
    said = DELEGATE.match(parameters[argument]) if argument < len(parameters) else None
    if said is None:
        return None
    inside = [one.strip() for one in cut(said[2] or "", ",")]
    place = symbol
    if said[1] not in delegates:
        target = names.expression(symbol, said[1], len(inside) if said[2] else 0)
        if target is None or not target.symbol:
            return None
        place = names.world.symbol(target.symbol)
        inside = [one.rpartition(" ")[0] for one in parameters_in(place.signature)] if place.kind == SymbolKind.DELEGATE else []
    found = names.values.declared(place, inside[parameter], callee.owner or symbol.parent) if parameter < len(inside) and inside[parameter] else None
    if found is None or not found.symbol:
        return None
    return found.after(callee) if not symbol.flags & SymbolFlag.OVERLOADED else found.inferred()


def _called(names: Names, callee: Target) -> Symbol | None:
    """What a call runs: of a type its constructor."""
    symbol = names.world.symbol(callee.symbol)
    if symbol.kind not in TYPES or callee.instance:
        return symbol
    for word in languages()[names.world.file(symbol.file).language].symbols.constructors:
        if (found := names.inheritance.member(symbol.id, word)) and found.symbol:
            return names.world.symbol(found.symbol)
    return None
