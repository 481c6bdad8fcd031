"""Symbol drafts: the definitions that the query of a language captures in one file, in document order."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.scopes import BLOCK, FUNCTION, TYPE, Scope
from codeagentd.extract.syntax_nodes import cut_out, start_of_type, text_of
from codeagentd.languages.language import Language
from codeagentd.model.facts import OWN_BASE, USERS_BASE
from codeagentd.model.kinds import OUTLINE, SCOPES_OF_NAMES, TYPES, SymbolKind, kinds_of
from codeagentd.model.namespace_macros import Region

from .document_outline import Section, prune, sections_of, without_space
from .draft import _WITH_BODY, CONTAINERS, Draft
from .loose_parameters import parameters_of
from .out_of_line_members import adopt_members, qualify
from .symbol_names import RULES as NAMING_RULES

# what comes later stands
_KINDS: Final = {
    f"def.{kind.label}": int(kind) for kind in sorted(SymbolKind, key=lambda kind: (kind in _WITH_BODY, kind))
}
_HEAD = re.compile(r"[^(\[<\s]*")


def drafts_of(
    captures: Captures,
    source: bytes,
    language: Language,
    rename: Callable[[list[Draft], bytes], list[Draft]] | None = None,
    opened: Iterable[Region] = (),
) -> list[Draft]:
    """Return the definitions that the query captures and the namespaces `opened` by macros, nested, in document order.

    Drafts without a name are dropped after `rename` has run on them.
    """
    prune(captures)
    rest = {node.start_byte: len(source) for node in captures.get("rest", ())}
    starts = sorted([node.start_byte for node in captures.get("rest.next", ())])
    rest.update(zip(starts, [*starts[1:], len(source)], strict=False))  # each ends where the next begins
    results = {node.byte_range: kind for capture, kind in _KINDS.items() for node in captures.get(capture, ())}
    rest.update(_with_bodies(captures))
    rest.update(_property_ranges(captures.get("group", ()), results))
    places = [(start, -rest.get(start, end), kind) for (start, end), kind in results.items()]
    places += [(node.start_byte, -node.end_byte, _GROUP) for node in captures.get("group", ())]
    places.sort()
    drafts = [Draft(kind, start, -end) for start, end, kind in places]
    if opened:
        drafts = sorted([*_namespaces(opened), *drafts], key=lambda draft: (draft.start, -draft.end))
    _attach(drafts, captures, source, language.types.prefixes)
    if rename:
        drafts = rename(drafts, source)
    NAMING_RULES[language.rules.naming](drafts)
    named = [draft for draft in drafts if draft.name and draft.kind != _GROUP]
    if language.rules.outline != "none":
        named = _with_sections(named, captures, source, language)
    nest(named, language)
    named = [*_adopt(named, language), *named]
    for draft in named:
        if draft.kind in OUTLINE:
            draft.end = without_space(source, draft.start, draft.end)
            draft.own = draft.place = draft.body = (draft.start, draft.end)
        if draft.name == _UNNAMED:
            draft.name = language.symbols.anonymous.encode()
        if group := draft.group:
            draft.place, draft.type = (group.start, group.end), draft.type or group.type
            while group.group and language.rules.declarators != "none":
                group = group.group
            draft.start, draft.end = group.start, group.end
            draft.body = (draft.start, draft.end) if source.startswith(b"template", draft.start) else draft.own
    return named


def _namespaces(opened: Iterable[Region]) -> Iterator[Draft]:
    """List the namespaces that macros open. Their names have no position: the macro's name stays a reference."""
    for start, end, name, position in opened:
        draft = Draft(_NAMESPACE, start, end)
        draft.name, draft.name_start, draft.name_end = name, position, position
        yield draft


def _with_bodies(captures: Captures) -> Iterator[tuple[int, int]]:
    """List the start and end of each definition whose body is a node after that of its head."""
    heads, bodies = (
        sorted(captures.get(f"rest.{part}", ()), key=lambda node: node.start_byte) for part in ("head", "body")
    )
    return ((head.start_byte, body.end_byte) for head, body in zip(heads, bodies, strict=False))


def _property_ranges(groups: Iterable[Node], kinds: Mapping[tuple[int, int], int]) -> Iterator[tuple[int, int]]:
    """List the start and end of each property where one declaration has several: the value and accessors of a property
    come after it, up to the next property.
    """
    for group in groups:
        starts = [child.start_byte for child in group.named_children if kinds.get(child.byte_range) == _PROPERTY]
        yield from zip(starts, [*starts[1:], group.end_byte], strict=False)


