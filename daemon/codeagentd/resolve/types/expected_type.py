"""Expected types of arguments: the type of the parameter that takes an argument.

Source: The Swift Programming Language, "Function Call Expression", "Initializers" (memberwise ones), "Implicit Member
        Expression".
"""

from __future__ import annotations

from collections.abc import Sequence

from codeagentd.model.kinds import TYPES
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
        return _agreed([_parameter_type(names, symbol, number, label)])
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
    type_ = DEFAULT.split(_parameter(function, number, label).partition(":")[2], maxsplit=1)[0].strip()
    return names.values.type_of_annotation(function, type_, function.parent) if type_ else None


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
