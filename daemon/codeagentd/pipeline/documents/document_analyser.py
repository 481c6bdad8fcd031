"""The analysis of documents as the daemon uses it: a process that is started on demand, and the results that it gave
last.
"""

from __future__ import annotations

import contextlib
import itertools
import subprocess
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from codeagentd.base.child_process import ChildProcess, module_command
from codeagentd.base.limits import MAX_FILE_BYTES
from codeagentd.base.log import EventLog
from codeagentd.model.documents import REFUSED, Completion, DocumentAnalysis, DocumentText, Fold, Place, Range
from codeagentd.model.ids import content_digest

from .analysis_cache import AnalysisCache, Key
from .document_messages import (
    DAMAGED,
    DONE,
    FAILED,
    MISSING,
    UNREADABLE,
    Analyse,
    Answered,
    Ask,
    Begun,
    Complete,
    FindFolds,
    FindRanges,
    Query,
    answer_decoder,
    encoder,
)
from .document_store import KEPT_TEXTS, NO_INDEX

PATIENCE_S: Final = 3.0  # seconds that a request waits: a start of the process takes one
DEADLINE_S: Final = 2.0  # seconds of wall time for one request; 4,000 dense lines take a quarter of one
LOADING_S: Final = 20.0  # seconds until the process has loaded what a request needs, on a machine that is busy
REFUSED_S: Final = 60.0  # seconds for which a text is refused that has ended the process
MOST_REFUSED: Final = 64  # such texts that are remembered
END_S: Final = 0.5  # seconds that a process takes to end after it has closed its output
RETRY_S: Final = 5.0  # seconds until the process is started again that could not read the index
IDLE_S: Final = 900.0  # seconds without a request, after which the process ends
MOST_AHEAD: Final = 64  # questions that wait, for which nobody waits yet

_log = EventLog(__name__)


class _Job:
    """A question that waits or is being answered; several threads may wait for the same one."""

    def __init__(self, key: Key, document: DocumentText, query: Query, owner: bytes) -> None:
        self.owners = {owner}  # the sessions that wait for it
        self.key = key
        self.document = document
        self.query = query
        self.is_done = threading.Event()
        self.answer: Answered | None = None

    def finish(self, answer: Answered | None) -> None:
        """Let the threads that wait go on."""
        self.answer = answer
        self.is_done.set()


