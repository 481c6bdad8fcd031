"""Who may use a symbol: one named rule per way of saying it, chosen in language.toml."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from codeagentd.languages.language import Language
from codeagentd.model.kinds import TYPES

from .symbols import Draft

Rule = Callable[[str, Draft, Language], tuple[str, bool]]  # (name, draft, language) -> (access modifier, part of the public API)


def underscore(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Python: two leading underscores are private, one is protected; dunder names are public."""
    dunder = name.startswith("__") and name.endswith("__")
    access = "public" if dunder or not name.startswith("_") else "private" if name.startswith("__") else "protected"
    outer = draft.parent
    nested_public = outer is None or (outer.kind in TYPES and outer.access in ("", "public"))
    draft.access = access if nested_public else "private"
    return access, access == "public" and nested_public


def modifiers(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """The words in front of the definition; without any, the language's default."""
    said = [word for word in ("public", "protected", "internal", "private") if word in draft.modifiers]
    member = draft.parent is not None and draft.parent.kind in TYPES
    default = language.rules.member_access if member and language.rules.member_access else language.rules.default_access
    if name.startswith("#"):
        said = ["private"]
    access = " ".join(said) or default
    draft.access = access
    outer = draft.parent
    visible = outer is None or outer.access in ("", "public")
    return access, access == "public" and visible


RULES: Final[dict[str, Rule]] = {"underscore": underscore, "modifiers": modifiers}
