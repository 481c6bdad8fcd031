"""The on-demand process: `python -m codeagentd.pipeline.on_demand.on_demand_process`, frames on stdin and stdout.

It indexes the files that questions ask for while the daemon and its workers make the first index, and ends with that.
It is a process of its own, so that it waits neither for the interpreter lock of the busy writer nor for the workers.
"""

from __future__ import annotations

import gc
import os
import queue
import sys
import threading
import time
from collections.abc import Iterator
from typing import Final

from codeagent_protocol import pipes

from .answer_steps import AnswerSteps
from .messages import Answer, Answered, Ask, Begin, Reading, encoder, request_decoder
from .on_demand_writer import OnDemandWriter

WAIT_S: Final = 0.005  # seconds until a search that runs is looked at again
KEPT: Final = 8  # questions that go on in the background


class Task:
    """A question in work. `is_owed`: its answer was not sent yet."""

    def __init__(self, ask: Ask, steps: Iterator[bool], coverage: AnswerSteps) -> None:
        self.number = ask.number
        self.deadline = time.monotonic() + ask.seconds
        self.steps = steps
        self.state = coverage
        self.is_owed = True


class OnDemandProcess:
    """The loop of the process: the newest question is worked on first, step by step."""

    def __init__(self, writer: OnDemandWriter) -> None:
        self._writer = writer
        self._requests: queue.SimpleQueue[Ask | None] = queue.SimpleQueue()
        self._tasks: list[Task] = []

    def run(self) -> None:
        """Answer requests until stdin ends."""
        threading.Thread(target=self._read, name="requests", daemon=True).start()
        while self._take():
            task = self._tasks[-1]
            is_done = self._step(task)
            if task.is_owed and (is_done or time.monotonic() > task.deadline):
                task.is_owed = False
                send(Answered(task.number, task.state.coverage))
                if not is_done:  # the rest is done when nothing else is
                    self._tasks.remove(task)
                    self._tasks.insert(0, task)
            if is_done:
                self._tasks.remove(task)

    def _read(self) -> None:
        while content := pipes.receive(sys.stdin.buffer):
            request = request_decoder.decode(content)
            if isinstance(request, Ask):
                self._requests.put(request)
        os._exit(0)  # the daemon has ended, or the first index is whole

    def _take(self) -> bool:
        """Take new questions; wait for one where there is nothing to do. Return False at the end."""
        while not self._requests.empty() or not self._tasks:
            ask = self._requests.get()
            if ask is None:
                return False
            steps = AnswerSteps(self._writer, ask.question)
            self._tasks.append(Task(ask, steps.run(), steps))
            if len(self._tasks) > KEPT:
                self._drop_oldest()
        return True

    def _drop_oldest(self) -> None:
        task = next((task for task in self._tasks if not task.is_owed), None)
        if task is not None:
            self._tasks.remove(task)

    def _step(self, task: Task) -> bool:
        """Do one step of a task; return whether it is done."""
        progress = next(task.steps, None)
        if progress is False:
            time.sleep(WAIT_S)
        return progress is None


def send(answer: Answer) -> None:
    """Write `answer` to stdout as a frame."""
    pipes.send(1, encoder.encode(answer))


def main() -> int:
    """Run the process; return its exit status."""
    gc.disable()
    begin = request_decoder.decode(pipes.receive(sys.stdin.buffer))
    if not isinstance(begin, Begin):
        return 2
    OnDemandProcess(OnDemandWriter(begin, lambda path: send(Reading(path)))).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
