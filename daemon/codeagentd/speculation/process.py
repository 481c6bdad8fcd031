"""The process that tries out a change: `python -m codeagentd.speculation.process FOLDER`. It reads orders from stdin
and writes replies to stdout.

It ends at the end of its stdin: in whichever way the daemon ends, all processes that were started are killed, and the
tree is removed.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagentd.base.limits import LOCK_PATIENCE_S
from codeagentd.model.speculation import Batch, Order, Prepared, Ran, Refused, Reply

from . import pid_namespace, signal_scope
from .cleanup import collect, lock_of
from .command_runner import run
from .environment import environment
from .isolation import adopt_orphans, end_with_parent, give_up_rights, leave_network, limit_files
from .process_tree import end_descendants, mark_of
from .work_tree import Tree, remove

LOOK_S: Final = 0.1

T = TypeVar("T")


class DaemonConnection:
    """The connection to the daemon over stdin and stdout."""

    def __init__(self) -> None:
        self._replies = os.dup(1)
        os.dup2(2, 1)  # no other output counts as a reply
        self._rest = b""
        self._poll = select.poll()
        self._poll.register(0, select.POLLIN)

    def receive(self, kind: type[T]) -> T | None:
        """Wait for the next order, of type `kind`; None at the end of the input."""
        while b"\n" not in self._rest:
            piece = os.read(0, 1 << 16)
            if not piece:
                return None
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return msgspec.json.decode(line, type=kind)

    def is_closed(self) -> bool:
        """Whether the daemon is gone. Its pipe is then readable, although it sends nothing while commands run."""
        return bool(self._poll.poll(0))

    def send(self, reply: Reply) -> None:
        """Write `reply` to the daemon, which may be gone."""
        data = msgspec.json.encode(reply) + b"\n"
        with suppress(BrokenPipeError):
            while data:
                data = data[os.write(self._replies, data) :]


def main() -> None:
    """Run the process until its work is done."""
    place = Path(sys.argv[1])
    ours: Mapping[str, str] = dict(os.environ)
    signal.signal(signal.SIGTERM, _leave)
    line = DaemonConnection()
    order = line.receive(Order)
    if order is None:
        return
    give_up_rights()
    adopt_orphans()
    try:
        _speculate(place, order, ours, line)
    except CodedError as error:
        line.send(Refused(error.code, error.message, error.remedy, error.facts.get("parameter", "")))


def _speculate(place: Path, order: Order, ours: Mapping[str, str], line: DaemonConnection) -> None:
    lock = lock_of(place)
    deadline = time.monotonic() + LOCK_PATIENCE_S
    while not lock.try_take():
        if time.monotonic() > deadline:
            raise EngineUnavailable(
                "another change of this repository is being tried out",
                remedy="try again when that is done: one at a time",
            )
        time.sleep(LOOK_S)
    collect(place)
    limit_files(mark_of(place))
    folder = Path(tempfile.mkdtemp(dir=place, prefix=""))
    try:
        _serve(Tree(folder, order), folder, ours, line)
    finally:
        end_descendants()
        remove(folder)


def _serve(tree: Tree, folder: Path, ours: Mapping[str, str], line: DaemonConnection) -> None:
    tree.make()
    isolated = leave_network()
    enter = _confinement(isolated)
    line.send(Prepared(str(tree.folder), tree.files(), isolated, enter is not end_with_parent))
    batch = line.receive(Batch)
    if batch is None:
        return
    surroundings, stopped = environment(ours, folder, tree.folder), False
    for command in batch.commands:
        if stopped:
            line.send(Ran(command.name, command.words, "skipped", None, 0.0))
            continue
        ran = run(command, tree.folder, surroundings, line.is_closed, enter)
        if line.is_closed():
            return
        line.send(ran)
        stopped = batch.fail_fast and ran.outcome != "passed"
    line.send(tree.finished())


def _confinement(isolated: bool) -> Callable[[], None]:
    """Return what a new command calls first: it keeps the command from this process as well as the system can."""
    if isolated and pid_namespace.is_possible():
        return pid_namespace.enter
    return signal_scope.enter if signal_scope.is_possible() else end_with_parent


def _leave(_number: int, _frame: Any) -> None:
    sys.exit(1)


if __name__ == "__main__":
    main()
