"""The on-demand process: `python -m codeagentd.pipeline.on_demand.on_demand_process`, frames on stdin and stdout.

It indexes the files that questions ask for while the daemon and its workers make the first index, and ends with that.
It is a process of its own, so that it waits neither for the interpreter lock of the busy writer nor for the workers.
"""

from __future__ import annotations

import gc
import itertools
import os
import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from codeagent_protocol import pipes

from .on_demand_messages import Answer, Answered, Ask, Begin, Reading, encoder, request_decoder
from .raw_search import Listing, RawSearch

if TYPE_CHECKING:
    from codeagentd.model.on_demand import Question

    from .answer_steps import AnswerSteps
    from .on_demand_writer import OnDemandWriter

WAIT_S: Final = 0.005  # seconds until a search that runs is looked at again
SEARCH_S: Final = 5.0  # seconds for which the result of a search is used again
AFTERWARDS_S: Final = 20.0  # seconds for which a question that was answered in part goes on: the first index waits
MOST_TASKS: Final = 8  # questions that go on in the background


class Arrival(NamedTuple):
    """A question that has arrived, and the search for it."""

    ask: Ask
    deadline: float
    search: RawSearch


class Task:
    """A question in work. `is_owed`: its last answer was not sent yet; `has_news`: more is covered than before."""

    def __init__(self, arrival: Arrival, steps: AnswerSteps) -> None:
        self.number = arrival.ask.number
        self.deadline = arrival.deadline
        self.state = steps
        self.steps: Iterator[bool] = steps.run()
        self.is_owed = True
        self.has_news = False


class Requests:
    """The questions that arrive on stdin. The search for each begins at once."""

    def __init__(self, root: Path, listing: Listing) -> None:
        self._root = root
        self._listing = listing
        self._searches: dict[tuple[str, ...], tuple[RawSearch, float]] = {}  # the last of each names, and its start
        self._queue: queue.SimpleQueue[Arrival] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="requests", daemon=True).start()

    def _read(self) -> None:
        while content := pipes.receive(sys.stdin.buffer):
            request = request_decoder.decode(content)
            if isinstance(request, Ask):
                self._queue.put(Arrival(request, time.monotonic() + request.seconds, self._search(request.question)))
        os._exit(0)  # the daemon has ended, or the first index is whole

    def _search(self, question: Question) -> RawSearch:
        """Begin the search for a question, unless one for the same names runs, or has just ended."""
        now = time.monotonic()
        search, since = self._searches.get(question.names, (None, 0.0))
        if search is None or (search.is_done and now - since > SEARCH_S):
            search = RawSearch(self._root, question, self._listing)
            self._searches[question.names] = search, now
        return search

    @property
    def is_empty(self) -> bool:
        """Whether no question waits."""
        return self._queue.empty()

    def take(self) -> Arrival:
        """Return the next question; wait for one."""
        return self._queue.get()


class OnDemandProcess:
    """The loop of the process: the newest question is worked on first, step by step."""

    def __init__(self, writer: OnDemandWriter, requests: Requests) -> None:
        self._writer = writer
        self._requests = requests
        self._tasks: list[Task] = []

    def run(self) -> None:
        """Answer requests until stdin ends."""
        while True:
            self._take()
            task = self._tasks[-1]
            is_done = self._step(task)
            is_late = time.monotonic() > task.deadline or (task.is_owed and task.state.is_settled)
            if task.is_owed and (is_done or is_late or task.has_news):
                task.is_owed = not (is_done or is_late)
                _send(Answered(task.number, task.state.coverage, not task.is_owed, self._writer.count))
            if is_done or is_late:
                self._tasks.remove(task)
            if is_late and not is_done and time.monotonic() < task.deadline + AFTERWARDS_S:
                self._tasks.insert(0, task)  # the rest is done when nothing else is

    def _take(self) -> None:
        """Take new questions; wait for one where there is nothing to do."""
        from .answer_steps import AnswerSteps

        if self._requests.is_empty and not self._tasks:
            gc.collect()  # each batch leaves cycles
        while not self._requests.is_empty or not self._tasks:
            arrival = self._requests.take()
            self._tasks.append(Task(arrival, AnswerSteps(self._writer, arrival.ask.question, arrival.search)))
            if len(self._tasks) > MOST_TASKS:
                self._drop_oldest()

    def _drop_oldest(self) -> None:
        task = next((task for task in self._tasks if not task.is_owed), None)
        if task is not None:
            self._tasks.remove(task)

    def _step(self, task: Task) -> bool:
        """Do one step of a task; return whether it is done."""
        progress = next(task.steps, None)
        task.has_news = bool(progress)
        if progress is False:
            time.sleep(WAIT_S)
        return progress is None


def _send(answer: Answer) -> None:
    """Write `answer` to stdout as a frame."""
    pipes.send(1, encoder.encode(answer))


def _compile_query(writer: OnDemandWriter) -> None:
    """Compile the query of the most frequent programming language, before a question needs it."""
    from codeagentd.languages.grammar import query
    from codeagentd.languages.language import language_of, languages

    files = Counter(map(language_of, itertools.islice(writer.files.paths, 2_000)))
    programming = (name for name, _ in files.most_common() if name and not languages()[name].modules.is_data)
    if name := next(programming, None):
        query(name)


def main() -> int:
    """Run the process; return its exit status."""
    gc.disable()
    begin = request_decoder.decode(pipes.receive(sys.stdin.buffer))
    if not isinstance(begin, Begin):
        return 2
    root = Path(begin.root)
    listing = Listing(root)
    requests = Requests(root, listing)
    # large modules are loaded while git lists the files, and while it searches
    from .on_demand_writer import OnDemandWriter

    writer = OnDemandWriter(begin, listing, lambda path: _send(Reading(path)))
    _compile_query(writer)
    OnDemandProcess(writer, requests).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
