"""Declarations of C and C++: specifiers, the type with the parts that the declarator adds, linkage, and the typedef
that names a struct.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.languages.language import Language
from codeagentd.model.kinds import TYPES, SymbolKind, kinds_of

from .assigned_variables import Located
from .draft import CALLABLES, Draft

MACRO: Final = "macro"  # modifier of a function whose head is a macro
SIGNATURE: Final = "signature"  # modifier of a declaration without a body
_VALUES: Final = frozenset({SymbolKind.FIELD, SymbolKind.VARIABLE, SymbolKind.CONSTANT})
_TAGGED: Final = frozenset({SymbolKind.STRUCT, SymbolKind.CLASS, SymbolKind.ENUM})
_DECLARING: Final = frozenset({"declaration", "field_declaration", "function_definition", "type_definition"})
_TYPE: Final = int(SymbolKind.TYPE)
_FUNCTION: Final = int(SymbolKind.FUNCTION)
_WORDS: Final = re.compile(
    rb"\b(?:static|extern|inline|const|constexpr|constinit|consteval|virtual|explicit|friend|mutable"
    rb"|thread_local|_Thread_local)\b"
)
_NAMES: Final = re.compile(rb"(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*")
_STARS: Final = re.compile(rb"(?:[*&\s]|\b(?:const|volatile|restrict|__restrict)\b)*\Z")
_QUALIFIED: Final = re.compile(rb"(?:\w+\s*(?:<[^;{}]*>)?\s*::\s*)+\Z")
_TAIL: Final = re.compile(rb"\s*=\s*(0|default|delete)\s*;?\s*\Z")
_RESULT: Final = re.compile(rb"\)[^;{}()]*->\s*([^;{]+?)\s*(?:[;{]|\Z|=\s*(?:0|default|delete))")
_FAR: Final = 64  # bytes of stars and qualifiers before a name


class Declarations:
    """The C and C++ declarations of one file, by their ranges."""

    def __init__(self, captures: Captures, source: bytes, strict: bool) -> None:
        self._source = source
        self._strict = strict  # every function declares its type
        result = (node for capture in ("group", "def.function") for node in captures.get(capture, ()))
        self._nodes = {node.byte_range: node for node in result if node.type in _DECLARING}
        self._structs: dict[int, bytes] = {}  # names by the place where the definition begins
        self._heads: dict[tuple[int, int], tuple[list[str], bytes, int]] = {}

    def complete(self, drafts: Sequence[Draft]) -> None:
        """Add to the definitions `drafts` the specifiers and types of their declarations."""
        self._structs |= {draft.own[0]: draft.name for draft in drafts if draft.kind in _TAGGED}
        for draft in drafts:
            has_type = draft.kind in CALLABLES or draft.kind in _VALUES or draft.kind == _TYPE
            if has_type and (node := self._nodes.get(draft.own) or self._nodes.get(draft.place)) is not None:
                self._say(draft, node)

    def _say(self, draft: Draft, node: Node) -> None:
        words, base, type_end = self._head(node, draft.name_start)
        draft.modifiers += tuple(words)
        source = self._source
        if (
            draft.kind == _FUNCTION
            and not base
            and node.type == "function_definition"
            and not draft.owner
            and self._is_macro(draft)
        ):
            self._name_macro(draft)
        if draft.kind in CALLABLES:
            start, end = draft.own
            if tail := _TAIL.match(source, end, node.end_byte) or _TAIL.search(source, max(start, end - 20), end):
                draft.modifiers += ({b"0": "pure", b"default": "defaulted", b"delete": "deleted"}[tail[1]],)
            if base == b"auto" and (result := _RESULT.search(source, draft.name_end, min(end, draft.name_end + 2000))):
                base = result[1]
            draft.type = self._text(base, self._stars(type_end, draft.name_start)) if base else ""
        elif draft.own == (draft.name_start, draft.name_end):
            draft.type = self._text(
                base, self._stars(type_end, draft.name_start) + self._dimensions(draft.name_end, node.end_byte)
            )
        else:
            start, end = draft.own
            draft.type = self._text(base, source[start : draft.name_start] + source[draft.name_end : end])
        if draft.kind == SymbolKind.VARIABLE and not {"const", "constexpr"}.isdisjoint(words) and "*" not in draft.type:
            draft.kind = int(SymbolKind.CONSTANT)

    def _is_macro(self, draft: Draft) -> bool:
        """Whether a definition without a type is a macro with a body, and not a function of pre-standard C."""
        outer = draft.parent
        return (
            (self._strict or draft.name.isupper())
            and (outer is None or outer.kind not in TYPES)
            and draft.name.replace(b"_", b"").isalnum()
        )

    def _name_macro(self, draft: Draft) -> None:
        """Name a function that a macro defines, `TEST_F(Shelf, Lends) {…}`, by its whole text.

        Its position is that of the arguments: the macro's own name is a use of the macro. A class among the arguments
        may be its base.
        """
        if draft.parameters is not None:
            start, end = draft.parameters.byte_range
            draft.name = b" ".join(self._source[draft.name_start : end].split())
            draft.name_start, draft.name_end = start, end
            draft.modifiers += (MACRO,)
            draft.bases = tuple([name.decode() for name in _NAMES.findall(self._source, start, end)])

    def _head(self, node: Node, name_start: int) -> tuple[list[str], bytes, int]:
        """Return (specifiers, type, end of the type) of a declaration."""
        key = node.byte_range
        if key not in self._heads:
            named = node.child_by_field_name("type")
            start, end = (named.start_byte, named.end_byte) if named is not None else (name_start, name_start)
            before = self._source[node.start_byte : start]
            words = [word.decode() for word in _WORDS.findall(before)]
            body = named.child_by_field_name("body") if named is not None and named.type.endswith("specifier") else None
            text = self._source[start : body.start_byte if body is not None else end].strip()
            if text in (b"struct", b"union", b"enum", b"class"):
                text = self._structs.get(start, text)
            after = self._source[end : end + 7].strip()
            self._heads[key] = (
                words,
                b"const " + text if text and ("const" in words or after.startswith(b"const")) else text,
                end,
            )
        return self._heads[key]

    def _stars(self, type_end: int, name_start: int) -> bytes:
        """Return the `*`, `&` and qualifiers directly before a name, but no parenthesis."""
        before = self._source[max(type_end, name_start - _FAR) : name_start].rstrip(b"( \t\r\n")
        before = _QUALIFIED.sub(b"", before)
        match = _STARS.search(before)
        return match[0] if match else b""

    def _dimensions(self, at: int, end: int) -> bytes:
        match = re.compile(rb"(?:\s*\[[^\]]*\])+").match(self._source, at, end)
        return match[0] if match else b""

    @staticmethod
    def _text(base: bytes, rest: bytes) -> str:
        extra = b" ".join(rest.split()).replace(b"* ", b"*").replace(b"& ", b"&")
        gap = b"" if not extra or extra[:1] in b"[&" or base.endswith(b"*") else b" "
        return (base + gap + extra).decode(errors="replace")


def name_structs(drafts: list[Draft], source: bytes) -> list[Draft]:
    """Name each unnamed struct among `drafts` after its typedef, else after its variable; return the drafts without
    those typedefs.
    """
    drafts = [
        part
        for draft in drafts
        for part in (_split(draft) if draft.kind == SymbolKind.NAMESPACE and b"::" in draft.name else (draft,))
    ]
    groups: dict[int, list[Draft]] = defaultdict(list)
    for draft in drafts:
        if draft.group and (draft.kind in _TAGGED or draft.kind == _TYPE):
            groups[id(draft.group)].append(draft)
    gone: set[int] = set()
    for struct, *others in groups.values():
        if struct.kind not in _TAGGED:
            continue
        after = [other for other in others if other.kind == _TYPE and other.start >= struct.end]
        if struct.name:
            for other in after:  # the struct's own lines are no part of its typedef
                if other.group:
                    other.place, other.group = (other.group.start, other.group.end), None
            continue
        if plain := next(iter(after), None):
            struct.name, struct.name_start, struct.name_end = plain.name, plain.name_start, plain.name_end
            struct.header = ""
            gone.add(id(plain))
        elif (
            struct.kind != SymbolKind.ENUM
            and (variable := _VARIABLE.match(source, struct.end))
            and _is_outer(struct, drafts)
        ):
            struct.name, struct.name_start, struct.name_end = variable[1], variable.start(1), variable.end(1)
    return [draft for draft in drafts if id(draft) not in gone]


def _split(draft: Draft) -> list[Draft]:
    """Return the two namespaces that `namespace a::b {` declares."""
    *outer, draft.name = [name.split()[-1] for name in draft.name.split(b"::") if name.strip()]
    parts, at = [], draft.name_start
    for name in outer:
        part = Draft(draft.kind, draft.start, draft.end)
        part.name, part.name_start, part.name_end = name, at, at + len(name)
        parts.append(part)
        at += len(name) + 2
    draft.name_start = draft.name_end - len(draft.name)
    return [*parts, draft]


def _is_outer(struct: Draft, drafts: list[Draft]) -> bool:
    """Whether no definition encloses a struct; structs inside others are parts of them."""
    return not any(other.start < struct.start and struct.end < other.end and other.kind in _TAGGED for other in drafts)


_VARIABLE: Final = re.compile(rb"[\s*]*(?:const\b\s*)?([A-Za-z_]\w*)\s*[;=,\[]")


def declared_variables(values: Located, captures: Captures, source: bytes) -> list[Draft]:
    """Return the variables that a file or namespace declares, one symbol for each declaration. `values` are the
    positions of their names with their scopes.
    """
    places = sorted(node.byte_range for node in captures.get("group", ()) if node.type == "declaration")
    starts = [start for start, _ in places]
    results: list[Draft] = []
    for (start, end), scope in values:
        owner = scope.owner if isinstance(scope.owner, Draft) else None
        at = bisect_right(starts, start) - 1
        if (scope.parent and owner is None) or at < 0 or places[at][1] < end or (owner and owner.kind in TYPES):
            continue
        draft = Draft(int(SymbolKind.VARIABLE), *places[at])
        draft.own, draft.place, draft.body = (start, end), places[at], (start, end)
        draft.name, draft.name_start, draft.name_end, draft.parent = source[start:end], start, end, owner
        results.append(draft)
    return results


def is_passing(draft: Draft) -> bool:
    """Whether the declaration `draft` makes no symbol: a prototype inside of a function, or a member of an unnamed
    type.
    """
    outer = draft.parent
    if draft.kind == SymbolKind.FIELD:
        return not draft.owner and (outer is None or outer.kind not in TYPES)
    if draft.kind == SymbolKind.VARIABLE:
        return outer is not None and outer.kind in CALLABLES
    return outer is not None and outer.kind in CALLABLES and draft.kind in CALLABLES and SIGNATURE in draft.modifiers


def is_declared(draft: Draft) -> bool:
    """Whether the symbol `draft` is only declared here, and defined in another file."""
    return "external" in draft.modifiers and all(
        SIGNATURE in place.modifiers or "extern" in place.modifiers for place in (draft, *draft.more)
    )


def spills(owner: Draft, draft: Draft, language: Language) -> bool:
    """Whether `draft`, inside of the type `owner`, is visible around that type: an enumerator, or in C a type inside of
    a struct.
    """
    inner = draft.kind in TYPES or draft.kind == SymbolKind.ENUM_MEMBER
    is_open = {"class", "struct"}.isdisjoint(owner.modifiers) or owner.kind != SymbolKind.ENUM
    return inner and owner.kind in TYPES and is_open and owner.kind in kinds_of(language.symbols.spills)
