"""From many symbols, where does one step along the edges lead? The ground of impact and ways."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Final, NamedTuple

from codeagent_protocol.errors import CodedError
from codeagentd.model.kinds import CANDIDATES, EDGE_OF_REFERENCE, TYPES, Confidence, ReferenceKind, SymbolKind
from codeagentd.model.parameters import LANGUAGES, language_family
from codeagentd.store.connection import Database

from .graph import EVERY_KIND
from .kinship import TYPE_NUMBERS
from .outline import IndexedFile, indexed_file
from .symbols import LABELS, Subject, resolve

AMBIGUOUS: Final = int(Confidence.AMBIGUOUS)
FILES: Final = frozenset({SymbolKind.FILE, SymbolKind.MODULE})
_WEIGHT: Final = 64  # confidence * 64 + kind of reference, as the statements have it
_FAMILIES: Final = json.dumps({language: LANGUAGES.index(language_family(language)[0]) for language in LANGUAGES})
_OPEN: Final[dict[str, Any]] = {"types": TYPE_NUMBERS, "constructor": int(SymbolKind.CONSTRUCTOR), "each": CANDIDATES, "families": _FAMILIES}


class Step(NamedTuple):
    """One edge that was followed: backward against its direction."""

    start: int
    end: int
    confidence: int
    kind: int
    is_forward: bool

    @property
    def edge_type(self) -> str:
        """The edge's type as answers name it."""
        return EDGE_OF_REFERENCE[ReferenceKind(self.kind)]


class Seeds(NamedTuple):
    """What a question starts from: what it is called, and its symbols; a file has all in it, a type its members."""

    name: str
    ids: list[int]
    languages: tuple[str, ...]
    subject: Subject | None


class Card(NamedTuple):
    """A symbol in short."""

    kind: str
    name: str
    path: str
    line: int


def steps(db: Database, symbols: Collection[int], *, forward: bool, kinds: int = EVERY_KIND) -> list[Step]:
    """The edges out of (forward) or into these symbols, the surest of each pair, by sureness. `kinds` are reference kinds as bits.

    Edges of open references are those that page 000's tools show.
    """
    asked = {"symbols": json.dumps(sorted(symbols)), "kinds": kinds}
    way = "out" if forward else "in"
    rows = db.all(f"retrieval.steps_{way}", asked) + db.all(f"retrieval.open_steps_{way}", asked | _OPEN)
    found = [Step(start, end, weight // _WEIGHT, weight % _WEIGHT, forward) for start, end, weight in rows]
    return sorted(found, key=lambda step: (step.confidence, step.kind, step.start, step.end))


def seeds(db: Database, target: str, parameter: str) -> Seeds:
    """A file by its path, else a symbol by node id or name. Errors: not_found, invalid_parameter with candidates."""
    path = target.removeprefix("./")
    if db.one("files.by_path", (path,)) is not None:
        file = _file(db, path, parameter)
        return Seeds(path, [number for (number,) in db.all("retrieval.in_file", (file.id,))], language_family(file.language or ""), None)
    return seeds_of(db, resolve(db, target, parameter))


def seeds_of(db: Database, subject: Subject) -> Seeds:
    """A subject with what it has inside: all of a file, a type's members."""
    if subject.parent is None and subject.kind in FILES and subject.id > 0:
        inside = [number for (number,) in db.all("retrieval.in_file", (subject.file,))]
        return Seeds(subject.path, inside, language_family(subject.language), None)
    inside = [number for (number,) in db.all("retrieval.members", (subject.id,))] if subject.kind in TYPES else []
    return Seeds(subject.qualified_name, [subject.id, *inside], language_family(subject.language), subject)


def _file(db: Database, path: str, parameter: str) -> IndexedFile:
    try:
        return indexed_file(db, path)
    except CodedError as error:
        error.facts["parameter"] = parameter
        raise


def cards(db: Database, symbols: Collection[int]) -> dict[int, Card]:
    """Symbols by number, in short."""
    rows = db.all("retrieval.cards", (json.dumps(list(symbols)),))
    return {number: Card(LABELS[kind], name, path, line) for number, kind, name, path, line in rows}
