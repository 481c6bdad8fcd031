"""One batch: paths to committed rows. The only place that drives extract, resolve and store together."""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from math import inf
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base import failpoints
from codeagentd.base.internal_errors import INTERNAL_ERRORS, describe
from codeagentd.base.limits import (
    BULK_RESOLVE_FILES,
    COMMIT_FILES,
    COMMIT_S,
    LARGE_BYTES,
    PROMPT_BUDGET_S,
    PROMPT_DEADLINE_S,
    PROMPT_SHARE_S,
    TEXT_SAMPLE_BYTES,
)
from codeagentd.base.log import EventLog
from codeagentd.base.paths import read_start
from codeagentd.languages.dialects import may_be_other, presumed, sources_among
from codeagentd.languages.language import language_of, languages
from codeagentd.languages.versions import version_of
from codeagentd.model.analysis import Analysis
from codeagentd.model.engine_status import Progress
from codeagentd.model.facts import FileFacts, unpack
from codeagentd.model.ids import numbers_of
from codeagentd.pipeline.background.slow_files import SlowFiles
from codeagentd.pipeline.changes.plan import SECRET, Plan, why_not_parsed
from codeagentd.pipeline.graph.boundary_edges import BoundaryEdges
from codeagentd.pipeline.graph.incremental_metrics import IncrementalMetrics
from codeagentd.pipeline.invalidation.affected_files import affected_files
from codeagentd.pipeline.invalidation.api_changes import ApiChanges
from codeagentd.pipeline.rows.index_rows import FileRows, derive_rows
from codeagentd.pipeline.rows.module_names import module_name
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.shebang import language_by_interpreter
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.messages import POSTPONED, STORED_COLUMNS, Extracted, Job, Linked, LinkJob
from codeagentd.pipeline.workers.pool import UNTRIED, Pool
from codeagentd.pipeline.workers.resolver import Resolver
from codeagentd.resolve.targets import ExternalSymbol
from codeagentd.scan.lockfiles.versions import Package
from codeagentd.scan.projects.detection import Detected, top_project
from codeagentd.scan.secret_files import is_secret_file
from codeagentd.scan.walk import Stat
from codeagentd.store.connection import Database
from codeagentd.store.migrations import indexes

from .commit import Committer, Context
from .external_symbols import Externals
from .repository_macros import known_openings, openings_for, update_openings

_log = EventLog(__name__)

SWEEPING: Final = 3  # files to be resolved again for each other one


def large_among(stats: Mapping[str, Stat]) -> set[str]:
    """The files that may take long."""
    return {path for path, stat in stats.items() if stat.size > LARGE_BYTES}


def in_order(jobs: Sequence[Job], large: Collection[str]) -> list[Job]:
    """Large files last, so that one of two workers has the others for itself; files of a language together, as its
    queries take time to compile.
    """
    files = Counter(job.language for job in jobs)
    return sorted(jobs, key=lambda job: (job.path in large, -files[job.language], job.language))