def _with_sections(drafts: list[Draft], captures: Captures, source: bytes, language: Language) -> list[Draft]:
    """Return the definitions, and the sections of headings among them."""
    sections = sections_of(captures, source, language.rules.outline, [(draft.start, draft.end) for draft in drafts])
    return sorted([*drafts, *section_drafts(sections, language)], key=lambda draft: (draft.start, -draft.end))


def section_drafts(sections: Iterable[Section], language: Language) -> list[Draft]:
    """Return a definition for each of `sections`; two sections of one name are two."""
    kind = SymbolKind[language.symbols.section.upper()]
    times: dict[str, int] = {}
    drafts = []
    for section in sections:
        draft = Draft(kind, section.start, section.end)
        draft.name, draft.name_start, draft.name_end = section.name.encode(), section.name_start, section.name_end
        draft.type = f"#{section.anchor}" if section.anchor else ""
        times[section.name] = times.get(section.name, 0) + 1
        draft.header = str(times[section.name]) if times[section.name] > 1 else ""
        drafts.append(draft)
    return drafts


def _attach(drafts: list[Draft], captures: Captures, source: bytes, prefixes: Collection[str]) -> None:
    """Add every captured part to the definition that it belongs to."""
    parts = {
        node.start_byte << _PART_BITS | order: node
        for order, part in enumerate(_PARTS)
        for node in captures.get(part, ())
    }
    stack: list[Draft] = []
    at, following = 0, drafts[0].start if drafts else len(source)
    decorators: tuple[str, ...] = ()  # those before the next definition
    modifiers: tuple[str, ...] = ()
    for place in sorted(parts):
        start, part, node = place >> _PART_BITS, _PARTS[place & _PART_MASK], parts[place]
        while following <= start:
            draft = drafts[at]
            while stack and stack[-1].end <= draft.start:
                stack.pop()
            if stack and (stack[-1].kind == _GROUP or stack[-1].group):
                _join(draft, stack[-1])
            stack.append(draft)
            if decorators or modifiers:
                draft.decorators += decorators
                draft.modifiers += modifiers
                decorators = modifiers = ()
            at += 1
            following = drafts[at].start if at < len(drafts) else len(source)
        while stack and stack[-1].end <= start:
            stack.pop()
        if part == "decorator":
            decorators += (_head(text_of(node, source)),)
        elif part == "modifier.before":
            modifiers += (text_of(node, source),)
        elif stack and part == "callable":
            stack[-1].signatures.append(node)
        elif stack and (
            not node.is_extra or part == "doc"
        ):  # a pattern may match any node in a place; a comment there is none of the definition's parts
            _give(stack, part, node, source)
            if prefixes and part in ("type", "returns"):
                _prefix(stack[-1], part, node, source, prefixes)
    if at < len(drafts):
        drafts[at].decorators += decorators
        drafts[at].modifiers += modifiers


_PARTS: Final = (
    "name.first", "name", "unnamed", "modifier", "modifier.before", "decorator", "params", "returns", "type", "base",
    "base.first", "base.own", "base.outer", "base.users", "doc", "header", "component", "signature", "wrapped", "owner",
    "qualified", "section", "implementation", "required", "callable",
)  # fmt: skip
# the mark before such a base
_BASES: Final = {"base": "", "base.first": "", "base.own": OWN_BASE, "base.outer": "", "base.users": USERS_BASE}
# a header lists bases in their order; a base that a statement mixes in precedes those of the statements above it
_LAST: Final = "base"
_OF_TYPE_AROUND: Final = frozenset({"base.outer", "base.users"})
_UNNAMED: Final = b"\x00"
_PART_BITS: Final = len(_PARTS).bit_length()  # of a number that sorts parts by their start, then by their order above
_PART_MASK: Final = (1 << _PART_BITS) - 1
_FUNCTION: Final = int(SymbolKind.FUNCTION)
_METHOD: Final = int(SymbolKind.METHOD)
_CONSTRUCTOR: Final = int(SymbolKind.CONSTRUCTOR)
_FIELD: Final = int(SymbolKind.FIELD)
_PROPERTY: Final = int(SymbolKind.PROPERTY)
_ENUM_MEMBER: Final = int(SymbolKind.ENUM_MEMBER)
_VARIABLE: Final = int(SymbolKind.VARIABLE)
_MACRO: Final = int(SymbolKind.MACRO)
_NAMESPACE: Final = int(SymbolKind.NAMESPACE)
_GROUP: Final = 0  # kind of a declaration that is no symbol but defines several; before a symbol of the same place


