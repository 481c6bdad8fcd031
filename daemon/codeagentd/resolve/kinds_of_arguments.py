"""Arguments that say themselves what they are, as literals do: which parameters take them."""

from __future__ import annotations

import functools
import re
from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.facts import BLOCK, KIND, KINDS, KINDS_TOLD
from codeagentd.model.kinds import TYPES, SymbolKind

from .signatures import DEFAULT, SEVERAL, parameters_in
from .world import Symbol, World

_FUNCTION: Final = "function"  # the word for functions, which types take that the language does not bring along: interfaces with one method
_ARROW: Final = "\u2192"
_ARGUMENTS: Final = re.compile(r"<[^<>]*>")
_ANNOTATION: Final = re.compile(r"@\S+\s+")
_NAME: Final = re.compile(r"[\w.]+")
_PARAMETER: Final = re.compile(r"[A-Z]\d*")  # how type parameters are called: Kotlin coding conventions, "Naming rules"


def are_taken(world: World, symbol: Symbol, mark: int) -> bool:
    """Whether a function can be called with arguments of these kinds (model.facts); what is none is not asked."""
    kinds = languages()[world.file(symbol.file).language].arguments
    types = _types(symbol.signature) if kinds and symbol.kind not in TYPES else None
    if not types:
        return True
    words = tuple(kinds)
    for place in range(KINDS_TOLD):
        kind = mark >> KINDS + KIND * place & (1 << KIND) - 1
        if kind and not _takes(world, symbol, _at(types, place), words[kind - 1]):
            return False
    return not mark & BLOCK or _takes(world, symbol, types[-1][0], _FUNCTION)


@functools.lru_cache(maxsize=20_000)
def _types(signature: str) -> tuple[tuple[str, bool], ...]:
    """(type, whether it takes any number of arguments) of each parameter; () where they cannot be read."""
    if not signature.startswith("(") or "\u2026" in signature:
        return ()
    return tuple((_type(parameter), bool(SEVERAL.search(parameter))) for parameter in parameters_in(signature))


def _type(parameter: str) -> str:
    """The name of a parameter's type without arguments, or an arrow for a function's."""
    text = parameter.partition(":")[2].replace("->", _ARROW)
    text = DEFAULT.split(text, maxsplit=1)[0]
    while _ARGUMENTS.search(text):
        text = _ARGUMENTS.sub("", text)
    if _ARROW in text:
        return _ARROW
    name = _NAME.search(_ANNOTATION.sub("", text))
    return name[0].rpartition(".")[2] if name else ""


def _at(types: tuple[tuple[str, bool], ...], place: int) -> str:
    """The type that takes an argument; '' where there is none."""
    several = next((number for number, (_, takes_several) in enumerate(types) if takes_several), len(types))
    place = min(place, several)
    return types[place][0] if place < len(types) else ""


def _takes(world: World, symbol: Symbol, type_: str, word: str) -> bool:
    """Whether a parameter of a type can take an argument; one of which nothing is known may."""
    file = world.file(symbol.file)
    kinds = languages()[file.language].arguments
    if type_ == _ARROW:
        return word == _FUNCTION
    if not type_ or type_ in kinds[word] or _PARAMETER.fullmatch(type_):
        return True
    if any(type_ in types for types in kinds.values()):
        return False
    if ours := [one for one in world.named(type_, file.language) if one.kind in TYPES]:
        return any(one.kind == SymbolKind.TYPE or (word == _FUNCTION and one.kind == SymbolKind.INTERFACE) for one in ours)
    return word == _FUNCTION or all(entry.local != type_ for entry in world.imports(file.id))


def may_be(language: str, type_: str, base: str) -> bool:
    """Whether a value of a type from the language may be one of another type as well; of types that have others below them nobody knows."""
    kinds = [types for types in languages()[language].arguments.values() if type_ in types]
    return len(kinds) != 1 or base in kinds[0] or _PARAMETER.fullmatch(base) is not None
