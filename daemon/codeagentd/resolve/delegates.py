"""C#: what a call can mean by its type arguments, and by the functions that it gives in place of delegates. Source: standard ECMA-334, 12.5 and 12.6.4."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import ARGUMENTS, FUNCTION_ARGUMENTS, LABELS, MOST_FUNCTIONS, MOST_TYPES
from codeagentd.model.kinds import TYPES, SymbolKind

from .signatures import parameters_in
from .world import Symbol, World

# What a call gives is told as in the flags of references, without what stands before ARGUMENTS: 1 + the number of arguments, type arguments, functions.
_WIDTH: Final = FUNCTION_ARGUMENTS - ARGUMENTS
_MODE: Final = r"(?:(?:scoped|ref|in|readonly)\s+)*"  # words in front of a type that say how it is passed
EXTENDED: Final = re.compile(  # parameters of which the first says that the method is called on its values
    rf"\(\s*(?:\[[^\]]*\]\s*)*{_MODE}this\s+{_MODE}((?:[^\s<>,()]|<[^()]*>)+\??)\s+@?\w+\s*[,)]"
)
DELEGATE: Final = re.compile(  # a parameter; the name of its type and the type arguments, of an expression tree those inside
    r"(?:\w+\s+)*?(?:[\w.]*\bExpression<)?(?:\w+\.)*(\w+)(?:<(.*?)>)?>?\??\s+@?\w+(?:\s*=.*)?$", re.DOTALL
)
_TYPE_PARAMETERS: Final = re.compile(r"<([^<>]*)>$")
_OF_INTERFACE: Final = re.compile(r"\.\s*(?:<[^<>]*>)?$")
_HEAD: Final = re.compile(r"(?:[\w.]+\.)?(\w+)")  # the name of a written type, without what it stands in
_ANY_VALUE: Final = re.compile(r"(?<!\bthis )\b(?:object|dynamic)\b\??\s+\w")  # a parameter of these types
_PREDEFINED: Final = frozenset({
    "bool", "byte", "char", "decimal", "double", "float", "int", "long", "object", "sbyte", "short", "string", "uint", "ulong", "ushort",
})  # fmt: skip


def type_parameters(symbol: Symbol) -> list[str]:
    """The names of a definition's type parameters."""
    found = _TYPE_PARAMETERS.search(symbol.head) if symbol.head else None
    return [one.split()[-1] for one in found[1].split(",") if one.strip()] if found else []


def type_arity(symbol: Symbol) -> int:
    """How many type parameters a definition has."""
    return len(type_parameters(symbol))


def is_explicit(symbol: Symbol) -> bool:
    """Whether only an interface has a member, though a class defines it: `void IHold.Fill()` (18.6.2)."""
    return _OF_INTERFACE.search(symbol.head) is not None


def as_extension(given: int) -> int:
    """The same call with the receiver as its first argument."""
    functions = (given >> _WIDTH << 1) & ((1 << MOST_FUNCTIONS) - 1)
    return (given & (1 << _WIDTH) - 1) + 1 | functions << _WIDTH


def can_be_given(world: World, function: Symbol, given: int) -> bool:
    """Whether a function has as many type parameters as a call says, if it says any, and takes a function wherever one is given."""
    types = given >> LABELS & MOST_TYPES
    return (not types or type_arity(function) == types) and all(_can_take(world, function, at) for at in _functions(given))


def better(world: World, symbols: Sequence[Symbol], given: int, count: int) -> Sequence[Symbol]:
    """Of several choices those that want no functions in place of other values, and the least that takes anything, as an object."""
    places = [at for at in range(min(count, MOST_FUNCTIONS)) if at not in _functions(given)]
    worth = {symbol: (sum(_wants(world, symbol, at) for at in places), len(_ANY_VALUE.findall(symbol.signature))) for symbol in symbols}
    return [symbol for symbol in symbols if worth[symbol] == min(worth.values())]


def may_hold_delegate(world: World, value: Symbol) -> bool:
    """Whether what is called can be a value: it holds a delegate, and no other type of the repository."""
    said = _HEAD.match(value.returns or value.type)
    return said is None or _may_be_delegate(world, said[1], world.file(value.file).language)


def _functions(given: int) -> list[int]:
    """Which of the first arguments of a call are functions that are written there."""
    return [at for at in range(MOST_FUNCTIONS) if given >> _WIDTH >> at & 1]


def _can_take(world: World, symbol: Symbol, at: int) -> bool:
    """Whether a parameter may be a delegate, which a function converts to: neither a type parameter nor another type of the repository or the language."""
    said = _delegate(symbol, at)
    if said is None:
        return True
    outer = type_parameters(world.symbol(symbol.parent)) if symbol.parent else []
    if said in _PREDEFINED or said in type_parameters(symbol) or said in outer:
        return False
    return _may_be_delegate(world, said, world.file(symbol.file).language)


def _may_be_delegate(world: World, name: str, language: str) -> bool:
    """Whether a type of this name is a delegate, or none of the repository."""
    kinds = [one.kind for one in world.named(name, language) if one.kind in TYPES]
    return not kinds or SymbolKind.DELEGATE in kinds


def _wants(world: World, symbol: Symbol, at: int) -> bool:
    """Whether a parameter is sure to be a delegate."""
    language = world.file(symbol.file).language
    said = _delegate(symbol, at) or ""
    return said in languages()[language].types.delegates or any(one.kind == SymbolKind.DELEGATE for one in world.named(said, language))


def _delegate(symbol: Symbol, at: int) -> str | None:
    """The name of the type of a parameter, of an expression tree's that of its function."""
    parameters = parameters_in(symbol.signature)
    found = DELEGATE.match(parameters[at]) if at < len(parameters) else None
    return found[1] if found else None