def _join(draft: Draft, enclosing: Draft) -> None:
    """Copy the captures before the first of several definitions of one declaration to all of them, also where one of
    them has two kinds.
    """
    group = enclosing if enclosing.kind == _GROUP else enclosing.group
    if group is None or (group is not enclosing and (draft.start, draft.end) != (enclosing.start, enclosing.end)):
        return
    draft.group = group
    draft.modifiers += group.modifiers
    draft.type = draft.type or group.type
    draft.documented = draft.documented or group.documented


def _give(stack: list[Draft], part: str, node: Node, source: bytes) -> None:
    draft = stack[-1]
    if part == "name":
        owner = (
            next((open_draft for open_draft in reversed(stack) if not open_draft.name), draft) if draft.name else draft
        )
        if not owner.name:
            first = owner.name_start if owner.name_start != owner.name_end else node.start_byte
            owner.name_start, owner.name_end = first, node.end_byte
            owner.name = (
                source[first : node.end_byte]
                if first == node.start_byte
                else b" ".join(source[first : node.end_byte].split())
            )
    elif part == "name.first":
        draft.name_start, draft.name_end = node.start_byte, node.end_byte
    elif part == "unnamed":
        draft.name, draft.name_start, draft.name_end = draft.name or _UNNAMED, node.start_byte, node.end_byte
    elif part == "header":
        draft.header += f"{' '.join(text_of(node, source).split())} "
    elif part == "params":
        draft.parameters = draft.parameters or node
    elif part == "returns":
        draft.returns = draft.returns or node
    elif part == "modifier":
        text = text_of(node, source)
        # Swift: `private(set)` is about setting alone
        draft.modifiers += () if text.endswith("(set)") else (_head(text),)
    elif part == "type":
        draft.type = draft.type or text_of(node, source)
    elif part in _BASES:
        _inherit(stack, part, text_of(node, source))
    elif part == "owner":
        draft.owner = text_of(node, source)
    elif part == "section":
        draft.sections += ((node.start_byte, text_of(node, source)),)
    elif part == "qualified":
        qualify(draft, node, source)
    elif part in ("component", "signature", "wrapped", "implementation", "required"):
        draft.modifiers += (part,)
    else:
        draft.documented = True


def _prefix(draft: Draft, part: str, node: Node, source: bytes, prefixes: Collection[str]) -> None:
    """Give a definition its declared type or result together with the signs before that."""
    text = source[start_of_type(node, prefixes) : node.end_byte].decode(errors="replace")
    if part == "type":
        draft.type = text
    else:
        draft.returns, draft.returned = None, text


def _inherit(stack: list[Draft], part: str, text: str) -> None:
    draft, base = stack[-1], _BASES[part] + base_of(text)
    is_own = not draft.is_value and part not in _OF_TYPE_AROUND  # an embedded field is a base
    heir = draft if is_own else next((enclosing for enclosing in reversed(stack) if enclosing.kind in TYPES), draft)
    if base not in heir.bases:
        heir.bases = (*heir.bases, base) if part == _LAST else (base, *heir.bases)


FRIEND: Final = "friend"  # modifier of a function that a type declares and that is no member of it
TYPE_NAME: Final = "@type"  # in symbols.constructors: a constructor is called like its type


def nest(drafts: list[Draft], language: Language) -> None:
    """Give each of `drafts`, which are in document order, the definition around it, and the kind that it has there."""
    constructors = {name.encode() for name in language.symbols.constructors}
    properties = frozenset(language.symbols.property_decorators)
    unscoped = kinds_of(language.symbols.unscoped)
    named_like_type = TYPE_NAME in language.symbols.constructors
    stack: list[Draft] = []
    for draft in drafts:
        if draft.kind in unscoped:
            continue
        while stack and stack[-1].end <= draft.start:
            stack.pop()
        if stack:
            draft.parent = outer = stack[-1]
            if draft.kind == _FUNCTION and (outer.kind in TYPES or outer.kind == _ENUM_MEMBER):
                if FRIEND in draft.modifiers:
                    draft.parent = next(
                        (enclosing for enclosing in reversed(stack) if enclosing.kind not in TYPES), None
                    )
                else:
                    draft.kind = _METHOD
            elif draft.kind == _FIELD and outer.kind == _CONSTRUCTOR:
                draft.parent = outer.parent  # declared by a parameter of the constructor
        if draft.kind == _METHOD:
            if draft.name in constructors or (
                named_like_type and draft.parent and draft.name == draft.parent.name.partition(b"<")[0]
            ):
                draft.kind = _CONSTRUCTOR
            elif not properties.isdisjoint(draft.decorators) or not properties.isdisjoint(draft.modifiers):
                draft.kind = int(SymbolKind.PROPERTY)
        stack.append(draft)


