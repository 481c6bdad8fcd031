"""Contextual typing: a callback's parameter without a declared type has the type that the callee declares for it."""

from __future__ import annotations

from codeagentd.languages.language import languages
from codeagentd.model.facts import LAST_ARGUMENT
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.overloads.csharp_delegates import DELEGATE, EXTENDED
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.syntax.signatures import parameters_in
from codeagentd.resolve.targets import Target

from . import arrow_signatures
from .arrow_signatures import Argument
from .callable_types import Functions, common_type, functions_at, functions_in, signatures, split_top_level, type_of


def callback_parameter_type(
    names: NameLookup, callee: Target | None, place: tuple[int, int, str], known: Argument
) -> Target | None:
    """Infer the type of a callback's parameter in a call of `callee`; None if it is unknown.

    `place` is (the argument that is the callback or contains it, the callback's parameter, both from 0, the argument's
    label or the object's keys). `known` looks the types of arguments up. The result is exact if all signatures that
    have such a parameter take a function there, and all these functions the same.
    """
    argument, parameter, keys = place
    if callee and callee.callback_value and argument in (0, LAST_ARGUMENT) and not parameter and not keys:
        return callee.callback_value
    if callee is not None and callee.is_structural_member:
        at, text = callee.written[0]
        return _parameter_of_argument(names, functions_in(names, names.world.symbol(at), text), place, 0, callee)
    if callee is None or not callee.symbol:
        return None
    called = names.world.symbol(callee.symbol)
    if languages()[names.world.file(called.file).language].types.arrow:
        return arrow_signatures.parameter_type(names, called, callee, place, known) if not callee.instance else None
    symbol = _called_symbol(names, callee)
    if symbol is None:
        return None
    if delegates := languages()[names.world.file(symbol.file).language].types.delegates:
        return _delegated(names, symbol, callee, argument, parameter, delegates) if not callee.instance else None
    return _parameter_of_argument(
        names, signatures(names, callee, symbol), place, callee.owner or symbol.parent, callee
    )


def _parameter_of_argument(
    names: NameLookup, calls: Functions, place: tuple[int, int, str], owner: int, callee: Target
) -> Target | None:
    """The type that such functions pass to a parameter of one of their arguments."""
    argument, parameter, keys = place
    arguments = [
        functions_at(names, call.place, type_of(call.parameters, argument), _keys(keys)) for call in calls.found
    ]
    functions = Functions(
        [function for group in arguments for function in group.found],
        calls.is_whole and all(group.is_whole for group in arguments),
    )
    result = _parameter(names, functions, parameter, owner)
    return result.capped_by(callee) if result else None


def contextual(names: NameLookup, place: Symbol, text: str, parameter: int, keys: str) -> Target | None:
    """Infer the type of the parameter number `parameter` of a function whose type a declaration at `place` gives as
    `text`. `keys` lead to the function inside of an object of that type; with '' the function is the value itself.
    """
    return _parameter(names, functions_at(names, place, text, _keys(keys)), parameter, 0)


def _keys(text: str) -> list[str]:
    return text.split(".") if text else []


def _parameter(names: NameLookup, functions: Functions, number: int, owner: int) -> Target | None:
    """The type of a parameter of functions, if they agree."""
    types = {
        (function.place.id, text): function.place
        for function in functions.found
        if (text := type_of(function.parameters, number))
    }
    return common_type(
        [names.values.type_of_annotation(place, text, owner) for (_, text), place in types.items()],
        is_sure=functions.is_whole,
    )


def _delegated(
    names: NameLookup, symbol: Symbol, callee: Target, argument: int, parameter: int, delegates: tuple[str, ...]
) -> Target | None:
    """C#: the type of a parameter of a delegate that is a method's parameter, by the type arguments of a library
    delegate, or by the parameters of one of the repository.
    """
    extends = bool(EXTENDED.match(symbol.signature)) and callee.owner != symbol.parent  # called on what it extends
    parameters = parameters_in(symbol.signature)[int(extends) :]
    delegate = DELEGATE.match(parameters[argument]) if argument < len(parameters) else None
    if delegate is None:
        return None
    inside = [text.strip() for text in split_top_level(delegate[2] or "", ",")]
    place = symbol
    if delegate[1] not in delegates:
        target = names.expression(symbol, delegate[1], len(inside) if delegate[2] else 0)
        if target is None or not target.symbol:
            return None
        place = names.world.symbol(target.symbol)
        inside = (
            [text.rpartition(" ")[0] for text in parameters_in(place.signature)]
            if place.kind == SymbolKind.DELEGATE
            else []
        )
    result = (
        names.values.type_of_annotation(place, inside[parameter], callee.owner or symbol.parent)
        if parameter < len(inside) and inside[parameter]
        else None
    )
    if result is None or not result.symbol:
        return None
    return result.capped_by(callee) if not symbol.flags & SymbolFlag.OVERLOADED else result.inferred()


def _called_symbol(names: NameLookup, callee: Target) -> Symbol | None:
    """The symbol that a call runs: of a type its constructor."""
    symbol = names.world.symbol(callee.symbol)
    if symbol.kind not in TYPES or callee.instance:
        return symbol
    for word in languages()[names.world.file(symbol.file).language].symbols.constructors:
        if (result := names.inheritance.member(symbol.id, word)) and result.symbol:
            return names.world.symbol(result.symbol)
    return None
