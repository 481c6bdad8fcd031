"""What a function gets that is handed to another: a parameter that says no type has the one that the callee declares for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import TYPES, SymbolFlag

from .targets import Target

if TYPE_CHECKING:
    from .names import Names
    from .world import Symbol

_SIGN: Final = re.compile(r"=>|['\"`][^'\"`]*['\"`]|[(\[{<>}\])]|[,|:=]")
_OPENING: Final = frozenset("([{<")
_CLOSING: Final = frozenset(")]}>")
_NOTHING: Final = frozenset({"null", "undefined", "void", "never"})


def given(names: Names, callee: Target | None, argument: int, parameter: int) -> Target | None:
    """What a call hands to a function that is one of its arguments; both counted from 0.

    Exact where there is one signature, and all that it takes in that place is a function or nothing.
    """
    symbol = _called(names, callee) if callee and callee.symbol and not callee.instance else None
    if symbol is None or callee is None:
        return None
    said, is_sure = declared_for(symbol.signature or symbol.type, argument, parameter)
    found = names.values.declared(symbol, said, callee.owner or symbol.parent) if said else None
    if found is None or not found.symbol:
        return None
    return found.after(callee) if is_sure and not symbol.flags & SymbolFlag.OVERLOADED else found.inferred()


def _called(names: Names, callee: Target) -> Symbol | None:
    """What a call runs: of a type its constructor."""
    symbol = names.world.symbol(callee.symbol)
    if symbol.kind not in TYPES:
        return symbol
    for word in languages()[names.world.file(symbol.file).language].symbols.constructors:
        if (found := names.type_member(symbol.id, word)) and found.symbol:
            return names.world.symbol(found.symbol)
    return None


def declared_for(signature: str, argument: int, parameter: int) -> tuple[str, bool]:
    """(the type of a parameter of the function that a signature takes as one of its arguments, whether it takes nothing else there); '' = it says none."""
    taken = _alternatives(_typed(_parameters(signature), argument))
    functions = [inside for one in taken if (inside := _parameters(one))]
    return (_typed(functions[0], parameter), len(taken) == 1) if len(functions) == 1 else ("", False)


def _typed(parameters: list[str], number: int) -> str:
    """The type of one of several parameters; `this` is none."""
    kept = [pieces for one in parameters if (pieces := cut(one, ":"))[0].strip() != "this"]
    if number >= len(kept) or any("..." in pieces[0] for pieces in kept[: number + 1]):
        return ""
    return cut(":".join(kept[number][1:]), "=")[0].strip()


def _alternatives(text: str) -> list[str]:
    """A union's parts besides the nothings; what stands behind an arrow is part of a result."""
    if _parameters(text):
        return [text]
    return [one.strip() for one in cut(text, "|") if one.strip() and one.strip() not in _NOTHING]


def _parameters(text: str) -> list[str]:
    """The parameters of a signature or function type, `(a: A, b: B)` with or without a result; none where it is something else."""
    text = text.strip()
    depth = 0
    for sign in _SIGN.finditer(text) if text.startswith("(") else ():
        depth += (sign[0] in _OPENING) - (sign[0] in _CLOSING)
        if not depth:
            inside, behind = text[1 : sign.start()], text[sign.end() :].lstrip()
            if behind and not behind.startswith("=>"):
                return []
            return _parameters(inside) if not behind and _parameters(inside) else cut(inside, ",")
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
