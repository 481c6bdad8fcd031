"""Overload keys: the text that distinguishes definitions of one name, by the rule of the language (symbols.headers)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.syntax_nodes import children
from codeagentd.languages.language import Language
from codeagentd.model.kinds import TYPES, SymbolKind

from .draft import CALLABLES, CONTAINERS, Draft
from .drafts import header_of

Rule = Callable[[Iterable[Draft], Captures], None]

MACRO_SPACE: Final = "#define"  # macros have a name space of their own: `#define lend(s) (lend)(s)`
_STATIC: Final = "static"
_REQUIRED: Final = "required"
_MACRO: Final = int(SymbolKind.MACRO)
_PARAMETERS: Final = frozenset(
    {
        "parameter_declaration",
        "optional_parameter_declaration",
        "variadic_parameter_declaration",
        "variadic_parameter",
        "...",
    }
)
_WORDS: Final = re.compile(r"\b(?:struct|class|union|enum|typename|register|volatile|constexpr)\b\s*|\[\[.*?\]\]")
_QUALIFIERS: Final = re.compile(r"(?:\w+\s*(?:<[^<>]*>)?\s*)?::\s*")
_SPACE: Final = re.compile(r"\s*([^\w\s])\s*")


def parameters(drafts: Iterable[Draft], captures: Captures) -> None:
    """Leave the keys to header_of, which uses the parameters as written."""


def tags(drafts: Iterable[Draft], captures: Captures) -> None:
    """Set the keys of `drafts` in C: tags and macros have name spaces of their own (C11 6.2.3, 6.10.3). A function has
    one key, because its prototypes may name the parameters differently.
    """
    for draft in drafts:
        draft.identity = MACRO_SPACE if draft.kind == _MACRO else draft.header.strip() if draft.kind in TYPES else ""


def types(drafts: Iterable[Draft], captures: Captures) -> None:
    """Set the keys of `drafts` in C++: functions differ by the types of their parameters ([dcl.fct], [over.load]).
    Functions with C linkage, types and variables differ only by their names.
    """
    in_c = sorted(node.byte_range for node in captures.get("linkage.c", ()))
    for draft in drafts:
        if draft.kind == _MACRO:
            draft.identity = MACRO_SPACE
        elif (
            draft.kind not in CALLABLES
            or draft.parameters is None
            or any(start <= draft.start < end for start, end in in_c)
        ):
            draft.identity = ""
        else:
            draft.identity = f"({','.join(_types(draft.parameters))}){''.join(draft.header.split())}"


def names(drafts: Iterable[Draft], captures: Captures) -> None:
    """Set the keys of `drafts` in Rust: types, values, fields and macros have name spaces of their own (The Rust
    Reference, "Namespaces"). Members of several traits differ by the text that the query captures as @header.
    """
    for draft in drafts:
        space = "" if draft.kind in CONTAINERS else _SPACES.get(draft.kind, "=")
        draft.identity = space + draft.header.strip()


def header(drafts: Iterable[Draft], captures: Captures) -> None:
    """Set the keys of `drafts` in languages whose methods differ by the text that the query captures as @header."""
    for draft in drafts:
        if draft.header:
            draft.identity = draft.header.strip()


def arity(drafts: Iterable[Draft], captures: Captures) -> None:
    """Set the keys of `drafts` in languages whose functions differ by the number of their parameters. Types, and
    functions that are only required, have name spaces of their own.
    """
    for draft in drafts:
        if draft.kind in CALLABLES or draft.kind in (_MACRO, SymbolKind.TYPE):
            space = "type" if draft.kind == SymbolKind.TYPE else _REQUIRED if _REQUIRED in draft.modifiers else ""
            draft.identity = f"{space}/{len(children(draft.parameters)) if draft.parameters else 0}"
        else:
            draft.identity = ""


_SPACES: Final = {_MACRO: MACRO_SPACE, int(SymbolKind.FIELD): "."}


def _types(parameters: Node) -> list[str]:
    results = [_type(child) for child in parameters.children if child.type in _PARAMETERS]
    return [] if results == ["void"] else results


def _type(parameter: Node) -> str:
    """Return the type of one parameter without its name, its default value and parts that do not distinguish
    overloads.
    """
    text = (parameter.text or b"").decode(errors="replace")
    if parameter.type in ("variadic_parameter", "..."):
        return "..."
    origin = parameter.start_byte
    if default := parameter.child_by_field_name("default_value"):
        text = text[: default.start_byte - origin].rstrip().removesuffix("=")
    if name := _name(parameter.child_by_field_name("declarator")):
        text = text[: name.start_byte - origin] + text[name.end_byte - origin :]
    text = _WORDS.sub("", text)
    while (plain := _QUALIFIERS.sub("", text)) != text:
        text = plain
    pointed = "*" in text or "&" in text or "[" in text or "(" in text
    words = " ".join(text.split())
    if not pointed:
        # const of a parameter that is passed by value is not part of the function's type
        words = re.sub(r"\bconst\b", "", words)
    elif match := re.match(r"([\w:]+(?:<.*?>)?)\s+const\b(.*)", words):
        words = f"const {match[1]}{match[2]}"
    return re.sub(r"\[\w*\]$", "*", _SPACE.sub(r"\1", " ".join(words.split())))


def _name(declarator: Node | None) -> Node | None:
    """Return the declared name inside a declarator."""
    for _ in range(_DEPTH):
        if declarator is None or declarator.type in ("identifier", "field_identifier"):
            return declarator
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            inner = next(
                (child for child in declarator.named_children if child.type.endswith(("declarator", "identifier"))),
                None,
            )
        declarator = inner
    return None


_DEPTH: Final = 8  # pointers, references and parentheses around a name


def identity_of(draft: Draft, language: Language) -> str:
    """Return the key by which `draft` is distinguished from other definitions of its name; '' if the name is enough."""
    if language.symbols.overloads or draft.identity is not None:
        return header_of(draft)
    if language.symbols.separate_static:
        return _STATIC if _STATIC in draft.modifiers else ""
    return _side(draft) if language.symbols.separate_values else ""


def _side(draft: Draft) -> str:
    """Return the text that distinguishes symbols of one name that are no overloads: a field from a method, a static
    member from one of an instance.
    """
    return "value" if draft.is_value else _STATIC if _STATIC in draft.modifiers else ""


RULES: Final[dict[str, Rule]] = {
    "arity": arity, "header": header, "names": names, "parameters": parameters, "tags": tags, "types": types,
}  # fmt: skip
