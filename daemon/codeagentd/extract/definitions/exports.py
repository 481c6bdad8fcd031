"""Exports of a file: the definitions inside of @exported ranges, and the names of its export lists."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import Final

from codeagentd.extract.captures import Captures
from codeagentd.extract.import_rules.registry import EXPORT_RULES, Exported
from codeagentd.extract.scopes import Scope, ScopeTree

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


def mark_listed(drafts: Iterable[Draft], exports: Iterable[Exported]) -> None:
    """Add the modifier `export` to the outer definitions in `drafts` that an export list names."""
    names = {exported.local.encode() for exported in exports}
    for draft in drafts:
        if draft.parent is None and draft.name in names:
            draft.modifiers += ("export",)


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
