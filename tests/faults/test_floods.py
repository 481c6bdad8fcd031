"""Floods of HTTP connections that have no key: windows, commands and clients with the key go on, and the daemon is the same afterwards."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import psutil
import pytest

from tests.harness.floods import Flood, descriptors
from tests.harness.site import Site
from tests.harness.waiting import eventually
from tests.harness.world import World

KEY = "s3cret"
FILES = {f"pkg/mod{number}.py": f"def step{number}(value):\n    return value\n" for number in range(20)}
GROWTH_BYTES = 60_000_000  # of the daemon's memory while connections come and go


def listening(world: World, limits: str) -> tuple[subprocess.Popen[bytes], Site]:
    """A daemon of `repo` with HTTP, under the limits that words of a shell set."""
    repo = world.repository("repo", FILES)
    argv = [
        "sh",
        "-c",
        f'{limits} exec "$@"',
        "sh",
        sys.executable,
        "-m",
        "codeagentd.boot.daemon",
        "--repo",
        str(repo),
        "--foreground",
    ]
    with world.errors.open("ab") as errors:
        environment = world.environment | {"CODEAGENT_API_KEY": KEY}
        daemon = subprocess.Popen(
            [*argv, "--http", "127.0.0.1:0"], env=environment, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
        )

    def url() -> str:
        return next(
            (line.rpartition(" ")[2] for line in world.errors.read_text().splitlines() if "MCP over HTTP at" in line),
            "",
        )

    eventually(lambda: bool(url()))
    world.index(repo)
    return daemon, Site(url(), **{"X-API-Key": KEY})


def goes_on(world: World, site: Site, daemon: subprocess.Popen[bytes]) -> Callable[[], None]:
    """What everybody does during a flood: look for each failure at once."""
    repo = world.base / "repo"
    early, session = world.connect(repo), site.initialize()

    def look() -> None:
        assert daemon.poll() is None, world.errors.read_text()[-2_000:]
        assert early.finds("step7")
        late = world.connect(repo)
        assert late.finds("step9")
        late.close()
        assert world.status(repo)["pid"] == daemon.pid
        assert "step3" in world.codeagentd("call", "--repo", str(repo), "search_symbols", "query=step3").out
        assert site.request("tools/list", Mcp_Session_Id=session).status == 200
        assert site.ask("GET", "/api/stats").status == 200

    return look


def assert_survives(world: World, limits: str, number: int) -> None:
    daemon, site = listening(world, limits)
    look = goes_on(world, site, daemon)
    look()
    process = psutil.Process(daemon.pid)
    before = process.memory_info().rss, process.num_fds()
    most = 0
    with descriptors(number), Flood(site.host, site.port, number) as flood:
        while flood.is_pouring:
            look()
            most = max(most, process.num_fds())
        look()
        assert flood.opened == number
        assert process.memory_info().rss - before[0] < GROWTH_BYTES
    assert most < number
    eventually(lambda: process.num_fds() < before[1] + 20)
    look()
    world.codeagentd("stop", "--repo", str(world.base / "repo"))
    assert daemon.wait(20) == 0


@pytest.mark.limit(180)
def test_more_connections_without_a_key_than_there_are_descriptors_harm_nobody(world: World) -> None:
    assert_survives(world, "ulimit -n 1024 &&", 1_300)


@pytest.mark.long
@pytest.mark.limit(300)
def test_five_thousand_connections_without_a_key_harm_nobody(world: World) -> None:
    assert_survives(world, "ulimit -S -n 1024 &&", 5_000)
