"""Function types as TypeScript writes them, also by the names of types: their parameters and their results."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from codeagentd.languages.language import languages
from codeagentd.model.facts import CALL, CALL_SIGNATURES, EXPRESSION, MORE
from codeagentd.model.kinds import SymbolFlag, SymbolKind
from codeagentd.resolve.interface import NameLookup
from codeagentd.resolve.query_cache import QueryCache
from codeagentd.resolve.symbol_table import Symbol
from codeagentd.resolve.targets import Target

_SIGN: Final = re.compile(r"=>|['\"`][^'\"`]*['\"`]|[(\[{<>}\])]|[,;|&:=]")
_NAME: Final = re.compile(r"([\w$]+(?:\.[\w$]+)*)(?:<(.*)>)?", re.DOTALL)
_ARGUMENT: Final = re.compile(r"\$(\d)")
_LITERAL: Final = re.compile(r"['\"`].*['\"`]|-?[\d.]+|true|false")
_MOST: Final = 50  # names of types that stand for each other which are looked at for one value
_MOST_RESULTS: Final = 4  # results of functions that are called in their turn
_OPENING: Final = frozenset("([{<")
_CLOSING: Final = frozenset(")]}>")
_NOTHING: Final = frozenset({"null", "undefined", "void", "never"})
_REST: Final = "..."
_LISTS: Final = ("Array<", "ReadonlyArray<")


class Function(NamedTuple):
    """One function type as it is written at `place`: its parameters, and its result, '' for none."""

    place: Symbol
    parameters: tuple[str, ...]
    result: str


class Functions(NamedTuple):
    """The function types that a type denotes. `is_whole` says whether these are all that it denotes."""

    found: list[Function]
    is_whole: bool


def functions_in(names: NameLookup, place: Symbol, text: str) -> Functions:
    """Return the function types that the type `text` denotes, as written at `place`: each part of a union or
    intersection, also through the names of types.
    """
    if not text:
        return Functions([], True)
    known = names.state(_function_cache)
    return known.get_or_compute((place.id, text), Functions([], False), _functions, names, place, text, set[int]())


def _function_cache(names: NameLookup) -> QueryCache[tuple[int, str], Functions]:
    """A cache of function types by the place at which a type is written, and its text."""
    return QueryCache(names.queries)


def _functions(names: NameLookup, place: Symbol, text: str, seen: set[int]) -> Functions:
    """The same. `seen` are types by whose names the text was reached, and whose functions are counted already."""
    result: list[Function] = []
    is_whole = True
    for part in parts(text):
        if function := parse_function_type(part):
            result.append(Function(place, *function))
            continue
        below = _functions(names, place, part, seen) if parts(part) != (part,) else _named(names, place, part, seen)
        if below is not None:
            result += below.found
        is_whole = is_whole and (below.is_whole if below is not None else _is_uncallable(names, place, part))
    return Functions([*{(part.place.id, part.parameters, part.result): part for part in result}.values()], is_whole)


def functions_of(names: NameLookup, symbol: Symbol) -> Functions:
    """Return the function types that values of the type `symbol` have: the call signatures of an interface, the
    function types of an alias.
    """
    return functions_in(names, symbol, symbol.type) if _says_calls(symbol) else Functions([], False)


def functions_at(names: NameLookup, place: Symbol, text: str, keys: Sequence[str]) -> Functions:
    """Return the function types of a member of an object whose type is written as `text` at `place`. `keys` lead to the
    member; without any it is the object itself.
    """
    if not keys:
        return functions_in(names, place, text)
    if keys[0] == CALL:
        called = functions_in(names, place, text)
        results = {(function.place.id, function.result): function.place for function in called.found}
        if len(results) > _MOST_RESULTS:
            return Functions([], False)
        groups = [functions_at(names, scope, result, keys[1:]) for (_, result), scope in results.items()]
        return Functions(
            [function for group in groups for function in group.found],
            called.is_whole and all(group.is_whole for group in groups),
        )
    if (written := [part for part in parts(text) if part.startswith("{")]) and len(parts(text)) == 1:
        return functions_at(names, place, member_of(written[0], keys[0]), keys[1:])
    owner = names.values.type_of_annotation(place, text) if text else None
    member = names.member(owner, keys[0], place) if owner and owner.symbol and owner.instance else None
    if member is None or not member.symbol:
        return Functions([], not text)
    symbol = names.world.symbol(member.symbol)
    if keys[1:]:
        type_text = symbol.returns or symbol.type
        functions = functions_at(names, symbol, "" if type_text.startswith(EXPRESSION) else type_text, keys[1:])
    else:
        functions = signatures(names, member, symbol)
    return Functions(functions.found, functions.is_whole and not member.confidence)


def signatures(names: NameLookup, callee: Target, symbol: Symbol) -> Functions:
    """Return the function types of `callee`, whose symbol is `symbol`: of a function by its parameters, of a value by
    its type.
    """
    if callee.instance:
        return functions_of(names, symbol)
    if symbol.signature and symbol.kind != SymbolKind.PROPERTY:
        inside = parameters_of(symbol.signature)
        return Functions(
            [Function(symbol, inside, symbol.returns)] if inside else [], not symbol.flags & SymbolFlag.OVERLOADED
        )
    text = symbol.returns or symbol.type
    if text and not text.startswith(EXPRESSION):
        return functions_in(names, symbol, text)
    value = names.values.type_of_target(callee)
    return (
        functions_of(names, names.world.symbol(value.symbol))
        if value and value.instance and value.symbol
        else Functions([], False)
    )


@functools.lru_cache(maxsize=20_000)
def member_of(text: str, key: str) -> str:
    """Return the type of the member `key` of the object type `text`, else of its index signature; '' if it
    has neither.
    """
    any_ = ""
    for entry in (
        part for line in split_top_level(text[1:].removesuffix("}"), ";") for part in split_top_level(line, ",")
    ):
        name, *type_ = split_top_level(entry, ":")
        # a method: `lend(count: number): Book`
        name, *parameters = name.strip().removeprefix("readonly ").partition("(")
        name = name.strip().rstrip("?").strip()
        if name == key:
            return f"({parameters[1]} => {':'.join(type_).strip()}" if parameters[0] else ":".join(type_).strip()
        any_ = any_ or (":".join(type_).strip() if name.startswith("[") else "")
    return any_


def is_complete(text: str) -> bool:
    """Whether the object type `text` lists all its members: it is not cut off, contains no quoted literals, and embeds
    no other type.
    """
    return text.count("{") == text.count("}") and "'" not in text and not member_of(text, MORE)


def common_return_type(names: NameLookup, functions: Functions, owner: int = 0) -> Target | None:
    """Infer the type of the result of `functions` if they agree, else None. `owner` is the type of the receiver, 0 for
    none.
    """
    return common_type(
        [names.values.type_of_annotation(function.place, function.result, owner) for function in functions.found],
        is_sure=functions.is_whole,
    )


def common_type(several: Sequence[Target | None], *, is_sure: bool) -> Target | None:
    """Return the type that `several` declarations of the same thing agree on, else None. The result is inferred if one
    of them has no known type, or unless `is_sure`.
    """
    known = [target for target in several if target is not None]
    if not known or any(
        target != known[0] and (target.symbol, target.instance) != (known[0].symbol or -1, known[0].instance)
        for target in known
    ):
        return None
    return known[0] if is_sure and len(known) == len(several) else known[0].inferred()


def _named(names: NameLookup, place: Symbol, text: str, seen: set[int]) -> Functions | None:
    """The functions that the name of a type of the repository stands for; None where it names no such type."""
    name = _NAME.fullmatch(text)
    target = names.expression(place, name[1]) if name else None
    if name and target and target.outside:
        known = languages()[names.world.file(place.file).language].types.signatures.get(target.outside.name, "")
        return _functions(names, place, _filled(known, split_top_level(name[2] or "", ",")), seen) if known else None
    symbol = names.world.symbol(target.symbol) if target and target.symbol else None
    if target is None or symbol is None or not _says_calls(symbol) or len(seen) >= _MOST:
        return None
    if symbol.id in seen:
        return Functions([], True)
    seen.add(symbol.id)
    below = _functions(names, symbol, symbol.type, seen)
    return Functions(below.found, below.is_whole and not target.confidence)


def _filled(text: str, arguments: Sequence[str]) -> str:
    """A text whose placeholders are replaced by type arguments; a missing argument is `unknown`."""
    return _ARGUMENT.sub(
        lambda match: (arguments[int(match[1]) - 1].strip() if int(match[1]) <= len(arguments) else "") or "unknown",
        text,
    )


def _says_calls(symbol: Symbol) -> bool:
    """Whether a type's text has call signatures or function types."""
    return (
        symbol.type.startswith(CALL_SIGNATURES)
        if symbol.kind == SymbolKind.INTERFACE
        else symbol.kind == SymbolKind.TYPE and bool(symbol.type)
    )


