"""Overload resolution: the choice among several symbols of one name by the use of the name and the number of
arguments.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final

from codeagentd.languages.language import SymbolRules, languages
from codeagentd.model.facts import ARGUMENTS, CONSTRUCTED, LABELS, MOST_TYPES, label_mark
from codeagentd.model.kinds import TYPES, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import Symbol, SymbolTable
from codeagentd.resolve.syntax.signatures import CONTEXT_PARAMETERS, DEFAULT, MANY, SEVERAL, arity, parameters_in
from codeagentd.resolve.targets import Target

from .conversion_ranking import UNKNOWN, ArgumentType, are_applicable, are_certainly_applicable, most_specific_for
from .csharp_delegates import EXTENDED, can_be_given, is_explicit, may_hold_delegate

ANY: Final = 0  # uses of a name by a reference; CALLED + 1 + n: it calls it with n arguments
VALUE: Final = 1
TYPE: Final = 2
CALLED: Final = 3
SET: Final = -1  # it assigns to a member, in languages where that calls a method

INSTANCE: Final = 1  # a member of an object, or of the type; ANY: that is not known
STATIC: Final = 2

_USES: Final = {
    int(ReferenceKind.READ): VALUE, int(ReferenceKind.WRITE): VALUE, int(ReferenceKind.TYPE): TYPE,
    int(ReferenceKind.ACCEPTS): TYPE, int(ReferenceKind.RETURNS): TYPE, int(ReferenceKind.INHERIT): TYPE,
    int(ReferenceKind.IMPLEMENT): TYPE, int(ReferenceKind.EXTEND): TYPE, int(ReferenceKind.DECORATE): TYPE,
    int(ReferenceKind.EMBED): TYPE, int(ReferenceKind.MIXIN): TYPE,
}  # fmt: skip
_CALL: Final = int(ReferenceKind.CALL)
FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_NO_VALUES: Final = frozenset({SymbolKind.TRAIT, SymbolKind.TYPE})
_COUNT: Final = (1 << LABELS) - 1  # of arguments
# Bits above CALLED with the number and marks of arguments; the number of their types is above these.
TYPES_GIVEN: Final = 32 - ARGUMENTS
_OWN: Final = (1 << TYPES_GIVEN) - 1


class ArgumentTypes:
    """The argument types of calls, by the number that stands for them in a use."""

    def __init__(self, _: NameLookup) -> None:
        self.by_number: list[tuple[ArgumentType, ...]] = [()]
        self._numbers: dict[tuple[ArgumentType, ...], int] = {(): 0}

    def number_of(self, types: tuple[ArgumentType, ...]) -> int:
        """The number that stands for the types of a call's arguments."""
        if types not in self._numbers:
            self._numbers[types] = len(self.by_number)
            self.by_number.append(types)
        return self._numbers[types]


def use_of(kind: int, flags: int) -> int:
    """The use of a name by a reference of this kind; a pattern that destructures a value names its constructor, though
    it calls nothing.
    """
    if kind == _CALL and flags & CONSTRUCTED:
        return TYPE
    return CALLED + (flags >> ARGUMENTS) if kind == _CALL or flags >> ARGUMENTS & _COUNT else _USES.get(kind, ANY)


def rules_of(world: SymbolTable, symbols: Sequence[Symbol]) -> SymbolRules:
    """The rules for several symbols of one name: those of the first by path, where a package is written in several
    languages.
    """
    first = symbols[0]
    if any(symbol.file != first.file for symbol in symbols):
        first = min(symbols, key=lambda symbol: world.file(symbol.file).path)
    return languages()[world.file(first.file).language].symbols


def applicable(names: NameLookup, symbols: Sequence[Symbol], use: int) -> Sequence[Symbol]:
    """The candidates among several symbols of one name and place for a use; all of them in languages that do not tell
    them apart.
    """
    world = names.world
    rules = rules_of(world, symbols)
    if rules.separate_members and use not in (ANY, TYPE):
        members = _rust_members(symbols, use)
        if not rules.overloads:
            return members
        symbols = members or symbols  # Kotlin: a property may hold what is called
    if (use == ANY and not rules.objects) or not (rules.overloads or rules.separate_values):
        return symbols
    if rules.separate_values and (use != TYPE or rules.separate_types):
        symbols = [symbol for symbol in symbols if _is_in_namespace_of(world, symbol, use)]
    if use in (TYPE, VALUE) and rules.objects:  # Scala: names of types and of values are apart
        symbols = [
            symbol for symbol in symbols if (symbol.kind in TYPES if use == TYPE else symbol.kind not in _NO_VALUES)
        ]
    if use == TYPE and len(symbols) > 1:
        symbols = [symbol for symbol in symbols if symbol.kind in TYPES] or symbols
    if rules.objects and len(symbols) > 1:
        symbols = _class_or_companion(symbols, use)
    if use == VALUE and len(symbols) > 1 and rules.uniform_access:
        symbols = [symbol for symbol in symbols if accepts_arity(symbol, 0)] or symbols
    if rules.invocable:
        symbols = [symbol for symbol in symbols if not is_explicit(symbol)]
    if rules.invocable and use >= TYPE:
        symbols = [
            symbol
            for symbol in symbols
            if symbol.kind in TYPES
            or (use >= CALLED and (symbol.kind in FUNCTIONS or may_hold_delegate(world, symbol)))
        ]
    if use > CALLED:
        mark, count = (use - CALLED & _OWN) >> LABELS, _count(use)
        if number := use - CALLED >> TYPES_GIVEN:
            argument_types = names.state(ArgumentTypes).by_number[number]
            symbols = [
                symbol
                for symbol in symbols
                if symbol.kind not in FUNCTIONS or are_applicable(names, symbol, argument_types)
            ]
        if rules.headers == "types":
            # defaults stand in another file
            return [symbol for symbol in symbols if symbol.kind not in FUNCTIONS or count <= arity(symbol.signature)[1]]
        symbols = [
            symbol
            for symbol in symbols
            if accepts_arity(symbol, count) and (not mark or _fits_mark(world, symbol, mark))
        ]
    return symbols


