"""Tables of Lua: finds the variables that are namespaces and classes, and the functions outside of them that are their
members.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from tree_sitter import Node

from codeagentd.extract.captures import Captures
from codeagentd.extract.syntax_nodes import text_of
from codeagentd.model.kinds import SymbolKind

from .draft import CALLABLES, Draft
from .drafts import base_of

_FUNCTION: Final = int(SymbolKind.FUNCTION)
_METHOD: Final = int(SymbolKind.METHOD)
_CLASS: Final = int(SymbolKind.CLASS)
_NAMESPACE: Final = int(SymbolKind.NAMESPACE)


def classify_tables(drafts: list[Draft], captures: Captures, source: bytes, imports: Collection[int]) -> list[Draft]:
    """Turn each variable with functions into a namespace, or into a class if one of them has a self. The other
    functions of a class become static.

    `imports`: the starts of the statements that require modules.
    """
    drafts = _own(drafts, imports)
    paths = {
        draft.name.decode(errors="replace"): draft
        for draft in reversed(drafts)
        if draft.parent is None and not draft.owner
    }
    local_names = {draft.name for draft in drafts if draft.parent is None and "local" in draft.modifiers}
    again = {
        id(draft): first
        for draft in drafts
        if draft.parent is None and not draft.owner and draft.name in local_names and "local" not in draft.modifiers
        and (first := paths[draft.name.decode(errors="replace")]) is not draft
    }  # fmt: skip
    # a later value of a local variable defines nothing
    drafts = [draft for draft in drafts if id(draft) not in again or not draft.is_value]
    for draft in drafts:
        draft.parent = again.get(id(draft.parent), draft.parent)
        if id(draft) in again:
            draft.modifiers += ("local",)
        if draft.owner:
            name = draft.name.decode(errors="replace")
            draft.parent = draft.parent or paths.get(draft.owner)
            if draft.parent:
                paths.setdefault(f"{draft.owner}.{name}", draft)
            else:
                draft.name = f"{draft.owner}.{name}".encode()
    for draft in drafts:
        outer = draft.parent
        if outer is None or outer.kind in CALLABLES:
            continue
        if draft.kind == _METHOD or draft.name == b"__index" or _takes_self(draft, source):
            outer.kind = _CLASS
        elif draft.kind == _FUNCTION and outer.kind != _CLASS:
            outer.kind = _NAMESPACE
    for draft in drafts:
        if draft.kind == _FUNCTION and draft.parent and draft.parent.kind == _CLASS:
            draft.kind = _METHOD
            if not _takes_self(draft, source):
                draft.modifiers += ("static",)
    for heir, base in _pairs(captures):
        owner = paths.get(text_of(heir, source))
        if owner and text_of(base, source) != text_of(heir, source):
            owner.bases += (base_of(text_of(base, source)),)
    return drafts


def heirs_of(drafts: Iterable[Draft], captures: Captures, source: bytes) -> dict[tuple[int, int], Draft]:
    """Return a dictionary from the range of the name of each base to the class that inherits from it.

    Captured bases without such a class are removed from `captures`.
    """
    classes = {
        draft.name.decode(errors="replace"): draft
        for draft in drafts
        if draft.kind in (_CLASS, _NAMESPACE) and draft.bases
    }
    heir_names = {base.start_byte: text_of(heir, source) for heir, base in _pairs(captures)}
    results: dict[tuple[int, int], Draft] = {}
    for node in captures.get("ref.inherit", ()):
        inside = (draft for draft in classes.values() if draft.start <= node.start_byte < draft.end)
        if heir := classes.get(heir_names.get(node.start_byte, "")) or next(inside, None):
            results[node.byte_range] = heir
    captures["ref.inherit"] = [node for node in captures.get("ref.inherit", ()) if node.byte_range in results]
    return results


def _pairs(captures: Captures) -> Iterator[tuple[Node, Node]]:
    """List (heir, base) of the statements that make a table inherit from another."""
    heirs, bases = (
        sorted(captures.get(capture, ()), key=lambda node: node.start_byte) for capture in ("heir", "base.of.heir")
    )
    return zip(heirs, bases, strict=False)


def _own(drafts: list[Draft], imports: Collection[int]) -> list[Draft]:
    """Return the drafts without variables for required modules, their later values, and fields of those modules: only
    functions are added to a module.
    """
    required = {draft.name.decode(errors="replace") for draft in drafts if draft.is_value and draft.start in imports}
    left: set[int] = set()
    for draft in drafts if required else ():
        head = draft.owner.partition(".")[0] or (draft.name.decode(errors="replace") if draft.parent is None else "")
        if draft.owner and not draft.is_value:
            draft.parent = None if head in required else draft.parent
        elif head in required or id(draft.parent) in left:
            left.add(id(draft))
    return [draft for draft in drafts if id(draft) not in left]


def _takes_self(draft: Draft, source: bytes) -> bool:
    return draft.parameters is not None and _SELF.match(source, draft.parameters.start_byte) is not None


_SELF: Final = re.compile(rb"\(\s*self\b")
