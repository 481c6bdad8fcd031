"""The references of files: resolved in the writer's process where they are few, by the workers where they are many."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import Final

from codeagentd.base import failpoints
from codeagentd.base.limits import BULK_RESOLVE_FILES, COMMIT_FILES, RESOLVED_AT_ONCE_BYTES
from codeagentd.base.log import EventLog
from codeagentd.languages.versions import version_of
from codeagentd.model.engine_status import Progress
from codeagentd.model.facts import FileFacts, unpack
from codeagentd.model.ids import numbers_of
from codeagentd.pipeline.graph.boundary_edges import BoundaryEdges
from codeagentd.pipeline.invalidation.api_changes import ApiChanges
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.structural.structural_edges import StructuralEdges
from codeagentd.pipeline.workers.extraction import Extraction
from codeagentd.pipeline.workers.messages import STORED_COLUMNS, Linked, LinkJob
from codeagentd.pipeline.workers.resolver import Resolver
from codeagentd.resolve.symbol_table import IncludeEdges
from codeagentd.resolve.targets import ExternalSymbol
from codeagentd.store.connection import Database

from .external_symbols import Externals
from .file_planner import FilePlanner
from .generation import Generation

_log = EventLog(__name__)

MOST_EDGES: Final = 20_000  # files whose includes are remembered between batches: some 6 MB

MakeWorld = Callable[[Database, ProjectMap], StoredSymbolTable]


class ReferenceWriter:
    """Resolves files and writes their references, and the edges between languages and of structural subtyping that
    depend on these.

    `on_commit` is called after each transaction of this class.
    """

    def __init__(
        self, database: Database, blobs: Database, pool: Extraction, planner: FilePlanner, externals: Externals,
        boundaries: BoundaryEdges, structures: StructuralEdges, generation: Generation, on_commit: Callable[[], None],
        on_progress: Callable[[Progress], None], make_world: MakeWorld | None = None,
    ) -> None:  # fmt: skip
        self._database = database
        self._blobs = blobs
        self._pool = pool
        self._planner = planner
        self._externals = externals
        self._boundaries = boundaries
        self._structures = structures
        self._generation = generation
        self._on_commit = on_commit
        self._on_progress = on_progress
        self._include_edges: IncludeEdges = {}  # as batches have found them
        self._make_world = make_world or partial(StoredSymbolTable, include_edges=self._include_edges)
        self._resolved: set[int] = set()  # files, since edges between languages were last updated
        self._has_lost_facts = False

    def facts_of(self, digest: bytes, language: str) -> FileFacts | None:
        """Return the facts of the content with this digest; None where blobs.db has lost them."""
        blob = self._blobs.value("blobs.facts", (digest, language, version_of(language)))
        return unpack(blob) if blob is not None else None

    def pop_lost_facts(self) -> bool:
        """Return whether blobs.db lacked the facts of a file since the last call. A comparison with the disk then
        reports that file as changed.
        """
        has_lost_facts, self._has_lost_facts = self._has_lost_facts, False
        return has_lost_facts

    def resolve_or_mark(self, files: set[int], changes: ApiChanges, *, is_small: bool, moved: bool) -> None:
        """Resolve the references of `files` if these are few and short and the batch is small; else at most those of
        the batch itself, and mark the others, to be resolved afterwards. Edges between languages that `changes` concern
        are updated, or marked, likewise; `moved`: files were added or removed.
        """
        self._forget_edges(changes)
        own = files.intersection(changes.files)
        at_once = next((several for several in (files, own) if is_small and self._is_little(several)), set())
        if at_once:
            self._resolve_files(at_once)
        self._mark_unresolved(files - at_once)
        self._update_derived(changes, moved, write=is_small and at_once == files)

    def _forget_edges(self, changes: ApiChanges) -> None:
        """Forget what the changed files include, and what all files do where another one may be meant now."""
        if changes.has_other_modules or len(self._include_edges) > MOST_EDGES:
            self._include_edges.clear()
        for file in changes.files:
            self._include_edges.pop(file, None)

    def _is_little(self, files: set[int]) -> bool:
        """Whether these files can be resolved while a transaction waits for that."""
        if len(files) > BULK_RESOLVE_FILES:
            return False
        return sum(size for _, size in self._sizes(files)) <= RESOLVED_AT_ONCE_BYTES

    def _sizes(self, files: Iterable[int]) -> list[tuple[int, int]]:
        return self._database.all("world.sizes", (json.dumps([*files]),))

    def _parts(self, files: Iterable[int]) -> list[set[int]]:
        """These files in parts of which each can be resolved in one transaction."""
        parts: list[set[int]] = []
        room = 0
        for file, size in self._sizes(files):
            if not parts or size > room:
                parts.append(set())
                room = RESOLVED_AT_ONCE_BYTES
            parts[-1].add(file)
            room -= size
        return parts

    def _mark_unresolved(self, files: Iterable[int]) -> None:
        self._database.run_many("writer.set_unresolved", ((file,) for file in files))

    def _resolve_files(self, files: set[int]) -> None:
        """Resolve a few files in this process and transaction."""
        world = self._make_world(self._database, self._planner.projects)
        resolver = Resolver(self._database, world)
        for file in sorted(files):
            digest, symbols = world.content(file)
            facts = self.facts_of(digest, world.file(file).language) if symbols else None
            if facts is None and symbols:
                self._forget_content(file)
            elif facts:
                self._write_references([resolver.resolve(file, facts, symbols)], replace=True)

    def resolve_marked(self, bulk: bool = False, meanwhile: Iterator[None] | None = None) -> None:
        """Resolve every marked file; the workers share them where they are many. `meanwhile`: steps of other work of
        the writer, one for each transaction.
        """
        if not bulk:
            self._structures.begin()
        files = self._database.all("world.unresolved")
        if not files:
            if not bulk:
                self.write_derived()
            return
        if not bulk and len(files) <= BULK_RESOLVE_FILES:
            parts = self._parts(file for file, _ in files)
            for number, part in enumerate(parts, 1):
                with self._database.transaction():
                    self._resolve_files(part)
                    self._update_derived(ApiChanges(), False, write=number == len(parts))
                    self._generation.advance()
                self._on_commit()
            return
        links = self._pool.link([LinkJob(file, path) for file, path in files], self._planner.projects.pack())
        done = 0
        while chunk := list(islice(links, COMMIT_FILES)):
            with self._database.transaction():
                self._write_references(chunk, replace=not bulk)
                self._update_derived(ApiChanges(), False, write=False)
                self._generation.advance()
            failpoints.point("index.resolved")
            next(meanwhile or iter(()), None)
            done += len(chunk)
            self._on_progress(Progress("resolve", done, len(files)))
        self._pool.reap()  # each has read the whole graph
        self._pool.start(1)  # a small one, which text needs next
        if not bulk:
            self.write_derived()

    def _update_derived(self, changes: ApiChanges, moved: bool, write: bool) -> None:
        """Record changes on which edges between languages and of structure depend. `write`: compute the edges again
        if they have changed, which is possible once no file is left to be resolved.
        """
        self._boundaries.note_changes({*self._resolved, *changes.files}, changes.names, moved)
        self._resolved = set()
        self._structures.note_written(changes.files)
        if write:
            if self._structures.is_due or self._structures.has_changes:
                self._structures.write()
            if self._boundaries.is_due:
                self._boundaries.write(StoredSymbolTable(self._database, self._planner.projects))
        elif self._structures.has_changes:
            self._structures.require()

    def write_derived(self) -> None:
        """Compute the edges between languages and those of structure again, if that is due."""
        if self._boundaries.is_due or self._structures.is_due:
            with self._database.transaction():
                self._update_derived(ApiChanges(), False, write=True)
                self._generation.advance()
            self._on_commit()

    def _write_references(self, answers: Iterable[Linked], replace: bool) -> None:
        numbers = array("q")
        files, others = [], []
        outside: set[ExternalSymbol] = set()
        for linked in answers:
            if linked.missing:
                self._forget_content(linked.file)
                continue
            if linked.failure:
                _log.warning(
                    "what a file refers to stays unknown",
                    path=self._database.value("world.path_of_file", (linked.file,)),
                    reason=linked.failure,
                )
            files.append((linked.heritage, linked.member_dependencies, *linked.coverage, linked.file))
            self._resolved.add(linked.file)
            outside.update(linked.outside)
            if not replace or self._has_new_references(linked):
                others.append(linked.file)
                numbers.frombytes(linked.columns)
        if replace:
            self._database.run_many("writer.delete_own_refs", map(numbers_of, others))
        self._database.insert("writer.put_ref", STORED_COLUMNS, numbers)
        self._externals.add(outside)
        self._database.run_many("writer.set_resolved", files)

    def _has_new_references(self, linked: Linked) -> bool:
        """Whether the references of a file differ from the stored ones. Most files that are resolved again because of a
        name that they mention have the same references as before.
        """
        rows = self._database.all("writer.refs_of_file", numbers_of(linked.file))
        return array("q", chain.from_iterable(rows)).tobytes() != linked.columns

    def _forget_content(self, file: int) -> None:
        """Record that the facts of a file are lost, so that the next comparison with the disk reports it as changed."""
        self._database.run("writer.forget_content", (file,))
        self._database.run("writer.distrust_time", (file,))
        self._has_lost_facts = True
