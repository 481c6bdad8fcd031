"""Parameter types of callbacks in callees whose signatures write function types with an arrow: `(Shelf) -> Unit`,
`Shelf => Int`.

Sources: The Swift Programming Language, "Function Type", "Trailing Closures"; Kotlin language specification, "Function
types"; Scala language specification, 3.2.9 "Function Types".
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from codeagentd.languages.language import languages
from codeagentd.model.facts import LAST_ARGUMENT
from codeagentd.model.kinds import TYPES, SymbolFlag
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.syntax.signatures import DEFAULT, parameters_in
from codeagentd.resolve.targets import Target

_OPENING: Final = "([{<"
_CLOSING: Final = ")]}>"
_BEFORE: Final = re.compile(r"^(?:@\w+(?:\([^()]*\))?\s+|suspend\s+|inout\s+|sending\s+|__owned\s+)+")
_LABELS: Final = re.compile(r"^(?:[\w`]+\s+)?[\w`]+\s*:(?!:)\s*")
_METATYPE: Final = re.compile(r"(\w+)\.Type")
_WORDS: Final = re.compile(r"\w+")

Argument = Callable[[int], Target | None]  # what a call gives as its argument with this number, where that is known


def parameter_type(
    names: NameLookup, callee: Symbol, target: Target, place: tuple[int, int, str], argument: Argument
) -> Target | None:
    """Infer the type that a call of `callee` passes to a callback's parameter. `place` is (the number of the argument,
    the number of the callback's parameter, the argument's label).

    It is exact if `callee` has one signature and this names the type itself. A type parameter of `callee` stands for
    the type that another argument names; `argument` looks arguments up.
    """
    arrow = languages()[names.world.file(callee.file).language].types.arrow
    overloads = names.inheritance.constructors(callee.id) if callee.kind in TYPES else (callee,)
    if len(overloads) != 1:
        return None
    number, at, label = place
    function = overloads[0]
    parameters = parameters_in(function.signature) if function.signature.startswith("(") else []
    parameter_types = arrow_parameters(_parameter(parameters, number, label, arrow), arrow)
    if at >= len(parameter_types):
        return None
    if (bound := _bound(names, function, parameters, parameter_types[at], argument)) is not None:
        type_: Target | None = bound
    else:
        type_ = names.values.type_of_annotation(function, parameter_types[at], target.owner or function.parent)
    if type_ is None or not type_.symbol:
        return type_ if type_ is not None and (type_.element or type_.subscripted) else None
    return type_.inferred() if function.flags & SymbolFlag.OVERLOADED else type_.capped_by(target)


def _parameter(parameters: Sequence[str], number: int, label: str, arrow: str) -> str:
    """The type of the parameter that takes the argument; '' for none."""
    named = [parameter for parameter in parameters if parameter.split(":")[0].strip()]
    if number == LAST_ARGUMENT:
        fits = [candidate for candidate in named if arrow in candidate][-1:]
    elif label:
        fits = [candidate for candidate in named if label in _WORDS.findall(candidate.split(":")[0])]
    else:
        fits = named[number : number + 1]
    return DEFAULT.split(fits[0].partition(":")[2], maxsplit=1)[0].strip() if fits else ""


def _bound(
    names: NameLookup, function: Symbol, parameters: Sequence[str], type_: str, argument: Argument
) -> Target | None:
    """The type that an argument binds to a type parameter, `_ type: A.Type` called with `Shelf.self`; None where it is
    no type parameter, or no argument binds it.
    """
    if not type_.isidentifier() or not re.search(rf"[<,]\s*{type_}\b", function.head):
        return None
    for number, parameter in enumerate(parameters):
        metatype = _METATYPE.fullmatch(DEFAULT.split(parameter.partition(":")[2], maxsplit=1)[0].strip())
        if (
            metatype
            and metatype[1] == type_
            and (value := argument(number))
            and value.symbol
            and names.world.symbol(value.symbol).kind in TYPES
        ):
            return msgspec.structs.replace(value, instance=True)
    return None


@functools.lru_cache(maxsize=20_000)
def arrow_parameters(text: str, arrow: str) -> tuple[str, ...]:
    """Return the parameter types of the function type `text`; empty if it is no function type."""
    text = _BEFORE.sub("", text.strip())
    at = _arrow(text, arrow)
    if at < 0:
        inside = _within(text)
        return arrow_parameters(inside, arrow) if inside else ()
    before = text[:at].strip()
    before = before[: before.rindex(")") + 1] if before.startswith("(") else before  # without words like `throws`
    if not before.startswith("("):
        return (before,) if before and arrow == "=>" else ()
    return tuple(_LABELS.sub("", parameter, count=1) for parameter in parameters_in(before))


def result(text: str, arrow: str) -> str:
    """Return the result type of the function type `text`; '' if it is no function type."""
    at = _arrow(text, arrow)
    if at < 0:
        inside = _within(text)
        return result(inside, arrow) if inside else ""
    return text[at + len(arrow) :].strip()


def _arrow(text: str, arrow: str) -> int:
    """The position of the first arrow outside of brackets; -1 for none."""
    depth = 0
    for at, sign in enumerate(text):
        if not depth and text.startswith(arrow, at):
            return at
        depth += (sign in _OPENING) - (sign in _CLOSING and not (sign == ">" and text[at - 1] in "=-"))
    return -1


def _within(text: str) -> str:
    """The text in the parentheses that enclose all of a type: `((Shelf) -> Book)?`."""
    inside = text.strip().rstrip("?!").strip()
    is_around = inside.startswith("(") and inside.endswith(")") and len(parts := parameters_in(inside)) == 1
    return parts[0] if is_around and parts[0] != text else ""
