"""Exports of a file: the definitions inside of @exported ranges, and the names of its export lists."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from codeagentd.extract.captures import Captures
from codeagentd.extract.import_rules.registry import EXPORT_RULES, Exported
from codeagentd.extract.scopes import Scope, ScopeTree
from codeagentd.languages.language import Language
from codeagentd.model.kinds import SymbolKind, kinds_of

from .draft import Draft

_CAPTURES: Final = ("exported", "import", *EXPORT_RULES)


def mark_exported(drafts: Iterable[Draft], captures: Captures) -> None:
    """Add the modifier `export` to the definitions directly inside of an @exported range. In a script without modules,
    add `global` to all outer definitions.
    """
    if not any(captures.get(capture) for capture in _CAPTURES):
        for draft in drafts:
            if draft.parent is None:
                draft.modifiers += ("global",)
        return
    ranges = sorted(node.byte_range for node in captures.get("exported", ()))
    starts = [start for start, _ in ranges]
    for draft in drafts:
        at = bisect_right(starts, draft.start) - 1
        if at >= 0 and draft.start < ranges[at][1] and (draft.parent is None or draft.parent.start < starts[at]):
            draft.modifiers += ("export",)


def mark_listed(drafts: Iterable[Draft], exports: Iterable[Exported], language: Language) -> None:
    """Add the modifier `export` to the outer definitions in `drafts` that an export list names; in languages whose
    types are open also to members, which it names by themselves, with their type (`T.X`), or as all of it (`T.*`).
    """
    names, open_types = {exported.local.encode() for exported in exports}, kinds_of(language.symbols.open_types)
    for draft in drafts:
        outer = draft.parent
        if outer is None:
            is_listed = draft.name in names or (bool(open_types) and b"pattern." + draft.name in names)
        else:
            whole = outer.name + b"."
            is_listed = outer.kind in open_types and (
                not names.isdisjoint((whole + draft.name, whole + b"*"))
                or (draft.name in names and draft.kind != SymbolKind.ENUM_MEMBER)
            )
        if is_listed:
            draft.modifiers += ("export", "listed")


def exports_of(captures: Captures, tree: ScopeTree) -> list[Exported]:
    """Return the names in the export lists of a file, except those of modules that are declared inside of it."""
    results: list[Exported] = []
    for capture, rule in EXPORT_RULES.items():
        if capture not in captures:
            continue
        nodes = sorted(captures[capture], key=lambda node: node.start_byte)
        for node, scope in zip(nodes, tree.locate([node.start_byte for node in nodes]), strict=True):
            if not _is_declared_module(scope):
                results += rule(node)
    return results


def _is_declared_module(scope: Scope | None) -> bool:
    while scope is not None and not scope.is_open:
        scope = scope.parent
    return scope is not None
