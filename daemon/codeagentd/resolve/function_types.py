"""Function types as TypeScript writes them, also behind names: what such a function takes, and what it gives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from codeagentd.languages.language import languages
from codeagentd.model.facts import CALL_SIGNATURES
from codeagentd.model.kinds import SymbolKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .names import Names
    from .targets import Target
    from .world import Symbol

_SIGN: Final = re.compile(r"=>|['\"`][^'\"`]*['\"`]|[(\[{<>}\])]|[,|&:=]")
_NAME: Final = re.compile(r"([\w$]+(?:\.[\w$]+)*)(?:<.*>)?")
_LITERAL: Final = re.compile(r"['\"`].*['\"`]|-?[\d.]+|true|false")
_DEEPEST: Final = 4  # names of types for names of types
_OPENING: Final = frozenset("([{<")
_CLOSING: Final = frozenset(")]}>")
_NOTHING: Final = frozenset({"null", "undefined", "void", "never"})
_REST: Final = "..."
_LISTS: Final = ("Array<", "ReadonlyArray<")


class Function(NamedTuple):
    """One function type: where it is written, its parameters and its result as written ('' = none)."""

    place: Symbol
    parameters: list[str]
    result: str


class Functions(NamedTuple):
    """The function types that a text means, and whether that is all that it means."""

    found: list[Function]
    is_whole: bool


def functions_in(names: Names, place: Symbol, text: str, depth: int = 0) -> Functions:
    """What may be called of a value whose type is written like this at a place: each part of a union or intersection, also behind the names of types."""
    found: list[Function] = []
    is_whole = True
    for one in parts(text):
        if function := apart(one):
            found.append(Function(place, *function))
            continue
        below = functions_in(names, place, one, depth) if parts(one) != [one] else _named(names, place, one, depth)
        if below is not None:
            found += below.found
        is_whole = is_whole and (below.is_whole if below is not None else _is_uncallable(names, place, one))
    return Functions(found, is_whole)


def functions_of(names: Names, symbol: Symbol) -> Functions:
    """What may be called of a value of a type of the repository: the call signatures of an interface, what an alias means."""
    return functions_in(names, symbol, symbol.type) if _is_written_out(symbol) else Functions([], False)


def given(names: Names, functions: Functions, owner: int = 0) -> Target | None:
    """What functions give, if they agree; `owner` is the type that was asked for them."""
    return agreed([names.values.declared(one.place, one.result, owner) for one in functions.found], is_sure=functions.is_whole)


def agreed(several: Sequence[Target | None], *, is_sure: bool) -> Target | None:
    """What several declarations say that all mean one thing, no more than plausible where one says nothing; None where they do not agree."""
    known = [one for one in several if one is not None]
    if not known or any(one != known[0] and (one.symbol, one.instance) != (known[0].symbol or -1, known[0].instance) for one in known):
        return None
    return known[0] if is_sure and len(known) == len(several) else known[0].inferred()


def _named(names: Names, place: Symbol, text: str, depth: int) -> Functions | None:
    """The functions that the name of a type of the repository stands for; None where it is none of such a name."""
    name = _NAME.fullmatch(text)
    target = names.expression(place, name[1]) if name and depth < _DEEPEST else None
    symbol = names.world.symbol(target.symbol) if target and target.symbol else None
    if target is None or symbol is None or not _is_written_out(symbol):
        return None
    below = functions_in(names, symbol, symbol.type, depth + 1)
    return Functions(below.found, below.is_whole and not target.confidence)


def _is_written_out(symbol: Symbol) -> bool:
    """Whether a type says by its text what can be called."""
    return symbol.type.startswith(CALL_SIGNATURES) if symbol.kind == SymbolKind.INTERFACE else symbol.kind == SymbolKind.TYPE and bool(symbol.type)


def _is_uncallable(names: Names, place: Symbol, text: str) -> bool:
    """Whether a type is certainly none of a function: a literal, or one of the language's own values."""
    return text in languages()[names.world.file(place.file).language].types.built_in or _LITERAL.fullmatch(text) is not None


def type_of(parameters: list[str], number: int) -> str:
    """The type of what stands in a place of a call, by the parameter that takes it; '' when none says it. `this` is no parameter."""
    kept = [pieces for one in parameters if (pieces := cut(one, ":"))[0].strip() != "this"]
    for at, pieces in enumerate(kept[: number + 1]):
        said = cut(":".join(pieces[1:]), "=")[0].strip()
        if pieces[0].strip().startswith(_REST):
            return _element(said, number - at)
        if at == number:
            return said
    return ""


def _element(text: str, number: int) -> str:
    """The type of one of those that a rest parameter takes: of a list or tuple."""
    text = text.removeprefix("readonly ").strip()
    if text.startswith("[") and text.endswith("]") and len(cut(text, "]")) == 2:
        inside = [one.strip() for one in cut(text[1:-1], ",") if one.strip()]
        spread = next((at for at, one in enumerate(inside) if one.startswith(_REST)), len(inside))
        if number < spread:
            return inside[number] if number < len(inside) else ""
        return _element(inside[spread].removeprefix(_REST), 0) if spread == len(inside) - 1 else ""
    if len(cut(text, "|")) > 1:
        return ""
    if text.endswith("[]"):
        return text.removesuffix("[]").strip()
    head = next((one for one in _LISTS if text.startswith(one)), "")
    return text[len(head) : -1].strip() if head and text.endswith(">") else ""


def parts(text: str) -> list[str]:
    """The parts of a union, else of an intersection, besides the nothings; what stands behind an arrow is part of a result."""
    text = _bare(text)
    if apart(text):
        return [text]
    union = cut(text, "|")
    found = (_bare(one) for one in (union if len(union) > 1 else cut(text, "&")))
    return [one for one in found if one and one not in _NOTHING]


def parameters_of(signature: str) -> list[str]:
    """The parameters of a signature, `(a: A, b: B)`; none where it is something else, or cut off."""
    end = _end(signature)
    return cut(signature[1:end], ",") if end and not signature[end + 1 :].strip() else []


def apart(text: str) -> tuple[list[str], str] | None:
    """Parameters and result of a function type, `(a: A, b: B) => C`."""
    end = _end(text)
    behind = text[end + 1 :].lstrip() if end else ""
    return (cut(text[1:end], ","), behind.removeprefix("=>").strip()) if behind.startswith("=>") else None


def _bare(text: str) -> str:
    """A text without the parentheses around all of it."""
    text = text.strip()
    while _end(text) == len(text) - 1 > 0:
        text = text[1:-1].strip()
    return text


def _end(text: str) -> int:
    """Where the parenthesis is closed that a text begins with; 0 = nowhere."""
    depth = 0
    for sign in _SIGN.finditer(text) if text.startswith("(") else ():
        depth += (sign[0] in _OPENING) - (sign[0] in _CLOSING)
        if not depth:
            return sign.start()
    return 0


def cut(text: str, at: str) -> list[str]:
    """A text cut at a sign outside of brackets; an arrow is no bracket."""
    found, depth, start = [], 0, 0
    for sign in _SIGN.finditer(text):
        depth += (sign[0] in _OPENING) - (sign[0] in _CLOSING)
        if sign[0] == at and not depth:
            found.append(text[start : sign.start()])
            start = sign.end()
    return [*found, text[start:]]
