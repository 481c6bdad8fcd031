"""Overload resolution: the choice among several symbols of one name by the use of the name and the number of
arguments.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final

from codeagentd.languages.language import SymbolRules, languages
from codeagentd.model.facts import MOST_TYPES, label_mark
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.symbol_table import Symbol, SymbolTable
from codeagentd.resolve.syntax.signatures import CONTEXT_PARAMETERS, DEFAULT, MANY, SEVERAL, arity, parameters_in
from codeagentd.resolve.targets import Target
from codeagentd.resolve.usage import ANY, EITHER, STATIC, TYPE, VALUE, ArgumentType, Side, Usage

from .conversion_ranking import are_applicable, are_certainly_applicable, most_specific_for
from .csharp_delegates import EXTENDED, can_be_given, is_explicit, may_hold_delegate

FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR})
_NO_VALUES: Final = frozenset({SymbolKind.TRAIT, SymbolKind.TYPE})


def rules_of(world: SymbolTable, symbols: Sequence[Symbol]) -> SymbolRules:
    """The rules of the language of `symbols`, which share one name. If a package is written in several languages, it is
    that of the first symbol by path.
    """
    first = symbols[0]
    if any(symbol.file != first.file for symbol in symbols):
        first = min(symbols, key=lambda symbol: world.file(symbol.file).path)
    return languages()[world.file(first.file).language].symbols


def applicable(names: NameLookup, symbols: Sequence[Symbol], use: Usage) -> Sequence[Symbol]:
    """Return those of `symbols`, all with one name in one place, to which `use` can refer. Languages that do not tell
    them apart return all of them.
    """
    world = names.world
    rules = rules_of(world, symbols)
    if rules.separate_members and use not in (ANY, TYPE):
        members = _rust_members(symbols, use)
        if not rules.overloads:
            return members
        symbols = members or symbols  # Kotlin: a property may hold what is called
    if (use is ANY and not rules.objects) or not (rules.overloads or rules.separate_values):
        return symbols
    if rules.separate_values and (use is not TYPE or rules.separate_types):
        symbols = [symbol for symbol in symbols if _is_in_namespace_of(world, symbol, use)]
    if use in (TYPE, VALUE) and rules.objects:  # Scala: names of types and of values are apart
        symbols = [
            symbol for symbol in symbols if (symbol.kind in TYPES if use is TYPE else symbol.kind not in _NO_VALUES)
        ]
    if use is TYPE and len(symbols) > 1:
        symbols = [symbol for symbol in symbols if symbol.kind in TYPES] or symbols
    if rules.objects and len(symbols) > 1:
        symbols = _class_or_companion(symbols, use)
    if use is VALUE and len(symbols) > 1 and rules.uniform_access:
        symbols = [symbol for symbol in symbols if accepts_arity(symbol, 0)] or symbols
    if rules.invocable:
        symbols = [symbol for symbol in symbols if not is_explicit(symbol)]
    if rules.invocable and (use is TYPE or use.is_call):
        symbols = [
            symbol
            for symbol in symbols
            if symbol.kind in TYPES or (use.is_call and (symbol.kind in FUNCTIONS or may_hold_delegate(world, symbol)))
        ]
    if use.has_arguments:
        mark, count = use.mark, use.arguments
        if use.types:
            symbols = [
                symbol for symbol in symbols if symbol.kind not in FUNCTIONS or are_applicable(names, symbol, use.types)
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


def _rust_members(symbols: Sequence[Symbol], use: Usage) -> Sequence[Symbol]:
    """Rust: a called name is no field; a name that is not called is a field where there is one, else a function that is
    passed on (The Rust Reference, "Namespaces").
    """
    if use.is_call:
        return [symbol for symbol in symbols if symbol.kind not in (SymbolKind.FIELD, SymbolKind.PROPERTY)]
    return [symbol for symbol in symbols if symbol.kind not in FUNCTIONS] or symbols


def filter_static(world: SymbolTable, symbols: Sequence[Symbol], side: Side) -> Sequence[Symbol]:
    """Return those of `symbols`, members with one name, that belong to the type (STATIC) or to its objects (INSTANCE).
    They are returned unchanged if none does, or if the language does not tell them apart.
    """
    if side is EITHER or len(symbols) == 1 or not rules_of(world, symbols).separate_static:
        return symbols
    return [symbol for symbol in symbols if _is_of_type(symbol) == (side is STATIC)] or symbols


def _is_of_type(symbol: Symbol) -> bool:
    return bool(symbol.flags & SymbolFlag.STATIC) or symbol.kind in TYPES or symbol.kind == SymbolKind.ENUM_MEMBER


def without_default_implementations(symbols: Sequence[Symbol]) -> Sequence[Symbol]:
    """Return `symbols`, members with one name, without the default implementations of requirements among them: the
    requirement stands for these.
    """
    required = {symbol.signature for symbol in symbols if symbol.flags & SymbolFlag.ABSTRACT}
    if not required or len(symbols) == 1:
        return symbols
    return [symbol for symbol in symbols if symbol.flags & SymbolFlag.ABSTRACT or symbol.signature not in required]


def most_specific(names: NameLookup, symbols: Sequence[Symbol], use: Usage) -> tuple[Sequence[Symbol], bool]:
    """Return (the overloads among `symbols` that take the arguments of `use` best, whether the types of the arguments
    leave no doubt). Without such types, overloads that need no default value come first.

    In languages without overloads all of `symbols` are returned.

    Source: Kotlin language specification, "Choosing the most specific candidate from the overload candidate set"; C#
            standard ECMA-334, 12.6.4.3.
    """
    world = names.world
    rules = rules_of(world, symbols) if len(symbols) > 1 and use.has_arguments else None
    if rules is None or not (rules.overloads or rules.headers == "types"):
        return symbols, False
    if all(symbol.kind in FUNCTIONS for symbol in symbols):
        symbols, is_sure = (
            _with_fixed_arity(names, symbols, use.types, use.arguments)
            if not (rules.extensions or rules.invocable)
            else (symbols, False)
        )
        if len(symbols) > 1 and use.types:
            symbols, is_sure = most_specific_for(names, symbols, use.types)
        if len(symbols) == 1:
            return symbols, is_sure
    return [symbol for symbol in symbols if arity(symbol.signature)[1] == use.arguments] or symbols, False


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


def _class_or_companion(symbols: Sequence[Symbol], use: Usage) -> Sequence[Symbol]:
    """Scala: of a class and its companion object the one that a use refers to; without `new` the object is called
    (Scala 2.13 specification, 6.6 and 8.1.8).
    """
    chosen = [
        symbol
        for symbol in symbols
        if symbol.kind not in TYPES or bool(symbol.flags & SymbolFlag.STATIC) == (use not in (ANY, TYPE))
    ]
    return chosen or symbols


def _is_in_namespace_of(world: SymbolTable, symbol: Symbol, use: Usage) -> bool:
    """Whether a use can refer to a symbol. Java Language Specification 6.5: methods, variables and types have separate
    namespaces; the accessor of a record's component has its name (8.10.3).
    """
    if use.is_call:
        is_component = symbol.kind == SymbolKind.FIELD and world.symbol(symbol.parent).kind == SymbolKind.RECORD
        return symbol.kind in FUNCTIONS or symbol.kind in TYPES or is_component
    return symbol.kind in TYPES if use is TYPE else symbol.kind not in FUNCTIONS


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
    """Whether `symbol` can be called with as many arguments as `arguments` says; True for a symbol that is
    no function.
    """
    return symbol.kind not in FUNCTIONS or is_within(symbol.signature, arguments)


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
        label = _label(parameter)
        optional = rows if DEFAULT.search(parameter) or SEVERAL.search(parameter) or _BLOCK.search(parameter) else ()
        rows = {(*row, label) for row in rows}.union(optional)
        if len(rows) > _MOST_ROWS:
            return None
    return frozenset(map(label_mark, rows))


def labels(signature: str) -> list[str]:
    """The labels of a function's parameters, which are part of its name; '' for one without a label."""
    return [_label(parameter) for parameter in parameters_in(signature)]


