"""Definitions inside of functions and objects without a name: each has its own, so that two of one name are two symbols."""

from __future__ import annotations

from operator import attrgetter

from .scopes import BLOCK, TYPE, ScopeTree
from .symbols import Draft


def mark_closures(drafts: list[Draft], tree: ScopeTree) -> None:
    """Tell each definition in which function or object without a name it is, inside of its parent."""
    if not any(scope.owner is None and scope.kind != BLOCK for scope in tree.scopes[1:]):
        return
    inner = sorted((draft for draft in drafts if not draft.owner), key=attrgetter("body"))
    for draft, scope in zip(inner, tree.locate([draft.body[0] for draft in inner]), strict=True):
        around = scope.parent if (scope.start, scope.end) == draft.body else scope
        while around is not None and around.kind == BLOCK and around.owner is None:
            around = around.parent
        if around is None or around is tree.file or around.owner is not None:
            continue
        if around.kind != TYPE or draft.parent is None or not draft.parent.is_value:  # the object that a variable is set to is no other than the variable
            draft.closure = 1 + around.start
