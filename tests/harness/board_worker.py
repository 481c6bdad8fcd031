"""A process that works on a team's board as a machine of its own: it claims tasks and completes them until there are none.

Writes a line `claimed TASK` or `completed TASK` for each answer. A call that fails is sent again under its number, as a
window's shim does.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeVar

from codeagent_protocol.errors import StoreFailed
from codeagentd.memory import leases, tasks
from codeagentd.memory.memory_store import Caller, Code, MemoryStore
from codeagentd.memory.team.offline_files import OfflineFiles
from codeagentd.store.postgres.postgres_database import PostgresDatabase
from tests.harness.waiting import let_pass

PATIENCE = 600  # failures in a row after which it gives up
PAUSE_S = 0.1
WORK_S = 0.05

T = TypeVar("T")


def no_code() -> NoReturn:
    raise AssertionError("these tasks name no files")


def insist(call: Callable[[], T]) -> T:
    """The answer of a call that is repeated while the server is away."""
    for _ in range(PATIENCE):
        try:
            return call()
        except StoreFailed:
            let_pass(PAUSE_S, "the server is being restarted")
    raise TimeoutError("the server did not come back")


def main(url: str, folder: Path, name: str) -> None:
    """Work until no task is left."""
    leases.machine = lambda: name
    memories = MemoryStore(PostgresDatabase(url), offline=OfflineFiles(folder / name))
    code, seq = Code(no_code, lambda _path: ()), 0
    with (folder / f"{name}.log").open("a", buffering=1) as log:
        while True:
            caller = Caller(name.encode(), seq := seq + 1, os.getpid())
            task = insist(partial(tasks.claim, memories, caller, code, None)).task_id
            if not task:
                return
            log.write(f"claimed {task}\n")
            let_pass(WORK_S, "the task is being done")
            caller = Caller(name.encode(), seq := seq + 1, os.getpid())
            insist(partial(tasks.complete, memories, caller, task, "", "done"))
            log.write(f"completed {task}\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
