"""The speculations of this daemon: changes are tried out one at a time, each by a separate process that ends with its
speculation and with the daemon.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagentd.base.child_process import ChildProcess, python_command
from codeagentd.base.limits import GIT_CHECKOUT_DEADLINE_S, GIT_WRITTEN_DEADLINE_S
from codeagentd.base.log import EventLog
from codeagentd.model.speculation import Batch, Command, Finished, Order, Prepared, Ran, Refused, Reply

from .cleanup import collect_unused
from .environment import supervisors

PROGRAM: Final = ("-m", "codeagentd.speculation.process")
PREPARE_S: Final = 3 * GIT_CHECKOUT_DEADLINE_S  # seconds to create the tree
GRACE_S: Final = 30.0  # seconds beyond the deadline of a command, to end its processes and read its output
# seconds for the process to end all processes and remove the tree; a daemon has eight to shut down
LEAVE_S: Final = 6.0
LOOK_S: Final = 0.5  # seconds between two looks whether a command has stopped the process

_log = EventLog(__name__)
_replies: Final[msgspec.json.Decoder[Reply]] = msgspec.json.Decoder(Reply)
Of = TypeVar("Of", Prepared, Ran, Finished)


class Speculations:
    """Tries out changes one at a time, each in a process of its own. Thread-safe.

    `place` is the folder of all throwaway trees of the repository, outside of it.
    """

    def __init__(self, root: Path, place: Path) -> None:
        self._root = root
        self._place = place
        self._turn = threading.Lock()
        self._process: ChildProcess | None = None
        self._closed = False

    def start(self) -> None:
        """Remove what an earlier daemon left, in a separate thread."""
        threading.Thread(target=collect_unused, args=(self._place,), name="speculations", daemon=True).start()

    @contextmanager
    def begin(self, order: Order) -> Iterator[_Running]:
        """Create the tree of `order`, and keep it until the block ends.

        Errors: engine_unavailable, also while there is another; those of the order.
        """
        if sys.platform == "win32":
            raise EngineUnavailable(
                "changes cannot be tried out on Windows", remedy="make the change, and run the commands, by hand"
            )
        if self._place.is_relative_to(self._root):
            raise EngineUnavailable(
                "the cache directory lies inside of the repository",
                remedy="set CODEAGENT_CACHE_DIR to a place outside of it",
            )
        if not self._turn.acquire(blocking=False):
            raise EngineUnavailable(
                "another change of this repository is being tried out",
                remedy="try again when that is done: one at a time",
            )
        try:
            process = self._started()
            try:
                yield _Running(process, order)
            finally:
                _hang_up(process)
                process.close_pipes()
                if process.returncode:  # the process was killed, so it ended and removed nothing
                    collect_unused(self._place)
        finally:
            self._process = None
            self._turn.release()

    def close(self) -> None:
        """End the running speculation; a thread that waits for it is woken."""
        self._closed = True
        if process := self._process:
            _hang_up(process)

    def _started(self) -> ChildProcess:
        if self._closed:
            raise _failed()
        command = python_command(*PROGRAM, str(self._place))
        self._process = ChildProcess(command, environment=supervisors(os.environ))
        return self._process


class _Running:
    """One order and the process that carries it out."""

    def __init__(self, process: ChildProcess, order: Order) -> None:
        self._process = process
        self._rest = b""
        self._selector = selectors.DefaultSelector()
        self._selector.register(process.stdout, selectors.EVENT_READ)
        self._tell(order)
        self.prepared = self._expect(Prepared, PREPARE_S)

    def run(self, commands: Sequence[Command], *, fail_fast: bool) -> tuple[list[Ran], Finished]:
        """Run the commands, once. Errors: engine_unavailable."""
        self._tell(Batch(list(commands), fail_fast))
        ran = [self._expect(Ran, command.deadline_s + GRACE_S) for command in commands]
        return ran, self._expect(Finished, GRACE_S + 2 * GIT_WRITTEN_DEADLINE_S)

    def _tell(self, order: Order | Batch) -> None:
        with suppress(BrokenPipeError, ValueError):  # the missing reply reports the failure
            self._process.write(msgspec.json.encode(order) + b"\n")

    def _expect(self, kind: type[Of], patience_s: float) -> Of:
        reply = self._reply(time.monotonic() + patience_s)
        if isinstance(reply, Refused):
            facts = {"parameter": reply.parameter} if reply.parameter else {}
            raise CodedError(reply.message, code=reply.code, remedy=reply.remedy, **facts)
        if not isinstance(reply, kind):
            raise _failed()
        return reply

    def _reply(self, deadline: float) -> Reply:
        while b"\n" not in self._rest:
            self._wait(deadline)
            piece = self._process.stdout.read(1 << 16)
            if not piece:
                raise _failed()
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return _replies.decode(line)

    def _wait(self, deadline: float) -> None:
        """Wait until the process has written something, or has ended. Errors: engine_unavailable."""
        while not self._selector.select(min(LOOK_S, max(0.0, deadline - time.monotonic()))):
            if time.monotonic() >= deadline or self._process.is_stopped:
                _log.warning("a change was tried out for too long", stopped=self._process.is_stopped)
                self._process.kill()
                raise _failed()


def _hang_up(process: ChildProcess) -> None:
    """Close the input of the process, which then ends all its processes and removes the tree."""
    process.close_input()
    try:
        process.wait(LEAVE_S)
    except subprocess.TimeoutExpired:
        process.kill_and_wait()


def _failed() -> EngineUnavailable:
    return EngineUnavailable(
        "the change could not be tried out: its process ended early", remedy="`codeagentd logs` may say why; try again"
    )
