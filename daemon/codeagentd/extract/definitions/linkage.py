"""Linkage of C and C++: the definitions that are visible in other files, and those that several files declare
together.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final

from codeagentd.extract.captures import Captures
from codeagentd.languages.language import Language
from codeagentd.model.kinds import TYPES, SymbolKind

from .draft import CALLABLES, Draft

EXTERNAL: Final = "external"  # modifier: other files declare or define it as well
_FUNCTIONS: Final = CALLABLES - {SymbolKind.PROPERTY, SymbolKind.EVENT}
_VALUES: Final = frozenset({SymbolKind.VARIABLE, SymbolKind.CONSTANT, SymbolKind.FIELD})
# defined wherever it is declared
_ONE_PLACE: Final = frozenset({"inline", "constexpr", "consteval", "friend", "template"})
_NOWHERE: Final = frozenset({"pure", "defaulted", "deleted"})  # there is no definition elsewhere


def mark_hidden(
    drafts: Sequence[Draft], captures: Captures, hidden: Mapping[int, int], written: bytes, language: Language
) -> None:
    """Add the modifiers `static` and, in C, `inline` to functions with a macro before them that stands for these words:
    by its replacement in this file, else by its name.

    `hidden`: start -> end of the names that are blanks in the parsed text. `written` is the source with these names.
    """
    words = {b"static": _STATIC} if language.symbols.headers == "types" else {b"static": _STATIC, b"inline": _INLINE}
    values = _replacements(captures, written)
    starts = sorted(hidden)
    for draft in drafts:
        if draft.kind not in _FUNCTIONS or draft.parent is not None:
            continue
        for place in (draft, *draft.more):
            at, after = bisect_left(starts, place.name_start) - 1, place.name_start
            while at >= 0 and not _END.search(written, hidden[starts[at]], after):
                after = starts[at]
                if written[written.rfind(b"\n", 0, after) + 1 : after].lstrip().startswith(b"#"):
                    break  # a condition, no specifier of the declaration
                name = written[after : hidden[after]]
                place.modifiers += tuple(
                    word.decode() for word, shape in words.items() if shape.search(values.get(name, name))
                )
                at -= 1


def _replacements(captures: Captures, written: bytes) -> dict[bytes, bytes]:
    """Return the replacement texts of the macros of a file, by name."""
    results = {}
    for node in captures.get("macro", ()):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is not None and value is not None:
            results[written[name.start_byte : name.end_byte]] = written[value.start_byte : value.end_byte]
    return results


_STATIC: Final = re.compile(rb"(?i)(?:\b|_)static(?:\b|_)")
_INLINE: Final = re.compile(rb"(?i)(?:\b|_)(?:force_?)?inline(?:\b|_)")
_END: Final = re.compile(rb"[;{}()#\"]")  # ends the specifiers before a declaration


def mark_linkage(drafts: Sequence[Draft], captures: Captures, language: Language) -> None:
    """Add the modifiers `export` (visible by bare name, or with external linkage) and `external` (declared in several
    files) to merged definitions.

    C11 6.2.2, C++ [basic.link]. In the main file of a program, the one with `main`, only the prototypes belong to other
    files.
    """
    hidden = sorted(node.byte_range for node in captures.get("anonymous", ()))
    entries = {name.encode() for name in language.symbols.entry_points}
    is_program = any(
        draft.name in entries and draft.parent is None and draft.kind == SymbolKind.FUNCTION for draft in drafts
    )
    constants = language.symbols.headers == "types"  # C++: a constant belongs to its file
    for draft in drafts:
        if draft.more:
            draft.modifiers = tuple(dict.fromkeys(word for place in (draft, *draft.more) for word in place.modifiers))
        if any(start <= draft.start < end for start, end in hidden):
            draft.modifiers += ("anonymous",)
        if draft.kind in _FUNCTIONS:
            _mark_function(draft, is_program, entries)
        elif draft.kind in _VALUES:
            _mark_variable(draft, is_program, constants)
        elif draft.kind == SymbolKind.ENUM_MEMBER:
            if draft.parent is None or draft.parent.kind != SymbolKind.ENUM or _is_open(draft.parent):
                draft.modifiers += ("export",)
        elif draft.kind == SymbolKind.MACRO or (
            draft.kind in TYPES and (constants or not draft.header.strip()) and not _is_hidden(draft)
        ):
            draft.modifiers += ("export",)


def _mark_function(draft: Draft, is_program: bool, entries: set[bytes]) -> None:
    outer, words = draft.parent, set(draft.modifiers)
    member = outer is not None and outer.kind in TYPES
    if _is_hidden(draft) or "macro" in words or (not member and "static" in words):
        return
    draft.modifiers += ("export",)
    if not _NOWHERE.isdisjoint(words) or draft.name in entries:
        return
    places = (draft, *draft.more)
    has_body = any("signature" not in place.modifiers for place in places)
    if member or draft.owner:
        elsewhere = not has_body or not member
    else:
        elsewhere = not has_body or (
            _ONE_PLACE.isdisjoint(words) and (not is_program or any("signature" in place.modifiers for place in places))
        )
    if elsewhere:
        draft.modifiers += (EXTERNAL,)


def _mark_variable(draft: Draft, is_program: bool, constants: bool) -> None:
    words = set(draft.modifiers)
    if _is_hidden(draft):
        return
    if draft.kind == SymbolKind.FIELD:
        if "static" in words or draft.owner:
            draft.modifiers += (EXTERNAL,)
        return
    if ("static" in words and not draft.owner) or (
        constants and "extern" not in words and not draft.owner and not words.isdisjoint({"const", "constexpr"})
    ):
        return
    draft.modifiers += ("export",)
    if not is_program or "extern" in words or draft.owner:
        draft.modifiers += (EXTERNAL,)


def _is_open(enum: Draft) -> bool:
    """Whether the enumerators of an enum are visible around it."""
    return {"class", "struct"}.isdisjoint(enum.modifiers)


def _is_hidden(draft: Draft) -> bool:
    """Whether only its own file can name a definition: one inside of a function, or of an unnamed namespace."""
    current: Draft | None = draft
    while current is not None:
        if "anonymous" in current.modifiers or (current is not draft and current.kind in CALLABLES):
            return True
        current = current.parent
    return False


def linkage_access(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in C and C++. A member has the access of its section; without one it is
    private in a class and public in a struct. Any other definition is private if it has internal linkage.
    """
    outer = draft.parent
    if outer is not None and outer.kind in TYPES:
        access = _section(draft, outer)
        visible = outer.access in ("", "public")
    else:
        visible = outer is None or outer.kind == SymbolKind.NAMESPACE
        values = draft.kind in _FUNCTIONS or draft.kind in _VALUES
        access = (
            "private" if "anonymous" in draft.modifiers or (values and "export" not in draft.modifiers) else "public"
        )
    draft.access = access
    return access, access == "public" and visible


def _section(draft: Draft, outer: Draft) -> str:
    """Return the access of a member: that of the last section before it inside of its type."""
    if outer.kind == SymbolKind.ENUM:
        return "public"
    place = next((place for place in (draft, *draft.more) if outer.start <= place.start < outer.end), draft)
    access = "private" if outer.kind == SymbolKind.CLASS else "public"
    for start, word in outer.sections:
        if start < place.start:
            access = word
    return access
