"""Overload resolution by the types of arguments: viable overloads, and the best conversion among them.

The conversions of a language's own types are in its data ([arguments]). Sources: Java Language Specification, 15.12.2;
C# standard ECMA-334, 12.6.4; Kotlin language specification, "Overload resolution"; Scala 2.13 specification, 6.26.3.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from codeagentd.languages.language import Language, languages
from codeagentd.model.facts import BLOCK, FUNCTION, NAMED
from codeagentd.model.kinds import TYPES, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.syntax.signatures import DEFAULT, MANY, SEVERAL, arity, parameters_in
from codeagentd.resolve.syntax.type_expression import LIST, TypeText, union_members
from codeagentd.resolve.usage import UNKNOWN, ArgumentType

ANYTHING: Final = "anything"  # what takes every value
_BY_LITERAL: Final = "ExpressibleBy"  # Swift: begins the names of what types conform to that literals may stand for
_AN_ARRAY: Final = "array"
ARRAY: Final = "[]"  # ends the name of an array's type

_POINTED: Final = frozenset({"char", "void"})  # C++: a pointer to these is another kind of value

SAME: Final = 0  # the parameter is of that type; up to ANY: of one that it converts to, the nearer the better
# of a type parameter, which stands for that type; in C# as good as the type itself, if no other is
INFERRED: Final = 998
NAMESAKE: Final = 999  # of one with the name of such a type, and perhaps other type arguments
ANY: Final = 1_000  # of a type that takes anything
CONVERTED: Final = 2_000  # of a type that it may be converted to
PERHAPS: Final = 3_000  # unknown
NEVER: Final = 4_000

_ARROW: Final = re.compile(r"->|=>")
_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_MARKS: Final = re.compile(
    r"@\w[\w.]*(?:\([^()]*\))?\s*|^(?:\[[^\]]*\]\s*)+"
    r"|\b(?:final|params|this|ref|in|scoped|readonly|vararg|noinline|crossinline|implicit|using)\s+"
)
_AUTOCLOSURE: Final = re.compile(r"@autoclosure\s*\(\)[\w\s]*->")  # Swift: makes a function of an argument that is none
_NAMED: Final = re.compile(r"(.*[\s\]>?*&.])([^\W\d][\w$]*)\s*((?:\[\s*\])*)$", re.DOTALL)
# How type parameters are called: Kotlin coding conventions, "Naming rules"; .NET design guidelines, "Names of generic
# type parameters".
_PARAMETER: Final = re.compile(r"[A-Z]{1,2}\d*|T[A-Z][a-z]\w*")


class Parameter(NamedTuple):
    """The type of a parameter as written. `takes_several` says whether the parameter takes any number of arguments."""

    text: str
    takes_several: bool


@functools.lru_cache(maxsize=20_000)
def name_of(text: str) -> str:
    """Return the name by which the type `text` is compared with argument types: its last part, that of an array with
    brackets, FUNCTION for a function type; '' if it has none.
    """
    if _ARROW.search(_without_arguments(text)):
        return FUNCTION
    types = union_members(text)
    name = _spelled(types[0]) if len(types) == 1 else ""
    return f"{name}*" if name in _POINTED and "*" in text else name


def written(names: NameLookup, language: str, text: str) -> ArgumentType:
    """Return the argument type of a value whose type is written as `text` and lies outside of the repository; UNKNOWN
    if it looks like a type parameter.
    """
    name = name_of(text)
    if alias := _alias(names, language, name) if name else None:
        name = name_of(alias.type)
    return UNKNOWN if _is_parameter(names, language, name.removesuffix(ARRAY)) else ArgumentType(name=name)


def _is_parameter(names: NameLookup, language: str, name: str) -> bool:
    """Whether a type has the name of a type parameter, which no type of the repository has."""
    return _PARAMETER.fullmatch(name) is not None and all(
        symbol.kind not in TYPES for symbol in names.world.named(name, language)
    )


def are_applicable(names: NameLookup, symbol: Symbol, arguments: Sequence[ArgumentType]) -> bool:
    """Whether the function `symbol` can be called with `arguments` of these types; True for a type."""
    return symbol.kind in TYPES or all(rank < NEVER for rank in _conversion_ranks(names, symbol, arguments))


def are_certainly_applicable(names: NameLookup, symbol: Symbol, arguments: Sequence[ArgumentType]) -> bool:
    """Whether the function `symbol` can certainly be called with `arguments` of these types."""
    return all(rank < CONVERTED for rank in _conversion_ranks(names, symbol, arguments))


def most_specific_for(
    names: NameLookup, symbols: Sequence[Symbol], arguments: Sequence[ArgumentType]
) -> tuple[Sequence[Symbol], bool]:
    """Return (the functions among `symbols` with the best conversions of `arguments`, whether there is one whose
    conversions are certainly better than those of every other).
    """
    ranks = {symbol.id: tuple(_conversion_ranks(names, symbol, arguments)) for symbol in symbols}
    least = min(map(sum, ranks.values()))
    chosen = [symbol for symbol in symbols if sum(ranks[symbol.id]) == least]
    is_sure = len(chosen) == 1 and all(
        _is_surely_better(ranks[chosen[0].id], ranks[other.id]) for other in symbols if other.id != chosen[0].id
    )
    return chosen, is_sure


def have_same_parameters(names: NameLookup, symbol: Symbol, other: Symbol) -> bool | None:
    """Whether two functions of a language take parameters of the same types, in the same order; None where the types
    do not tell: a type parameter stands for any type.
    """
    language = languages()[names.world.file(symbol.file).language]
    is_leading = language.types.leading or language.rules.declarators == "c"
    if arity(symbol.signature)[1] >= MANY or arity(other.signature)[1] >= MANY:
        return None if symbol.signature != other.signature else True
    pairs = [_parameters(function.signature, is_leading) for function in (symbol, other)]
    if len(pairs[0]) != len(pairs[1]):
        return False
    is_known = True
    for mine, theirs in zip(*pairs, strict=True):
        one, another = name_of(mine.text), name_of(theirs.text)
        if one == another:
            is_known &= bool(one)
        elif not (one and another) or any(_is_parameter(names, language.name, name) for name in (one, another)):
            if {one, another}.intersection(language.types.primitive) and one and another:
                return False
            is_known = False
        elif _aliased(names, language.name, one) != _aliased(names, language.name, another):
            return False
    return True if is_known else None


def _aliased(names: NameLookup, language: str, name: str) -> str:
    """The name of a type, or of the type that it is an alias of."""
    alias = _alias(names, language, name)
    return name_of(alias.type) if alias else name


def is_assignable(language: str, type_: str, base: str) -> bool:
    """Whether a value of the type `type_` may also be of the type `base`, by the subtypes in the data of `language`;
    True if these are not known.
    """
    row = languages()[language].arguments.get(type_)
    return row is None or base in row or _PARAMETER.fullmatch(base) is not None


def _is_better(candidate: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return candidate != other and all(mine <= theirs for mine, theirs in zip(candidate, other, strict=True))


def _is_surely_better(candidate: tuple[int, ...], other: tuple[int, ...]) -> bool:
    pairs = [*zip(candidate, other, strict=True)]
    return _is_better(candidate, other) and all(mine in (theirs, SAME) or theirs < PERHAPS for mine, theirs in pairs)


def _conversion_ranks(names: NameLookup, symbol: Symbol, arguments: Sequence[ArgumentType]) -> Iterator[int]:
    """The conversion ranks of a call's arguments to the parameters of a function, each from SAME to NEVER."""
    language = languages()[names.world.file(symbol.file).language]
    parameters = _parameters(symbol.signature, language.types.leading or language.rules.declarators == "c")
    if language.symbols.labels and len(arguments) != len(parameters):
        parameters = ()  # defaults stand in for some of them
    several = next((number for number, parameter in enumerate(parameters) if parameter.takes_several), len(parameters))
    for place, argument in enumerate(arguments):
        at = len(parameters) - 1 if argument.name == BLOCK else min(place, several)
        if not 0 <= at < len(parameters) or argument.name == NAMED or argument == UNKNOWN:
            yield PERHAPS
            continue
        rank = _conversion_rank(names, language, symbol, parameters[at].text, argument)
        whole = (
            _conversion_rank(names, language, symbol, parameters[at].text + ARRAY, argument)
            if parameters[at].takes_several and argument.name.endswith(ARRAY)
            else NEVER
        )
        yield min(rank, whole)