def _rust_members(symbols: Sequence[Symbol], use: int) -> Sequence[Symbol]:
    """Rust: a called name is no field; a name that is not called is a field where there is one, else a function that is
    passed on (The Rust Reference, "Namespaces").
    """
    if use >= CALLED:
        return [symbol for symbol in symbols if symbol.kind not in (SymbolKind.FIELD, SymbolKind.PROPERTY)]
    return [symbol for symbol in symbols if symbol.kind not in FUNCTIONS] or symbols


def filter_static(world: SymbolTable, symbols: Sequence[Symbol], side: int) -> Sequence[Symbol]:
    """Of members of one name those of the type (STATIC) or of its objects (INSTANCE), in languages that tell them
    apart.
    """
    if side == ANY or len(symbols) == 1 or not rules_of(world, symbols).separate_static:
        return symbols
    return [symbol for symbol in symbols if _is_of_type(symbol) == (side == STATIC)] or symbols


def _is_of_type(symbol: Symbol) -> bool:
    return bool(symbol.flags & SymbolFlag.STATIC) or symbol.kind in TYPES or symbol.kind == SymbolKind.ENUM_MEMBER


def without_default_implementations(symbols: Sequence[Symbol]) -> Sequence[Symbol]:
    """The members of one name that are no default implementations of a requirement: the requirement stands for them."""
    required = {symbol.signature for symbol in symbols if symbol.flags & SymbolFlag.ABSTRACT}
    if not required or len(symbols) == 1:
        return symbols
    return [symbol for symbol in symbols if symbol.flags & SymbolFlag.ABSTRACT or symbol.signature not in required]


def most_specific(names: NameLookup, symbols: Sequence[Symbol], use: int) -> tuple[Sequence[Symbol], bool]:
    """The overloads that take the arguments of a call best, and of these those that need no default value for it, if
    there are such.

    Returns: all in languages that have no overloads; and whether the types of the arguments leave no doubt.

    Source: Kotlin language specification, "Choosing the most specific candidate from the overload candidate set"; C#
            standard ECMA-334, 12.6.4.3.
    """
    world = names.world
    rules = rules_of(world, symbols) if len(symbols) > 1 and use > CALLED else None
    if rules is None or not (rules.overloads or rules.headers == "types"):
        return symbols, False
    if all(symbol.kind in FUNCTIONS for symbol in symbols):
        argument_types = names.state(ArgumentTypes).by_number[use - CALLED >> TYPES_GIVEN]
        symbols, is_sure = (
            _with_fixed_arity(names, symbols, argument_types, _count(use))
            if not (rules.extensions or rules.invocable)
            else (symbols, False)
        )
        if len(symbols) > 1 and argument_types:
            symbols, is_sure = most_specific_for(names, symbols, argument_types)
        if len(symbols) == 1:
            return symbols, is_sure
    return [symbol for symbol in symbols if arity(symbol.signature)[1] == _count(use)] or symbols, False


def _with_fixed_arity(
    names: NameLookup, symbols: Sequence[Symbol], argument_types: Sequence[ArgumentType], count: int
) -> tuple[Sequence[Symbol], bool]:
    """The functions with a fixed number of parameters, where these are known to take the arguments, or no types of
    these are known.

    Returns: these, and whether that is certain. Source: Java Language Specification, 15.12.2.
    """
    fixed = [symbol for symbol in symbols if arity(symbol.signature)[1] < MANY]
    taking = [
        symbol
        for symbol in fixed
        if count == 0 or (len(argument_types) == count and are_certainly_applicable(names, symbol, argument_types))
    ]
    if taking or (fixed and not argument_types):
        return taking or fixed, bool(taking)
    return symbols, False