class BatchWriter:
    """Writes batches with the writer's connections; used by the indexer's thread alone.

    `paths` is every file of the repository, parsed or not; `languages`: those that are parsed, none for all.
    `on_commit` is called with whether only large files of the batch are still to be read. `slow_files` gets the files
    that take too long while others wait; without it they have failed. `has_more`: whether another batch waits.
    """

    def __init__(
        self, database: Database, blobs: Database, pool: Pool, root: Path, paths: set[str], *,
        languages: frozenset[str] = frozenset(), on_commit: Callable[[bool], None] = lambda has_most: None,
        on_progress: Callable[[Progress], None] = lambda progress: None, slow_files: SlowFiles | None = None,
        has_more: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        self._root = root
        self._paths = paths
        self._database = database
        self._blobs = blobs
        self._pool = pool
        self._on_commit = on_commit
        self._on_progress = on_progress
        self._slow_files = slow_files
        self._has_more = has_more
        self._languages = languages
        self._committer = Committer(database, blobs, self._rows_of)
        self._externals = Externals(database)
        self._boundaries = BoundaryEdges(database, self._committer.numbering.next_symbol)
        self._resolved: set[int] = set()
        self._metrics = IncrementalMetrics(database)
        self._projects = ProjectMap()
        self._has_lost_facts = False
        self._has_most = False  # of the batch in work only large files are still to be read
        self._postponed: list[Extracted] = []  # of the batch in work

    # -- a whole batch
    def run(
        self, plan: Plan, stats: dict[str, Stat], then: Callable[[list[Extracted]], None] = lambda outcomes: None
    ) -> None:
        """Read what changed, write it, resolve what it touches.

        `then` gets the outcomes inside the last transaction of the files' rows (none of a first index).
        """
        plan = update_openings(self._database, self._root, plan)
        self._metrics.begin(len(plan.changed) + len(plan.gone))
        self._postponed = []
        moved = bool(plan.gone) or not self._paths.issuperset(plan.changed)
        self._paths.difference_update(plan.gone)
        self._paths.update(plan.changed)
        empty = self._database.value("world.any_file", default=0) == 0
        bulk = empty and len(plan.changed) > COMMIT_FILES
        if bulk:
            self._begin_bulk()
        jobs, direct, contexts = self._plan_jobs(plan, stats)
        total, done = len(jobs) + len(direct), 0
        seen: list[Extracted] = []
        self._on_progress(Progress("extract", 0, total))
        large = large_among(stats)
        plain = {job.path for job in jobs} - large
        self._has_most = not (bulk or plain)
        limit = COMMIT_FILES if len(jobs) > BULK_RESOLVE_FILES else total + 1
        for chunk, is_last in self._in_chunks(
            direct, self._extract(jobs, stats, large), limit, COMMIT_S if not (bulk or plan.gone) else inf
        ):
            is_small = is_last and done == 0 and total <= BULK_RESOLVE_FILES
            done += len(chunk)
            with self._database.transaction():
                with self._blobs.transaction():  # facts are committed first
                    changes = self._write_outcomes(chunk, contexts, bulk)
                    takes_all = bulk or (total > COMMIT_FILES and self._is_sweeping())
                    touched = set(changes.files) if takes_all else self._affected_files(changes)
                    self._resolve_or_mark(touched, changes, is_small=is_small, moved=moved)
                    if not bulk:
                        seen += chunk
                    if is_last:
                        then([*seen, *self._postponed])
                    self._raise_generation()
                    failpoints.point("index.written")
                failpoints.point("index.facts_committed")
            failpoints.point("index.committed")
            plain.difference_update(outcome.path for outcome in chunk)
            self._has_most = not (bulk or plain)
            self._note_commit()
            self._on_progress(Progress("extract", done, total))
        if bulk:
            self._build_indexes()
            failpoints.point("index.indexes_built")
        self._resolve_marked(bulk)
        if bulk:
            self._end_bulk()
            self._write_boundaries()
        self._metrics.begin()

    def _resolve_or_mark(self, files: set[int], changes: ApiChanges, *, is_small: bool, moved: bool) -> None:
        """Resolve the references of files where both the batch and these are few, else have that done afterwards."""
        at_once = is_small and len(files) <= BULK_RESOLVE_FILES
        if at_once:
            self._resolve_files(files)
        else:
            self._mark_unresolved(files)
        self._update_boundaries(changes, moved, write=at_once)

    def write_analysis(self, analysis: Analysis) -> None:
        """Write an analysis of the whole graph in place of the last one."""
        self._metrics.write_analysis(analysis)

    def pop_lost_facts(self) -> bool:
        """Whether facts of a file were missing since the last call: a comparison with the disk finds that file."""
        has_lost_facts, self._has_lost_facts = self._has_lost_facts, False
        return has_lost_facts

    def _note_commit(self) -> None:
        self._on_commit(self._has_most)

    def _is_sweeping(self) -> bool:
        """Whether nearly all files have to be resolved again by now, as after a change of manifests: all are, as
        finding the rest takes longer.
        """
        ((left, due),) = self._database.all("world.left_and_due")
        is_sweeping = bool(left * SWEEPING <= due)
        if left and is_sweeping:
            self._database.run("writer.set_all_unresolved")
        return is_sweeping

    def _extract(
        self, jobs: list[Job], stats: Mapping[str, Stat], large: Collection[str]
    ) -> Iterator[Extracted | None]:
        """Outcomes as they come, without those that are postponed, and None where there was none for a moment."""
        longest, budget = self._pool.deadline_s, PROMPT_BUDGET_S + PROMPT_SHARE_S * len(jobs)
        patience = (
            Patience(longest, inf) if self._slow_files is None else Patience(min(PROMPT_DEADLINE_S, longest), budget)
        )
        by_path, began = {job.path: job for job in jobs}, time.monotonic()
        for outcome in self._pool.extract(in_order(jobs, large), patience, large):
            if outcome is not None:
                job = by_path.pop(outcome.path)
            if outcome is None or outcome.status != POSTPONED:
                yield outcome
            elif self._slow_files is None:
                yield msgspec.structs.replace(outcome, status="failed")
            else:
                self._postpone(self._slow_files, job, outcome, stats)
            # ending a worker costs the next save more than most large files take
            takes_long = by_path and time.monotonic() - began > COMMIT_S
            if takes_long and self._slow_files is not None and self._has_most and self._has_more():
                self._pool.reap()
                for path, job in by_path.items():
                    self._postpone(self._slow_files, job, Extracted(path, POSTPONED, UNTRIED), stats)
                return

    def _postpone(self, slow_files: SlowFiles, job: Job, outcome: Extracted, stats: Mapping[str, Stat]) -> None:
        """Have a file read when nothing else is to be done."""
        self._postponed.append(outcome)
        slow_files.postpone(job, stats.get(job.path, Stat(0, 0)), was_tried=outcome.reason != UNTRIED)

    def _in_chunks(
        self, direct: list[Extracted], extracted: Iterable[Extracted | None], limit: int, seconds: float
    ) -> Iterator[tuple[list[Extracted], bool]]:
        """Outcomes in transactions of a sensible size, each with whether it is the last: what was read waits for the
        rest for so many seconds.

        What is gone comes first, so that moves are seen in one batch.
        """
        chunk, since = list(direct), time.monotonic()
        for outcome in extracted:
            if outcome is not None:
                chunk.append(outcome)
            if len(chunk) >= limit or (chunk and time.monotonic() - since > seconds):
                yield chunk, False
                chunk, since = [], time.monotonic()
        yield chunk, True

    def _plan_jobs(self, plan: Plan, stats: dict[str, Stat]) -> tuple[list[Job], list[Extracted], dict[str, Context]]:
        """(files to read, outcomes that are known already, what each path means to the index)."""
        jobs: list[Job] = []
        direct = [Extracted(path, "gone") for path in plan.gone]
        sources, openings = self._save_dialect_sources(), known_openings(self._database)
        contexts = dict.fromkeys((*plan.gone, *plan.changed), Context(None, 0))
        for path in plan.changed:
            is_secret = is_secret_file(path)  # asked first: not even its first line is read
            language = None if is_secret else language_of(path) or language_by_interpreter(self._root, path)
            if (
                reason := SECRET
                if is_secret
                else why_not_parsed(path, language, partial(self._read_start, path), self._languages)
            ):
                stat = stats.get(path, Stat(0, 0))
                direct.append(Extracted(path, "skipped", reason, stat.size, stat.mtime_ns))
            elif language:
                language = presumed(language, path, sources)
                project = self._projects.project_of(path, language)
                module = module_name(path, languages()[language], project, self._paths)
                contexts[path] = Context(language, self._projects.id_of(project), module.qualified, module.imported)
                job = Job(path, language, project.key, module, openings_for(path, openings))
                extracted = self._slow_files.pop_result(job, stats.get(path)) if self._slow_files is not None else None
                if extracted is not None:
                    direct.append(extracted)
                else:
                    jobs.append(job)
        return jobs, direct, contexts

    def _read_start(self, path: str) -> bytes:
        return read_start(self._root / path, TEXT_SAMPLE_BYTES)

    def _write_outcomes(self, outcomes: list[Extracted], contexts: dict[str, Context], bulk: bool) -> ApiChanges:
        for outcome in outcomes:
            context = contexts[outcome.path]
            if outcome.language and outcome.language != context.language:
                contexts[outcome.path] = msgspec.structs.replace(context, language=outcome.language)
        fresh = (
            outcomes
            if bulk
            else [outcome for outcome in outcomes if not self._is_unchanged(outcome, contexts[outcome.path])]
        )
        return self._committer.apply(fresh, contexts)

    def _is_unchanged(self, outcome: Extracted, context: Context) -> bool:
        """Whether the index has just this content under just this name: a touch."""
        if outcome.rows is None:
            return False
        row = self._database.row("world.file_row", (outcome.path,))
        if (
            row is None
            or row[1] != outcome.digest
            or (row[2], row[4], row[5], row[6]) != (context.language, context.module, context.imported, context.project)
        ):
            return False
        self._database.run("writer.touch_file", (outcome.size, outcome.mtime_ns, outcome.path))
        return True

    def renamed_files(self, paths: Collection[str]) -> set[str]:
        """Indexed files that have another module name or project now that these are the files of the repository."""
        result = set()
        moves_headers = self.moves_headers(paths)
        for path, language, module, imported, project_id in self._database.all("world.contexts"):
            if path in paths:
                if moves_headers and may_be_other(path):
                    result.add(path)
                project = self._projects.project_of(path, language)
                name = module_name(path, languages()[language], project, paths)
                if (name.qualified, name.imported, self._projects.id_of(project)) != (module, imported, project_id):
                    result.add(path)
        return result

    def _save_dialect_sources(self) -> frozenset[str]:
        """The languages with dialects of which there are sources; remembered, because headers are presumed to be in one
        of them.
        """
        sources = sources_among(self._paths)
        self._database.run("writer.put_meta", ("sources", " ".join(sorted(sources))))
        return sources

    def moves_headers(self, paths: Collection[str]) -> bool:
        """Whether headers are presumed to be in another language when these are the files of the repository."""
        return bool(" ".join(sorted(sources_among(paths))) != self._database.value("writer.meta", ("sources",), ""))

    def save_versions(self, versions: Mapping[Package, str]) -> None:
        """Save the versions of packages outside of the repository."""
        with self._database.transaction():
            self._externals.use(versions)

    def save_projects(self, detected: Detected) -> None:
        """Give every project an id in the index; where imports may lead elsewhere now, everything is resolved again."""
        projects = ProjectMap(detected)
        packed = projects.pack()
        before = self._database.value("writer.meta", ("projects",))
        tops = [top_project(language) for language in languages()]
        with self._database.transaction():
            rows = (
                (project.key, project.language, project.name, project.root) for project in (*tops, *detected.projects)
            )
            ids = {row[0]: int(self._database.value("writer.put_project", row)) for row in rows}
            if packed != before:
                self._database.run("writer.put_meta", ("projects", packed))
                if before is not None:
                    self._database.run("writer.set_all_unresolved")
        self._projects = projects.with_ids(ids)

    # -- resolution
    def _affected_files(self, changes: ApiChanges) -> set[int]:
        """The files whose references may mean something else now; all, where some odd source keeps us from finding
        them.
        """
        try:
            return affected_files(self._database, self._projects, changes)
        except INTERNAL_ERRORS as error:
            _log.warning("every file is resolved again", reason=describe(error))
            return {file for file, *_ in self._database.all("world.mentions")}

    def _mark_unresolved(self, files: Iterable[int]) -> None:
        self._database.run_many("writer.set_unresolved", ((file,) for file in files))

    def _resolve_files(self, files: set[int]) -> None:
        """Resolve a few files in this process and transaction."""
        world = StoredSymbolTable(self._database, self._projects)
        resolver = Resolver(self._database, world)
        for file in sorted(files):
            digest, symbols = world.content(file)
            facts = self._facts_of(digest, world.file(file).language) if symbols else None
            if facts is None and symbols:
                self._forget_content(file)
            elif facts:
                self._write_references([resolver.resolve(file, facts, symbols)], replace=True)

    def _resolve_marked(self, bulk: bool = False) -> None:
        """Resolve every file that is marked for it, shared among the workers."""
        files = self._database.all("world.unresolved")
        if not files:
            if not bulk:
                self._write_boundaries()
            return
        if not bulk and len(files) <= BULK_RESOLVE_FILES:
            with self._database.transaction():
                self._resolve_files({file for file, _ in files})
                self._update_boundaries(ApiChanges(), False, write=True)
                self._raise_generation()
            self._note_commit()
            return
        links = self._pool.link([LinkJob(file, path) for file, path in files], self._projects.pack())
        done = 0
        while chunk := list(islice(links, COMMIT_FILES)):
            with self._database.transaction():
                self._write_references(chunk, replace=not bulk)
                self._update_boundaries(ApiChanges(), False, write=False)
                self._raise_generation()
            failpoints.point("index.resolved")
            done += len(chunk)
            self._on_progress(Progress("resolve", done, len(files)))
        self._pool.reap()  # each has read the whole graph
        self._pool.start(1)  # a small one, which text needs next
        if not bulk:
            self._write_boundaries()

    def _update_boundaries(self, changes: ApiChanges, moved: bool, write: bool) -> None:
        """Note what edges between languages rest on; `write`: compute them again where that has changed, which takes
        that no file is left to be resolved.
        """
        self._boundaries.note_changes({*self._resolved, *changes.files}, changes.names, moved)
        self._resolved = set()
        if write and self._boundaries.is_due:
            self._boundaries.write(StoredSymbolTable(self._database, self._projects))

    def _write_boundaries(self) -> None:
        """Compute the edges between languages again, where that is due."""
        if self._boundaries.is_due:
            with self._database.transaction():
                self._boundaries.write(StoredSymbolTable(self._database, self._projects))
                self._raise_generation()
            self._note_commit()

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
            files.append((linked.heritage, linked.member_lookups, *linked.coverage, linked.file))
            self._resolved.add(linked.file)
            outside.update(linked.outside)
            if not replace or self._has_new_references(linked):
                others.append(linked.file)
                numbers.frombytes(linked.columns)
        if replace:
            self._database.run_many("writer.delete_refs", map(numbers_of, others))
        self._database.insert("writer.put_ref", STORED_COLUMNS, numbers)
        self._externals.add(outside)
        self._database.run_many("writer.set_resolved", files)

    def _has_new_references(self, linked: Linked) -> bool:
        """Whether a file's references are not what they were: most of those that are resolved again for a name that
        they mention lead where they led.
        """
        rows = self._database.all("writer.refs_of_file", numbers_of(linked.file))
        return array("q", chain.from_iterable(rows)).tobytes() != linked.columns

    def _forget_content(self, file: int) -> None:
        """Note that the facts of a file are lost: the next comparison with the disk finds it changed."""
        self._database.run("writer.forget_content", (file,))
        self._has_lost_facts = True

    def _facts_of(self, digest: bytes, language: str) -> FileFacts | None:
        blob = self._blobs.value("blobs.facts", (digest, language, version_of(language)))
        return unpack(blob) if blob is not None else None

    def _rows_of(self, file: int) -> FileRows | None:
        """The rows of an indexed file, made from its facts again."""
        world = StoredSymbolTable(self._database, self._projects)
        known = world.file(file)
        facts = self._facts_of(world.content(file)[0], known.language)
        if facts is None:
            return None
        project = self._projects.project_of(known.path, known.language)
        return derive_rows(
            known.path, project.key, module_name(known.path, languages()[known.language], project, self._paths), facts
        )

    def _raise_generation(self) -> None:
        generation = int(self._database.value("writer.meta", ("generation",), 0)) + 1
        self._database.run("writer.put_meta", ("generation", generation))
        if generation == 1:
            # tells those who read it from outside that this is another index
            self._database.run("writer.put_meta", ("born", time.time_ns()))
        self._metrics.follow()

    # -- a first index
    def _begin_bulk(self) -> None:
        """Rows first, indexes at the end: half the work.

        A crash in between is seen by the mark, and the index is built from the beginning.
        """
        self._metrics.stop_following()
        with self._database.transaction():
            self._database.run("writer.put_meta", ("bulk", 1))
            for name in indexes():
                self._database.connection.execute(f"DROP INDEX IF EXISTS {name}")
        self._committer.begin_bulk()
        failpoints.point("index.begun")

    def _build_indexes(self) -> None:
        self._committer.end_bulk()
        with self._database.transaction():
            for name, statement in indexes().items():
                if not name.startswith("refs_"):
                    self._database.connection.execute(statement)
            self._committer.merge_stubs()

    def _end_bulk(self) -> None:
        with self._database.transaction():
            for name, statement in indexes().items():
                if name.startswith("refs_"):
                    self._database.connection.execute(statement)
            self._database.run("writer.put_meta", ("bulk", 0))
        failpoints.point("index.done")
        self._note_commit()
