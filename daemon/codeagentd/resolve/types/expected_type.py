"""Expected types of arguments: the type of the parameter that takes an argument.

Source: The Swift Programming Language, "Function Call Expression", "Initializers" (memberwise ones), "Implicit Member
        Expression".
"""

from __future__ import annotations

from collections.abc import Sequence

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES, Origin
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.syntax.signatures import DEFAULT, parameters_in
from codeagentd.resolve.targets import Target, union_of


def expected(names: NameLookup, callee: Target | None, number: int, label: str) -> Target | None:
    """Return an instance of the type that an argument of `callee` must have, by its `number` (from 0) and `label`. None
    if no parameter has a type, or only the call itself determines it.
    """
    if callee is None or not callee.symbol or callee.instance:
        return None
    symbol = names.world.symbol(callee.symbol)
    if symbol.kind not in TYPES:
        return _agreed([_parameter_type(names, symbol, number + _bound(names, callee, symbol), label)])
    overloads = _constructors(names, symbol)
    if not overloads:
        member = names.inheritance.member(symbol.id, label) if label else None
        return names.values.type_of_target(member) if member and member.symbol else None
    return _agreed(
        [
            _parameter_type(names, overload, number, label)
            for overload in overloads
            if _parameter(overload, number, label)
        ]
    )


def _constructors(names: NameLookup, symbol: Symbol) -> Sequence[Symbol]:
    """The constructors of a type, else those of the nearest base that has any."""
    return next(
        (result for type_id in names.inheritance.mro(symbol.id) if (result := names.inheritance.constructors(type_id))),
        (),
    )


def _parameter_type(names: NameLookup, function: Symbol, number: int, label: str) -> Target | None:
    """A value of the type of the parameter that takes the argument."""
    has_labels = languages()[names.world.file(function.file).language].symbols.labels
    taking = _parameter(function, number, label) if has_labels else _parameter_at(function, number)
    type_ = DEFAULT.split(taking.partition(":")[2], maxsplit=1)[0].strip()
    return names.values.type_of_annotation(function, type_, function.parent) if type_ else None


def _bound(names: NameLookup, callee: Target, function: Symbol) -> int:
    """The number of parameters before that of the first argument: in languages in which a method declares the object
    that it is called on as its first parameter, 1 for a call on an object.
    """
    is_declared = languages()[names.world.file(function.file).language].symbols.receiver_parameter
    return int(is_declared and callee.origin in (Origin.TYPE, Origin.CONSTRUCTOR))


def _parameter_at(function: Symbol, number: int) -> str:
    """The parameter with a number, as written; '' for none."""
    parameters = parameters_in(function.signature) if function.signature.startswith("(") else ()
    return parameters[number] if number < len(parameters) else ""


def _parameter(function: Symbol, number: int, label: str) -> str:
    """The parameter that takes the argument, as written; '' for none."""
    parameters = parameters_in(function.signature) if function.signature.startswith("(") else []
    expected_label = label or "_"
    fits = [
        place for place, parameter in enumerate(parameters) if parameter.split(":")[0].split()[:1] == [expected_label]
    ]
    at = next((place for place in fits if place >= number), fits[-1] if label and fits else None)
    return parameters[at] if at is not None else ""


def _agreed(types: Sequence[Target | None]) -> Target | None:
    """The type that several parameters agree on, else a union of their types; None where one of them has no known
    type.
    """
    known = [target for target in types if target is not None]
    if not known or len(known) < len(types):
        return None
    ours = [target for target in known if target.symbol]
    return (
        known[0]
        if len({(target.symbol, target.kind, target.namespace) for target in known}) == 1
        else union_of(ours)
        if ours
        else None
    )
