"""A real `codeagentd serve` while its repositories change, its builds fail, and its disk is full."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.e2e.conftest import SHOP
from tests.harness.disks import fill, small_disk
from tests.harness.repository_server import RepositoryServer
from tests.harness.waiting import eventually
from tests.harness.world import World

CALLER = "def refund():\n    from shop.pricing import compute_total\n    return compute_total([])\n"
STATS = "/r/shop/api/stats"


@pytest.fixture
def world() -> Iterator[World]:
    with World() as world:
        yield world


@pytest.fixture
def repo(world: World) -> Path:
    return world.repository("repos/shop", SHOP)


def callers(answer: Any) -> list[str]:
    """The names of the callers in an answer."""
    assert not answer.is_error, answer.structured_content
    return sorted(row.split(" ")[1] for rows in answer.structured_content["results"].values() for row in rows)


def metric(server: RepositoryServer, name: str) -> float:
    lines = server.site().ask("GET", "/metrics").body.decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"codeagentd_{name} "))


def builders(server: RepositoryServer) -> list[psutil.Process]:
    """The processes that build an index now."""
    return [
        process
        for process in psutil.Process(server.process.pid).children(recursive=True)
        if any("revision_build" in word for word in process.cmdline())
    ]


def test_new_sessions_follow_a_branch_and_a_session_keeps_its_commit(world: World, repo: Path):
    async def talk(server: RepositoryServer) -> list[list[str]]:
        ask = ("get_callers", {"node_id": "compute_total"})
        async with server.client("shop@main") as early:
            before = await early.call_tool(*ask)
            (repo / "shop" / "refunds.py").write_text(CALLER)
            world.commit(repo)
            async with server.client("shop@main") as late:
                after = await late.call_tool(*ask)
            return [callers(before), callers(after), callers(await early.call_tool(*ask))]

    with RepositoryServer(world, repo.parent) as server:
        before = ["checkout_cart"]
        assert asyncio.run(talk(server)) == [before, ["checkout_cart", "refund"], before]


def test_a_repository_that_comes_is_served_and_one_that_goes_is_an_error(world: World, repo: Path):
    async def talk(server: RepositoryServer) -> list[Any]:
        async with server.client("later") as client:
            first = await client.call_tool("get_callers", {"node_id": "compute_total"})
            shutil.move(repo.parent / "later", world.base / "gone")
            gone = await client.call_tool("get_callers", {"node_id": "compute_total"})
            world.repository("repos/later", {"a.py": "x = 1\n"})
            replaced = await client.call_tool("get_callers", {"node_id": "compute_total"})
            return [first, gone, replaced]

    with RepositoryServer(world, repo.parent) as server:
        assert server.site().ask("GET", "/r/later/api/stats").status == 404
        world.repository("repos/later", SHOP)
        first, gone, replaced = asyncio.run(talk(server))
        assert callers(first) == ["checkout_cart"]
        for answer, what in ((gone, "removed"), (replaced, "replaced")):
            error = answer.structured_content["error"]
            assert (answer.is_error, error["code"], what in error["message"]) == (True, "engine_unavailable", True)
        assert server.call("later", "search_symbols", query="x").structured_content["results"]


def test_requests_for_one_commit_at_once_share_one_build(world: World, repo: Path):
    with RepositoryServer(world, repo.parent) as server, ThreadPoolExecutor(6) as pool:
        replies = list(pool.map(lambda _: server.site().ask("GET", STATS), range(6)))
        assert {reply.status for reply in replies} <= {200, 503}
        eventually(lambda: server.site().ask("GET", STATS).status == 200)
        assert metric(server, "builds_total") == 1


def test_an_index_that_is_not_there_yet_says_how_far_it_is_and_when_to_ask_again(world: World, repo: Path):
    with RepositoryServer(world, repo.parent) as server:
        with ThreadPoolExecutor(9) as pool:  # more than may wait
            replies = list(pool.map(lambda _: server.site().ask("GET", STATS), range(9)))
        early = next(reply for reply in replies if reply.status != 200)
        error = early.json["error"]
        assert (early.status, error["code"]) == (503, "engine_unavailable")
        assert early.headers["retry-after"] == str(error["retry_after"])
        assert {"phase", "done", "total"} <= error["progress"].keys()


def test_a_build_that_is_killed_is_an_error_and_the_next_server_makes_the_index(world: World, repo: Path):
    with RepositoryServer(world, repo.parent, CODEAGENT_FAULT="serve.laid-out") as server:
        failed = server.site().ask("GET", STATS)
        error = failed.json["error"]
        assert (failed.status, error["code"], error["retry_after"] > 0) == (503, "index_error", True)
        assert server.site().ask("GET", "/healthz").status == 200
        assert metric(server, "build_failures_total") == 1
        assert server.site().ask("GET", STATS).json == failed.json  # not tried again at once
        assert metric(server, "build_failures_total") == 1
    with RepositoryServer(world, repo.parent) as server:
        assert callers(server.call("shop", "get_callers", node_id="compute_total")) == ["checkout_cart"]


def test_a_killed_server_leaves_no_build_behind(world: World, repo: Path):
    for number in range(300):
        (repo / f"module{number}.py").write_text(f"def f{number}():\n    return f{number}()\n" * 50)
    world.commit(repo)
    server = RepositoryServer(world, repo.parent)
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(lambda: server.site().ask("GET", STATS))
        building = eventually(lambda: builders(server))
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        eventually(lambda: not any(process.is_running() for process in building))
        assert asking.exception()
    with RepositoryServer(world, repo.parent) as server:
        assert callers(server.call("shop", "get_callers", node_id="compute_total")) == ["checkout_cart"]


def test_indexes_outlive_the_server(world: World, repo: Path):
    for builds in (1, 0):
        with RepositoryServer(world, repo.parent) as server:
            assert callers(server.call("shop", "get_callers", node_id="compute_total")) == ["checkout_cart"]
            assert metric(server, "builds_total") == builds


def test_two_servers_do_not_share_a_cache(world: World, repo: Path):
    with RepositoryServer(world, repo.parent):
        second = world.codeagentd("serve", str(repo.parent), "--http", "127.0.0.1:0")
        assert (second.code, "another server of" in second.err) == (1, True), second


def test_a_full_disk_is_an_error_until_there_is_room(world: World, repo: Path):
    with small_disk(world) as disk, RepositoryServer(world, repo.parent) as server:
        ballast = fill(disk)
        failed = server.site().ask("GET", STATS)
        assert failed.status == 503, failed.body
        assert server.site().ask("GET", "/healthz").status == 200
        ballast.unlink()
        eventually(lambda: server.site().ask("GET", STATS).status == 200, 40)


def test_the_repository_itself_is_not_written(world: World, repo: Path):
    def listing() -> dict[str, tuple[int, int]]:
        return {
            os.path.join(folder, name): (info.st_mtime_ns, info.st_size)
            for folder, _, names in os.walk(repo)
            for name in names
            if (info := os.lstat(os.path.join(folder, name)))
        }

    before = listing()
    with RepositoryServer(world, repo.parent) as server:
        for tool, arguments in (("get_callers", {"node_id": "compute_total"}), ("working_changes_impact", {})):
            server.call("shop", tool, **arguments)
    assert listing() == before


@pytest.mark.parametrize("how", ["removed", "emptied", "overwritten"])
def test_a_damaged_index_is_built_again(world: World, repo: Path, how: str):
    with RepositoryServer(world, repo.parent) as server:
        server.call("shop", "get_callers", node_id="compute_total")
    index = next(Path(world.environment["CODEAGENT_CACHE_DIR"]).rglob("index.db"))
    for part in index.parent.glob("index.db-*"):
        part.unlink()
    if how == "removed":
        shutil.rmtree(index.parent)
    else:
        index.write_bytes(b"" if how == "emptied" else index.read_bytes()[:8_192] + os.urandom(index.stat().st_size))
    with RepositoryServer(world, repo.parent) as server:
        eventually(lambda: server.site().ask("GET", STATS).status == 200)
        assert callers(server.call("shop", "get_callers", node_id="compute_total")) == ["checkout_cart"]
