"""The on-demand index as the daemon uses it: it has files indexed that questions ask for, until the first index is
whole.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.child_process import ChildProcess, module_command
from codeagentd.base.log import EventLog
from codeagentd.model.on_demand import Coverage, Question
from codeagentd.scan.ignore import ALWAYS
from codeagentd.store.connection import CORRUPT, Database, QueryError, ReaderPool
from codeagentd.store.opening import UNUSABLE, remove

from .loan import Loan
from .on_demand_messages import Answered, Ask, Begin, Reading, answer_decoder, encoder

READERS: Final = 4  # connections: as many as tool calls run at once
CRASHES: Final = 3  # times that the process may end by itself; then the first index alone answers
LATE_S: Final = 0.5  # seconds that an answer may take to arrive
NAMES: Final = ("on-demand.db", "on-demand-facts.db")
GIVE_WAY_S: Final = 5.0  # seconds for which the first index gives way to questions, and a share of its own time
GIVE_WAY_SHARE: Final = 0.2
FEW_FILES: Final = 500  # a first index of so many takes a second or two

_log = EventLog(__name__)

_Waiting = queue.SimpleQueue[Coverage | None]


class OnDemandIndex:
    """Has a process index what questions ask for, until the first index is whole. Thread-safe."""

    def __init__(self, begin: Begin) -> None:
        self._first_done = threading.Event()
        self._begin = begin
        self._lock = threading.Lock()
        self._answered = threading.Condition(self._lock)
        self._process: ChildProcess | None = None
        self._starts_with_question = False  # there is no process yet, and the first question starts it
        self._readers: ReaderPool | None = None
        self._last: dict[int, Coverage] = {}  # of the questions that wait
        self._waiting: dict[int, tuple[Ask, _Waiting]] = {}
        self._numbers = itertools.count(1)
        self._unreadable: list[str] = []
        self._borrowers = 0
        self.files = 0  # that are indexed
        self._is_over = False
        self._began = time.monotonic()
        self._gave_way_s = 0.0  # seconds for which the first index has waited

    @property
    def pid(self) -> int:
        """The process id; 0 while there is no process."""
        process = self._process
        return process.pid if process else 0

    def start(self, index: Path, *, is_unasked: bool = False) -> None:
        """Start the process, whose imports and grammars load meanwhile, unless the index at `index` is whole, or will
        be in a moment. With `is_unasked` the first question starts it. Files that a daemon before this one has left are
        removed.
        """
        self._remove_files()
        if not is_whole(index) and not has_few_files(Path(self._begin.root)):
            with self._lock:
                self._starts_with_question = is_unasked
                if not is_unasked:
                    self._start_process()

    def end_with(self, first_done: threading.Event) -> None:
        """End with the first index: when `first_done` is set, at once."""
        self._first_done = first_done
        if self._process or self._starts_with_question:
            threading.Thread(target=self._await_end, name="on-demand-end", daemon=True).start()

    def _await_end(self) -> None:
        self._first_done.wait()
        self.end()

    def _start_process(self) -> None:
        if self._is_over:
            return
        process = ChildProcess(module_command("codeagentd.pipeline.on_demand.on_demand_process"))
        self._process = process
        _send(process, msgspec.structs.replace(self._begin, unreadable=tuple(self._unreadable)))
        threading.Thread(target=self._listen, args=(process,), name="on-demand", daemon=True).start()

    def _listen(self, process: ChildProcess) -> None:
        reading = ""
        while content := process.receive():
            answer = answer_decoder.decode(content)
            if isinstance(answer, Reading):
                reading = answer.path
            elif isinstance(answer, Answered):
                self._take(answer)
        process.wait()
        process.close_pipes()
        self._note_end(reading)

    def _take(self, answer: Answered) -> None:
        with self._lock:
            _, waiting = self._waiting.get(answer.number, (None, None))
            if self._readers is None and not self._is_over:
                self._readers = ReaderPool(Path(self._begin.database), READERS)
            self.files = 0 if self._is_over else answer.files
            if waiting and not answer.is_last:
                self._last[answer.number] = answer.coverage
        if waiting and answer.is_last:
            waiting.put(answer.coverage)

    def _note_end(self, reading: str) -> None:
        """Start the process again after it has ended by itself, without the file that it was reading."""
        with self._lock:
            self._process = None
            if self._is_over:
                return
            self._unreadable.append(reading)
            if len(self._unreadable) > CRASHES:
                _log.warning("no files are indexed on demand any more", reason="the process ended several times")
                for _, waiting in self._waiting.values():
                    waiting.put(None)
                return
            _log.info("the on-demand process ended", reading=reading)
            self._start_process()
            for ask, _ in self._waiting.values():
                if self._process:
                    _send(self._process, ask)

    def ask(self, question: Question, patience_s: float) -> Coverage | None:
        """Have indexed what `question` asks for, and return what is covered after `patience_s` at the latest. None
        where nothing is indexed on demand: the first index is whole, or will be in a moment.
        """
        waiting: _Waiting = queue.SimpleQueue()
        with self._lock:
            if self._is_over or self._first_done.is_set():
                return None
            if self._starts_with_question:
                self._starts_with_question = False
                self._start_process()
            if self._process is None:
                return None
            ask = Ask(next(self._numbers), question, patience_s)
            self._waiting[ask.number] = (ask, waiting)
            _send(self._process, ask)
        try:
            coverage = waiting.get(timeout=patience_s + LATE_S)
        except queue.Empty:  # it is still starting, or one step takes long
            coverage = self._last.get(ask.number, Coverage())
        finally:
            with self._lock:
                self._waiting.pop(ask.number, None)
                self._last.pop(ask.number, None)
                self._answered.notify_all()
        return None if coverage is None or 0 < coverage.files < FEW_FILES else coverage

    def give_way(self) -> None:
        """Wait while questions are being answered, which need the processor more than the first index does. Questions
        that never end hold it up by a share of its time.
        """
        since = time.monotonic()
        with self._lock:
            left = GIVE_WAY_S + GIVE_WAY_SHARE * (since - self._began) - self._gave_way_s
            self._answered.wait_for(lambda: not self._waiting or self._is_over, max(0.0, left))
            self._gave_way_s += time.monotonic() - since

    @contextlib.contextmanager
    def lent(self, coverage: Coverage, others: ReaderPool) -> Iterator[Loan | None]:
        """Lend the index for one answer, or `others` while it has none; None once it is over. It is not removed before
        the answer is made.
        """
        with self._lock:
            is_over = self._is_over or self._first_done.is_set()
            readers = others if self._readers is None or not coverage.files else self._readers
            self._borrowers += not is_over
        if is_over:
            yield None
            return
        try:
            yield Loan(readers, coverage)
        finally:
            with self._lock:
                self._borrowers -= 1
                if self._is_over and not self._borrowers:
                    self._remove()

    def end(self) -> None:
        """End the process and remove the index: the first index is whole, or the daemon leaves."""
        with self._lock:
            if self._is_over:
                return
            self._is_over, self.files = True, 0
            for _, waiting in self._waiting.values():
                waiting.put(None)
            self._answered.notify_all()
            if self._process:
                self._process.kill()
                self._process = None
            if not self._borrowers:
                self._remove()

    def _remove(self) -> None:
        if self._readers is not None:
            self._readers.close()
            self._readers = None
        self._remove_files()

    def _remove_files(self) -> None:
        for path in (self._begin.database, self._begin.facts):
            with contextlib.suppress(OSError):
                remove(Path(path))


def _send(process: ChildProcess, request: Begin | Ask) -> None:
    with contextlib.suppress(OSError, ValueError):  # it has ended, and is started again with everything that waits
        process.send(encoder.encode(request))


def is_whole(index: Path) -> bool:
    """Whether there is a finished index at this path, as far as can be seen without changing it."""
    with contextlib.suppress(*CORRUPT, *UNUSABLE, QueryError, OSError), contextlib.closing(Database(index)) as database:
        return not database.value("writer.meta", ("bulk",), 0) and bool(database.value("world.any_file", (), 0))
    return False


def has_few_files(root: Path) -> bool:
    """Whether there are so few files below `root` that their index will be there in a moment."""
    count = 0
    for _, folders, files in os.walk(root):
        folders[:] = [folder for folder in folders if folder not in ALWAYS]
        count += len(files)
        if count >= FEW_FILES:
            return False
    return True