def _label(parameter: str) -> str:
    words = parameter.partition(":")[0].split()
    return "" if not words or words[0] == "_" else words[0].strip("`")


_BLOCK: Final = re.compile(r"->|@escaping\b")  # Swift: a function, which may follow the arguments
_MOST_ROWS: Final = 1 << 13


def is_function_where_type_expected(world: SymbolTable, target: Target | None, use: Usage) -> bool:
    """Whether a name in a type position was resolved to a function: lookup has to go on, since a function hides no
    type.
    """
    return use is TYPE and target is not None and bool(target.symbol) and world.symbol(target.symbol).kind in FUNCTIONS


def is_uniform_access(symbol: Symbol) -> bool:
    """Whether `symbol` is a function without parameters: in languages with uniform access, to name it is to call it."""
    has_none = symbol.signature in ("", "()") or CONTEXT_PARAMETERS.match(symbol.signature) is not None
    return has_none and symbol.kind in FUNCTIONS and symbol.kind != SymbolKind.CONSTRUCTOR


def is_callable(names: NameLookup, symbol: int, use: Usage) -> bool:
    """Whether the call `use` can refer to the symbol with the id `symbol`, also as an extension whose first parameter
    is the receiver.
    """
    called = (names.world.symbol(symbol),)
    return bool(
        applicable(names, called, use)
        or (EXTENDED.match(called[0].signature) and applicable(names, called, use.with_receiver_argument()))
    )


def is_within(signature: str, arguments: int) -> bool:
    """Whether the parameters `signature` can take as many arguments as `arguments` says; True if that is
    -1, unknown.
    """
    least, most = arity(signature)
    return arguments < 0 or least <= arguments <= most
