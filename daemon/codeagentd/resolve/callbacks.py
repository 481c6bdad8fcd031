"""What a function gets that is handed to another: a parameter that says no type has the one that the callee declares for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import LAST_ARGUMENT
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind

from . import closures
from .closures import Argument
from .delegates import DELEGATE, EXTENDED
from .signatures import parameters_in
from .targets import Target

if TYPE_CHECKING:
    from .names import Names
    from .world import Symbol

_SIGN: Final = re.compile(r"=>|['\"`][^'\"`]*['\"`]|[(\[{<>}\])]|[,|:=]")
_NAME: Final = re.compile(r"([\w$]+(?:\.[\w$]+)*)(?:<.*>)?")
_DEEPEST: Final = 3  # names of types for names of types
_OPENING: Final = frozenset("([{<")
_CLOSING: Final = frozenset(")]}>")
_NOTHING: Final = frozenset({"null", "undefined", "void", "never"})


def given(names: Names, callee: Target | None, place: tuple[int, int, str], known: Argument) -> Target | None:
    """What a call hands to a function; `place`: (which argument that is, which of its parameters is meant, both from 0, the argument's label).

    Exact where there is one signature, and it says itself that it takes such a function in that place, or nothing.
    """
    argument, parameter, _ = place
    if callee and callee.hands and argument in (0, LAST_ARGUMENT) and not parameter:
        return callee.hands
    if callee is None or not callee.symbol or callee.instance:
        return None
    called = names.world.symbol(callee.symbol)
    if languages()[names.world.file(called.file).language].types.arrow:
        return closures.given(names, called, callee, place, known)
    symbol = _called(names, callee)
    if symbol is None:
        return None
    if delegates := languages()[names.world.file(symbol.file).language].types.delegates:
        return _delegated(names, symbol, callee, argument, parameter, delegates)
    taken = alternatives(type_of(parameters_of(symbol.signature or symbol.type), argument))
    functions = _functions(names, symbol, taken)
    said = type_of(functions[0][1], parameter) if len(functions) == 1 else ""
    found = names.values.declared(functions[0][0], said, callee.owner or symbol.parent) if said else None
    if found is None or not found.symbol:
        return None
    is_sure = len(taken) == 1 and functions[0][0] is symbol and not symbol.flags & SymbolFlag.OVERLOADED
    return found.after(callee) if is_sure else found.inferred()


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


def _functions(names: Names, place: Symbol, taken: list[str], depth: int = 0) -> list[tuple[Symbol, list[str]]]:
    """(where it is written, its parameters) of each function type among several, also behind the names of types."""
    found: list[tuple[Symbol, list[str]]] = []
    for one in taken:
        if inside := parameters_of(one):
            found.append((place, inside))
        elif depth < _DEEPEST and (name := _NAME.fullmatch(one)) and (target := names.expression(place, name[1])) and target.symbol:
            alias = names.world.symbol(target.symbol)
            if alias.kind == SymbolKind.TYPE:
                found += _functions(names, alias, alternatives(alias.type), depth + 1)
    return found


def _called(names: Names, callee: Target) -> Symbol | None:
    """What a call runs: of a type its constructor."""
    symbol = names.world.symbol(callee.symbol)
    if symbol.kind not in TYPES:
        return symbol
    for word in languages()[names.world.file(symbol.file).language].symbols.constructors:
        if (found := names.inheritance.member(symbol.id, word)) and found.symbol:
            return names.world.symbol(found.symbol)
    return None


def type_of(parameters: list[str], number: int) -> str:
    """The type of one of several parameters, '' when it says none; `this` is none of them."""
    kept = [pieces for one in parameters if (pieces := cut(one, ":"))[0].strip() != "this"]
    if number >= len(kept) or any("..." in pieces[0] for pieces in kept[: number + 1]):
        return ""
    return cut(":".join(kept[number][1:]), "=")[0].strip()


def alternatives(text: str) -> list[str]:
    """A union's parts besides the nothings; what stands behind an arrow is part of a result."""
    if parameters_of(text):
        return [text]
    return [one.strip() for one in cut(text, "|") if one.strip() and one.strip() not in _NOTHING]


def parameters_of(text: str) -> list[str]:
    """The parameters of a signature or function type, `(a: A, b: B)` with or without a result; none where it is something else."""
    text = text.strip()
    depth = 0
    for sign in _SIGN.finditer(text) if text.startswith("(") else ():
        depth += (sign[0] in _OPENING) - (sign[0] in _CLOSING)
        if not depth:
            inside, behind = text[1 : sign.start()], text[sign.end() :].lstrip()
            if behind and not behind.startswith("=>"):
                return []
            return parameters_of(inside) if not behind and parameters_of(inside) else cut(inside, ",")
    return []


def cut(text: str, at: str) -> list[str]:
    """A text cut at a sign outside of brackets; an arrow is no bracket."""
    found, depth, start = [], 0, 0
    for sign in _SIGN.finditer(text):
        depth += (sign[0] in _OPENING) - (sign[0] in _CLOSING)
        if sign[0] == at and not depth:
            found.append(text[start : sign.start()])
            start = sign.end()
    return [*found, text[start:]]
