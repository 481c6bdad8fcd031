"""Coverage: the share of the code in some languages whose references are resolved. It is counted once a generation,
since every answer without edges states it.
"""

from __future__ import annotations

from collections.abc import Collection

from codeagent_protocol.status import Coverage
from codeagentd.languages.language import GENERIC, languages
from codeagentd.store.connection import Database, Row

_counted: dict[str, tuple[int, list[Row]]] = {}  # by index: (generation, rows of world.coverage)


def covered(db: Database, languages: Collection[str]) -> tuple[int, Coverage]:
    """Return the number of files in `languages` that are not parsed in full, and the counts of the references in these
    languages by result.
    """
    counts = [row[1:] for row in _counts(db) if row[0] in languages]
    whole, *sums = map(sum, zip(*counts, strict=True)) if counts else (0,)
    return whole, Coverage(*sums)


def is_generic(language: str) -> bool:
    """Whether the references of a language are found by name alone."""
    known = languages().get(language)
    return known is not None and known.tier == GENERIC


def generic_note(among: Collection[str]) -> str:
    """Return a note in words on the generic ones of some languages, whose answers prove nothing; '' without any."""
    names = ", ".join(sorted(filter(is_generic, among)))
    return (
        f"coverage generic: uses in {names} are found by name alone, so some may be wrong and others missing"
        if names
        else ""
    )


def is_indexed(db: Database, language: str) -> bool:
    """Whether the index contains a file of `language`."""
    return any(row[0] == language for row in _counts(db))


def _counts(db: Database) -> list[Row]:
    generation = int(db.value("writer.meta", ("generation",), 0))
    known = _counted.get(db.connection.filename)
    if known is None or known[0] != generation or not generation:
        known = _counted[db.connection.filename] = (generation, db.all("world.coverage"))
    return known[1]
