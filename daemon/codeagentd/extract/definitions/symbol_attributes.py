"""The attributes of a definition in answers: kind, flags, signature, position, a digest that survives a rename."""

from __future__ import annotations

import functools
import re
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.positions import Places
from codeagentd.extract.syntax_nodes import children, uncommented
from codeagentd.languages.language import Language, languages
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind

from .draft import Draft
from .drafts import PROTOTYPE
from .loose_parameters import parameters_of

SIGNATURE_LIMIT: Final = 500  # characters (page 000's origin); longer ones end in an ellipsis
LITERAL_LIMIT: Final = 8  # characters of a string literal kept in a signature: longer ones may be secrets

_DOCUMENTED: Final = int(SymbolFlag.DOC_COMMENT)
_PROPERTY: Final = int(SymbolKind.PROPERTY)
_FUNCTION: Final = int(SymbolKind.FUNCTION)
_LITERAL = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)""")
_QUOTED_TYPE: Final = re.compile(
    r"[A-Z]\w*(?:\.[A-Za-z]\w*)*(?:[\[\], |]+(?:[A-Za-z]\w*(?:\.[A-Za-z]\w*)*)?)*|[a-z]\w*(?:\.[A-Za-z]\w*)+"
)
# `t.Iterable[Shelf] | None`, no words in a row
_ANNOTATION: Final = re.compile(r"[A-Za-z_][\w.]*(?:\s*[\[\]|,]+\s*[\w.]*)*")
_LITERAL_TYPE: Final = "literal_type"
# nodes of types: a name in quotes, as Python has it, and TypeScript's literals
_QUOTING: Final = frozenset({"type", _LITERAL_TYPE})
_NOT_PARAMETERS: Final = frozenset({"keyword_separator", "positional_separator", "attribute_list", "comma"})
# Rust: the list also has the attributes and visibilities of the fields
_TUPLE: Final = "ordered_field_declaration_list"
# grammars that count commas as children
_WITH_COMMAS: Final = frozenset({"arguments_definition", "variable_definitions"})


def kind_of(draft: Draft) -> int:
    """Return the kind of the symbol `draft`. A function that makes elements of a page is a component; one that gets
    methods is a class.

    A constant that is a call with a function as its argument counts as that function while it may be a component. A
    property that is `const` is a constant.
    """
    if draft.kind == _PROPERTY and "const" in draft.modifiers:
        return int(SymbolKind.CONSTANT)
    if draft.kind == _FUNCTION and draft.modifiers:
        if "component" in draft.modifiers and draft.name[:1].isupper():
            return int(SymbolKind.COMPONENT)
        if "wrapped" in draft.modifiers:
            return int(SymbolKind.CONSTANT)
        if PROTOTYPE in draft.modifiers:
            return int(SymbolKind.CLASS)
    return draft.kind


def flags_of(draft: Draft, language: Language) -> int:
    """Return the is_* flags of the symbol `draft`, by its modifiers, decorators and bases."""
    flags = _DOCUMENTED if draft.documented else 0
    words = draft.modifiers + draft.decorators
    if draft.bases and draft.kind in TYPES:
        words += draft.bases
    if words:
        triggers = _triggers(language.name)
        for word in words:
            flags |= triggers.get(word, 0)
    return flags


@functools.cache
def _triggers(language: str) -> dict[str, int]:
    """Return word -> flag, as plain numbers: enum arithmetic is slow."""
    return {
        word: int(SymbolFlag[name.upper()]) for name, words in languages()[language].flags.items() for word in words
    }


def signature_of(node: Node | None, source: bytes) -> tuple[str | None, int | None]:
    """Return (the parameters as written, their number); white space is folded, and long literals are elided. (None,
    None) without a node.
    """
    if node is None:
        return None, None
    if result := parameters_of(node):
        return _closed(_written(node, source, result.start, result.end)), len(result.texts)
    text = _closed(_written(node, source, node.start_byte, node.end_byte))
    if text == "(void)":
        return text, 0
    if node.type == _TUPLE:
        return text, len(node.children_by_field_name("type"))
    written = source[node.start_byte : node.end_byte]
    plain = (
        b"*" not in written
        and b"/" not in written
        and b"#" not in written
        and b"--" not in written
        and b"[" not in written
        and b"params " not in written
    )
    if (
        plain
        and node.type not in _WITH_COMMAS
        and node.child_by_field_name("open") is None  # R: commas are named
        and (node.type != "parameter_list" or text.count(",") < node.named_child_count)
    ):
        return text, node.named_child_count if text[:1] == "(" or node.type != "identifier" else 1
    count = sum(
        max(1, len(child.children_by_field_name("name")))
        for child in children(node)
        if child.type not in _NOT_PARAMETERS
    )
    # In C#, `params T[] rest` has no node of its own.
    bare = node.children_by_field_name("type") if node.type == "parameter_list" else ()
    return text, count - len(bare)


def _written(node: Node, source: bytes, start: int, end: int) -> str:
    """Return the text of a range of a node on one line. In types a quoted text is a type (`"Shelf"`, `'on' | 'off'`);
    elsewhere it is a value, which may be secret.
    """
    text = uncommented(node, source, start, end)
    short = shorten(text)
    if "…" not in short or not _LITERAL.search(text):
        return short
    parts: list[str] = []
    at = start
    for first, last, is_literal in _types_in(node):
        text_of_type = uncommented(node, source, first, last)
        parts += (
            _LITERAL.sub(_elided, uncommented(node, source, at, first)),
            text_of_type if is_literal else _LITERAL.sub(_elided_in_annotations, text_of_type),
        )
        at = last
    return _folded("".join(parts) + _LITERAL.sub(_elided, uncommented(node, source, at, end)))


def _types_in(node: Node) -> Iterator[tuple[int, int, bool]]:
    """List (start, end, whether it is a literal) of the outermost types below a node that contain quoted text, in
    order.
    """
    stack = [node]
    while stack:
        result = stack.pop()
        if result.type in _QUOTING:
            yield result.start_byte, result.end_byte, result.type == _LITERAL_TYPE
        else:
            stack.extend(reversed(result.children))


def _closed(text: str) -> str:
    """Return the text of a parenthesised list, without the spaces and trailing comma that joining its lines leaves."""
    if text[:1] == "(" and text[-1:] == ")":
        return f"({text[1:-1].strip().removesuffix(',')})"
    return f"({text[2:]}" if text[:2] == "( " else text


def shorten(text: str, is_type: bool = False) -> str:
    """Return the text of a declaration on one line, without long string literals, in at most SIGNATURE_LIMIT
    characters. With `is_type` a quoted type is kept.
    """
    if '"' in text or "'" in text or "`" in text:
        text = _LITERAL.sub(_elided_in_types if is_type else _elided, text)
    return _folded(text)


def _folded(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SIGNATURE_LIMIT else text[: SIGNATURE_LIMIT - 1] + "…"


def _elided(match: re.Match[str]) -> str:
    return match[0] if len(match[0]) <= LITERAL_LIMIT + 2 else f"{match[0][0]}…{match[0][0]}"


def _elided_in_types(match: re.Match[str]) -> str:
    return match[0] if _QUOTED_TYPE.fullmatch(match[0][1:-1]) else _elided(match)


def _elided_in_annotations(match: re.Match[str]) -> str:
    return match[0] if _ANNOTATION.fullmatch(match[0][1:-1]) else _elided(match)


def body_digest(draft: Draft, source: bytes) -> int:
    """Return a digest of the body of `draft` that stays the same when the symbol is renamed or moved. It is never 0,
    which stands for symbols that are defined elsewhere.
    """
    return zlib.crc32(source[draft.name_end : draft.end]) or 1


def position(draft: Draft, places: Places) -> tuple[int, int, int, int]:
    """Return (first line, last line, line of the name, column of the name) of the symbol `draft`."""
    start, end, at, starts = draft.start, draft.end, draft.name_start, places.starts
    first = bisect_right(starts, start)
    following = starts[first]  # a source ends with a line break: there is a next line
    last = first if end <= following else bisect_right(starts, end - 1, first)
    line = first if at < following else bisect_right(starts, at, first)
    return first, last, line, at - starts[line - 1] if places.is_ascii else places.column(at, line)