def _class_or_companion(symbols: Sequence[Symbol], use: int) -> Sequence[Symbol]:
    """Scala: of a class and its companion object the one that a use refers to; without `new` the object is called
    (Scala 2.13 specification, 6.6 and 8.1.8).
    """
    chosen = [
        symbol
        for symbol in symbols
        if symbol.kind not in TYPES or bool(symbol.flags & SymbolFlag.STATIC) == (use not in (ANY, TYPE))
    ]
    return chosen or symbols


def _is_in_namespace_of(world: SymbolTable, symbol: Symbol, use: int) -> bool:
    """Whether a use can refer to a symbol. Java Language Specification 6.5: methods, variables and types have separate
    namespaces; the accessor of a record's component has its name (8.10.3).
    """
    if use >= CALLED:
        is_component = symbol.kind == SymbolKind.FIELD and world.symbol(symbol.parent).kind == SymbolKind.RECORD
        return symbol.kind in FUNCTIONS or symbol.kind in TYPES or is_component
    return symbol.kind in TYPES if use == TYPE else symbol.kind not in FUNCTIONS


def _fits_mark(world: SymbolTable, symbol: Symbol, mark: int) -> bool:
    """Whether a symbol fits the mark of a call beside the number of arguments: the labels, the number of type
    arguments, or the kinds of the arguments.
    """
    rules = languages()[world.file(symbol.file).language].symbols
    if rules.labels:
        return _fits_labels(symbol, mark)
    if rules.type_arity:
        return symbol.kind not in FUNCTIONS or can_be_given(symbol, mark & MOST_TYPES)
    return True


def accepts_arity(symbol: Symbol, arguments: int) -> bool:
    """Whether a function can be called with so many arguments; True for a symbol that is no function."""
    return symbol.kind not in FUNCTIONS or is_within(symbol.signature, CALLED + 1 + arguments)


def _fits_labels(symbol: Symbol, mark: int) -> bool:
    """Whether arguments with these labels fit a function; True for a symbol that is no function."""
    marks = _label_marks(symbol.signature) if symbol.kind in FUNCTIONS else None
    return marks is None or mark in marks


@functools.lru_cache(maxsize=20_000)
def _label_marks(signature: str) -> frozenset[int] | None:
    """The marks of the labels that calls can have: parameters with a default value may be left out, functions may
    follow the arguments; None for any.
    """
    if not signature.startswith("(") or "…" in signature:
        return None
    rows: set[tuple[str, ...]] = {()}
    for parameter in parameters_in(signature):
        words = parameter.partition(":")[0].split()
        label = "" if not words or words[0] == "_" else words[0].strip("`")
        optional = rows if DEFAULT.search(parameter) or SEVERAL.search(parameter) or _BLOCK.search(parameter) else ()
        rows = {(*row, label) for row in rows}.union(optional)
        if len(rows) > _MOST_ROWS:
            return None
    return frozenset(map(label_mark, rows))


_BLOCK: Final = re.compile(r"->|@escaping\b")  # Swift: a function, which may follow the arguments
_MOST_ROWS: Final = 1 << 13


def is_function_where_type_expected(world: SymbolTable, target: Target | None, use: int) -> bool:
    """Whether a name refers to a function in a type position, which the function does not hide."""
    return use == TYPE and target is not None and bool(target.symbol) and world.symbol(target.symbol).kind in FUNCTIONS


def is_uniform_access(symbol: Symbol) -> bool:
    """Whether to name a symbol is to call it, in languages with uniform access: a function without parameters."""
    has_none = symbol.signature in ("", "()") or CONTEXT_PARAMETERS.match(symbol.signature) is not None
    return has_none and symbol.kind in FUNCTIONS and symbol.kind != SymbolKind.CONSTRUCTOR


def is_callable(names: NameLookup, symbol: int, use: int) -> bool:
    """Whether a call can refer to a symbol, also as an extension whose first parameter is the receiver."""
    called = (names.world.symbol(symbol),)
    return bool(
        applicable(names, called, use)
        or (EXTENDED.match(called[0].signature) and applicable(names, called, with_receiver_argument(names, use)))
    )


def with_receiver_argument(names: NameLookup, use: int) -> int:
    """The same call with the receiver as its first argument."""
    if use <= CALLED:
        return use
    known = names.state(ArgumentTypes)
    argument_types = known.by_number[use - CALLED >> TYPES_GIVEN]
    return (
        CALLED
        + (use - CALLED & _OWN)
        + 1
        + (known.number_of((UNKNOWN, *argument_types)) << TYPES_GIVEN if argument_types else 0)
    )


def is_within(signature: str, use: int) -> bool:
    """Whether parameters can take the arguments of a call."""
    least, most = arity(signature)
    return use <= CALLED or _count(use) < 0 or least <= _count(use) <= most


def _count(use: int) -> int:
    """The number of a call's arguments; -1 where that is not known."""
    return (use - CALLED & _COUNT) - 1
