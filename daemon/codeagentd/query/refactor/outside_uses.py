"""Uses of a definition by what is outside of the repository: the language calls it by its name, or it overrides a
member of a library. A renaming cannot edit these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final, NamedTuple

from codeagentd.languages.language import Language, languages
from codeagentd.model.facts import OWN_BASE, USERS_BASE
from codeagentd.model.ids import name_key
from codeagentd.model.kinds import INHERITS, TYPE_NUMBERS, TYPES, ReferenceKind, SymbolFlag, SymbolKind
from codeagentd.model.labels import clean
from codeagentd.store.connection import Database

from .mentions import Lines
from .name_families import embedded_type

MOST_ANCESTORS: Final = 500  # more than any type has; bounds the walk when the sources are nonsense

_OVERRIDE: Final = int(ReferenceKind.OVERRIDE)
_IN_TRAITS: Final = frozenset({SymbolKind.METHOD, SymbolKind.FUNCTION, SymbolKind.CONSTANT, SymbolKind.TYPE})
_LAST: Final = re.compile(r"::|[.#\\]")  # between the parts of a base's name


class OutsideUse(NamedTuple):
    """The definition at a place, and why something outside of the repository may use it by its name."""

    path: str
    line: int
    column: int
    reason: str


class _Definition(NamedTuple):
    """The columns of the statement change.of_outside."""

    id: int
    name: str
    kind: int
    flags: int
    access: str
    path: str
    line: int
    column: int
    language: str
    type: int | None
    type_kind: int | None


def outside_uses(db: Database, symbols: Sequence[int], lines: Lines) -> Iterator[OutsideUse]:
    """Yield those of `symbols` that something outside of the repository may use by their names; `lines` returns the
    present text of a file.
    """
    for row in db.all("change.of_outside", {"symbols": json.dumps(symbols), "types": TYPE_NUMBERS}):
        definition = _Definition(*row)
        if definition.kind == SymbolKind.CONSTRUCTOR:
            continue
        text = lines(definition.path)
        before = text[definition.line - 1][: definition.column] if 0 < definition.line <= len(text) else ""
        reason = _special(definition, before) or _augmenting(db, definition) or _overriding(db, definition, before)
        if reason:
            yield OutsideUse(definition.path, definition.line, definition.column, reason)


def _special(definition: _Definition, before: str) -> str:
    """Why the language uses a definition by its name; '' if it does not. `before` precedes the name on its line."""
    language = languages()[definition.language]
    if definition.kind in TYPES:
        is_special = definition.name in language.uses.special_types
        return "the language uses a type of this name" if is_special else ""
    if definition.type is None and definition.name in language.symbols.entry_points:
        return "the program begins here: the language demands this name"
    if _matches(definition.name, language.uses.special) or not set(language.uses.marks).isdisjoint(before.split()):
        return "the language uses a definition of this name"
    return ""


def _augmenting(db: Database, definition: _Definition) -> str:
    """Why a definition may be one part of another, from elsewhere: it stands in a block that adds to all files, or to
    another module (TypeScript).
    """
    block = languages()[definition.language].symbols.global_block
    around = db.all("change.around", {"symbol": definition.id}) if block else []
    is_inside = any(kind == SymbolKind.MODULE or name == block for kind, name in around)
    return "it may add to a definition that is outside of the repository" if is_inside else ""


def _overriding(db: Database, definition: _Definition, before: str) -> str:
    """Why a member may override one from outside of the repository; '' if it does not."""
    language = languages()[definition.language]
    if definition.type is None or definition.flags & SymbolFlag.PRIVATE or _is_apart(language, definition):
        return ""
    if language.symbols.structural:
        embedded = embedded_type(db, definition.id) if definition.kind == SymbolKind.FIELD else None
        outside = "it has the name of the type that it embeds, which is outside of the repository"
        return outside if embedded is not None and embedded < 0 else _fulfilling(language, definition)
    is_marked = bool(definition.flags & SymbolFlag.OVERRIDE)
    if word := language.uses.visible_word:
        is_marked = (
            definition.kind in _IN_TRAITS
            and definition.type_kind not in (SymbolKind.TRAIT, SymbolKind.ENUM)
            and definition.access == "public"
            and word not in re.findall(r"\w+", before)
        )
    if is_marked and not db.all("change.overrides", {"symbol": definition.id, "override": _OVERRIDE}):
        return "it overrides a member of a type that is outside of the repository"
    if word or language.uses.marks_overriding:
        return ""
    bases = [base for base in _outside_bases(db, definition.type) if not _has_no(language, base, definition.name)]
    return f"it may override a member of {clean(bases[0])}, which is outside of the repository" if bases else ""


def _is_apart(language: Language, definition: _Definition) -> bool:
    """Whether a type inside of another has nothing to do with the members of bases: in languages where types are no
    values, but for type members.
    """
    return definition.kind in TYPES and definition.kind != SymbolKind.TYPE and language.symbols.separate_types


def _fulfilling(language: Language, definition: _Definition) -> str:
    """Why a method may be demanded by an interface of the library, where types implement interfaces by structure."""
    for name, methods in language.types.interfaces.items():
        if definition.kind == SymbolKind.METHOD and any(method.startswith(f"{definition.name}(") for method in methods):
            return f"it may be demanded by {name}, which is outside of the repository"
    return ""


def _outside_bases(db: Database, type_id: int) -> list[str]:
    """The bases of a type, direct or not, that are no types of the repository, as they are written."""
    result: list[str] = []
    todo, seen = [type_id], {type_id}
    while todo and len(seen) <= MOST_ANCESTORS:
        current = todo.pop()
        rows = db.all("change.found_bases", {"type": current, "inherits": INHERITS})
        known = {key for key, _ in rows}
        for written in filter(None, str(db.value("change.written_bases", (current,)) or "").split(",")):
            base = written.removeprefix(OWN_BASE).removeprefix(USERS_BASE)
            if name_key(_LAST.split(base)[-1]) not in known:
                result.append(base)
        following = {target for _, target in rows} - seen
        seen |= following
        todo += following
    return result


def _has_no(language: Language, base: str, name: str) -> bool:
    """Whether it is known that a base from outside of the repository has no member of a name."""
    last = _LAST.split(base)[-1]
    if last in language.types.memberless:
        return True
    return any(last in known.bases and not _matches(name, known.members) for known in language.uses.known)


def _matches(name: str, patterns: Sequence[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)
