"""Slow files, which take too long while others wait: read afterwards, one at a time, by a separate worker."""

from __future__ import annotations

import logging
import selectors
import time
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from codeagentd.base.limits import PROMPT_DEADLINE_S, SLOW_BUDGET_S
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.messages import DAMAGED, UNREADABLE, Extract, Extracted, Job, Started
from codeagentd.pipeline.workers.pool import WorkerProcess, why_lost
from codeagentd.scan.walk import Stat
from codeagentd.store.connection import Damaged, Unreadable

AGAIN_S: Final = 60.0  # seconds until a file is tried again whose worker ended for a reason that is not the file's

log = logging.getLogger("codeagentd.indexer")


class Outcome(NamedTuple):
    """The outcome of a slow file: what its reading extracted. `failed`: the content that ended its worker, as the
    worker announced it; None where the file was read.
    """

    job: Job
    stat: Stat
    extracted: Extracted
    failed: Started | None


class _Postponed(NamedTuple):
    job: Job
    stat: Stat
    was_tried: bool  # tried for a short time: other files come first then
    not_before: float = 0.0  # seconds of the monotonic clock
    was_lost: bool = False  # lost its worker once, for a reason that may not be the file's


class SlowFiles:
    """The slow files of one index that are still to be read.

    Used by the indexer's thread, which calls `step` now and then.
    """

    def __init__(self, arguments: tuple[str, ...], deadline_s: float) -> None:
        self._arguments = arguments
        self._patience = Patience(deadline_s, SLOW_BUDGET_S)
        self._waiting: dict[str, _Postponed] = {}
        self._worker: WorkerProcess | None = None
        self._path = ""  # the file that the worker reads
        self._results: dict[str, Outcome] = {}  # by path, until the next batch with that file

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def pids(self) -> tuple[int, ...]:
        """The process id of the worker; () while there is none."""
        return (self._worker.process.pid,) if self._worker else ()

    def postpone(self, job: Job, stat: Stat, *, was_tried: bool) -> None:
        """Let the file of `job` wait until there is no other work. Files that were not tried before are read first."""
        self._forget_file(job.path)
        self._waiting[job.path] = _Postponed(job, stat, was_tried)

    def without(self, plan: Plan, stats: Mapping[str, Stat], *, is_whole: bool) -> Plan:
        """Return `plan` without the files that wait here and are unchanged on the disk (`stats`, by path). Files that
        have changed since they were postponed stop waiting.

        Args: is_whole: every file of the repository is among `stats`.
        """
        unchanged = {
            path for path in plan.changed if path in self._waiting and self._waiting[path].stat == stats.get(path)
        }
        lost = [path for path in self._waiting if path not in stats] if is_whole else []
        for path in (*plan.changed, *plan.gone, *lost):
            if path not in unchanged:
                self._forget_file(path)
        return Plan(tuple(path for path in plan.changed if path not in unchanged), plan.gone) if unchanged else plan

    def pop_result(self, job: Job, stat: Stat | None) -> Extracted | None:
        """Remove and return the result of reading the file of `job`. None where it was not read, was read by a job that
        differs, or has another `stat` since.
        """
        outcome = self._results.pop(job.path, None)
        return outcome.extracted if outcome and (outcome.job, outcome.stat) == (job, stat) else None

    def step(self) -> Outcome | None:
        """Do a part of the reading, without waiting. Return the outcome when a file has been read, and keep it for
        `pop_result`; else None.

        Errors: Damaged, Unreadable.
        """
        outcome = self._advance()
        if outcome is not None:
            self._results[outcome.job.path] = outcome
        return outcome

    def _advance(self) -> Outcome | None:
        if not self._path:
            self._start_next()
        worker = self._worker
        if worker is None or not self._path:
            return None
        has_written = False
        for _ in self._ready(worker):
            has_written = True
            if (answers := worker.receive()) is None:
                return self._give_up_worker(worker)
            for answer in answers:
                if isinstance(answer, Extracted):
                    return self._finish(answer)
        return self._give_up_worker(worker) if not has_written and worker.is_silent else None

    def close(self) -> None:
        """End the worker and forget the files; the next comparison with the disk finds them changed."""
        self._waiting.clear()
        self._results.clear()
        self._end_reading()

    def _start_next(self) -> None:
        now = time.monotonic()
        ready = [path for path, postponed in self._waiting.items() if postponed.not_before <= now]
        if ready:
            self._path = min(ready, key=lambda path: self._waiting[path].was_tried)
            postponed, seconds = self._waiting[self._path], self._patience.seconds
            self._worker = self._worker or WorkerProcess(self._arguments)
            self._worker.send(
                Extract(
                    [postponed.job],
                    seconds if postponed.was_tried else min(seconds, PROMPT_DEADLINE_S),
                    tells_start=True,
                )
            )

    def _ready(self, worker: WorkerProcess) -> Iterator[object]:
        with selectors.DefaultSelector() as selector:
            worker.watch(selector)
            events = selector.select(0)
        for key, event in events:
            if event == selectors.EVENT_WRITE:
                worker.flush()
            else:
                yield key

    def _finish(self, extracted: Extracted) -> Outcome:
        postponed = self._waiting.pop(self._path)
        self._end_reading()
        return Outcome(postponed.job, postponed.stat, extracted, None)

    def _give_up_worker(self, worker: WorkerProcess) -> Outcome | None:
        """Handle a worker that has ended, or makes no progress.

        The first time may be chance, unless the worker has used up its deadline: the file is tried once more. A file
        whose content was not known is always tried again.
        """
        path = self._end_worker()
        if worker.process.returncode == DAMAGED:
            raise Damaged
        if worker.process.returncode == UNREADABLE:
            raise Unreadable("a worker cannot read it")
        postponed, started, reason = self._waiting.pop(path), worker.started, why_lost(worker)
        log.warning("a slow file was given up", extra={"facts": {"reason": reason, "path": path}})
        self._patience.waste(worker.deadline)
        if started is None or not (worker.has_worked_too_long or postponed.was_lost):
            later = time.monotonic() + (AGAIN_S if started is None else 0.0)
            self._waiting[path] = postponed._replace(not_before=later, was_lost=True)
            return None
        if not postponed.was_tried and self._patience.seconds > worker.deadline:
            self._waiting[path] = postponed._replace(was_tried=True)
            return None
        self._end_reading()
        return Outcome(
            postponed.job,
            postponed.stat,
            Extracted(postponed.job.path, "failed", reason, started.size, started.mtime_ns, started.digest),
            started,
        )

    def _forget_file(self, path: str) -> None:
        self._waiting.pop(path, None)
        if path == self._path:
            self._end_worker()
            self._end_reading()

    def _end_reading(self) -> None:
        """Record that no file is being read. If no file waits, end the worker, and give the next file the full
        deadline.
        """
        self._path = ""
        if not self._waiting:
            self._patience.renew()
            self._end_worker()

    def _end_worker(self) -> str:
        """End the worker, and return the path of the file that it was reading."""
        path, self._path = self._path, ""
        if self._worker:
            self._worker.end()
        self._worker = None
        return path
