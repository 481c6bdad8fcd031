"""Definitions of one file: captures of the language's query to symbol drafts, in document order."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from tree_sitter import Node

from codeagentd.languages.language import Language
from codeagentd.model.kinds import OUTLINE, SCOPES_OF_NAMES, TYPES, SymbolKind

from .naming import RULES as NAMING_RULES
from .outline import prune, sections_of, without_space
from .scopes import BLOCK, FUNCTION, TYPE, Scope

Captures = dict[str, list[Node]]

CALLABLES: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY, SymbolKind.EVENT})
CONTAINERS: Final = TYPES | {SymbolKind.NAMESPACE, SymbolKind.MODULE, SymbolKind.TARGET}
_WITH_BODY: Final = CALLABLES | CONTAINERS | OUTLINE | {SymbolKind.RESOURCE, SymbolKind.INDEX, SymbolKind.TRIGGER}
_NAMELESS: Final = OUTLINE | {SymbolKind.CONSTRUCTOR, SymbolKind.TARGET}  # no bare name means them where values are meant

_KINDS: Final = {f"def.{kind.label}": int(kind) for kind in sorted(SymbolKind, key=lambda kind: (kind in _WITH_BODY, kind))}  # what comes later stands
_HEAD = re.compile(r"[^(\[<\s]*")


class Draft:
    """A symbol while its parts are being collected."""

    __slots__ = (
        "access", "bases", "decorators", "documented", "end", "group", "header", "index", "kind", "modifiers", "more", "name", "name_end",
        "name_start", "owner", "parameters", "parent", "returns", "start", "type",
    )  # fmt: skip

    def __init__(self, kind: int, start: int, end: int) -> None:
        self.kind = kind
        self.start = start
        self.end = end
        self.name = b""
        self.name_start = self.name_end = start
        self.parent: Draft | None = None
        self.index = 0
        self.parameters: Node | None = None
        self.returns: Node | None = None
        self.type = ""
        self.header = ""  # what tells it from others of its name, besides the parameters
        self.group: Draft | None = None
        self.owner = ""  # whose member it is, where it stands outside of it
        self.modifiers: list[str] = []
        self.decorators: list[str] = []
        self.bases: list[str] = []
        self.documented = False
        self.access = ""
        self.more: list[Draft] = []

    @property
    def is_value(self) -> bool:
        """Whether the symbol is a variable of some kind: no body of its own."""
        return self.kind not in _WITH_BODY

    @property
    def is_named(self) -> bool:
        """Whether its bare name means it: a constructor goes by its type's name, an explicit implementation (header `IShelf.`) by its interface."""
        return self.kind not in _NAMELESS and "." not in self.header


def drafts_of(captures: Captures, source: bytes, language: Language) -> list[Draft]:
    """The definitions that the query names, nested, in document order; drafts without a name are left out."""
    prune(captures)
    rest = {node.start_byte: len(source) for node in captures.get("rest", ())}
    found = {node.byte_range: kind for capture, kind in _KINDS.items() for node in captures.get(capture, ())}
    drafts = [Draft(kind, start, rest.get(start, end)) for (start, end), kind in found.items()]
    drafts += [Draft(_GROUP, node.start_byte, node.end_byte) for node in captures.get("group", ())]
    drafts.sort(key=lambda draft: (draft.start, -draft.end))
    _attach(drafts, captures, source)
    NAMING_RULES[language.rules.naming](drafts)
    named = [draft for draft in drafts if draft.name and draft.kind != _GROUP]
    if language.rules.outline != "none":
        named = _with_sections(named, captures, source, language)
    _nest(named, language)
    _adopt(named, language)
    for draft in named:
        if draft.kind in OUTLINE:
            draft.end = without_space(source, draft.start, draft.end)
        if draft.group:
            draft.start, draft.end = draft.group.start, draft.group.end
    return named


def _with_sections(drafts: list[Draft], captures: Captures, source: bytes, language: Language) -> list[Draft]:
    """The definitions, and the sections that headings open among them."""
    kind = SymbolKind[language.symbols.section.upper()]
    times: dict[str, int] = {}
    for section in sections_of(captures, source, language.rules.outline, [(draft.start, draft.end) for draft in drafts]):
        draft = Draft(kind, section.start, section.end)
        draft.name, draft.name_start, draft.name_end = section.name.encode(), section.name_start, section.name_end
        times[section.name] = times.get(section.name, 0) + 1
        draft.header = str(times[section.name]) if times[section.name] > 1 else ""  # two sections of one name are two
        drafts.append(draft)
    return sorted(drafts, key=lambda draft: (draft.start, -draft.end))


