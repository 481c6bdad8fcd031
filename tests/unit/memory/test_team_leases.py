"""Leases of a team: a machine sees its own windows, and the server's clock tells about those of others."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import msgspec
import pytest

from codeagentd.memory import leases
from codeagentd.store.postgres.postgres_connection import PACKAGE
from codeagentd.store.statements import statements
from codeagentd.toolkit.context import Context
from tests.harness.postgres import missing
from tests.harness.stored_rows import count_rows
from tests.harness.team import team_memories
from tests.unit.memory.notebook import Notebook

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())


@pytest.fixture
def window(shop: Context) -> Iterator[Notebook]:
    with team_memories("shop") as memories:
        notebook = Notebook(msgspec.structs.replace(shop, memory=memories), window=os.getpid())
        notebook.ok("create_task", project="CA", name="do it")
        yield notebook


@pytest.fixture
def abroad(window: Notebook, monkeypatch: pytest.MonkeyPatch) -> Notebook:
    """A window of another machine that has claimed the task, and has ended since, which nobody here can see."""
    other = Notebook(window.ctx, session=b"abroad", window=os.getpid())
    with monkeypatch.context() as patch:
        patch.setattr(leases, "machine", lambda: "another machine")
        assert other.ok("get_next_task")["task_id"] == "CA-TASK-001"
    return other


def run_out(window: Notebook) -> None:
    """Let the time of every lease be over by the server's clock."""
    with window.ctx.memory.store.write() as db:
        db.connection.execute("UPDATE leases SET expires_at = now() - interval '1 s'")  # type: ignore[attr-defined]


def restarted(monkeypatch: pytest.MonkeyPatch, before: str) -> None:
    """Let the server of these tests, which runs as long as they do, count as started before this moment."""
    statement = statements(PACKAGE)["tasks.leases"]
    changed = statement.replace("clock_timestamp() - interval '120 s'", before)
    assert changed != statement
    monkeypatch.setitem(statements(PACKAGE), "tasks.leases", changed)


def restarted_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    restarted(monkeypatch, "clock_timestamp()")


def restarted_a_moment_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    restarted(monkeypatch, "clock_timestamp() - interval '1 day'")


def states(window: Notebook) -> list[str]:
    return [task["status"] for task in window.ok("list_tasks")["results"]]


def test_a_lease_of_another_machine_ends_by_the_servers_clock(
    window: Notebook, abroad: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert states(window) == ["in_progress"]
    restarted_long_ago(monkeypatch)
    assert "task_id" not in window.ok("get_next_task")
    run_out(window)
    assert window.ok("get_next_task")["task_id"] == "CA-TASK-001"


def test_nobody_could_renew_a_lease_while_the_server_was_away(
    window: Notebook, abroad: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    restarted_a_moment_ago(monkeypatch)
    run_out(window)
    assert "task_id" not in window.ok("get_next_task")
    assert states(window) == ["in_progress"]


def test_a_machine_renews_the_leases_of_its_living_windows_alone(
    window: Notebook, abroad: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    restarted_long_ago(monkeypatch)
    run_out(window)
    assert leases.renew(window.ctx.memory) == 0
    with monkeypatch.context() as patch:
        patch.setattr(leases, "machine", lambda: "another machine")
        run_out(window)
        with window.ctx.memory.store.write() as db:
            db.connection.execute("UPDATE leases SET expires_at = now() + interval '1 s'")  # type: ignore[attr-defined]
        assert leases.renew(window.ctx.memory) == 1
    with window.ctx.memory.store.read() as db:
        assert count_rows(db.connection, "leases WHERE expires_at > now() + interval '100 s'") == 1  # type: ignore[attr-defined]


def test_the_lease_of_a_window_that_ended_here_is_released_for_all(window: Notebook) -> None:
    process = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    holder = Notebook(window.ctx, session=b"holder", window=process.pid)
    assert holder.ok("get_next_task")["task_id"] == "CA-TASK-001"
    process.kill()
    process.communicate()
    leases.release_ended(window.ctx.memory)
    with window.ctx.memory.store.read() as db:
        assert count_rows(db.connection, "leases") == 0  # type: ignore[attr-defined]
    assert window.ok("get_next_task")["task_id"] == "CA-TASK-001"


@pytest.mark.parametrize("ahead_s", [-86_400.0, 86_400.0, 1e9])
def test_a_wrong_clock_of_a_machine_decides_nothing(
    window: Notebook, abroad: Notebook, monkeypatch: pytest.MonkeyPatch, ahead_s: float
) -> None:
    import time

    now = time.time
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: now() + ahead_s)
        assert "task_id" not in window.ok("get_next_task")
        memory = window.ok("store", type="knowledge", content="apples keep")
        window.ctx.memory.store.close()
        window.ok("stats")
        assert "s off" in window.ctx.memory.store.description()
        if ahead_s > 0:
            assert memory["created_at"] <= time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime(now() + 5))
    assert states(window) == ["in_progress"]
