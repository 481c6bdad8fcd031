"""What `codeagentd serve` costs: two hundred repositories that nobody asks for, a first index and the next commit's beside those of a daemon, and a call."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from tests.bench import corpora
from tests.bench.cost import measure
from tests.bench.figures import Figure, median, percentile
from tests.harness.processes import MEGABYTE, rss_bytes
from tests.harness.repository_server import RepositoryServer, bare
from tests.harness.waiting import let_pass
from tests.harness.world import World

REPOSITORIES = 200
CALLS = 300
CORPUS = "django"  # BENCH_DJANGO names another tree


def served(_rounds: int) -> Iterator[Figure]:
    """Two servers: one of many small repositories, one of a large one."""
    yield from many()
    yield from one()


def many() -> Iterator[Figure]:
    """Two hundred bare repositories, of which one is asked for its tools."""
    with World() as world:
        repo = world.repository("first", {f"m{at}.py": f"def step{at}():\n    return {at}\n" for at in range(20)})
        for number in range(REPOSITORIES):
            bare(world, repo, world.base / f"repos/team{number % 10}/repo{number}.git")
        began = time.perf_counter()
        with RepositoryServer(world, world.base / "repos") as server:
            started = time.perf_counter() - began
            yield Figure("served", f"start with {REPOSITORIES} repositories", started, "s", 3)
            yield Figure("served", "memory, nothing asked", rss_bytes({server.process.pid}) / MEGABYTE, "MB", 90)
            seconds = [connected(server, f"team{number % 10}/repo{number}") for number in range(20)]
            detail = f"initialize and tools/list; the first of a server {seconds[0] * 1_000:.0f} ms"
            yield Figure(
                "served", "tools of a repository, not indexed", median(seconds) * 1_000, "ms", 200, "30 s", detail
            )
            yield Figure("served", "the slowest of these", max(seconds) * 1_000, "ms", 200)
            listing = [timed(lambda: server.site().ask("GET", "/repositories")) for _ in range(5)]
            yield Figure("served", "list of all repositories", median(listing) * 1_000, "ms", 200)
            yield Figure("served", "memory after that", rss_bytes({server.process.pid}) / MEGABYTE, "MB", 120)


def one() -> Iterator[Figure]:
    """A large repository: its first commit, its next one, and calls."""
    with World() as world:
        repo = corpora.repository(world, CORPUS)
        daemon = measure(world, repo)
        assert world.codeagentd("stop", "--repo", str(repo)).code == 0
        place = bare(world, repo, world.base / "repos/corpus.git")
        with RepositoryServer(world, place.parent) as server:
            first_s, first_cpu = built(server, "corpus")
            detail = (
                f"whole with text and graph; a daemon without these {daemon.cpu_s:.1f} s CPU, {daemon.wall_s:.1f} s"
            )
            yield Figure("served", "first commit, CPU", first_cpu, "s", None, "", detail)
            yield Figure("served", "first commit, wall", first_s, "s")
            change(world, repo, place)
            next_s, next_cpu = built(server, "corpus")
            yield Figure("served", "next commit of one changed file, CPU", next_cpu, "s", first_cpu / 3)
            yield Figure("served", "next commit of one changed file, wall", next_s, "s", first_s / 2)
            seconds = calls(server, "corpus")
            detail = f"p95 {percentile(seconds, 0.95) * 1_000:.1f} ms"
            yield Figure("served", "get_callers over HTTP, p50", median(seconds) * 1_000, "ms", 20, "", detail)
            yield Figure("served", "memory with two commits", rss_bytes({server.process.pid}) / MEGABYTE, "MB", 200)


def connected(server: RepositoryServer, target: str) -> float:
    """Seconds of a client's first two requests."""
    site = server.site()
    site.path = f"/r/{target}/mcp"

    def connect() -> None:
        listed = site.request("tools/list", Mcp_Session_Id=site.initialize())
        assert listed.json["result"]["tools"]

    return timed(connect)


def timed(work: Any) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def built(server: RepositoryServer, target: str) -> tuple[float, float]:
    """Seconds, and seconds of CPU of the processes that the server starts, until a commit answers."""
    before, began = child_cpu(server), time.perf_counter()
    while (reply := server.site().ask("GET", f"/r/{target}/api/stats")).status == 503:
        let_pass(0.1, "the index is being built")
    assert reply.status == 200, reply.body
    return time.perf_counter() - began, child_cpu(server) - before


def child_cpu(server: RepositoryServer) -> float:
    times = psutil.Process(server.process.pid).cpu_times()
    return float(times.children_user + times.children_system)


def change(world: World, repo: Path, place: Path) -> None:
    """Change one function of the repository, and bring the commit into the bare one."""
    target = max(repo.rglob("*.py"), key=lambda path: path.stat().st_size)
    target.write_text(target.read_text() + "\n\ndef added_at_the_end():\n    return 1\n")
    world.commit(repo)
    world.git(repo, "push", "-q", str(place), "HEAD:refs/heads/main")


def calls(server: RepositoryServer, target: str) -> list[float]:
    """Seconds of calls of get_callers about many symbols, one after the other on one connection."""
    site = server.site()
    site.path = f"/r/{target}/mcp"
    headers = {"Mcp-Session-Id": site.initialize(), "Content-Type": "application/json"}
    connection = http.client.HTTPConnection(site.host, site.port, timeout=60)

    def call(tool: str, **arguments: Any) -> Any:
        params = {"name": tool, "arguments": arguments}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        connection.request("POST", f"{site.path}?toolsets=all", body, headers)
        return json.loads(connection.getresponse().read())["result"]["structuredContent"]

    asked = [item["node_id"] for item in call("search_symbols", query="get", limit=50)["results"]]
    call("get_callers", node_id=asked[0])
    return [
        timed(lambda node=node: call("get_callers", node_id=node))
        for _ in range(CALLS // len(asked) + 1)
        for node in asked
    ]
