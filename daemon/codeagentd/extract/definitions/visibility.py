"""Visibility: the code that may use a symbol, by the rule of the language."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from codeagentd.languages.language import Language
from codeagentd.model.kinds import SCOPES_OF_NAMES, TYPES, SymbolKind

from .draft import CALLABLES, Draft
from .linkage import linkage_access

# (name, draft, language) -> (access modifier, part of the public API)
Rule = Callable[[str, Draft, Language], tuple[str, bool]]


def underscore(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Python: two leading underscores are private, one is protected, and dunder
    names are public.
    """
    if not name.startswith("_") or (name.startswith("__") and name.endswith("__")):
        access = "public"
    else:
        access = "private" if name.startswith("__") else "protected"
    outer = draft.parent
    nested_public = outer is None or (outer.kind in TYPES and outer.access in ("", "public"))
    draft.access = access if nested_public else "private"
    return access, access == "public" and nested_public


def modifiers(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) by the access words before the definition; without any, the access is the
    default of the language.
    """
    words = [word for word in ("public", "protected", "internal", "private") if word in draft.modifiers]
    member = draft.parent is not None and draft.parent.kind in TYPES
    default = language.rules.member_access if member and language.rules.member_access else language.rules.default_access
    if name.startswith("#"):
        words = ["private"]
    access = " ".join(words) or default
    draft.access = access
    outer = draft.parent
    visible = outer is None or outer.access in ("", "public")
    return access, access == "public" and visible


def erlang(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Erlang: functions and types that are not exported are private."""
    hidden = draft.kind in (SymbolKind.FUNCTION, SymbolKind.TYPE) and not {"required", *_ERLANG_EXPORTS} & {
        *draft.modifiers
    }
    draft.access = "private" if hidden else "public"
    return draft.access, not hidden


