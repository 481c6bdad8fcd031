"""Local definitions: those inside of functions and unnamed objects. Two local definitions of one name are two
symbols.
"""

from __future__ import annotations

from operator import attrgetter

from codeagentd.extract.scopes import BLOCK, TYPE, ScopeTree

from .draft import CALLABLES, Draft


def mark_closures(drafts: list[Draft], tree: ScopeTree) -> None:
    """Set `closure` of each definition in `drafts`: the innermost unnamed function or object around it that is inside
    of its parent.
    """
    if not any(scope.owner is None and scope.kind != BLOCK for scope in tree.scopes[1:]):
        return
    inner = sorted((draft for draft in drafts if not draft.owner), key=attrgetter("body"))
    for draft, scope in zip(inner, tree.locate([draft.body[0] for draft in inner]), strict=True):
        enclosing = scope.parent if (scope.start, scope.end) == draft.body else scope
        is_in_function = draft.parent is not None and draft.parent.kind in CALLABLES
        while (
            enclosing is not None
            and enclosing.owner is None
            and (enclosing.kind == BLOCK or (enclosing.kind == TYPE and not is_in_function))
        ):
            enclosing = enclosing.parent  # the object that a module or variable is set to is no other than these
        if (
            enclosing is not None
            and enclosing.owner is None
            and not (draft.parent and enclosing.start < draft.parent.start)
        ):
            draft.closure = 1 + enclosing.start
