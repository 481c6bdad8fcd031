"""The pool of extract workers: started when there is work, killed when a file takes too long, ended when idle."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import sys
import time
from collections import deque
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from pathlib import Path

from codeagent_protocol.pipe_writer import Outbox
from codeagent_protocol.pipes import complete_messages, framed
from codeagent_protocol.streams import reading
from codeagentd.base.child_process import ChildProcess, module_command
from codeagentd.base.host_load import lower_priority
from codeagentd.base.limits import EXTRACT_DEADLINE_S, JOBS_PER_REQUEST, LINKS_PER_REQUEST, MAX_FILE_BYTES, WORKERS
from codeagentd.base.log import EventLog
from codeagentd.base.processor_time import used
from codeagentd.store.connection import Damaged, Unreadable

from .deadlines import Patience
from .messages import (
    DAMAGED,
    POSTPONED,
    UNREADABLE,
    Answer,
    Chunk,
    Chunked,
    ChunkJob,
    Extract,
    Extracted,
    Job,
    Link,
    Linked,
    LinkJob,
    Started,
    answer_decoder,
    request_encoder,
)

READ_BYTES = 1 << 20
PIPE_BYTES = 1 << 20  # bytes of answers that a worker can write while the writer is busy
REQUESTS_AHEAD = 4  # requests that a worker has, so that it never waits for the next, even while the writer commits
# seconds that the daemon waits for an answer until it gives up a worker that uses no processor time: it was stopped, or
# waits for something that never comes
STALL_S = 10.0 if sys.platform == "win32" else 30.0
TURN_S = 0.1  # seconds after which the caller gets control back while no answer arrives
ATTENDED_S = 0.3  # seconds at most that count as waiting between two looks at a worker: the daemon was busy, or stopped
CRASHED = "the parser crashed"
STALLED = "did not go on"
UNTRIED = "large, and others took too long"
# seconds that answers gather while more work waits: fewer wake-ups for them, and all workers have enough to do
GATHER_S = 0.02
LONGEST = 8  # times the usual number of jobs of a request
FAIR = 16  # the least number of requests that the jobs left are divided into, where these are longer than usual

# glibc: keep freed memory for the next file instead of giving it back after each one; the process lives for a minute
KEEP_HEAP = {
    "MALLOC_TRIM_THRESHOLD_": "1000000000",
    "MALLOC_TOP_PAD_": "16777216",
    "MALLOC_MMAP_THRESHOLD_": "1000000000",
}

_log = EventLog(__name__)

AnyJob = Job | LinkJob | ChunkJob


def widen(pipe: int) -> None:
    """Enlarge the buffer of the file descriptor `pipe`, where the system can, so that its writer waits less often for
    its reader.
    """
    if sys.platform == "linux":
        import fcntl

        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def start_worker(arguments: Sequence[str]) -> ChildProcess:
    """Start and return a worker's process with `arguments`."""
    command = module_command("codeagentd.pipeline.workers.worker", *arguments)
    return ChildProcess(command, environment=os.environ | KEEP_HEAP)