def dashes(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Lisp: by convention, a name with two dashes, or `%` at its begin, is
    private.
    """
    hidden = (
        "--" in name.strip("-") or name.startswith("%") or (draft.parent is not None and draft.parent.kind in CALLABLES)
    )
    draft.access = "private" if hidden else "public"
    return draft.access, not hidden


def clojure(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Clojure: what `defn-` defines, or is marked `^:private`, is private."""
    hidden = not _CLOJURE_HIDDEN.isdisjoint(draft.modifiers)
    draft.access = "private" if hidden else "public"
    return draft.access, not hidden and (draft.parent is None or draft.parent.access in ("", "public"))


def csharp(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in C#: the access words; without any, internal for types, private for
    members, public in interfaces and enums. Local functions have no access.
    """
    outer = draft.parent
    words = [word for word in ("public", "private", "protected", "internal") if word in draft.modifiers]
    if draft.kind == SymbolKind.NAMESPACE:
        access = "public"
    elif outer is not None and outer.kind not in TYPES and outer.kind != SymbolKind.NAMESPACE:
        access = ""
    elif words:
        access = " ".join(words)
    elif "file" in draft.modifiers:
        access = "private"
    else:
        access = _default_access(draft)
    draft.access = access
    return access, access == "public" and (outer is None or outer.access == "public")


def _default_access(draft: Draft) -> str:
    """Return the access of a C# definition without access words."""
    outer = draft.parent
    if outer is None or outer.kind == SymbolKind.NAMESPACE:
        return "internal" if draft.kind in TYPES else ""
    if outer.kind in (SymbolKind.INTERFACE, SymbolKind.ENUM):
        return "public"
    return "public" if outer.kind == SymbolKind.RECORD and _is_component(draft, outer) else "private"


def ecmascript(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in JavaScript. A member has its access words, and `#name` is private.
    Everything else is public if its module exports it, or if there is no module.
    """
    outer = draft.parent
    if outer is None or outer.kind in SCOPES_OF_NAMES:
        access = "public" if not {"export", "global"}.isdisjoint(draft.modifiers) else "private"
    elif outer.is_value or outer.kind in TYPES:
        words = [word for word in ("public", "protected", "private") if word in draft.modifiers]
        access = "private" if name.startswith("#") else words[0] if words else "public"
    else:
        access = "private"
    draft.access = access
    return access, access == "public" and (outer is None or outer.access == "public")


def go(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Go: a capital first letter exports (specification, "Exported
    identifiers"), any other name is visible in the package.

    Names inside of functions have no access.
    """
    if draft.kind == SymbolKind.NAMESPACE:
        return "public", name != "main" and not name.endswith("_test")
    chain = [draft]
    while (outer := chain[-1].parent) is not None and outer.kind != SymbolKind.NAMESPACE:
        chain.append(outer)
    if any(outer.kind not in TYPES and not outer.is_value for outer in chain[1:]):
        return "", False
    exported = all(link.name.decode(errors="replace")[:1].isupper() for link in chain)
    if exported:
        draft.modifiers += ("export",)
    return "public" if name[:1].isupper() else "internal", exported


def java(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Java and Kotlin: the access word, else a default. Members of interfaces,
    constants of enums and record components are public; names inside of functions have no access.
    """
    outer = draft.parent
    if draft.kind in SCOPES_OF_NAMES:
        access = "public"
    elif outer is not None and outer.kind not in TYPES and outer.kind not in SCOPES_OF_NAMES:
        access = ""
    elif words := [word for word in ("public", "protected", "internal", "private") if word in draft.modifiers]:
        access = words[0]
    elif draft.kind == SymbolKind.ENUM_MEMBER or (
        outer is not None and (outer.kind == SymbolKind.INTERFACE or _is_component(draft, outer))
    ):
        access = "public"
    else:
        access = (
            "private"
            if draft.kind == SymbolKind.CONSTRUCTOR and outer is not None and outer.kind == SymbolKind.ENUM
            else language.rules.default_access
        )
    draft.access = access
    return access, access == "public" and (outer is None or outer.access == "public")


def _is_component(draft: Draft, outer: Draft) -> bool:
    """Whether a definition is in the header of its type."""
    parameters = outer.parameters
    return parameters is not None and parameters.start_byte <= draft.start < parameters.end_byte


def rust(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Rust: `pub` is public, `pub(…)` internal, everything else private.
    Variants and items of a trait have the access of their owner.

    Source: The Rust Reference, "Visibility and privacy".
    """
    outer, words = draft.parent, draft.modifiers
    if outer is not None and (outer.kind in _OPEN or draft.kind == SymbolKind.ENUM_MEMBER or "provided" in words):
        access = outer.access
    elif outer is not None and outer.kind not in TYPES and outer.kind != SymbolKind.MODULE:
        access = ""
    elif draft.kind == SymbolKind.MACRO:
        access = "public" if "macro_export" in draft.decorators else "private"
    elif "implementation" in words:
        access = "public"
    else:
        access = "private" if "pub" not in words else "public" if _RESTRICTIONS.isdisjoint(words) else "internal"
    if access in ("public", "internal"):
        draft.modifiers += ("export",)
    draft.access = access if outer is None or outer.access in ("public", "") else outer.access
    return access, draft.access == "public"


def swift(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Swift: the access word, else that of the enclosing extension, else
    internal. Requirements and cases have the access of their owner.
    """
    outer = draft.parent
    words = [word for word in _SWIFT_WORDS if word in draft.modifiers and "signature" not in draft.modifiers]
    if outer is not None and outer.kind not in TYPES:
        access = ""
    elif words:
        access = words[0]
    elif outer is not None and (draft.kind == SymbolKind.ENUM_MEMBER or outer.kind == SymbolKind.INTERFACE):
        access = "public" if outer.access == "open" else outer.access
    else:
        enclosing = (
            next((place for place in (outer, *outer.more) if place.start <= draft.start < place.end), outer)
            if outer is not None
            else None
        )
        default = [
            word
            for word in _SWIFT_WORDS
            if enclosing is not None and "signature" in enclosing.modifiers and word in enclosing.modifiers
        ]
        access = default[0] if default else "internal"
    draft.access = access
    visible = outer is None or outer.access in ("public", "open") or "signature" in outer.modifiers
    return access, access in ("public", "open") and visible


def ruby(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Ruby: the last access word; without one, a type's constructors and fields
    are private, all else public.
    """
    words = [word for word in draft.modifiers if word in ("public", "protected", "private")]
    member = draft.parent is not None and draft.parent.kind in TYPES
    hidden = draft.kind == SymbolKind.CONSTRUCTOR or draft.kind == SymbolKind.FIELD
    access = words[-1] if words else "private" if hidden and member else "public"
    draft.access = access
    return access, access == "public" and (draft.parent is None or draft.parent.access in ("", "public"))


def elixir(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Elixir: what a word that ends in `p` defines is private, and so are
    attributes, tests, and all that macros define.
    """
    outer = draft.parent
    is_inner = outer is not None and (outer.kind in CALLABLES or outer.kind == SymbolKind.MACRO)
    hidden = not _ELIXIR_HIDDEN.isdisjoint(draft.modifiers) or draft.kind == SymbolKind.CONSTANT or is_inner
    draft.access = "private" if hidden else "public"
    return draft.access, not hidden and (outer is None or outer.access in ("", "public"))


def lua(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Lua: a local name is private unless the file returns it. A field with a
    leading underscore is private by convention.
    """
    outer = draft.parent
    if outer is None:
        access = "private" if "local" in draft.modifiers and "export" not in draft.modifiers else "public"
    elif outer.kind in CALLABLES:
        access = "private"
    else:
        access = "private" if name.startswith("_") and not name.startswith("__") else "public"
    draft.access = access
    return access, access == "public" and (outer is None or outer.access in ("", "public"))


_CLOJURE_HIDDEN: Final = frozenset({"defn-", "deftest", "deftest-", ":private"})
_ERLANG_EXPORTS: Final = ("export", "export_type")
_ELIXIR_HIDDEN: Final = frozenset({"defp", "defmacrop", "defguardp", "defnp", "typep", "test", "property"})


def r(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in R: names inside of functions have none, those with a leading dot are
    private by convention.
    """
    outer = draft.parent
    access = "" if outer is not None and outer.kind in CALLABLES else "private" if name.startswith(".") else "public"
    draft.access = access
    return access, access == "public" and (outer is None or outer.access == "public")


def zig(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in Zig: `pub` and `export` are public, and so are fields, which have the
    access of their type. Names inside of functions have no access.

    Source: Zig Language Reference, "struct", "pub", "export".
    """
    outer, words = draft.parent, draft.modifiers
    if outer is not None and outer.kind in CALLABLES:
        access = ""
    elif draft.kind in (SymbolKind.FIELD, SymbolKind.ENUM_MEMBER):
        access = outer.access if outer is not None else "public"
    else:
        access = "private" if {"pub", "export"}.isdisjoint(words) else "public"
    draft.access = access if outer is None or outer.access == "public" else outer.access
    return access, draft.access == "public"


def listed(name: str, draft: Draft, language: Language) -> tuple[str, bool]:
    """Return (access, whether public API) in languages whose modules list what they export: public or private. Members
    of an exported type are public if there is no list, or if it has them; instances are public.
    """
    outer, is_exported = draft.parent, "export" in draft.modifiers
    if outer is None:
        access = "public" if is_exported or draft.kind == SymbolKind.CLASS else "private"
    else:
        access = (
            "public" if is_exported or ("listed" not in outer.modifiers and outer.access == "public") else "private"
        )
    if access == "public" and not is_exported:
        draft.modifiers += ("export",)
    draft.access = access
    return access, access == "public"


_SWIFT_WORDS: Final = ("open", "public", "package", "internal", "fileprivate", "private")
_OPEN: Final = frozenset({SymbolKind.TRAIT, SymbolKind.ENUM_MEMBER})
_RESTRICTIONS: Final = frozenset({"crate", "super", "in"})
RULES: Final[dict[str, Rule]] = {
    "clojure": clojure,
    "csharp": csharp,
    "dashes": dashes,
    "ecmascript": ecmascript,
    "elixir": elixir,
    "erlang": erlang,
    "go": go,
    "java": java,
    "linkage": linkage_access,
    "listed": listed,
    "lua": lua,
    "modifiers": modifiers,
    "r": r,
    "ruby": ruby,
    "rust": rust,
    "swift": swift,
    "underscore": underscore,
    "zig": zig,
}
