"""The names that the imports of a document bind, with all of their occurrences. Those of packages outside of the
repository are nothing that the index has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from codeagentd.model.documents import LocalVariable
from codeagentd.model.facts import FIRST_BOUND, FREE, PLAIN, FileFacts, ImportFact


def imported_names(facts: FileFacts, lines: Sequence[str]) -> list[LocalVariable]:
    """Return the names that imports bind in a text with these `lines`, in the order of the imports; each name once."""
    first = FIRST_BOUND + len(facts.symbols)
    places: dict[str, set[tuple[int, int, bool]]] = defaultdict(set)
    names = [_name(fact) for fact in facts.imports]
    for name, fact in zip(names, facts.imports, strict=True):
        if name and (column := _column(name, fact, lines)) is not None:
            places[name].add((fact.line, column, True))
    for number, _, line, column, _, binding, receiver, _ in facts.rows():
        if receiver != PLAIN:
            continue
        name = names[binding - first] if first <= binding < first + len(names) else facts.names[number]
        is_imported = binding >= first or (binding == FREE and name in places)
        if is_imported and name in places and lines[line - 1].startswith(name, column):
            places[name].add((line, column, False))
    return [
        LocalVariable(name, 1, len(lines), False, tuple(sorted(_distinct(occurrences))), is_import=True)
        for name, occurrences in places.items()
    ]


def _distinct(places: set[tuple[int, int, bool]]) -> set[tuple[int, int, bool]]:
    """The places, without those that are bound there and referred to."""
    bound = {place[:2] for place in places if place[2]}
    return {place for place in places if place[2] or place[:2] not in bound}


def _name(fact: ImportFact) -> str:
    """The name that an import binds. One that states none has the last part of the module's path, as in Go; '' without
    one.
    """
    last = fact.module.rpartition("/")[2]
    return fact.local or (last if not fact.name and last.isidentifier() else "")


def _column(name: str, fact: ImportFact, lines: Sequence[str]) -> int | None:
    """The column of the name of an import on its line; None where it is not there."""
    text = lines[fact.line - 1] if 0 < fact.line <= len(lines) else ""
    if text.startswith(name, fact.col):
        return fact.col
    word = re.compile(rf"(?<![\w$]){re.escape(name)}(?![\w$])")
    match = word.search(text, fact.col) or word.search(text)
    return match.start() if match else None
