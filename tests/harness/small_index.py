"""An index of a few sources that is written in this process, and the rows of tables on what an edit invalidates.

It drives the parts that the daemon's writer drives: the planner, the reader, the committer, the invalidation and the
writer of references, over real databases, but without an engine, workers and a watcher.
"""

from __future__ import annotations

import contextlib
import functools
import tempfile
import textwrap
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest

from codeagentd.model.ids import numbers_of
from codeagentd.pipeline.batch.commit import Committer, Context
from codeagentd.pipeline.batch.external_symbols import Externals
from codeagentd.pipeline.batch.file_planner import FilePlanner
from codeagentd.pipeline.batch.generation import Generation
from codeagentd.pipeline.batch.reference_writer import ReferenceWriter
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.pipeline.graph.boundary_edges import BoundaryEdges
from codeagentd.pipeline.graph.incremental_metrics import IncrementalMetrics
from codeagentd.pipeline.invalidation.affected_files import affected_files
from codeagentd.pipeline.rows.index_rows import FileRows, derive_rows
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.structural.structural_edges import StructuralEdges
from codeagentd.pipeline.workers.file_reader import Reader
from codeagentd.pipeline.workers.messages import Extracted
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.scan.projects.detection import detect
from codeagentd.store.connection import Database
from codeagentd.store.opening import open_disposable

from .stale import Judge
from .symbol_table import files_of


class SmallIndex:
    """The index of the files below `directory`; each `update` is one batch."""

    def __init__(self, directory: Path) -> None:
        self._root = directory / "repo"
        self._root.mkdir(parents=True)
        self._index, self._blobs = directory / "index.db", directory / "blobs.db"
        self._database = _opened(self._index, "index")
        self._facts_database = _opened(self._blobs, "blobs")
        self._committer = Committer(self._database, self._facts_database, self._rows_of)
        self._paths: set[str] = set()
        self._planner = FilePlanner(self._database, self._root, self._paths, frozenset(), None)
        self._references = ReferenceWriter(
            self._database,
            self._facts_database,
            Pool(self._root, self._index, self._blobs),  # of no processes: so few files are resolved in this one
            self._planner,
            Externals(self._database),
            BoundaryEdges(self._database, self._committer.numbering.next_symbol),
            StructuralEdges(self._database),
            Generation(self._database, IncrementalMetrics(self._database)),
            on_commit=lambda: None,
            on_progress=lambda progress: None,
        )

    def close(self) -> None:
        """Close its databases."""
        self._database.close()
        self._facts_database.close()

    def update(self, changes: Mapping[str, str | None]) -> set[str]:
        """Write these texts (None: delete the file), bring the index up to date, and resolve what the change affects.

        Returns: the paths of the files that were resolved again.
        """
        for path, text in changes.items():
            self._write(path, text)
        if not self._planner.projects.detected.projects:
            self._planner.save_projects(detect(self._root, self._paths))
        with self._database.transaction(), self._facts_database.transaction():
            outcomes, contexts = self._read(changes)
            reach = self._committer.apply(outcomes, contexts)
            files = affected_files(self._database, self._planner.projects, reach)
            self._references.resolve_or_mark(files, reach, is_small=True, moved=False)
        return {str(self._database.value("world.path_of_file", (file,))) for file in files}

    def stale(self) -> list[str]:
        """The references that would be different if every file were resolved again."""
        return list(Judge(self._index, self._blobs).stale())

    def references(self) -> set[tuple[str, int, int, int, str, int]]:
        """(path, line, column, kind, qualified name of the definition, confidence) of each reference."""
        world = StoredSymbolTable(self._database, self._planner.projects)
        result = set()
        for path in self._paths:
            file = world.file_at(path)
            rows = self._database.all("writer.refs_of_file", numbers_of(file.id)) if file else []
            for _, _, target, _, kind, confidence, _, line, col in rows:
                result.add((path, line, col, kind, world.qualified_name(target), confidence))
        return result

    def _write(self, path: str, text: str | None) -> None:
        target = self._root / path
        if text is None:
            target.unlink()
            self._paths.remove(path)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
            self._paths.add(path)

    def _read(self, changes: Mapping[str, str | None]) -> tuple[list[Extracted], dict[str, Context]]:
        """The outcome of each file, and its context."""
        changed = tuple(path for path, text in changes.items() if text is not None)
        gone = tuple(path for path, text in changes.items() if text is None)
        jobs, outcomes, contexts = self._planner.jobs(Plan(changed, gone), {})
        reader = Reader(str(self._root), self._facts_database)
        for job in jobs:
            outcome = reader.read(job)
            if outcome.language:
                contexts[job.path] = msgspec.structs.replace(contexts[job.path], language=outcome.language)
            outcomes.append(outcome)
        return outcomes, contexts

    def _rows_of(self, file: int) -> FileRows:
        """The rows of an indexed file, derived from its facts again."""
        world = StoredSymbolTable(self._database, self._planner.projects)
        known = world.file(file)
        facts = self._references.facts_of(world.content(file)[0], known.language)
        assert facts is not None
        project, module = self._planner.project_and_module(known.path, known.language)
        return derive_rows(known.path, project.key, module, facts)


def _opened(path: Path, kind: str) -> Database:
    """A new database, which need not outlive the machine."""
    path.write_bytes(_empty(kind))
    database = Database(path, writable=True)
    database.connection.execute("PRAGMA synchronous=off")
    return database


@functools.cache
def _empty(kind: str) -> bytes:
    """The file of an empty database: copying it takes less time than the migrations."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, kind)
        database, _ = open_disposable(path, kind)
        database.close()
        return path.read_bytes()


# -- rows of tables
class Change(msgspec.Struct, frozen=True):
    """An edit of one file: `before` becomes `after` in it. A new file has no `before`, a deleted one no `after`."""

    path: str
    before: str | None
    after: str | None


def replaced(path: str, before: str, after: str) -> Change:
    """An edit of a file that is there."""
    return Change(path, before, after)


def added(path: str, text: str) -> Change:
    """A new file."""
    return Change(path, None, textwrap.dedent(text).lstrip("\n"))


def deleted(path: str) -> Change:
    """A file that is removed."""
    return Change(path, None, None)


def edit(language: str, rule: str, source: str, change: Change, affected: str) -> object:
    """One row of a table on invalidation.

    Args: source: the files, as in `symbol_table`; affected: the paths of all other files that the change concerns.
    """
    return pytest.param(files_of(language, source), change, frozenset(affected.split()), id=f"{language}: {rule}")


def edit_gap(language: str, rule: str, source: str, change: Change, affected: str) -> object:
    """A row that does not hold yet; it fails once it holds, and is an `edit` then."""
    marks = pytest.mark.xfail(reason="a known gap of the invalidation", strict=True, raises=AssertionError)
    row = files_of(language, source), change, frozenset(affected.split())
    return pytest.param(*row, id=f"{language}: {rule}", marks=marks)


def assert_affects(directory: Path, files: Mapping[str, str], change: Change, affected: frozenset[str]) -> None:
    """Assert that a change has the affected files and no others resolved again, and that nothing stale is left."""
    text = change.after
    if change.before is not None:
        assert files[change.path].count(change.before) == 1, f"{change.before!r} stands in {change.path} once"
        text = files[change.path].replace(change.before, change.after or "")
    with contextlib.closing(SmallIndex(directory)) as index:
        index.update(files)
        resolved = index.update({change.path: text})
        stale = index.stale()
    assert not stale, f"these references are stale: {stale}"
    others = resolved - {change.path}
    assert others == affected, f"expected {sorted(affected)}, resolved again {sorted(others)}"