@functools.lru_cache(maxsize=20_000)
def _parameters(signature: str, is_leading: bool) -> tuple[Parameter, ...]:
    """The parameters of a function; () where they cannot be read. Args: is_leading: types stand before names."""
    if not signature.startswith("(") or "\u2026" in signature:
        return ()
    return tuple(
        Parameter(_type(parameter, is_leading), bool(SEVERAL.search(parameter)))
        for parameter in parameters_in(signature)
    )


def _type(parameter: str, is_leading: bool) -> str:
    """The type of a parameter; of a variadic parameter that of each argument."""
    text = DEFAULT.split(parameter, maxsplit=1)[0].strip()
    if not is_leading:
        text = _AUTOCLOSURE.sub("", text)
        return _MARKS.sub("", text.partition(":")[2]).strip().rstrip("*")
    is_list = "params " in text
    text = _MARKS.sub("", text).replace("...", " ")
    named = _NAMED.match(text)
    result = f"{named[1].strip()}{''.join(named[3].split())}" if named else text
    return result.removesuffix(ARRAY) if is_list else result


def _without_arguments(text: str) -> str:
    while _ARGUMENTS.search(text):
        text = _ARGUMENTS.sub("", text)
    return text


def _spelled(type_text: TypeText) -> str:
    if type_text.name != LIST:
        return type_text.name.rpartition(".")[2]
    inner = _spelled(type_text.arguments[0]) if type_text.arguments else ""
    return f"{inner}{ARRAY}" if inner else ""


