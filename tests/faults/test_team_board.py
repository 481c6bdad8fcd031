"""Many machines on one board of a team's server, which is restarted again and again: every task is done once."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.memory import tasks
from codeagentd.memory.audit_log import changes
from codeagentd.memory.memory_store import Caller, MemoryStore
from codeagentd.store.postgres.postgres_database import PostgresDatabase
from tests.harness.postgres import OWNER, PostgresServer, missing
from tests.harness.waiting import comes

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def private_server() -> Iterator[PostgresServer]:
    server = PostgresServer()
    server.start()
    yield server
    server.close()


def reported(folder: Path) -> Counter[str]:
    """What all workers have written, line by line."""
    return Counter(line for log in folder.glob("*.log") for line in log.read_text().splitlines())


def check_board(server: PostgresServer, folder: Path, machines: int, count: int, restarts: int) -> None:
    """Let `machines` processes do `count` tasks while the server is restarted, and look at what they and it say."""
    url = server.url(server.migrated(), OWNER)
    memories = MemoryStore(PostgresDatabase(url))
    names = [
        tasks.create(
            memories, Caller(), tasks.NewTask("CA", f"task {n}", "task", "", 1 + n % 5, [], [], [], "", "")
        ).task_id
        for n in range(count)
    ]
    memories.store.close()
    workers = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.harness.board_worker", url, str(folder), f"machine{n}"], cwd=ROOT
        )
        for n in range(machines)
    ]
    try:
        hows = itertools.cycle((signal.SIGINT, signal.SIGKILL))
        for number, how in zip(range(1, restarts + 1), hows, strict=False):
            enough = number * count // (restarts + 1)
            comes(lambda enough=enough: reported(folder).total() >= 2 * enough, 120)
            server.restart(how)
        assert [worker.wait(300) for worker in workers] == [0] * machines
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    assert reported(folder) == Counter([f"{what} {task}" for task in names for what in ("claimed", "completed")])
    report = Counter((change.action, change.subject) for change in changes(memories, None, 1, 10 * count))
    assert report == Counter([(action, task) for task in names for action in ("create", "claim", "complete")])
    states = [task.status for task in tasks.listed(memories, Caller(), None, None, None, 0, count).items]
    assert states == ["done"] * count
    memories.store.close()


@pytest.mark.limit(240)
def test_a_task_is_leased_and_done_once_through_restarts(private_server: PostgresServer, tmp_path: Path) -> None:
    check_board(private_server, tmp_path, machines=4, count=40, restarts=3)


@pytest.mark.long
@pytest.mark.limit(900)
def test_twenty_machines_do_three_hundred_tasks_once_through_twenty_restarts(
    private_server: PostgresServer, tmp_path: Path
) -> None:
    check_board(private_server, tmp_path, machines=20, count=300, restarts=20)
