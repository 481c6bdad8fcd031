"""Shared symbols: definitions that are parts of a symbol of several files."""

from __future__ import annotations

from typing import Final

from codeagentd.languages.language import Language
from codeagentd.model.kinds import SCOPES_OF_NAMES, kinds_of

from .draft import Draft
from .linkage import EXTERNAL

_HIDDEN: Final = frozenset({"private", "fileprivate"})


def is_shared(draft: Draft, language: Language) -> bool:
    """Whether other files may declare the same symbol as `draft`, by its kind and modifiers. A definition inside of a
    function or of another type is never shared.
    """
    shared, whole = language.symbols.shared, language.symbols.shared_whole
    alone = language.symbols.scattered or language.symbols.implementations
    if alone and (
        (draft.parent is not None and draft.parent.kind not in SCOPES_OF_NAMES) or draft.name.startswith(b"<")
    ):
        return False
    enclosing: Draft | None = draft if whole else None
    while enclosing is not None:
        if not set(whole).isdisjoint(enclosing.modifiers):
            return True
        enclosing = enclosing.parent
    words = draft.modifiers
    if ("partial" in words and "partial" in shared) or (EXTERNAL in words and "linkage" in shared):
        return True
    # Swift: another file may have another one
    return draft.kind in kinds_of(shared) and ("signature" in words or _HIDDEN.isdisjoint(words))