def _attach(drafts: list[Draft], captures: Captures, source: bytes) -> None:
    """Give every part to the definition that it belongs to."""
    parts = [(node.start_byte, order, part, node) for order, part in enumerate(_PARTS) for node in captures.get(part, ())]
    parts.sort(key=lambda item: item[:2])
    stack: list[Draft] = []
    at, last = 0, (-1, "")
    waiting: list[str] = []
    for start, _, part, node in parts:
        if (start, part) == last:
            continue  # several patterns may say the same
        last = start, part
        while at < len(drafts) and drafts[at].start <= start:
            draft = drafts[at]
            while stack and stack[-1].end <= draft.start:
                stack.pop()
            if stack and (stack[-1].kind == _GROUP or stack[-1].group):
                _join(draft, stack[-1])
            stack.append(draft)
            if waiting:
                draft.decorators += waiting
                waiting = []
            at += 1
        while stack and stack[-1].end <= start:
            stack.pop()
        if part == "decorator":
            waiting.append(_head(_text(node, source)))
        elif stack:
            _give(stack, part, node, source)
    for draft in drafts[at:]:
        draft.decorators += waiting
        waiting = []


_PARTS: Final = (
    "name.first", "name", "modifier", "decorator", "params", "returns", "type", "base", "doc", "header", "component", "signature", "wrapped", "owner",
)  # fmt: skip
_FUNCTION: Final = int(SymbolKind.FUNCTION)
_METHOD: Final = int(SymbolKind.METHOD)
_CONSTRUCTOR: Final = int(SymbolKind.CONSTRUCTOR)
_FIELD: Final = int(SymbolKind.FIELD)
_GROUP: Final = 0  # kind of a declaration that is no symbol but defines several


def _join(draft: Draft, around: Draft) -> None:
    """What stands before the first of several definitions holds for each, also where one of them fits two kinds."""
    group = around if around.kind == _GROUP else around.group
    if group is None or (group is not around and (draft.start, draft.end) != (around.start, around.end)):
        return
    draft.group = group
    draft.modifiers += group.modifiers
    draft.type = draft.type or group.type
    draft.documented = draft.documented or group.documented


def _give(stack: list[Draft], part: str, node: Node, source: bytes) -> None:
    draft = stack[-1]
    if part == "name":
        owner = next((open_draft for open_draft in reversed(stack) if not open_draft.name), draft)
        if not owner.name:
            first = owner.name_start if owner.name_start != owner.name_end else node.start_byte
            owner.name_start, owner.name_end = first, node.end_byte
            owner.name = source[first : node.end_byte] if first == node.start_byte else b" ".join(source[first : node.end_byte].split())
    elif part == "name.first":
        draft.name_start, draft.name_end = node.start_byte, node.end_byte
    elif part == "header":
        draft.header += f"{' '.join(_text(node, source).split())} "
    elif part == "params":
        draft.parameters = draft.parameters or node
    elif part == "returns":
        draft.returns = draft.returns or node
    elif part == "modifier":
        draft.modifiers.append(_head(_text(node, source)))
    elif part == "type":
        draft.type = draft.type or _text(node, source)
    elif part == "base":
        draft.bases.append(_base(_text(node, source)))
    elif part == "owner":
        draft.owner = _text(node, source)
    elif part in ("component", "signature", "wrapped"):
        draft.modifiers.append(part)
    else:
        draft.documented = True


def _nest(drafts: list[Draft], language: Language) -> None:
    constructors = {name.encode() for name in language.symbols.constructors}
    properties = frozenset(language.symbols.property_decorators)
    stack: list[Draft] = []
    for draft in drafts:
        while stack and stack[-1].end <= draft.start:
            stack.pop()
        if stack and not language.symbols.flat:
            draft.parent = outer = stack[-1]
            if draft.kind == _FUNCTION and outer.kind in TYPES:
                draft.kind = _METHOD
            elif draft.kind == _FIELD and outer.kind == _CONSTRUCTOR:
                draft.parent = outer.parent  # declared by a parameter of the constructor
            elif draft.kind == SymbolKind.VARIABLE and outer.kind == SymbolKind.RULE:
                draft.parent = None  # a custom property is the whole page's
        if draft.kind == _METHOD:
            if draft.name in constructors:
                draft.kind = _CONSTRUCTOR
            elif not properties.isdisjoint(draft.decorators) or not properties.isdisjoint(draft.modifiers):
                draft.kind = int(SymbolKind.PROPERTY)
        stack.append(draft)