def _is_uncallable(names: NameLookup, place: Symbol, text: str) -> bool:
    """Whether a type is certainly no function type: a literal, or one of the language's own values."""
    return (
        text in languages()[names.world.file(place.file).language].types.built_in
        or _LITERAL.fullmatch(text) is not None
    )


@functools.lru_cache(maxsize=20_000)
def type_of(parameters: tuple[str, ...], number: int) -> str:
    """Return the type of the argument number `number` of a call, by the one of `parameters` that takes it; '' if that
    has no type. `this` is no parameter.
    """
    declared = [pieces for parameter in parameters if (pieces := split_top_level(parameter, ":"))[0].strip() != "this"]
    for at, pieces in enumerate(declared[: number + 1]):
        type_text = split_top_level(":".join(pieces[1:]), "=")[0].strip()
        if pieces[0].strip().startswith(_REST):
            return _element(type_text, number - at)
        if at == number:
            return type_text
    return ""


def _element(text: str, number: int) -> str:
    """The type of one of the arguments that a rest parameter takes: of a list or tuple."""
    text = text.removeprefix("readonly ").strip()
    if text.startswith("[") and text.endswith("]") and len(split_top_level(text, "]")) == 2:
        inside = [part.strip() for part in split_top_level(text[1:-1], ",") if part.strip()]
        spread = next((at for at, part in enumerate(inside) if part.startswith(_REST)), len(inside))
        if number < spread:
            return inside[number] if number < len(inside) else ""
        return _element(inside[spread].removeprefix(_REST), 0) if spread == len(inside) - 1 else ""
    if len(split_top_level(text, "|")) > 1:
        return ""
    if text.endswith("[]"):
        return text.removesuffix("[]").strip()
    head = next((part for part in _LISTS if text.startswith(part)), "")
    return text[len(head) : -1].strip() if head and text.endswith(">") else ""


