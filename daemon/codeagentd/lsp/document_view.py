"""The names in one document: from the index where the text is the one that was indexed, else from an analysis of the
text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final, NamedTuple

from codeagentd.languages.language import language_of
from codeagentd.model.documents import Definition, DocumentAnalysis, LocalVariable
from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import ReferenceKind
from codeagentd.pipeline.documents.moved_analysis import NOWHERE
from codeagentd.store.connection import Database

from .positions import TextLines

DEFINITION: Final = 0  # NameOnLine.kind of a definition; other kinds are those of references
IDENTIFIER: Final = re.compile(r"[@$#]*[^\W\d][\w$]*(?:[?!](?![\w=]))?|[@$#]*\d*[\w$]+")
DOTTED: Final = re.compile(r"\.*(?:[\w$-]+(?:[./][\w$-]+)*)?")  # the path of a module
QUOTES: Final = {'"': '"', "'": "'", "`": "`", "<": ">"}  # around such a path, with their ends
IMPORTS: Final = frozenset({int(ReferenceKind.IMPORT), int(ReferenceKind.REEXPORT)})

Analyse = Callable[[bool], DocumentAnalysis | None]  # whether it may be of an earlier state of the index


class NameOnLine(NamedTuple):
    """A name on a line. `target` as in model.documents: 0 for an open reference; `length` in characters."""

    column: int
    length: int
    target: int
    kind: int
    confidence: int


class DocumentView:
    """The names in one document, for one request.

    `analyse` returns the analysis of the text, and waits for it; None where it cannot be had in time.
    """

    def __init__(self, db: Database, path: str, lines: TextLines, digest: bytes, analyse: Analyse) -> None:
        self._db = db
        self.path = path
        self.lines = lines
        self._analyse = analyse
        row = db.row("lsp.file", (path,))
        self.file, indexed, language, is_resolved = row or (0, b"", "", 0)
        self.language: str = language or language_of(path) or ""
        self.is_indexed = bool(row and indexed == digest and is_resolved)  # the index has the names of this very text

    @cached_property
    def analysis(self) -> DocumentAnalysis | None:
        """The analysis of the text; None where it cannot be had."""
        return self._analyse(False)

    @cached_property
    def variables(self) -> list[LocalVariable]:
        """The local variables of the text. They do not depend on the index."""
        analysis = self._analyse(True) if self.is_indexed else self.analysis
        return analysis.variables if analysis else []

    @property
    def is_known(self) -> bool:
        """Whether the names of the text are known at all."""
        return self.is_indexed or self.analysis is not None

    def names_on(self, line: int) -> list[NameOnLine]:
        """Return the names of symbols on a line, from 1, in the order of their columns; no local variables."""
        text = self.lines.line(line)
        names = self._indexed_names(line, text) if self.is_indexed else self._analysed_names(line, text)
        return sorted(names)

    def _indexed_names(self, line: int, text: str) -> Iterator[NameOnLine]:
        first, last = numbers_of(self.file)
        parameters = {"file": self.file, "first": first, "last": last, "line": line}
        seen = set()
        for column, target, kind, confidence, name in self._db.all("lsp.names_on_line", parameters):
            at = column_of(text, name) if column is None else column
            if at is not None and (column is not None or (at, target) not in seen):
                seen.add((at, target))
                yield NameOnLine(at, length_of(text, at, kind, name), target or 0, kind, confidence)

    def _analysed_names(self, line: int, text: str) -> Iterator[NameOnLine]:
        analysis = self.analysis
        for number, definition in enumerate(analysis.definitions if analysis else ()):
            if definition.line == line and definition.parent >= 0:
                length = length_at(text, definition.column, definition.name)
                yield NameOnLine(definition.column, length, definition.symbol or -1 - number, DEFINITION, 0)
        for use in analysis.uses if analysis else ():
            if use.line == line:
                length = length_of(text, use.column, use.kind)
                yield NameOnLine(use.column, length, use.target, use.kind, use.confidence)

    def variable_at(self, line: int, column: int) -> LocalVariable | None:
        """Return the local variable whose name is at, or ends at, a place; None for anything else."""
        best = None
        for variable in self.variables:
            for at, start, _ in variable.places:
                if at == line and start <= column <= start + len(variable.name):
                    best = variable
                    if column < start + len(variable.name):
                        return variable
        return best

    @cached_property
    def definitions(self) -> list[Definition]:
        """The definitions in the text, in the order of their lines; the first is the file itself."""
        if not self.is_indexed:
            return self.analysis.definitions if self.analysis else []
        rows = self._db.all("lsp.definitions_in_file", (self.file,))
        numbers = {row[0]: number for number, row in enumerate(rows, 1)}
        whole = Definition(0, "", "", 0, -1, 1, self.lines.count, 1, 0)
        return [
            whole,
            *(
                Definition(
                    symbol, name, qualified_name, kind, numbers.get(parent, 0), first, last, line, column, flags,
                    signature, returns,
                )
                for symbol, parent, name, kind, flags, first, last, line, column, signature, returns, qualified_name
                in rows
            ),
        ]  # fmt: skip

    def definition_of(self, symbol: int) -> Definition | None:
        """Return the definition with this target; None where the text has none."""
        if symbol < 0:
            results = self.definitions[-1 - symbol : -symbol or None]
        else:
            results = [definition for definition in self.definitions if definition.symbol == symbol]
        return next((definition for definition in results if definition.line != NOWHERE), None)

    def uses_of(self, targets: list[int], name: str, *, with_open: bool) -> list[tuple[int, int, int, int]]:
        """Return (line, column, reference kind, confidence) of the references to `targets` in the text, from its
        analysis; with `with_open` also those of this name on receivers of unknown type.
        """
        symbols = set(targets)
        return [
            (use.line, use.column, use.kind, use.confidence)
            for use in (self.analysis.uses if self.analysis else ())
            if use.target in symbols
            or (with_open and not use.target and self.lines.line(use.line).startswith(name, use.column))
        ]


def length_at(text: str, column: int, name: str | None = None) -> int:
    """Return the length of the name at a column of the line `text`: that of `name` if it is there, else that of the
    identifier.
    """
    if name and text.startswith(name, column):
        return len(name)
    match = IDENTIFIER.match(text, column)
    return len(match[0]) if match else 0


def length_of(text: str, column: int, kind: int, name: str | None = None) -> int:
    """Return the length of a name that is used at a column of the line `text`, by a reference of this kind. Imports
    name a module by a path, dotted or in quotes.
    """
    if kind not in IMPORTS or (name and text.startswith(name, column)):
        return length_at(text, column, name)
    if column and text[column - 1] in QUOTES:
        end = text.find(QUOTES[text[column - 1]], column)
        return (end if end > column else len(text)) - column
    match = DOTTED.match(text, column)
    return len(match[0]) if match else 0


def column_of(text: str, name: str) -> int | None:
    """Return the column of the whole word `name` in the line `text`; None where it is not there."""
    match = re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text)
    return match.start() if match else None