def _adopt(drafts: list[Draft], language: Language) -> list[Draft]:
    """Attach definitions to owners that do not enclose them: `Shelf.prototype.lend = function …`, `exports.lend =
    function …`.

    Returns: stubs of the owners that another file declares.
    """
    if language.symbols.implementations:
        return []
    adopted = [draft for draft in drafts if draft.owner]
    if language.symbols.scattered:
        return _attach_methods(drafts, adopted)
    if adopted and language.symbols.separator == "::":
        adopt_members(drafts, adopted)
        return []
    outer = (
        {draft.name: draft for draft in reversed(drafts) if draft.parent is None and not draft.owner} if adopted else {}
    )
    for draft in adopted:
        name = draft.owner.removesuffix(PROTOTYPE)
        if name in language.symbols.module_objects:
            draft.modifiers += ("export",)
            draft.kind = _FUNCTION if draft.kind == _METHOD else draft.kind
        elif owner := outer.get(name.encode()):
            draft.parent = owner
            if name != draft.owner:
                owner.modifiers += (PROTOTYPE,)
    return []


def _attach_methods(drafts: list[Draft], adopted: list[Draft]) -> list[Draft]:
    """Attach Go's methods to the types of their receivers; a type that another file declares gets a stub here."""
    owners = {(id(draft.parent), draft.name): draft for draft in reversed(drafts) if draft.kind in TYPES}
    stubs = []
    for draft in adopted:
        key = id(draft.parent), draft.owner.encode()
        if key not in owners:
            stub = Draft(int(SymbolKind.TYPE), draft.start, draft.end)
            stub.name, stub.parent, stub.is_stub = key[1], draft.parent, True
            owners[key] = stub
            stubs.append(stub)
        draft.parent = owners[key]
    return stubs


PROTOTYPE: Final = ".prototype"  # JavaScript's name for the object with the members of a class


def scopes_of(
    drafts: Iterable[Draft], captures: Captures, heirs: Mapping[tuple[int, int], Draft] | None
) -> list[Scope]:
    """Return a scope for every definition with a body, and for every other range that binds names.

    `heirs`: the range of the name of a base class -> the class that inherits from it, in languages in which a class is
    a value.
    """
    results: dict[tuple[int, int], Scope] = {}
    for draft in drafts:
        if (
            (not draft.is_value or draft.kind == _MACRO)
            and not draft.is_stub
            and not (heirs is not None and draft.kind in CONTAINERS)
        ):
            kind = TYPE if draft.kind in CONTAINERS else BLOCK if draft.kind in OUTLINE else FUNCTION
            results[draft.body] = Scope(*draft.body, kind, draft, draft.kind in SCOPES_OF_NAMES)
    results |= {place: Scope(*place, BLOCK, heir) for place, heir in (heirs or {}).items()}
    for capture, kind in _SCOPES.items():
        for place in [node.byte_range for node in captures.get(capture, ())]:
            if place not in results:
                results[place] = Scope(*place, kind)
    return list(results.values())


def document_part_scope(scope: Scope) -> Scope:
    """Return the scope in which the names of a document's part `scope` are visible: the nearest around it that is no
    part of a document. Parts contain names, but hide none.
    """
    while scope.parent and isinstance(scope.owner, Draft) and scope.owner.kind in OUTLINE:
        scope = scope.parent
    return scope


_SCOPES: Final = {"scope.function": FUNCTION, "scope.class": TYPE, "scope.block": BLOCK}


def header_of(draft: Draft) -> str:
    """Return the text that distinguishes `draft` from other definitions of its name: the parameters as written, and the
    text that the query captures as @header. A type has no parameters.
    """
    if draft.identity is not None:
        return draft.identity
    if draft.parameters is None or draft.kind in TYPES:
        return draft.header.rstrip()
    if result := parameters_of(draft.parameters):
        return draft.header + result.header
    return draft.header + " ".join(cut_out(draft.parameters).split())


def _head(text: str) -> str:
    """Return a decorator or base without its arguments: `a.b` of `a.b(c)` and of `a.b[c]`."""
    match = _HEAD.match(text)
    return match[0] if match else text


def base_of(text: str) -> str:
    """Return the base class `text` as a dotted name; '?' if it is computed, or consists of terms of a constraint (`~int
    | string`, `*T`).
    """
    head = "".join(_head(text).split()).removeprefix("global::")
    return (
        "?"
        if not head or text.rstrip().endswith(")") or "," in head or "|" in head or head.startswith(("~", "*"))
        else head
    )
