"""Memories of a team through real windows and daemons of two machines."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.harness.postgres import OWNER, PostgresServer, missing
from tests.harness.waiting import eventually
from tests.harness.world import World

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing())

PASSWORD = "tulip" + "field"


def everything_shown(world: World, repo: Path, target: Path) -> list[str]:
    """What a world's logs, its support bundle, its settings and its status say."""
    shown = [file.read_text(errors="replace") for file in Path(world.base).rglob("*.log")]
    world.codeagentd("support", "--repo", str(repo), "--output", str(target))
    with zipfile.ZipFile(target) as bundle:
        shown += [bundle.read(name).decode() for name in bundle.namelist()]
    for command in ("config", "status", "doctor"):
        done = world.codeagentd(command, "--repo", str(repo))
        shown.append(done.out + done.err)
    return shown


@pytest.mark.limit(240)
def test_two_machines_share_memories_through_a_restart_and_nobody_sees_the_password(tmp_path: Path) -> None:
    server = PostgresServer()
    server.start()
    try:
        server.role(OWNER, PASSWORD)
        url = f"postgresql://{OWNER}:{PASSWORD}@127.0.0.1:{server.port}/{server.database()}"
        with World() as first, World() as second:
            repos = []
            for world in (first, second):
                world.environment["CODEAGENT_MEMORY_URL"] = url
                repos.append(world.repository("repo", {"a.py": "def compute_total():\n    return 1\n"}))
            here = first.connect(repos[0], "--toolsets", "memory,tasks")
            there = second.connect(repos[1], "--toolsets", "default,memory,tasks")
            memory = here.must("store", {"type": "knowledge", "content": "compute_total is slow"}).data["id"]
            assert there.must("read", {"id": memory}).data["content"] == "compute_total is slow"
            task = here.must("create_task", {"project": "CA", "name": "do it"}).data["task_id"]
            assert here.must("get_next_task").data["task_id"] == task
            assert "task_id" not in there.must("get_next_task").data

            server.stop()
            waits = there.must("store", {"type": "knowledge", "content": "whales sing"}).data
            assert "server is away" in waits["note"]
            assert "1 writes wait" in second.status(repos[1])["reason"]
            assert there.must("search_symbols", {"query": "compute_total"}).data["results"]
            shown = everything_shown(second, repos[1], tmp_path / "away.zip")
            server.start()
            eventually(lambda: not here.call("read", {"id": waits["id"]}).failed)
            eventually(lambda: second.status(repos[1])["state"] == "ready")
            assert "ready" in second.codeagentd("memory", "status", cwd=repos[1]).out
            shown += everything_shown(first, repos[0], tmp_path / "one.zip")
            assert not [text for text in shown if PASSWORD in text]
    finally:
        server.close()
