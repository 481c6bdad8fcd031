"""The plan of a renaming: the places to edit, and the confidence of each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from codeagentd.languages.language import language_of, languages
from codeagentd.model.kinds import TYPES, Confidence, SymbolFlag, SymbolKind
from codeagentd.model.labels import clean
from codeagentd.model.parameters import language_family
from codeagentd.model.results.change_results import Site
from codeagentd.model.results.graph_results import AMBIGUOUS, CONFIDENCE_WORDS, EXTRACTED, INFERRED
from codeagentd.query.graph.edges import namesakes
from codeagentd.query.retrieval.excerpts import quoted_line
from codeagentd.query.symbols.coverage import is_generic
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

from .computed_names import computed_names
from .edit_locations import RENAME_FILE
from .mentions import Lines, Place, mentions, word
from .name_collisions import find_collisions
from .name_families import additions, associated_types, name_family, structural_members
from .new_names import keyword_collisions, unescaped
from .outside_uses import outside_uses
from .shorthand import is_shorthand

MOST: Final = 200  # open references, and places found only in the text
SCORES: Final = {EXTRACTED: 1.0, INFERRED: 0.8, AMBIGUOUS: 0.2}  # page 002's origin

SAME_WORD: Final = "the same word in the text"  # the reasons of places that are found only in the text
DASHED: Final = "the name with dashes in the text"
IN_SHORT: Final = ", in short: write "  # in a reason, before what has to be written in place of the old name

_CONSTRUCTOR: Final = int(SymbolKind.CONSTRUCTOR)
# by the rule of the language for files of types: why such a file is renamed
_FILES: Final = {
    "public": "a public type has to be in a file of its name",
    "loaded": "a type is loaded from the file of its name",
}


class Plan(NamedTuple):
    """The edits, the places to check by hand, and the places where the new name is taken already.

    Paths are those of the index, and texts are empty: `quoted` fills them.
    """

    edits: list[Site]
    review: list[Site]
    collisions: list[str]
    is_generic: bool = False  # uses are found by name alone

    @property
    def confidence(self) -> str:
        """The confidence of the whole plan: that of its least certain part."""
        if self.collisions or any(site.confidence == AMBIGUOUS for site in (*self.edits, *self.review)):
            return AMBIGUOUS
        return (
            INFERRED
            if self.is_generic or self.review or any(edit.confidence == INFERRED for edit in self.edits)
            else EXTRACTED
        )

    @property
    def score(self) -> float:
        """The mean confidence of all places, as a number."""
        worth = [SCORES[site.confidence] for site in (*self.edits, *self.review)]
        return round(sum(worth) / len(worth), 3) if worth else 0.0


def renaming(db: Database, subject: Subject, new: str, lines: Lines) -> Plan:
    """Return the plan to rename `subject` to `new`; `lines` returns the present text of a file."""
    return _Renaming(db, subject, new, lines).plan()


def quoted(sites: Iterable[Site], shown: Lines) -> list[Site]:
    """Return `sites` with their lines as texts, for an answer; `shown` returns the lines of a file without secrets."""
    return [
        msgspec.structs.replace(site, file=clean(site.file), text=quoted_line(shown(site.file), site.line))
        for site in sites
    ]


def written_out(subject: Subject, new: str) -> str:
    """Return what stands for the name of `subject` where key and value are written as one, once it is called `new`."""
    return ": ".join((new, subject.name) if subject.is_member else (subject.name, new))


def is_written_in_short(subject: Subject, lines: Sequence[str], path: str, line: int, column: int) -> bool:
    """Whether the name of `subject` at a place of the file at `path`, with these lines, is both a key and a value."""
    language = language_of(path)
    rule = languages()[language].names.shorthand if language else ""
    if (rule == "fields" and subject.kind != SymbolKind.FIELD) or subject.kind == SymbolKind.ENUM_MEMBER:
        return False
    return is_shorthand(rule, lines, line, column, column + len(subject.name))


class _Renaming:
    """The construction of one plan. Every place is taken once, with the highest confidence known for it."""

    def __init__(self, db: Database, subject: Subject, new: str, lines: Lines) -> None:
        self._db = db
        self._subject = subject
        self._old, self._new = subject.name, new
        self._text = lines
        self._word = word(self._old)
        self._alias = re.compile(rf"\s+as\s+({re.escape(self._old)})(?![\w$])")
        self._symbols = [subject.id, *self._constructors()]
        self._family = name_family(db, subject)
        self._is_shared = subject.is_member and namesakes(db, subject) > 1
        self._cache: dict[str, Sequence[str]] = {}
        self._seen: set[Place] = set()
        self._edits: list[Site] = []
        self._review: list[Site] = []

    def plan(self) -> Plan:
        self._definitions()
        self._references()
        self._open()
        self._mentions()
        for computed in computed_names(self._db, self._subject, self._lines):
            self._note(computed.path, computed.line, computed.column, INFERRED, computed.reason)
        self._files()
        self._outside()
        order = [
            sorted(sites, key=lambda site: (site.file, site.line, site.column)) for sites in (self._edits, self._review)
        ]
        return Plan(order[0], order[1], self._collisions(), is_generic(self._subject.language))

    def _collisions(self) -> list[str]:
        names = dict.fromkeys((self._new, unescaped(self._new, self._subject.language)))
        collisions = [
            collision
            for name in names
            for collision in find_collisions(self._db, self._subject, name, self._edits, self._lines)
        ]
        return [*dict.fromkeys(collisions), *keyword_collisions(self._subject, self._new, self._edits)]

    def _constructors(self) -> list[int]:
        """The constructors of a type; in some languages they have the type's name."""
        if self._subject.kind not in TYPES:
            return []
        rows = self._db.all(
            "change.constructors_of", {"type": self._subject.id, "name": self._old, "constructor": _CONSTRUCTOR}
        )
        return [number for (number,) in rows]

    def _definitions(self) -> None:
        for _, path, line, column in self._db.all("change.definitions", (json.dumps(self._symbols),)):
            self._take(path, line, column, EXTRACTED, "defined here")
        for symbol, path, line, column in self._db.all("change.definitions", (json.dumps([*self._family]),)):
            confidence, reason = self._family[symbol]
            self._take(path, line, column, CONFIDENCE_WORDS[confidence], reason)
        for place in additions(self._db, self._subject):
            self._note(*place, INFERRED, "a declaration of this name, which may add to it")
        for place in structural_members(self._db, self._subject, self._family):
            self._note(*place, INFERRED, "a member of this name, which may be demanded by the same interface")

    def _references(self) -> None:
        symbols = json.dumps([*self._symbols, *self._family])
        for path, line, column, _, certainty, key, target in self._db.all("change.sites", (symbols,)):
            if key == self._subject.key:
                confidence = max(certainty, self._family[target][0] if target in self._family else 0)
                reason = (
                    "refers to it" if confidence < Confidence.AMBIGUOUS else "may refer to it: several have this name"
                )
                self._take(path, line, column, CONFIDENCE_WORDS[confidence], reason)

        self._overloads()

    def _overloads(self) -> None:
        """Add the references to other overloads that may be meant for this one, since the arguments do not tell."""
        rows = self._db.all("change.same_scope", (self._subject.parent, self._subject.key))
        others = [number for (number,) in rows if number not in (*self._symbols, *self._family)]
        for path, line, column, _, certainty, key, _ in self._db.all("change.sites", (json.dumps(others),)):
            if key == self._subject.key and certainty == Confidence.INFERRED:
                self._note(path, line, column, AMBIGUOUS, "may refer to it: the arguments fit another overload as well")

    def _open(self) -> None:
        """Add the references on receivers of unknown type."""
        if not self._subject.is_member:
            return
        parameters = {
            "key": self._subject.key,
            "family": json.dumps(language_family(self._subject.language)),
            "limit": MOST,
        }
        for path, line, column, confidence in self._db.all("change.open_sites", parameters):
            self._note(
                path,
                line,
                column,
                AMBIGUOUS if self._is_shared else CONFIDENCE_WORDS[confidence],
                "on a receiver of unknown type",
            )

    def _mentions(self) -> None:
        """Add whole words in strings, comments and documents."""
        left = MOST
        for path, line, column in mentions(self._db, self._old, [*self._symbols, *self._family], self._lines):
            if left and (path, line, column) not in self._seen:
                left -= 1
                is_same = self._lines(path)[line - 1].startswith(self._old, column)
                reason = SAME_WORD if is_same else DASHED
                self._note(path, line, column, AMBIGUOUS if self._is_shared else INFERRED, reason)

    def _files(self) -> None:
        """Add the files that have to have the name of the type, in languages where that is so."""
        rule = languages()[self._subject.language].names.file_of_types
        if not rule or self._subject.kind not in TYPES or self._subject.parent_kind in TYPES:
            return
        flags, *_ = self._db.row("symbols.details", {"symbol": self._subject.id}) or (0,)
        for _, path, line, _ in self._db.all("change.definitions", (json.dumps([self._subject.id]),)):
            stem, dot, suffix = path.rpartition("/")[2].partition(".")
            if stem == self._old and (rule != "public" or flags & SymbolFlag.PUBLIC_API):
                self._review.append(
                    Site(
                        path,
                        line,
                        0,
                        EXTRACTED,
                        f"{RENAME_FILE}{clean(self._new)}{dot}{suffix}: {_FILES[rule]}",
                        "",
                    )
                )

    def _outside(self) -> None:
        """Add the definitions that something outside of the repository uses by this name."""
        symbols = [self._subject.id, *self._family]
        fulfilled = symbols if associated_types(self._db, self._subject) else []
        for use in outside_uses(self._db, [symbol for symbol in symbols if symbol not in fulfilled], self._lines):
            self._review.append(Site(use.path, use.line, use.column, INFERRED, use.reason, ""))

    def _take(self, path: str, line: int, column: int, confidence: str, reason: str) -> None:
        """Add an edit, if it is certain enough and the name is at the place."""
        at = self._at(path, line, column)
        if at is None:
            self._note(path, line, max(column, 0), INFERRED, f"{reason}, but the name does not stand there")
        elif SCORES[confidence] < SCORES[INFERRED]:
            self._note(path, line, at, confidence, reason)
        elif is_written_in_short(self._subject, self._lines(path), path, line, at):
            written = clean(written_out(self._subject, self._new))
            self._note(path, line, at, confidence, f"{reason}{IN_SHORT}{written}")
        else:
            self._add(self._edits, path, line, at, confidence, reason)
            self._take_alias(path, line, at + len(self._old), confidence)

    def _take_alias(self, path: str, line: int, end: int, confidence: str) -> None:
        """Add the second name of `import total as total`, which exports it under this name. Files that import it from
        there are edited too.
        """
        if match := self._alias.match(self._lines(path)[line - 1], end):
            self._add(self._edits, path, line, match.start(1), confidence, "exported under the same name")

    def _note(self, path: str, line: int, column: int, confidence: str, reason: str) -> None:
        self._add(self._review, path, line, column, confidence, reason)

    def _add(self, sites: list[Site], path: str, line: int, column: int, confidence: str, reason: str) -> None:
        if (path, line, column) not in self._seen:
            self._seen.add((path, line, column))
            sites.append(Site(path, line, column, confidence, reason, ""))

    def _at(self, path: str, line: int, column: int) -> int | None:
        """The column of the name: the given one, else the only one on the line; None if the name is not there."""
        lines = self._lines(path)
        if not 0 < line <= len(lines):
            return None
        columns = [match.start() for match in self._word.finditer(lines[line - 1])]
        if column in columns:
            return column
        return columns[0] if column < 0 and len(columns) == 1 else None

    def _lines(self, path: str) -> Sequence[str]:
        if path not in self._cache:
            self._cache[path] = self._text(path)
        return self._cache[path]