def _conversion_rank(
    names: NameLookup,
    language: Language,
    function: Symbol,
    text: str,
    argument: ArgumentType,
    *,
    is_outermost: bool = True,
) -> int:
    """The conversion rank of an argument to a parameter of a written type; `is_outermost`: the type is not the
    expansion of an alias.
    """
    name = name_of(text)
    if argument.name in (FUNCTION, BLOCK) and (name == FUNCTION or name in language.types.delegates):
        return SAME
    if name in ("", FUNCTION):
        return NEVER if name and argument.name in language.arguments else PERHAPS
    is_parameter = _is_parameter(names, language.name, name)
    if is_parameter or name in language.arguments.get(ANYTHING, ()):
        row = language.arguments.get(argument.name)
        is_value = row is None or any(type_name in row for type_name in language.arguments.get(ANYTHING, ()))
        if not is_value:
            return NEVER
        return (SAME + 1 if language.symbols.type_arity else INFERRED) if is_parameter else ANY
    if alias := _alias(names, language.name, name, function) if is_outermost else None:
        return _conversion_rank(names, language, alias, alias.type, argument, is_outermost=False)
    parameter_type = names.values.type_of_annotation(function, text)
    expected = parameter_type.symbol if parameter_type is not None and parameter_type.instance else 0
    if expected and names.world.symbol(expected).kind == SymbolKind.TYPE:
        return SAME if expected == argument.symbol else PERHAPS
    if argument.symbol:
        return _rank_from_repository_type(
            names, language, argument.symbol, expected, name, is_known=parameter_type is not None
        )
    if expected:
        return _rank_to_repository_type(names, language, names.world.symbol(expected), argument.name)
    is_beyond = (
        parameter_type is not None
        or name in language.arguments
        or name.endswith(ARRAY)
        or argument.name in language.arguments
    )
    is_ours = parameter_type is None and any(symbol.kind in TYPES for symbol in names.world.named(name, language.name))
    return _rank_of_external_types(language, argument.name, name) if is_beyond and not is_ours else PERHAPS