class WorkerProcess:
    """One worker and the jobs that it has; `backwards` if it takes jobs from the end of the list."""

    def __init__(self, arguments: Sequence[str], backwards: bool = False) -> None:
        self.process = start_worker(arguments)
        widen(self.process.stdout.fileno())
        self._output = reading(self.process.stdout.fileno(), waits=True)
        self._outbox = Outbox(self.process.stdin.fileno())
        self.backwards = backwards
        self.waiting: deque[AnyJob] = deque()  # sent, not yet answered, in order
        self.done: set[str] = set()  # paths whose facts it may still remember
        self._silent_s = 0.0  # seconds that the daemon has waited for it since it wrote something, or got work
        self._seen_at = 0.0  # when the daemon last looked for its answers
        self._used: int | None = None  # nanoseconds of a core that it had used at half of its silence
        self.is_given_up = False
        self.deadline = 0.0  # seconds of a core for each file, as last sent to it
        self.started: Started | None = None  # the content of the first of them, once it is known
        self.has_projects = False  # it has the projects
        self._buffer = bytearray()

    def watch(self, selector: selectors.BaseSelector) -> None:
        """Register the worker's output with `selector`, and its input while requests wait. The worker reads no requests
        while its own answers are not read.
        """
        selector.register(self._output.fd, selectors.EVENT_READ, self)
        if not self._outbox.is_empty:
            selector.register(self._outbox.fd, selectors.EVENT_WRITE, self)

    def send(self, request: Extract | Link | Chunk) -> None:
        """Send a request, now or when the worker reads; a dead worker is noticed when its output ends."""
        if not self.waiting:
            self._end_silence()
        self.deadline = request.seconds
        self.waiting.extend(request.jobs)
        self._outbox.put(framed(request_encoder.encode(request)))

    def flush(self) -> None:
        """Send the requests that wait, as far as the worker's pipe has room for them."""
        self._outbox.flush()

    def receive(self) -> list[Answer] | None:
        """Return the answers that have arrived; None when the worker has ended."""
        data = self._output.read(READ_BYTES)
        if not data:
            return None
        self._end_silence()  # also for a part of an answer
        self._buffer += data
        answers: list[Answer] = []
        for message in map(answer_decoder.decode, complete_messages(self._buffer)):
            if isinstance(message, Started):
                self.started = message
            else:
                self.started = None
                self.done.add(self.waiting.popleft().path)
                answers.append(message)
        return answers

    def _end_silence(self) -> None:
        self._silent_s, self._seen_at, self._used = 0.0, time.monotonic(), None

    @property
    def is_silent(self) -> bool:
        """Whether the worker has to be given up. To be read after each look for answers that found none of it.

        What counts is the time that the daemon has waited: while it is busy or stopped, no worker is silent. A worker
        that uses the processor works on, however slowly on a busy machine: its deadline ends it.
        """
        now = time.monotonic()
        self._silent_s += min(now - self._seen_at, ATTENDED_S)
        self._seen_at = now
        limit = longest_silence(self.deadline)
        if self._silent_s > limit / 2 and self._used is None:
            self._silent_s, self._used = limit / 2, used(self.process.pid) or 0
        if self._silent_s > limit and (worked := used(self.process.pid) or 0) > (self._used or 0):
            self._silent_s, self._used = limit / 2, worked
        self.is_given_up = self._silent_s > limit
        return self.is_given_up

    @property
    def has_worked_too_long(self) -> bool:
        """Whether the deadline has ended the worker (which is known to have ended). Where the system has no signal for
        that, the time without an answer decides.
        """
        return sys.platform != "win32" and self.process.returncode == -signal.SIGPROF

    def end(self) -> None:
        """Kill the worker and wait for its end."""
        self.process.kill_and_wait()
        self._output.end()
        self._outbox.restore()
        self.process.close_pipes()


