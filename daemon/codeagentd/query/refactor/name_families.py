"""Families of names: the definitions that have to have the same name as a symbol, and are renamed with it."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Final

from codeagentd.languages.language import ImplicitUses, languages
from codeagentd.model.kinds import INHERITS, TYPE_NUMBERS, TYPES, Confidence, ReferenceKind, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

MOST_RELATED: Final = 10_000  # definitions of one family; above this some are left out

_EXACT: Final = int(Confidence.EXACT)
_EMBED: Final = int(ReferenceKind.EMBED)
_ENUM_MEMBER: Final = int(SymbolKind.ENUM_MEMBER)
_FIELD: Final = int(SymbolKind.FIELD)
_MODULE: Final = int(SymbolKind.MODULE)
_TYPE: Final = int(SymbolKind.TYPE)


def name_family(db: Database, subject: Subject) -> dict[int, tuple[int, str]]:
    """Return the family of `subject` without itself: for each definition a confidence and the reason."""
    overriding: dict[int, int] = dict(db.all("change.override_family", {"symbol": subject.id}))
    family = {
        symbol: (confidence, "overrides it, or is overridden: one name") for symbol, confidence in overriding.items()
    }
    family |= dict.fromkeys(_bodies(db, subject), (_EXACT, "overrides it, or is overridden: one name"))
    family |= dict.fromkeys(_embedded(db, subject), (_EXACT, "an embedded field has the name of its type"))
    return family | dict.fromkeys(associated_types(db, subject), (_EXACT, "fulfils it, or is fulfilled: one name"))


def associated_types(db: Database, subject: Subject) -> set[int]:
    """Return the types inside of other types that are fulfilled by the type `subject`, or fulfil it."""
    if subject.kind != _TYPE or not subject.is_member or not languages()[subject.language].names.associated_types:
        return set()
    related, todo = {subject.id}, [subject.parent]
    while todo and len(related) <= MOST_RELATED:
        parameters = {"type": todo.pop(), "key": subject.key, "inherits": INHERITS}
        for symbol, parent, kind in db.all("change.members_around", parameters):
            if kind == _TYPE and symbol not in related:
                related.add(symbol)
                todo.append(parent)
    return related - {subject.id}


def structural_members(db: Database, subject: Subject, family: Collection[int]) -> list[tuple[str, int, int]]:
    """Return the places of members of the same name that may have to keep one name with the member `subject` and its
    family, since one of them is of a type that others match by having its members.
    """
    rules = languages()[subject.language].uses
    if not subject.is_member or not (rules.structural_kinds or rules.structural_bases):
        return []
    parameters = {
        "key": subject.key,
        "family": json.dumps(language_family(subject.language)),
        "types": TYPE_NUMBERS,
        "symbols": json.dumps([subject.id, *family]),
    }
    rows = db.all("change.alike_members", parameters)
    demanding = [_demands(rules, SymbolKind(kind), bases) for *_, kind, bases, _ in rows]
    is_demanded = any(demands for demands, (*_, is_own) in zip(demanding, rows, strict=True) if is_own)
    return [
        (path, line, column)
        for demands, (path, line, column, *_, is_own) in zip(demanding, rows, strict=True)
        if not is_own and (demands or is_demanded)
    ]


def _demands(rules: ImplicitUses, kind: SymbolKind, bases: str) -> bool:
    """Whether values of other types with all members of this one count as values of it."""
    return kind.label in rules.structural_kinds or not set(bases.split(",")).isdisjoint(rules.structural_bases)


def _bodies(db: Database, subject: Subject) -> set[int]:
    """The members of an enum and those in the bodies of its constants: all of them but the subject."""
    if subject.parent is None or subject.kind in TYPES:
        return set()
    is_inside = subject.parent_kind == _ENUM_MEMBER
    enum = db.value("change.outer", (subject.parent,)) if is_inside else subject.parent
    parameters = {"type": enum, "key": subject.key, "member": _ENUM_MEMBER}
    bodies = {symbol for (symbol,) in db.all("change.bodies_of_members", parameters)}
    if not bodies:
        return set()
    own = {symbol for (symbol,) in db.all("change.same_scope", (enum, subject.key))}
    return (bodies | own) - {subject.id}


def additions(db: Database, subject: Subject) -> list[tuple[str, int, int]]:
    """Return the places of declarations in other modules that may add to `subject`: `declare module` of TypeScript."""
    if subject.is_member or not languages()[subject.language].symbols.global_block:
        return []
    return db.all("change.in_modules", {"symbol": subject.id, "key": subject.key, "module": _MODULE})


def embedded_type(db: Database, field: int) -> int | None:
    """Return the type that the field embeds and is named after; None for a field that has its own name."""
    value = db.value("change.embedded_type", {"field": field, "embed": _EMBED})
    return None if value is None else int(value)


def _embedded(db: Database, subject: Subject) -> set[int]:
    """A type and the fields that embed it: all of them but the subject."""
    embedded = embedded_type(db, subject.id) if subject.kind == _FIELD else subject.id
    if embedded is None or embedded < 0:
        return set()
    parameters = {"type": embedded, "embed": _EMBED, "field": _FIELD, "key": subject.key}
    fields = {symbol for (symbol,) in db.all("change.embedding_fields", parameters)}
    return {embedded, *fields} - {subject.id} if fields else set()