def _adopt(drafts: list[Draft], language: Language) -> None:
    """Give definitions that stand outside of their owner to it: `Shelf.prototype.lend = function …`, `exports.lend = function …`."""
    adopted = [draft for draft in drafts if draft.owner]
    outer = {draft.name: draft for draft in reversed(drafts) if draft.parent is None and not draft.owner} if adopted else {}
    for draft in adopted:
        name = draft.owner.removesuffix(PROTOTYPE)
        if name in language.symbols.module_objects:
            draft.modifiers.append("export")
            draft.kind = _FUNCTION if draft.kind == _METHOD else draft.kind
        elif owner := outer.get(name.encode()):
            draft.parent = owner
            if name != draft.owner:
                owner.modifiers.append(PROTOTYPE)


PROTOTYPE: Final = ".prototype"  # what JavaScript calls the object that holds the members of a class


def scopes_of(drafts: Iterable[Draft], captures: Captures) -> list[Scope]:
    """A scope for every definition with a body, and for every other place where names are bound."""
    found = {}
    for draft in drafts:
        if not draft.is_value:
            kind = TYPE if draft.kind in CONTAINERS else BLOCK if draft.kind in OUTLINE else FUNCTION
            found[draft.start, draft.end] = Scope(draft.start, draft.end, kind, draft, draft.kind in SCOPES_OF_NAMES)
    for capture, kind in _SCOPES.items():
        for node in captures.get(capture, ()):
            found.setdefault((node.start_byte, node.end_byte), Scope(node.start_byte, node.end_byte, kind))
    return list(found.values())


def beyond_outline(scope: Scope) -> Scope:
    """The scope in which names stand that are defined in a part of a document: such a part holds them, and hides nothing."""
    while scope.parent and isinstance(scope.owner, Draft) and scope.owner.kind in OUTLINE:
        scope = scope.parent
    return scope


_SCOPES: Final = {"scope.function": FUNCTION, "scope.class": TYPE, "scope.block": BLOCK}


def value_drafts(nodes: list[Node], scopes: list[Scope], source: bytes) -> list[Draft]:
    """Names assigned in a type or file body, as symbols: one each, at their first place."""
    found: dict[tuple[int, bytes], Draft] = {}
    for node, scope in zip(nodes, scopes, strict=True):
        if scope.kind != TYPE:
            continue
        start, end = node.start_byte, node.end_byte
        name = source[start:end]
        owner = scope.owner if isinstance(scope.owner, Draft) else None
        if (scope.start, name) in found or (scope.parent and owner is None):
            continue
        kind = SymbolKind.FIELD if owner and owner.kind in TYPES else SymbolKind.CONSTANT if name.isupper() else SymbolKind.VARIABLE
        draft = Draft(kind, start, end)
        draft.name, draft.name_start, draft.name_end, draft.parent = name, start, end, owner
        found[scope.start, name] = draft
    return list(found.values())


def member_drafts(nodes: list[Node], scopes: list[Scope], source: bytes, language: Language) -> list[Draft]:
    """Attributes assigned through self, as fields of the enclosing type: one each, at their first place."""
    words = [word.encode() + b"." for word in language.receivers.self_words]
    found: dict[tuple[int, bytes], Draft] = {}
    for node, scope in zip(nodes, scopes, strict=True):
        start, end = node.start_byte, node.end_byte
        if not any(source.endswith(word, 0, start) for word in words):
            continue
        body: Scope | None = scope
        while body and body.kind != TYPE:
            body = body.parent
        owner = body.owner if body else None
        name = source[start:end]
        if not isinstance(owner, Draft) or owner.kind not in TYPES or (owner.start, name) in found:
            continue
        draft = Draft(SymbolKind.FIELD, start, end)
        draft.name, draft.name_start, draft.name_end, draft.parent = name, start, end, owner
        found[owner.start, name] = draft
    return list(found.values())


def header_of(draft: Draft) -> str:
    """What tells a definition from others of its name: parameters as written, and what the query captures as @header; a type has no parameters."""
    if draft.parameters is None or draft.parameters.text is None or draft.kind in TYPES:
        return draft.header.rstrip()
    return draft.header + " ".join(draft.parameters.text.decode(errors="replace").split())


def _text(node: Node, source: bytes) -> str:
    return source[node.start_byte : node.end_byte].decode(errors="replace")


def _head(text: str) -> str:
    """A decorator or base without its arguments: `a.b(c)` and `a.b[c]` give `a.b`."""
    match = _HEAD.match(text)
    return match[0] if match else text


def _base(text: str) -> str:
    """A base class as a dotted name; '?' when it is computed."""
    head = "".join(_head(text).split()).removeprefix("global::")
    return "?" if not head or text.rstrip().endswith(")") or "," in head else head