class Todo:
    """Jobs that wait for a worker; a worker gets `share` of them at once, and up to LONGEST times as many where it does
    them faster than it is given others, such as files whose facts are known.

    Jobs whose facts one of `workers` may still remember go to that worker first. Jobs whose paths are `large` are sent
    alone, so that no other job waits for them.
    """

    def __init__(
        self, jobs: Iterable[AnyJob], share: int, workers: Iterable[WorkerProcess] = (), large: Container[str] = ()
    ) -> None:
        self._usual = share
        self._factor = 1
        self._large = large
        self._jobs = {job.path: job for job in jobs}
        self._own = {worker: deque(path for path in self._jobs if path in worker.done) for worker in workers}

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def share(self) -> int:
        """How many jobs a worker gets at once: few towards the end, so that all workers end together."""
        return max(self._usual, min(self._usual * self._factor, len(self._jobs) // FAIR))

    def quicken(self) -> None:
        """Give more jobs at once, after a worker had nothing to do."""
        self._factor = min(2 * self._factor, LONGEST)

    def take(self, worker: WorkerProcess) -> list[AnyJob]:
        """Remove and return the next few jobs for `worker`."""
        chosen: list[AnyJob] = []
        own = self._own.get(worker) or deque()
        while own and len(chosen) < self.share:
            if job := self._jobs.pop(own.popleft(), None):
                chosen.append(job)
        paths = list(islice(reversed(self._jobs) if worker.backwards else iter(self._jobs), self.share))
        plain = list(takewhile(lambda path: path not in self._large, paths))
        return chosen or [self._jobs.pop(path) for path in plain or paths[:1]]

    def has_more_for(self, worker: WorkerProcess) -> bool:
        """Whether `worker` should get more jobs now, so that it never waits. After a large file it gets only
        one more.
        """
        last = worker.waiting[-1].path if worker.waiting else ""
        return len(self._jobs) > 0 and len(worker.waiting) <= (
            1 if last in self._large else self.share * (REQUESTS_AHEAD - 1)
        )

    def put_back(self, jobs: Iterable[AnyJob]) -> None:
        """Add `jobs`, which were taken and not done, again."""
        self._jobs.update((job.path, job) for job in jobs)

    def withdraw_large(self) -> list[AnyJob]:
        """Remove and return the jobs with large files that no worker has."""
        return [self._jobs.pop(path) for path in [path for path in self._jobs if path in self._large]]


class Pool:
    """A few worker processes. The methods are called from one thread."""

    def __init__(
        self,
        root: Path,
        index: Path,
        blobs: Path,
        workers: int = WORKERS,
        deadline_s: float = EXTRACT_DEADLINE_S,
        max_file_bytes: int = MAX_FILE_BYTES,
    ) -> None:
        self._arguments = (str(root), str(index), str(blobs), str(max_file_bytes))
        self._size = workers
        self.deadline_s = deadline_s
        self._workers: list[WorkerProcess] = []

    @property
    def pids(self) -> tuple[int, ...]:
        """The process ids of the living workers."""
        return tuple(worker.process.pid for worker in self._workers)

    def start(self, count: int) -> None:
        """Start workers until `count` are running; starting early hides the time that it takes."""
        while len(self._workers) < min(count, self._size):
            self._workers.append(WorkerProcess(self._arguments, backwards=bool(self._workers)))

    @property
    def arguments(self) -> tuple[str, ...]:
        """The arguments that a worker is started with."""
        return self._arguments

    def extract(
        self, jobs: Sequence[Job], patience: Patience, large: Container[str] = ()
    ) -> Iterator[Extracted | None]:
        """Yield the outcome of every job, in any order, and None when none arrived for a moment. A job that ends its
        worker gets the outcome `postponed`.

        The workers begin at both ends of the jobs. Files that are `large` are not tried any more once patience is
        spent.
        """
        todo = Todo(jobs, JOBS_PER_REQUEST, large=large)
        for answer in self._run(todo, lambda chunk, worker: Extract(chunk, patience.seconds)):
            if isinstance(answer, Extracted):
                yield answer
                if answer.status == POSTPONED:
                    patience.waste(patience.seconds)
                    untried = todo.withdraw_large() if patience.is_spent else ()
                    yield from (Extracted(job.path, POSTPONED, UNTRIED) for job in untried)
            elif answer is None:
                yield None

    def link(self, jobs: Sequence[LinkJob], projects: bytes, *, goes_on: bool = False) -> Iterator[Linked]:
        """Yield the resolved references of every job's file, in any order. `projects`: the encoded project map.

        `goes_on`: projects and index are those of the call before, so that workers that have read them need not do so
        again.
        """
        for worker in self._workers:
            worker.has_projects &= goes_on

        def request(chunk: list[LinkJob], worker: WorkerProcess) -> Link:
            has_projects, worker.has_projects = worker.has_projects, True
            return Link(chunk, None if has_projects else projects, self.deadline_s)

        for answer in self._run(Todo(jobs, LINKS_PER_REQUEST, self._workers), request):
            if isinstance(answer, Linked):
                yield answer

    def chunk(self, jobs: Sequence[ChunkJob], *, gives_way: bool = False) -> Iterator[Chunked]:
        """Yield the chunks of every file, in any order; no chunks for a file that kills its worker.

        `gives_way`: the workers have low priority from now on, until they end.
        """
        self.start(1)
        for pid in self.pids if gives_way else ():
            lower_priority(pid)
        # by one worker: no request waits for it
        for answer in self._run(Todo(jobs, max(1, len(jobs))), lambda chunk, worker: Chunk(chunk, self.deadline_s)):
            if isinstance(answer, Chunked):
                yield answer

    def _run(self, todo: Todo, request) -> Iterator[Answer | None]:  # type: ignore[no-untyped-def]
        self.start(-(-len(todo) // todo.share))
        for worker in self._workers:
            self._feed(worker, todo, request)
        while any(worker.waiting for worker in self._workers):
            if todo:
                time.sleep(GATHER_S)
            ready = self._ready()
            stalled = self._stalled({worker for worker, _ in ready})  # before time passes for handling the answers
            for worker, event in ready:
                if event == selectors.EVENT_WRITE:
                    worker.flush()
                elif (answers := worker.receive()) is None:
                    yield from self._replace(worker, todo, request)
                else:
                    if todo and not worker.waiting:
                        todo.quicken()
                    self._feed(worker, todo, request)
                    yield from answers
            for worker in stalled:
                yield from self._replace(worker, todo, request)
            if not ready:
                yield None

    def _ready(self) -> list[tuple[WorkerProcess, int]]:
        """Return the workers that have answered (EVENT_READ), or can take more of a request (EVENT_WRITE); none when
        nothing happened for a moment.
        """
        with selectors.DefaultSelector() as selector:
            for worker in self._workers:
                worker.watch(selector)
            return [(key.data, event) for key, event in sorted(selector.select(TURN_S), key=lambda ready: -ready[1])]

    def _stalled(self, ready: set[WorkerProcess]) -> list[WorkerProcess]:
        return [worker for worker in self._workers if worker not in ready and worker.waiting and worker.is_silent]

    def _feed(self, worker: WorkerProcess, todo: Todo, request) -> None:  # type: ignore[no-untyped-def]
        while todo.has_more_for(worker):
            worker.send(request(todo.take(worker), worker))

    def _replace(self, worker: WorkerProcess, todo: Todo, request) -> Iterator[Answer]:  # type: ignore[no-untyped-def]
        """End a worker that failed. Its first unanswered job counts as the cause; all workers share the others.

        Errors: Damaged, Unreadable.
        """
        worker.end()
        self._workers.remove(worker)
        if worker.process.returncode == DAMAGED:
            raise Damaged
        if worker.process.returncode == UNREADABLE:
            raise Unreadable("a worker cannot read it")
        if worker.waiting:
            blamed, reason = worker.waiting.popleft(), why_lost(worker)
            _log.warning("a worker was lost", reason=reason, path=blamed.path)
            todo.put_back(worker.waiting)
            yield _nothing(blamed, reason)
        self._workers.append(WorkerProcess(self._arguments, worker.backwards))
        for other in self._workers:
            self._feed(other, todo, request)

    def reap(self, remaining: int = 0) -> None:
        """End all workers except `remaining` of them; the next work starts new ones."""
        for worker in self._workers[remaining:]:
            worker.end()
        del self._workers[remaining:]


def longest_silence(deadline_s: float) -> float:
    """Return how many seconds a worker may stay without an answer and without work, where each file has a deadline of
    `deadline_s` of processor time; then it is given up.
    """
    return max(STALL_S, 3 * deadline_s)


def why_lost(worker: WorkerProcess) -> str:
    """Return the reason for the end of `worker` as far as its exit status shows it. A worker that was given up was
    ended by `end`.
    """
    if worker.has_worked_too_long:
        return f"took longer than {worker.deadline:g} s"
    return STALLED if worker.is_given_up else CRASHED


def _nothing(job: AnyJob, reason: str) -> Answer:
    """Return an answer in place of the one that a job has prevented."""
    if isinstance(job, Job):
        return Extracted(job.path, POSTPONED, reason)
    return Linked(job.file, b"") if isinstance(job, LinkJob) else Chunked(job.file, [])
