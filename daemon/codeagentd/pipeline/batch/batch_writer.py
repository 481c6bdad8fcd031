"""The writer of one batch, from paths to committed rows: the only module that drives extraction, resolution and store
together.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
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
    COMMIT_SYMBOLS,
    LARGE_BYTES,
    PROMPT_BUDGET_S,
    PROMPT_DEADLINE_S,
    PROMPT_SHARE_S,
    SLOW_BUDGET_S,
)
from codeagentd.base.log import EventLog
from codeagentd.model.analysis import Analysis
from codeagentd.model.engine_status import Progress
from codeagentd.pipeline.background.slow_files import SlowFiles
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.pipeline.graph.boundary_edges import BoundaryEdges
from codeagentd.pipeline.graph.incremental_metrics import IncrementalMetrics
from codeagentd.pipeline.invalidation.affected_files import affected_files
from codeagentd.pipeline.invalidation.api_changes import ApiChanges
from codeagentd.pipeline.rows.index_rows import FileRows, derive_rows
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.structural.structural_edges import StructuralEdges
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.extraction import Extraction
from codeagentd.pipeline.workers.messages import POSTPONED, Extracted, Job
from codeagentd.pipeline.workers.pool import UNTRIED
from codeagentd.scan.lockfiles.versions import Package
from codeagentd.scan.walk import Stat
from codeagentd.store.connection import Database

from .commit import Committer, Context
from .external_symbols import Externals
from .file_planner import FilePlanner
from .first_index import FirstIndex, Stage
from .generation import Generation
from .reference_writer import MakeWorld, ReferenceWriter
from .repository_macros import update_openings

_log = EventLog(__name__)

SWEEPING: Final = 3  # files to be resolved again for each other one


def large_among(stats: Mapping[str, Stat]) -> set[str]:
    """Return the paths of those files in `stats` that may take long to extract."""
    return {path for path, stat in stats.items() if stat.size > LARGE_BYTES}


def in_order(jobs: Sequence[Job], large: Collection[str]) -> list[Job]:
    """Return `jobs` in the order of reading. Files in `large` are last, so that one of two workers has the others for
    itself; files of a language are together, because its queries take time to compile.
    """
    files = Counter(job.language for job in jobs)
    return sorted(jobs, key=lambda job: (job.path in large, -files[job.language], job.language))


class BatchWriter:
    """Writes batches with the writer's connections; used by the indexer's thread alone.

    `paths` is every file of the repository, parsed or not; `languages`: those that are parsed, none for all.
    `on_commit` is called with whether only large files of the batch are left to read. `slow_files` gets the files that
    take too long while others wait; without it such files count as failed. `has_more`: whether another batch waits.
    `make_world` makes the symbol table against which files are resolved in this process. Without `resolves_affected`
    only the files of a batch are resolved, and none that they affect. `bring_facts` may fill blobs.db with facts
    before so many files are read.
    """

    def __init__(
        self, database: Database, blobs: Database, pool: Extraction, root: Path, paths: set[str], *,
        languages: frozenset[str] = frozenset(), on_commit: Callable[[bool], None] = lambda has_most: None,
        on_progress: Callable[[Progress], None] = lambda progress: None, slow_files: SlowFiles | None = None,
        has_more: Callable[[], bool] = lambda: False, make_world: MakeWorld | None = None,
        resolves_affected: bool = True, bring_facts: Callable[[int], None] = lambda files: None,
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
        self._resolves_affected = resolves_affected
        self._bring_facts = bring_facts
        self.planner = FilePlanner(database, root, paths, languages, slow_files)
        self._committer = Committer(database, blobs, self._rows_of)
        self._first_index = FirstIndex(database, self._committer)
        self._externals = Externals(database)
        self._metrics = IncrementalMetrics(database)
        self._generation = Generation(database, self._metrics)
        self._structures = StructuralEdges(database)
        self._references = ReferenceWriter(
            database, blobs, pool, self.planner, self._externals,
            BoundaryEdges(database, self._committer.numbering.next_symbol), self._structures, self._generation,
            self._note_commit, on_progress, make_world,
        )  # fmt: skip
        self._has_most = False  # only large files of the current batch are still to be read
        self._postponed: list[Extracted] = []  # of the current batch

    # -- a whole batch
    def run(
        self, plan: Plan, stats: dict[str, Stat], then: Callable[[list[Extracted]], None] = lambda outcomes: None, *,
        resolves: bool = True,
    ) -> None:  # fmt: skip
        """Read the changed files of `plan`, write their rows, and resolve the files that this affects. `stats`: the
        sizes and times of the files on the disk, by path.

        `then` is called with the outcomes inside the last transaction of the files' rows (with none in a first index).
        Without `resolves` the files of the batch stay marked, to be resolved by the next one.
        """
        plan = update_openings(self._database, self._root, plan)
        self._metrics.begin(len(plan.changed) + len(plan.gone))
        self._postponed = []
        moved = bool(plan.gone) or not self._paths.issuperset(plan.changed)
        self.planner.note_files(plan)
        stage = self._first_index.stage
        if stage or (len(plan.changed) > COMMIT_FILES and not self._database.value("world.any_file")):
            plan = self._run_first_index(stage, plan, stats)
            moved = bool(plan.changed or plan.gone)
        self._structures.begin()
        self._write_files(plan, stats, moved, then, resolves=resolves)
        if resolves:
            self._references.resolve_marked()
        self._metrics.begin()

    def _run_first_index(self, stage: Stage, plan: Plan, stats: dict[str, Stat]) -> Plan:
        """Begin a first index, or continue it from `stage` on, up to its end. Returns the rest of `plan`, which has to
        wait for that: files that were written before an interruption and have changed, or appeared, since.
        """
        self._metrics.stop_following()
        self._structures.stop_following()
        if stage <= Stage.ROWS:
            self._first_index.begin()
            written = {path for path, *_ in self._database.all("world.known_files")}
            new = Plan(tuple(path for path in plan.changed if path not in written), ())
            plan = Plan(tuple(path for path in plan.changed if path in written), plan.gone)
            self._write_files(new, stats, moved=True, bulk=True)
        if stage <= Stage.ORDER:
            self._on_progress(Progress("order", 0, 0))
            self._first_index.put_in_order()
        self._references.resolve_marked(bulk=True, meanwhile=self._first_index.write_names())
        self._first_index.finish()
        self._note_commit()
        self._structures.begin()
        self._references.write_derived()
        return plan

    def _write_files(
        self, plan: Plan, stats: dict[str, Stat], moved: bool,
        then: Callable[[list[Extracted]], None] = lambda outcomes: None, *, bulk: bool = False,
        resolves: bool = True,
    ) -> None:  # fmt: skip
        """Read the changed files of `plan`, and write their rows; `moved`: files were added or removed."""
        jobs, direct, contexts = self.planner.jobs(plan, stats)
        if bulk:
            self._pool.start(len(jobs))  # they become ready while facts are brought
        self._bring_facts(len(jobs))
        total, done = len(jobs) + len(direct), 0
        seen: list[Extracted] = []
        self._on_progress(Progress("extract", 0, total))
        large = large_among(stats)
        plain = {job.path for job in jobs} - large
        self._has_most = not (bulk or plain)
        limit = COMMIT_FILES if len(jobs) > BULK_RESOLVE_FILES else total + 1
        for chunk, is_last in self._in_chunks(
            direct, self._extract(jobs, stats, large, bulk), limit, COMMIT_S if not (bulk or plan.gone) else inf
        ):
            # the rest of a first index may be small, and nothing can be resolved before its rows are in order
            is_small = not bulk and is_last and done == 0 and total <= BULK_RESOLVE_FILES
            done += len(chunk)
            with self._database.transaction():
                with self._blobs.transaction():  # facts are committed first
                    changes = self._write_outcomes(chunk, contexts, bulk)
                    takes_all = bulk or not self._resolves_affected or (total > COMMIT_FILES and self._is_sweeping())
                    touched = set(changes.files) if takes_all else self._affected_files(changes)
                    self._references.resolve_or_mark(touched, changes, is_small=is_small and resolves, moved=moved)
                    if not bulk:
                        seen += [msgspec.structs.replace(outcome, rows=None, blob=b"") for outcome in chunk]
                    if is_last:
                        then([*seen, *self._postponed])
                    self._generation.advance()
                    failpoints.point("index.written")
                failpoints.point("index.facts_committed")
            failpoints.point("index.committed")
            plain.difference_update(outcome.path for outcome in chunk)
            self._has_most = not (bulk or plain)
            self._note_commit()
            self._on_progress(Progress("extract", done, total))

    def write_analysis(self, analysis: Analysis) -> None:
        """Replace the stored analysis of the whole graph by `analysis`."""
        self._metrics.write_analysis(analysis)

    @property
    def has_whole_index(self) -> bool:
        """Whether a first index was finished."""
        return bool(self._paths) and self._first_index.stage == Stage.DONE

    def pop_lost_facts(self) -> bool:
        """Return whether blobs.db lacked the facts of a file since the last call. A comparison with the disk then
        reports that file as changed.
        """
        return self._references.pop_lost_facts()

    def _note_commit(self) -> None:
        self._on_commit(self._has_most)

    def _is_sweeping(self) -> bool:
        """Whether nearly all files have to be resolved again, as after a change of manifests. All files are marked
        then, which is faster than finding the affected ones.
        """
        ((left, due),) = self._database.all("world.left_and_due")
        is_sweeping = bool(left * SWEEPING <= due)
        if left and is_sweeping:
            self._database.run("writer.set_all_unresolved")
        return is_sweeping

    def _extract(
        self, jobs: list[Job], stats: Mapping[str, Stat], large: Collection[str], bulk: bool
    ) -> Iterator[Extracted | None]:
        """Yield outcomes as they come, except those that are postponed; None where there was none for a moment. In a
        first index only what takes very long is postponed: to add a file afterwards costs more.
        """
        longest, prompt_budget = self._pool.deadline_s, PROMPT_BUDGET_S + PROMPT_SHARE_S * len(jobs)
        patience = Patience(longest, inf)
        if self._slow_files is not None:
            patience = (
                Patience(longest, SLOW_BUDGET_S) if bulk else Patience(min(PROMPT_DEADLINE_S, longest), prompt_budget)
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
        """Have a file read when there is no other work."""
        self._postponed.append(outcome)
        slow_files.postpone(job, stats.get(job.path, Stat(0, 0)), was_tried=outcome.reason != UNTRIED)

    def _in_chunks(
        self, direct: list[Extracted], extracted: Iterable[Extracted | None], limit: int, seconds: float
    ) -> Iterator[tuple[list[Extracted], bool]]:
        """Yield the outcomes in transactions of a suitable size, each with whether it is the last: at most `limit`
        files, and where that is a limit few of those with very many symbols. Outcomes wait at most `seconds` for the
        rest of their transaction.

        Files that are gone come first, so that moves are seen in one batch.
        """
        chunk, symbols, since = list(direct), 0, time.monotonic()
        for outcome in extracted:
            if outcome is not None:
                chunk.append(outcome)
                symbols += len(outcome.rows.symbols) if outcome.rows else 0
            is_full = len(chunk) >= limit or (limit == COMMIT_FILES and symbols >= COMMIT_SYMBOLS)
            if is_full or (chunk and time.monotonic() - since > seconds):
                yield chunk, False
                chunk, symbols, since = [], 0, time.monotonic()
        yield chunk, True

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
        """Whether the index already has this content under this name; only the times are updated then."""
        if outcome.rows is None:
            return False
        row = self._database.row("world.file_row", (outcome.path,))
        if (
            row is None
            or row[1] != outcome.digest
            or (row[2], row[4], row[5], row[6]) != (context.language, context.module, context.imported, context.project)
        ):
            return False
        self._database.run("writer.touch_file", (outcome.mtime_ns, outcome.path))
        return True

    def save_versions(self, versions: Mapping[Package, str]) -> None:
        """Save the versions of packages outside of the repository, by package."""
        with self._database.transaction():
            self._externals.use(versions)

    # -- resolution
    def _affected_files(self, changes: ApiChanges) -> set[int]:
        """Return the files whose references may have another target now; all files, where an internal error prevents
        that.
        """
        try:
            return affected_files(self._database, self.planner.projects, changes)
        except INTERNAL_ERRORS as error:
            _log.warning("every file is resolved again", reason=describe(error))
            return {file for file, *_ in self._database.all("world.mentions")}

    def _rows_of(self, file: int) -> FileRows | None:
        """Derive the rows of an indexed file from its facts again."""
        world = StoredSymbolTable(self._database, self.planner.projects)
        known = world.file(file)
        facts = self._references.facts_of(world.content(file)[0], known.language)
        if facts is None:
            return None
        project, module = self.planner.project_and_module(known.path, known.language)
        return derive_rows(known.path, project.key, module, facts)
