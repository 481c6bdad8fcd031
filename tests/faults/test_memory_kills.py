"""Daemons of several repositories write one memory.db and die without a word: nothing acknowledged is lost, nothing doubled, no id left out."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from tests.bench.memories import after_kills
from tests.harness.postgres import OWNER
from tests.harness.stored_rows import count_rows
from tests.harness.team import server
from tests.harness.waiting import let_pass
from tests.harness.world import World

WINDOWS = 6  # `make bench BENCH='--only memory-kills'` has 20, and ten rounds
ROUNDS = 2


@pytest.fixture(params=["sqlite", "postgres"])
def sharing(request: pytest.FixtureRequest, world: World) -> Iterator[World]:
    """A world whose daemons write one file, or a server."""
    if request.param == "sqlite":
        yield world
        return
    database = server().migrated()
    world.environment["CODEAGENT_MEMORY_URL"] = server().url(database, OWNER)
    yield world
    world.close()
    server().drop(database)


@pytest.mark.limit(180)
def test_daemons_that_are_killed_lose_no_memory_and_leave_no_gap(sharing: World):
    world = sharing
    found = after_kills(world, WINDOWS, ROUNDS, random.Random(7))
    assert found.acknowledged > WINDOWS
    assert (found.broken, found.errors, found.surplus) == ([], [], 0)
    assert (found.lost, found.doubled, found.gaps) == ([], [], [])
    assert found.integrity == "ok"


@pytest.mark.limit(120)
def test_a_store_that_the_daemon_could_not_answer_is_answered_by_the_next_one_once(sharing: World, tmp_path: Path):
    world = sharing
    repo = world.repository("repo", {"a.py": "x = 1\n"})
    window = world.connect(repo, "--toolsets", "memory")
    window.must("stats")
    sent = [
        window.begin(
            "tools/call",
            {"name": "store", "arguments": {"type": "knowledge", "content": f"fact {number}", "title": f"t{number}"}},
        )
        for number in range(40)
    ]
    let_pass(0.02, "the daemon has answered a few of them")
    os.kill(world.daemon(repo), signal.SIGKILL)
    ids = {window.finish(number).data["id"] for number in sent}
    assert len(ids) == 40
    assert window.must("stats").data["total"] == 40


@pytest.mark.limit(120)
def test_a_damaged_memory_is_refused_with_the_remedy_and_comes_back_under_the_daemon(world: World):
    repo = world.repository("repo", {"a.py": "x = 1\n"})
    window = world.connect(repo, "--toolsets", "memory")
    memory = window.must("store", {"type": "knowledge", "content": "worth keeping"}).data["id"]
    assert world.codeagentd("memory", "backup").code == 0
    place = Path(world.environment["CODEAGENT_DATA_DIR"]) / "memory.db"
    for part in ("-wal", "-shm"):
        Path(f"{place}{part}").unlink()
    place.unlink()
    place.write_bytes(b"no database " * 4_096)
    answer = window.call("store", {"type": "knowledge", "content": "more"})
    assert answer.data["code"] == "DB_ERROR"
    assert "codeagentd memory restore" in answer.data["error"]
    assert world.codeagentd("memory", "restore").code == 0
    assert window.must("read", {"id": memory}).data["content"] == "worth keeping"
    window.must("store", {"type": "knowledge", "content": "more"})
    with apsw.Connection(str(place), flags=apsw.SQLITE_OPEN_READONLY) as connection:
        assert count_rows(connection, "memories") == 2