@functools.lru_cache(maxsize=20_000)
def parts(text: str) -> tuple[str, ...]:
    """Return the parts of the union or intersection type `text`, without the empty types. A function type is one part:
    the text after an arrow is its result.
    """
    text = _bare(text)
    if parse_function_type(text):
        return (text,)
    union = split_top_level(text, "|")
    result = (_bare(part) for part in (union if len(union) > 1 else split_top_level(text, "&")))
    return tuple(part for part in result if part and part not in _NOTHING)


@functools.lru_cache(maxsize=20_000)
def parameters_of(signature: str) -> tuple[str, ...]:
    """Return the parameters of `signature`, `(a: A, b: B)`; empty if the text is something else, or cut off."""
    end = _end(signature)
    return tuple(split_top_level(signature[1:end], ",")) if end and not signature[end + 1 :].strip() else ()


@functools.lru_cache(maxsize=20_000)
def parse_function_type(text: str) -> tuple[tuple[str, ...], str] | None:
    """Return (the parameters, the result) of the function type `text`, `(a: A, b: B) => C`; None if it is none."""
    end = _end(text)
    rest = text[end + 1 :].lstrip() if end else ""
    return (
        (tuple(split_top_level(text[1:end], ",")), rest.removeprefix("=>").strip()) if rest.startswith("=>") else None
    )


def _bare(text: str) -> str:
    """A text without the parentheses around all of it."""
    text = text.strip()
    while _end(text) == len(text) - 1 > 0:
        text = text[1:-1].strip()
    return text


def _end(text: str) -> int:
    """The position of the parenthesis that closes the one that a text begins with; 0 = none."""
    depth = 0
    for sign in _SIGN.finditer(text) if text.startswith("(") else ():
        depth += (sign[0] in _OPENING) - (sign[0] in _CLOSING)
        if not depth:
            return sign.start()
    return 0


def split_top_level(text: str, at: str) -> list[str]:
    """Split `text` at the sign `at` wherever it is outside of brackets. The `>` of an arrow closes no bracket."""
    pieces, depth, start = [], 0, 0
    for sign in _SIGN.finditer(text):
        depth += (sign[0] in _OPENING) - (sign[0] in _CLOSING)
        if sign[0] == at and not depth:
            pieces.append(text[start : sign.start()])
            start = sign.end()
    return [*pieces, text[start:]]
