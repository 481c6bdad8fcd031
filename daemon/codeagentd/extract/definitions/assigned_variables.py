"""Definitions by assignment: variables of files and types, and fields that are assigned through self."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codeagentd.extract.scopes import TYPE, Scope
from codeagentd.languages.language import Language
from codeagentd.model.kinds import TYPES, SymbolKind

from .draft import Draft

_FIELD: Final = int(SymbolKind.FIELD)
_CONSTANT: Final = int(SymbolKind.CONSTANT)
_VARIABLE: Final = int(SymbolKind.VARIABLE)

Located = Iterable[tuple[tuple[int, int], Scope]]  # (start, end), the innermost scope around it


def value_drafts(places: Located, source: bytes) -> list[Draft]:
    """Return a symbol for each name that the body of a file or type assigns, at its first assignment. `places` are the
    assigned names with their scopes.
    """
    results: dict[tuple[int, bytes], Draft] = {}
    for (start, end), scope in places:
        name = source[start:end]
        owner = scope.owner if isinstance(scope.owner, Draft) else None
        if scope.parent and owner is None:
            continue
        if known := results.get((scope.start, name)):
            known.sets.append(start)
            continue
        kind = _FIELD if owner and owner.kind in TYPES else _CONSTANT if name.isupper() else _VARIABLE
        results[scope.start, name] = _value(kind, start, end, name, owner)
    return list(results.values())


def member_drafts(places: Located, source: bytes, language: Language) -> list[Draft]:
    """Return a field for each attribute that is assigned through self or its class, at its first assignment. The field
    belongs to the enclosing type; `places` are the assigned names with their scopes.
    """
    words = tuple(word.encode() + b"." for word in language.receivers.self_words + language.receivers.class_words)
    sigils = tuple(sigil.encode() for sigil in language.symbols.member_sigils)
    results: dict[tuple[int, bytes], Draft] = {}
    for (start, end), scope in places:
        if not source.endswith(words, 0, start) and not (sigils and source.startswith(sigils, start)):
            continue
        owner = _type_around(scope, language.symbols.tables)
        name = source[start:end]
        if not isinstance(owner, Draft) or owner.kind not in TYPES:
            continue
        if known := results.get((owner.start, name)):
            known.sets.append(start)
        else:
            results[owner.start, name] = _value(_FIELD, start, end, name, owner)
    return list(results.values())


def _type_around(scope: Scope, tables: bool) -> object:
    """Return the definition whose members the code of a scope assigns: the enclosing type, or the owner of a function
    of a Lua table, which does not enclose the function.
    """
    body: Scope | None = scope
    while body and body.kind != TYPE:
        if tables and isinstance(body.owner, Draft) and body.owner.owner:
            return body.owner.parent
        body = body.parent
    return body.owner if body else None


def _value(kind: int, start: int, end: int, name: bytes, owner: Draft | None) -> Draft:
    draft = Draft(kind, start, end)
    draft.name, draft.name_end, draft.parent = name, end, owner
    return draft
