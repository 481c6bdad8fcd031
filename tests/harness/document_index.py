"""A small index, and the analysis of documents against it in this process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from codeagentd.model.documents import Definition, DocumentAnalysis, DocumentText, LocalVariable
from codeagentd.pipeline.documents.document_resolver import DocumentResolver
from codeagentd.pipeline.documents.index_state import IndexState, ProjectsOfIndex
from codeagentd.store.connection import Database
from tests.harness.small_index import SmallIndex


class DocumentIndex:
    """The documents of a small index below `directory`."""

    def __init__(self, directory: Path, files: Mapping[str, str]) -> None:
        self.index = SmallIndex(directory)
        self.index.update(files)
        self.path = directory / "index.db"
        self.database = Database(self.path)
        self.resolver = self._resolver()

    def _resolver(self) -> DocumentResolver:
        return DocumentResolver(IndexState(self.database, 1, ProjectsOfIndex().read(self.database)))

    def update(self, changes: Mapping[str, str | None]) -> None:
        """Save and index these texts."""
        self.index.update(changes)
        self.resolver = self._resolver()

    def analyse(self, path: str, text: str, language: str = "") -> DocumentAnalysis:
        """Analyse a document."""
        return self.resolver.analyse(DocumentText(path, language, text))

    def close(self) -> None:
        """Close its databases."""
        self.database.close()
        self.index.close()

    def name_of(self, target: int, analysis: DocumentAnalysis) -> str:
        """The qualified name of a target: `+` before that of a definition that the index does not have, '' for none."""
        if target < 0:
            return f"+{analysis.definitions[-1 - target].qualified_name}"
        return str(self.database.value("world.qualified_name", (target,), "")) if target else ""

    def targets(self, analysis: DocumentAnalysis, line: int) -> list[str]:
        """The names of the targets of the uses on a line, in order."""
        return [self.name_of(use.target, analysis) for use in analysis.uses if use.line == line]


@contextlib.contextmanager
def documents_of(directory: Path, files: Mapping[str, str]) -> Iterator[DocumentIndex]:
    """The documents of an index of these files."""
    with contextlib.closing(DocumentIndex(directory, files)) as documents:
        yield documents


def definition(analysis: DocumentAnalysis, name: str) -> Definition:
    """The definition with this name."""
    (found,) = [definition for definition in analysis.definitions if definition.name == name]
    return found


def variable(analysis: DocumentAnalysis, name: str) -> LocalVariable:
    """The variable with this name."""
    (found,) = [variable for variable in analysis.variables if variable.name == name]
    return found
