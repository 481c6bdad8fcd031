"""The writer of the on-demand index: chosen files of a repository, indexed and resolved against each other."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.base.paths import Jail
from codeagentd.languages.language import language_of, languages
from codeagentd.model.ids import name_key
from codeagentd.pipeline.batch.batch_writer import BatchWriter
from codeagentd.pipeline.changes.change_scan import rules_of
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.pipeline.engine.unchanged_files import known_files
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.workers.chunker import Chunker, Piece, pieces_of
from codeagentd.scan.ignore import IgnoreRules
from codeagentd.scan.projects.detection import detect
from codeagentd.scan.walk import Stat, look, scan
from codeagentd.store.connection import CORRUPT, Database, QueryError
from codeagentd.store.opening import UNUSABLE, open_disposable
from codeagentd.vcs import git

from .direct_extraction import DirectExtraction
from .mention_search import Searcher
from .on_demand_messages import Begin
from .partial_symbol_table import PartialSymbolTable
from .raw_search import Listing
from .repository_files import FIRST_STUB, RepositoryFiles

MOST_FILES: Final = 3_000  # files of the on-demand index; it lives for minutes, beside the first index


LISTED_S: Final = 2.0  # seconds for which a list of the files counts as new


class Files(NamedTuple):
    """The files of a repository: all `paths`, and those of them that git does not track; `is_work_tree`: git tracks
    some. `are_all`: files that git does not track are among them.
    """

    paths: set[str]
    untracked: set[str]
    is_work_tree: bool
    are_all: bool


class OnDemandWriter:
    """Writes the files that questions ask for. `listing`: the files that git lists; `tell` is called with each path
    before it is parsed.
    """

    def __init__(self, begin: Begin, listing: Listing, tell: Callable[[str], None]) -> None:
        self.root = Path(begin.root)
        self._begin = begin
        self._database, _ = open_disposable(Path(begin.database), "index")
        self._facts, _ = open_disposable(Path(begin.facts), "blobs")
        for database in (self._database, self._facts):
            database.connection.execute("PRAGMA synchronous=off")  # it is never used after a crash
        self._rules = rules = rules_of(self.root, begin.ignore)
        self._listed_at = time.monotonic()
        self._listing = listing
        paths, untracked, is_work_tree, self._are_all_listed = _listed(self.root, rules, listing)
        paths.difference_update(begin.unreadable)
        self.files = RepositoryFiles(
            self.root, paths, rules.excluded, begin.max_file_bytes, has_settings=bool(begin.ignore)
        )
        self.searcher = Searcher(self.root, self.files, untracked, is_work_tree=is_work_tree)
        extraction = DirectExtraction(begin.root, _opened(begin.blobs), begin.max_file_bytes, tell)
        self._writer = BatchWriter(
            self._database, self._facts, extraction, self.root, paths, languages=frozenset(begin.languages),
            make_world=lambda database, projects: PartialSymbolTable(database, projects, self.files),
            resolves_affected=False,
        )  # fmt: skip
        planner = self._writer.planner
        planner.save_projects(detect(self.root, paths))
        self.files.use_projects(planner.projects)
        extraction.facts = self._facts
        extraction.resolution = lambda: (self._database, self._world())
        # a process before this one may have begun
        self._stats = {path: known.stat for path, known in known_files(self._database).items() if path}
        self.files.indexed.update(self._stats)
        self._unresolved: set[str] = set()  # indexed files whose references were left out
        self._writes = 0  # batches with new files, and the number of these when a file was last resolved
        self._resolved_at: dict[str, int] = {}
        self._jail = Jail(self.root)
        self._chunker = Chunker(self._database, self.root, self._pieces, lambda: False)

    def _world(self) -> StoredSymbolTable:
        return PartialSymbolTable(self._database, self._writer.planner.projects, self.files)

    @property
    def count(self) -> int:
        """The number of indexed files."""
        return len(self._stats)

    @property
    def is_full(self) -> bool:
        """Whether the on-demand index has as many files as it may have."""
        return len(self._stats) >= MOST_FILES

    def list_again(self) -> Files | None:
        """Return the files of the repository as they are now, without those that git does not track; None where they
        were listed a moment ago. May be called from another thread.
        """
        if time.monotonic() - self._listed_at < LISTED_S:
            return None
        self._listing = Listing(self.root)
        return _listed(self.root, self._rules, self._listing)

    def list_untracked(self) -> Files | None:
        """Return all files, also those that git does not track; None where they are known. It takes git several times
        as long. May be called from another thread.
        """
        if self._are_all_listed:
            return None
        return _with_untracked(self._listing)

    def note_files(self, files: Files) -> None:
        """Use `files` from now on; those that are gone are noticed when they are read."""
        self._listed_at, self._are_all_listed = time.monotonic(), files.are_all
        self.files.add(files.paths.difference(self._begin.unreadable))
        if files.are_all:
            self.searcher.untracked = files.untracked

    def missing(self, paths: Iterable[str]) -> list[str]:
        """Return those of `paths` that are not indexed with their references, in their order."""
        return [path for path in paths if path not in self._stats or path in self._unresolved]

    def changed(self) -> set[str]:
        """Return the indexed files that have changed or gone since they were read."""
        present = look(self.root, self._stats).files
        return {path for path, stat in self._stats.items() if present.get(path) != stat}

    def write(self, paths: Collection[str], *, resolves: bool = True) -> None:
        """Index `paths`, which may be indexed already, in one batch. Without `resolves` only what other files may refer
        to is indexed, and no references.
        """
        again = self._unresolved.intersection(paths) if resolves else set()
        stats = look(self.root, [path for path in paths if path not in again]).files
        gone = {path for path in paths if path not in stats and path not in again}
        self.files.note_indexed(stats)
        for path in gone:
            self.files.paths.discard(path)
            self._stats.pop(path, None)
        self._writes += bool(stats or gone)
        self._mark(again)
        self._run(Plan(tuple(sorted(stats)), tuple(sorted(gone))), dict(stats), resolves=resolves)
        self._stats.update(stats)
        if resolves:
            self._resolved_at.update(dict.fromkeys(paths, self._writes))
        self._unresolved = self._unresolved - again - gone if resolves else self._unresolved | stats.keys()

    def resolve(self, paths: Collection[str]) -> None:
        """Resolve the references of indexed files again."""
        self._mark(paths)
        self._run(Plan(), {})
        self._resolved_at.update(dict.fromkeys(paths, self._writes))

    @property
    def writes(self) -> int:
        """The number of batches with new files so far."""
        return self._writes

    def stale(self, paths: Iterable[str], definitions: int) -> list[str]:
        """Return those of `paths` that were resolved before other files came that matter to them, in their order. In a
        language whose imports insert text, these are the files with the definitions, which came with the batch of the
        number `definitions`: types of other files hardly matter there.
        """
        return [path for path in paths if self._resolved_at.get(path, self._writes) < self._due_at(path, definitions)]

    def _due_at(self, path: str, definitions: int) -> int:
        language = languages().get(language_of(path) or "")
        return definitions if language is not None and language.modules.is_pasted else self._writes

    def _mark(self, paths: Iterable[str]) -> None:
        """Mark files, to be resolved by the next run."""
        with self._database.transaction():
            self._database.run_many("on_demand.mark", [(path,) for path in paths])

    def _run(self, plan: Plan, stats: dict[str, Stat], *, resolves: bool = True) -> None:
        self._writer.run(plan, stats, resolves=resolves)
        with self._database.transaction():
            self._database.run("writer.drop_refs_from", (FIRST_STUB,))
            if not resolves:
                self._database.run("on_demand.leave_unresolved")

    def write_text(self) -> None:
        """Cut the files that were indexed for text search."""
        while self._chunker.work():
            pass

    def _pieces(self, files: Sequence[tuple[int, str]]) -> Iterator[tuple[int, list[Piece] | None]]:
        return ((file, pieces_of(self._database, self._jail, file, path)) for file, path in files)

    def files_with_open_references(self, names: Iterable[str]) -> list[str]:
        """Return the indexed files that have references to one of `names` whose target is not known."""
        rows = (self._database.all("on_demand.files_with_open_references", (name_key(name),)) for name in names)
        return sorted({path for matches in rows for (path,) in matches})

    def defines(self, names: Iterable[str]) -> bool:
        """Return whether there are symbols of all these names."""
        return all(self._database.value("on_demand.is_defined", (name_key(name),)) for name in names)

    def unknown(self, paths: Iterable[str]) -> list[str]:
        """Return those of `paths` that are not indexed at all, in their order."""
        return [path for path in paths if path not in self._stats]

    def take_needed(self) -> list[str]:
        """Return the files that resolution would have looked into since the last call, in the order in which it
        met them.
        """
        needed, self.files.needed = self.files.needed, {}
        return self.unknown(needed)

    def close(self) -> None:
        """Close the databases."""
        self._database.close()
        self._facts.close()

    def name_of(self, uid: bytes) -> str:
        """Return the name of the symbol with this id, if it is indexed; else ''."""
        return str(self._database.value("on_demand.name_of", (uid,), ""))


def _listed(root: Path, rules: IgnoreRules, listing: Listing) -> Files:
    """Return the files of the repository, those that git does not track only where that takes no longer. Those that git
    lists are checked against further ignore rules when they are first looked at.
    """
    if not listing.tracked or rules.has_negated_rules():
        files = set(scan(root, rules, git.list_files(root)).files)
        return Files(files, files.difference(listing.tracked), bool(listing.tracked), are_all=True)
    return Files(_without_folders(listing.tracked), set(), is_work_tree=True, are_all=False)


def _with_untracked(listing: Listing) -> Files:
    untracked = _without_folders(listing.others)
    return Files(untracked | _without_folders(listing.tracked), untracked, is_work_tree=True, are_all=True)


def _without_folders(paths: Iterable[str]) -> set[str]:
    return {path for path in paths if path[-1] != "/"}


def _opened(blobs: str) -> Database | None:
    """Open the repository's facts for reading; None while there are none."""
    with contextlib.suppress(*CORRUPT, *UNUSABLE, QueryError):
        database = Database(blobs)
        database.value("blobs.facts", (b"", "", 0))
        return database
    return None