class DocumentAnalyser:
    """Has a process analyse the documents of editors. Thread-safe; its methods block."""

    def __init__(
        self,
        index: Path,
        max_file_bytes: int = MAX_FILE_BYTES,
        *,
        generation: Callable[[], int],
        is_whole: Callable[[], bool] = lambda: True,
    ) -> None:
        """`generation`: that of the index, as far as this process knows; `is_whole`: whether the index can be read."""
        self._command = module_command(
            "codeagentd.pipeline.documents.document_process", str(index), str(max_file_bytes)
        )
        self._max_file_bytes = max_file_bytes
        self._generation = generation
        self._is_whole = is_whole
        self._lock = threading.Lock()
        self._arrived = threading.Condition(self._lock)
        self._waiting: OrderedDict[tuple[Key, Query], _Job] = OrderedDict()
        self._running: dict[tuple[Key, Query], _Job] = {}
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self._is_wanted = False  # the process should be there before a question comes
        self._refused: OrderedDict[Key, float] = OrderedDict()
        self._ahead: OrderedDict[tuple[Key, Query], _Job] = OrderedDict()  # what waits, but for what nobody waits
        self._results = AnalysisCache()
        # of the thread alone
        self._process: ChildProcess | None = None
        self._sent: OrderedDict[Key, None] = OrderedDict()
        self._start_after = 0.0
        self._numbers = itertools.count(1)

    # -- questions
    def analysis(
        self, document: DocumentText, patience_s: float = PATIENCE_S, owner: bytes = b"", *,
        of_any_generation: bool = False,
    ) -> DocumentAnalysis | None:  # fmt: skip
        """Return the analysis of a document; with status REFUSED for a text that is not analysed. None where it takes
        longer than `patience_s`, fails, or where its session, `owner`, has asked about a newer version since.

        `of_any_generation`: it may be resolved against an earlier state of the index; definitions and local variables
        are those of the text in any case.
        """
        if len(document.text) > self._max_file_bytes:
            return DocumentAnalysis(document.language, REFUSED)
        key = _key(document)
        with self._lock:
            if (known := self._known(key, of_any_generation=of_any_generation)) is not None:
                return self._results.decoded(known)
            if self._is_refused(key):
                return DocumentAnalysis(document.language, REFUSED)
        answer = self._ask(key, document, Analyse(), patience_s, owner)
        if answer is None or not answer.analysis:
            return None
        with self._lock:
            return self._results.decoded(answer.analysis)

    def earlier_analysis(self, document: DocumentText) -> DocumentAnalysis | None:
        """Return the last analysis of an earlier text of this document, moved onto its present one. Does not wait;
        None where there is none.
        """
        with self._lock:
            return self._results.moved_onto(document)

    def analyse_ahead(self, document: DocumentText) -> None:
        """Have a document analysed when no question waits. Returns at once."""
        key = _key(document)
        name = key, Analyse()
        with self._lock:
            is_due = not (self._is_closed or self._is_refused(key) or self._known(key) or name in self._waiting)
            if is_due and len(document.text) <= self._max_file_bytes:
                for older in [other for other in self._ahead if other[0][0] == key[0]]:
                    del self._ahead[older]
                self._ahead[name] = _Job(key, document, Analyse(), b"")
                while len(self._ahead) > MOST_AHEAD:
                    self._ahead.popitem(last=False)
                self._begin()

    def folds(self, document: DocumentText, patience_s: float = PATIENCE_S, owner: bytes = b"") -> list[Fold]:
        """Return the lines of a document that can be folded; none where they cannot be had in time."""
        answer = self._ask(_key(document), document, FindFolds(), patience_s, owner)
        return answer.folds if answer else []

    def selection_ranges(
        self, document: DocumentText, places: Sequence[Place], patience_s: float = PATIENCE_S, owner: bytes = b""
    ) -> list[list[Range]]:
        """Return the nested ranges of syntax around each of `places`, innermost first; none where they cannot be had in
        time.
        """
        answer = self._ask(_key(document), document, FindRanges(tuple(places)), patience_s, owner)
        return answer.ranges if answer and answer.ranges else [[] for _ in places]

    def completions(
        self, document: DocumentText, line: int, column: int, patience_s: float = PATIENCE_S, owner: bytes = b""
    ) -> list[Completion]:
        """Return the names that may be written at a place of a document, the nearest first; none where they cannot be
        had in time.
        """
        answer = self._ask(_key(document), document, Complete(line, column), patience_s, owner)
        return answer.completions if answer else []

    # -- life
    def prepare(self) -> None:
        """Start the process before there is a question: it takes most of a second. Returns at once."""
        with self._lock:
            self._is_wanted = True
            self._begin()

    @property
    def pid(self) -> int:
        """The process id; 0 while there is no process."""
        process = self._process
        return process.pid if process else 0

    def close(self) -> None:
        """End the process. What still waits gets no answer."""
        with self._lock:
            self._is_closed = True
            for job in (*self._waiting.values(), *self._running.values()):
                job.finish(None)
            self._waiting.clear()
            self._ahead.clear()
            self._arrived.notify_all()
            if self._process:
                self._process.kill()
            thread = self._thread
        if thread is not None:
            thread.join(DEADLINE_S)

    # -- on the threads of callers, with the lock
    def _known(self, key: Key, *, of_any_generation: bool = False) -> bytes | None:
        generation = self._generation() if self._is_whole() else NO_INDEX
        return self._results.find(key, None if of_any_generation else generation)

    def _is_refused(self, key: Key) -> bool:
        return time.monotonic() < self._refused.get(key, 0.0)

    def _ask(self, key: Key, document: DocumentText, query: Query, patience_s: float, owner: bytes) -> Answered | None:
        if len(document.text) > self._max_file_bytes:
            return None
        with self._lock:
            if self._is_closed or self._is_refused(key):
                return None
            name = key, query
            job = self._running.get(name) or self._waiting.get(name)
            if job is None:
                self._drop_older(key, owner)
                self._ahead.pop(name, None)
                job = self._waiting[name] = _Job(key, document, query, owner)
                self._begin()
            job.owners.add(owner)
        job.is_done.wait(patience_s)
        return job.answer

    def _drop_older(self, key: Key, owner: bytes) -> None:
        """Drop what waits about other versions of a document for this session alone: it has changed since."""
        for name, job in list(self._waiting.items()):
            if name[0][0] == key[0] and name[0] != key and job.owners == {owner}:
                self._waiting.pop(name).finish(None)

    def _begin(self) -> None:
        if self._thread is None and not self._is_closed:
            self._thread = threading.Thread(target=self._run, name="documents", daemon=True)
            self._thread.start()
        self._arrived.notify_all()

    # -- on the thread of the process
    def _run(self) -> None:
        """Answer what waits, one question after the other; end after a long time without one."""
        while job := self._take():
            answer = None
            try:
                answer = self._answer(job)
            finally:
                with self._lock:
                    self._running.clear()
                    if answer is not None and answer.analysis:
                        self._results.keep(job.key, job.document, answer.generation, answer.analysis)
                job.finish(answer)

    def _take(self) -> _Job | None:
        """Return the next question; None at the end."""
        with self._lock:
            if self._is_wanted:
                self._is_wanted = False
                self._start()
            self._arrived.wait_for(lambda: self._waiting or self._ahead or self._is_closed or self._is_wanted, IDLE_S)
            queue = self._waiting or self._ahead
            if queue and not self._is_closed:
                name, job = queue.popitem(last=False)
                self._running[name] = job
                return job
            self._thread = None
            self._results.clear()
            self._end_process()
            return None

    def _answer(self, job: _Job) -> Answered | None:
        """Ask the process; a process that ends over a question is replaced with the next one, and the text refused."""
        if self._process is not None and not self._process.is_running:
            self._end_process()  # nothing is known of why: no text is at fault
        text = None if job.key in self._sent else job.document.text
        answer = self._exchange(job, text)
        if answer is not None and answer.outcome == MISSING:
            answer = self._exchange(job, job.document.text)
        if answer is not None and answer.outcome == FAILED:
            _log.error("a document was not analysed", failure=answer.failure, language=job.document.language)
        return answer if answer is not None and answer.outcome == DONE else None

    def _exchange(self, job: _Job, text: str | None) -> Answered | None:
        process = self._process or self._start()
        if process is None:
            return None
        document, number = job.document, next(self._numbers)
        ask = Ask(number, document.path, document.language, job.key[2], job.query, text, self._is_whole())
        answer: object = None
        with contextlib.suppress(OSError, ValueError):  # it has ended
            with process.killed_after(LOADING_S):
                process.send(encoder.encode(ask))
                answer = _received(process)
            if isinstance(answer, Begun):
                with process.killed_after(DEADLINE_S):
                    answer = _received(process)
        if isinstance(answer, Answered):
            self._sent[job.key] = None
            while len(self._sent) > KEPT_TEXTS:
                self._sent.popitem(last=False)
            return answer
        self._note_end(process, job.key)
        return None

    def _start(self) -> ChildProcess | None:
        if self._process is None and not self._is_closed and time.monotonic() >= self._start_after:
            try:
                self._process = ChildProcess(self._command)
            except OSError as error:
                _log.warning("the document process does not start", reason=error.strerror)
        return self._process

    def _note_end(self, process: ChildProcess, key: Key) -> None:
        """Note that the process has ended over a text."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_S)  # it says why it ends
        process.end()
        with self._lock:
            self._process = None
            self._sent.clear()
            if self._is_closed:
                return
            if process.returncode in (DAMAGED, UNREADABLE):
                self._start_after = time.monotonic() + RETRY_S
            else:
                self._refused[key] = time.monotonic() + REFUSED_S
                while len(self._refused) > MOST_REFUSED:
                    self._refused.popitem(last=False)
        _log.warning("the document process ended over a text", status=process.returncode, language=key[1])

    def _end_process(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None
        self._sent.clear()


def _key(document: DocumentText) -> Key:
    return document.path, document.language, content_digest(document.text.encode(errors="replace"))


def _received(process: ChildProcess) -> Begun | Answered | None:
    content = process.receive()
    return answer_decoder.decode(content) if content else None
