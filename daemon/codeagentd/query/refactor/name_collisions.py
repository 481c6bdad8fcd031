"""Collisions of a new name: the places where it already has a meaning, so that one definition would hide the other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from codeagentd.model.ids import name_key
from codeagentd.model.kinds import INHERITS, SymbolKind
from codeagentd.model.labels import clean
from codeagentd.model.results.change_results import Site
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

_CONSTRUCTOR: Final = int(SymbolKind.CONSTRUCTOR)
_CALLABLES: Final = json.dumps(
    [*map(int, (SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY))]
)


def related_members(db: Database, subject: Subject, key: int) -> list[int]:
    """Return the members of a name of the types above and below that of `subject`, which would override each other."""
    rows = db.all("change.members_around", {"type": subject.parent, "key": key, "inherits": INHERITS})
    return [number for number, _, kind in rows if kind != _CONSTRUCTOR]


def find_collisions(
    db: Database, subject: Subject, new: str, edits: Sequence[Site], lines: Callable[[str], Sequence[str]]
) -> list[str]:
    """Return in words the collisions of the name `new` for `subject`: definitions with that name in the scope of the
    symbol, in supertypes and subtypes of its type, and in files and functions that use the symbol's name.

    `edits` are the places of the old name; `lines` returns the present text of a file.
    """
    key = name_key(new)
    collisions = (
        [f"{new} is there already, next to {subject.name} in {clean(subject.path)}"]
        if db.all("change.same_scope", (subject.parent, key))
        else []
    )
    if subject.may_override:
        related = json.dumps(related_members(db, subject, key))
        collisions += [
            f"{new} is there already, above or below: {clean(path)}, line {line}"
            for _, path, line, _ in db.all("change.definitions", (related,))
        ]
    bound = (
        {}
        if subject.is_member
        else _bound(db, new, {site.file for site in edits} - ({subject.path} if collisions else set()), lines)
    )
    mentions = {path: line for path, line in _mentioned_together(db, subject, new, edits, lines) if path not in bound}
    return [
        *collisions,
        *[f"{new} means something in {clean(path)}, line {line}" for path, line in sorted(bound.items())],
        *[
            f"{new} is said in {clean(path)}, line {line}, by a function that says {subject.name}"
            for path, line in sorted(mentions.items())
        ],
    ]


def _bound(db: Database, new: str, paths: set[str], lines: Callable[[str], Sequence[str]]) -> dict[str, int]:
    """The files that define or import the new name at their top level, with the line."""
    parameters = {"paths": json.dumps(sorted(paths)), "name": new, "key": name_key(new)}
    bound: dict[str, int] = {}
    for path, line in db.all("change.bound_in", parameters):
        bound.setdefault(
            path, line or next((at for at, text in enumerate(lines(path), 1) if _bare(new).search(text)), 1)
        )
    return bound


def _mentioned_together(
    db: Database, subject: Subject, new: str, edits: Sequence[Site], lines: Callable[[str], Sequence[str]]
) -> Iterator[tuple[str, int]]:
    """The files and lines where a function uses both names without a qualifier, also as parameters and variables; the
    last line of each file first.
    """
    old, replacement = _bare(subject.name), _bare(new)
    own = {(site.file, site.line) for site in edits if old.match(lines(site.file)[site.line - 1], site.column or 0)}
    for path, first, last in db.all("change.holders", {"symbol": subject.id, "callables": _CALLABLES}):
        if any((path, line) in own for line in range(first, last + 1)):
            text = lines(path)
            yield from (
                (path, line)
                for line in range(min(last, len(text)), first - 1, -1)
                if replacement.search(text[line - 1])
            )


def _bare(name: str) -> re.Pattern[str]:
    """A pattern for the name as a word that is no member of another expression."""
    return re.compile(rf"(?<![\w$.])(?<!->)(?<!::){re.escape(name)}(?![\w$])")
