"""Structural subtyping: the types that implement an interface by their methods alone, and the interfaces that a type
implements, computed by each query: they are stored in no row.

This applies only to languages whose data have `structural`. A type implements an interface if it has every method of
it, declared or promoted from an embedded type; methods with pointer receivers count. Types in signatures are compared
by the meanings of their names: `exact` when all are the same, `inferred` when some cannot be decided.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from codeagentd.languages.language import languages
from codeagentd.model.kinds import INHERITS, Origin, ReferenceKind, SymbolKind
from codeagentd.model.parameters import language_family
from codeagentd.query.paging import Key
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

from .method_sets import MatchedMethods, Method, MethodRequirements, MethodSets, TypeRow, fits, required_methods
from .signature_types import Meanings

MOST_TYPES: Final = 400  # types compared with one interface: 5 ms
MOST_INTERFACES: Final = 200  # interfaces compared with one type
# types that get a method by embedding and are checked for the interfaces that they thereby implement
MOST_HEIRS: Final = 20

_KINDS: Final = {"method": int(SymbolKind.METHOD), "interface": int(SymbolKind.INTERFACE)}
_IMPLEMENTS: Final = (int(ReferenceKind.IMPLEMENT), int(Origin.STRUCTURE))
_OVERRIDES: Final = (int(ReferenceKind.OVERRIDE), int(Origin.OVERRIDE))


class Implementer(NamedTuple):
    """A type that implements an interface, the confidence, and the methods that implement it."""

    type: TypeRow
    confidence: int
    methods: dict[int, MatchedMethods]


class Rows(NamedTuple):
    """Rows of edges, and a note in words on what was not examined."""

    rows: list[Key]
    note: str = ""


def is_structural(subject: Subject) -> bool:
    """Whether types of the language of `subject` implement interfaces without declaring it."""
    language = languages().get(subject.language)
    return language is not None and language.symbols.structural


def implementing(db: Database, subject: Subject) -> Rows:
    """Return edges to the types that implement the interface `subject`."""
    if subject.kind != SymbolKind.INTERFACE:
        return Rows([])
    implementers, note = _implementers(db, subject.id, _family(subject))
    return Rows(
        [
            _row(implementer.confidence, implementer.type, implementer.type.kind, _IMPLEMENTS, implementer.type.place)
            for implementer in implementers
        ],
        note,
    )


def implemented(db: Database, subject: Subject) -> Rows:
    """Return edges to the interfaces that the type `subject` implements."""
    if subject.kind not in (SymbolKind.STRUCT, SymbolKind.TYPE):
        return Rows([])
    keys = _keys_of(db, subject.id)
    if not keys:
        return Rows([])
    interfaces, note = _interfaces(db, keys, INHERITS, subject)
    place = f"{subject.file}:{subject.line}:{subject.col}"
    pairs = list(_fulfilled(db, interfaces, [subject.id]))
    rows = {
        row[0]: TypeRow(*row)
        for row in db.all("structural.types", {"types": json.dumps([interface for interface, _ in pairs])})
    }
    return Rows(
        [
            _row(implementer.confidence, rows[interface], rows[interface].kind, _IMPLEMENTS, place)
            for interface, implementer in pairs
        ],
        note,
    )


def overriding(db: Database, subject: Subject) -> Rows:
    """Return edges to the methods by which types implement `subject`, a method of an interface."""
    if subject.parent_kind != SymbolKind.INTERFACE or subject.parent is None:
        return Rows([])
    implementers, note = _implementers(db, subject.parent, _family(subject))
    surest: dict[int, Key] = {}
    for implementer in sorted(implementers, key=lambda implementer: -implementer.confidence):
        for method in implementer.methods[subject.key].methods:
            if method.type_kind != SymbolKind.INTERFACE:
                surest[method.id] = _row(implementer.confidence, method, method.kind, _OVERRIDES, method.place)
    return Rows(list(surest.values()), note)


def overridden(db: Database, subject: Subject) -> Rows:
    """Return edges to the methods of interfaces that the method `subject` implements, for its type or for one that
    embeds its type.
    """
    if subject.parent_kind not in (SymbolKind.STRUCT, SymbolKind.TYPE) or subject.kind != SymbolKind.METHOD:
        return Rows([])
    interfaces, note = _interfaces(db, [subject.key], 0, subject)
    if not interfaces:
        return Rows([])
    heirs = [
        row[0]
        for row in db.all(
            "structural.heirs", {"type": subject.parent, "inherits": INHERITS, "limit": MOST_HEIRS, **_KINDS}
        )
    ]
    place = f"{subject.file}:{subject.line}:{subject.col}"
    surest: dict[int, Key] = {}
    for interface, implementer in _fulfilled(db, interfaces, heirs):
        if any(method.id == subject.id for method in implementer.methods[subject.key].methods):
            method = interfaces[interface].methods[subject.key]
            row = _row(implementer.confidence, method, method.kind, _OVERRIDES, place)
            surest[method.id] = min(row, surest.get(method.id, row))
    return Rows(list(surest.values()), note)


def _implementers(db: Database, interface: int, family: str) -> tuple[list[Implementer], str]:
    """The types that implement an interface: among those that have its rarest method or embed a type, those with all
    methods; and a note.
    """
    required = required_methods(db, interface)
    if required is None or not required.methods:
        return [], ""
    own = [key for key, method in required.methods.items() if not method.is_standard] or list(required.methods)
    key = db.value("structural.rarest", {"keys": json.dumps(own), "limit": MOST_TYPES, **_KINDS})
    candidates = [
        row[0]
        for row in db.all(
            "structural.carriers",
            {"key": key, "inherits": INHERITS, "family": family, "limit": MOST_TYPES + 1, **_KINDS},
        )
    ]
    note = (
        f"more than {MOST_TYPES} types have a method {required.methods[key].name}: only so many were compared"
        if len(candidates) > MOST_TYPES
        else ""
    )
    return [implementer for _, implementer in _fulfilled(db, {interface: required}, candidates[:MOST_TYPES])], note


def _fulfilled(
    db: Database, interfaces: dict[int, MethodRequirements], types: list[int]
) -> Iterator[tuple[int, Implementer]]:
    """Yield each of the interfaces with each of the types that implement it.

    Names are compared first, since comparing types takes longer.
    """
    sets = MethodSets(db, {key for required in interfaces.values() for key in required.methods})
    sets.prepare(types)
    pairs = []
    for interface, required in interfaces.items():
        for number in types:
            methods = _all_matched(sets, number, required)
            if methods:
                pairs.append((interface, required, number, methods))
    meanings = Meanings(db)
    meanings.load(_methods(pairs))
    for interface, required, number, methods in pairs:
        confidence = fits(required, methods, meanings)
        if confidence is not None:
            yield interface, Implementer(sets.types[number], confidence, methods)


def _all_matched(sets: MethodSets, type_: int, required: MethodRequirements) -> dict[int, MatchedMethods] | None:
    methods = {}
    for key in required.methods:
        match = sets.find(type_, key, required.methods[key].is_standard)
        if match is None:
            return None
        methods[key] = match
    return methods


def _methods(pairs: list[tuple[int, MethodRequirements, int, dict[int, MatchedMethods]]]) -> Iterator[Method]:
    for _, required, _, methods in pairs:
        yield from required.methods.values()
        for match in methods.values():
            yield from match.methods


def _keys_of(db: Database, type_: int) -> list[int]:
    """The keys of the names of all methods that a type has, or may have by embedding."""
    keys: set[int] = set()
    seen, level = {type_}, [type_]
    while level and len(seen) <= MOST_TYPES:
        parameter = json.dumps(level)
        keys.update(row[1] for row in db.all("structural.methods", {"types": parameter, **_KINDS}))
        level = list(
            {base for _, base, _ in db.all("structural.bases", {"types": parameter, "inherits": INHERITS})} - seen
        )
        seen.update(level)
    return sorted(keys)


def _interfaces(
    db: Database, keys: Iterable[int], inherits: int, subject: Subject
) -> tuple[dict[int, MethodRequirements], str]:
    """The interfaces that require one of these names, with their requirements; and a note."""
    parameters: dict[str, Any] = {
        "keys": json.dumps(list(keys)),
        "inherits": inherits,
        "family": _family(subject),
        "limit": MOST_INTERFACES + 1,
        **_KINDS,
    }
    numbers = [row[0] for row in db.all("structural.interfaces", parameters)]
    note = f"only {MOST_INTERFACES} interfaces were compared" if len(numbers) > MOST_INTERFACES else ""
    return {
        number: required
        for number in numbers[:MOST_INTERFACES]
        if (required := required_methods(db, number)) and required.methods
    }, note


def _row(confidence: int, end: TypeRow | Method, symbol_kind: int, edge: tuple[int, int], place: str) -> Key:
    return (
        confidence,
        end.path,
        end.line_start,
        end.uid,
        *edge,
        end.name,
        end.qualified_name,
        symbol_kind,
        end.line_end,
        place,
    )


def _family(subject: Subject) -> str:
    return json.dumps(language_family(subject.language))