def _alias(names: NameLookup, language: str, name: str, place: Symbol | None = None) -> Symbol | None:
    """The definition by which a name is an alias of another type; of several, the one that the name refers to at a
    place.
    """
    result = [symbol for symbol in names.world.named(name, language) if symbol.kind == SymbolKind.TYPE and symbol.type]
    if len(result) > 1 and place is not None:
        target = names.expression(place, name)
        result = [symbol for symbol in result if target and symbol.id == target.symbol]
    return result[0] if len(result) == 1 and not names.world.members(result[0].id) else None


def _rank_from_repository_type(
    names: NameLookup, language: Language, type_: int, expected: int, name: str, *, is_known: bool
) -> int:
    """The conversion rank of a value of a type of the repository."""
    order = names.inheritance.mro(type_)
    if expected in order:
        return SAME + 2 * order.index(expected)
    unlike = CONVERTED if language.symbols.converting == "values" else NEVER
    if name in language.arguments or name.endswith(ARRAY):
        return unlike
    if expected and any(names.world.symbol(ancestor).name == name for ancestor in order):
        return NAMESAKE
    bases = [base.rpartition(".")[2] for ancestor in order for base in names.world.symbol(ancestor).bases]
    if not expected and name in bases:
        return SAME + 2 * len(order)
    is_settled = names.inheritance.is_mro_complete(type_) or (
        expected and all(names.inheritance.bases(names.world.symbol(ancestor)).are_settled for ancestor in order)
    )
    return unlike if is_settled and is_known else PERHAPS


def _rank_to_repository_type(names: NameLookup, language: Language, expected: Symbol, argument: str) -> int:
    """The conversion rank of a value of another type to a parameter of a type of the repository."""
    if argument in (FUNCTION, BLOCK):
        return (
            SAME + 1
            if expected.kind == SymbolKind.DELEGATE
            else PERHAPS
            if expected.kind == SymbolKind.INTERFACE
            else NEVER
        )
    if language.symbols.converting == "literals" and argument in language.arguments and argument[0].islower():
        order = (names.world.symbol(ancestor) for ancestor in names.inheritance.mro(expected.id))
        return (
            SAME + 1
            if any(base.rpartition(".")[2].startswith(_BY_LITERAL) for ancestor in order for base in ancestor.bases)
            else NEVER
        )
    return CONVERTED if language.symbols.converting == "values" else NEVER


def _rank_of_external_types(language: Language, argument: str, name: str) -> int:
    """The conversion rank where neither type is of the repository."""
    if argument == name:
        return SAME
    table = language.arguments
    if argument.endswith(ARRAY) or name.endswith(ARRAY):
        if argument.endswith(ARRAY) and name.endswith(ARRAY):
            return _rank_of_element_types(language, argument.removesuffix(ARRAY), name.removesuffix(ARRAY))
        others = table.get(_AN_ARRAY, ())  # what arrays are besides
        return (
            SAME + 2 * others.index(name)
            if name in others
            else NEVER
            if name.endswith(ARRAY) or name in table or others
            else PERHAPS
        )
    unlike = CONVERTED if language.symbols.converting == "values" else NEVER
    if row := table.get(argument):
        return SAME + 2 * row.index(name) if name in row else unlike
    if argument in (FUNCTION, BLOCK):
        return NEVER if name in table else PERHAPS
    return unlike if name in table else PERHAPS


def _rank_of_element_types(language: Language, argument: str, name: str) -> int:
    """The conversion rank of arrays by their element types, which are not converted."""
    if _PARAMETER.fullmatch(name) or name in language.arguments.get(ANYTHING, ()):
        return NEVER if argument[:1].islower() and not argument.endswith(ARRAY) else ANY
    row = language.arguments.get(argument)
    if row is None or argument == name:
        return SAME if argument == name else PERHAPS
    return (
        SAME + 2 * row.index(name) if name in row and not argument[:1].islower() and not name[:1].islower() else NEVER
    )
