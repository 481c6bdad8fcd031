"""Families of names: the definitions that have to have the same name as a symbol, and are renamed with it."""

from __future__ import annotations

from typing import Final

from codeagentd.languages.language import languages
from codeagentd.model.kinds import INHERITS, Confidence, ReferenceKind, SymbolKind
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

MOST_RELATED: Final = 10_000  # definitions of one family; above this some are left out

_EXACT: Final = int(Confidence.EXACT)
_EMBED: Final = int(ReferenceKind.EMBED)
_FIELD: Final = int(SymbolKind.FIELD)
_MODULE: Final = int(SymbolKind.MODULE)
_TYPE: Final = int(SymbolKind.TYPE)


def name_family(db: Database, subject: Subject) -> dict[int, tuple[int, str]]:
    """Return the family of `subject` without itself: for each definition a confidence and the reason."""
    overriding: dict[int, int] = dict(db.all("change.override_family", {"symbol": subject.id}))
    family = {
        symbol: (confidence, "overrides it, or is overridden: one name") for symbol, confidence in overriding.items()
    }
    family |= dict.fromkeys(_embedded(db, subject), (_EXACT, "an embedded field has the name of its type"))
    return family | dict.fromkeys(associated_types(db, subject), (_EXACT, "fulfils it, or is fulfilled: one name"))


def associated_types(db: Database, subject: Subject) -> set[int]:
    """Return the types inside of other types that are fulfilled by the type `subject`, or fulfil it."""
    if subject.kind != _TYPE or not subject.is_member or not languages()[subject.language].names.associated_types:
        return set()
    found, todo = {subject.id}, [subject.parent]
    while todo and len(found) <= MOST_RELATED:
        parameters = {"type": todo.pop(), "key": subject.key, "inherits": INHERITS, "kind": _TYPE}
        for symbol, parent in db.all("change.types_around", parameters):
            if symbol not in found:
                found.add(symbol)
                todo.append(parent)
    return found - {subject.id}


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
