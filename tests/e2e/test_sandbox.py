"""A window in a sandbox: the kernel refuses local sockets, or there is no place for them. It answers by itself, as a daemon would, and writes nothing."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.e2e.conftest import SHOP
from tests.harness.waiting import eventually, let_pass
from tests.harness.window import Window
from tests.harness.world import BIN, Outcome, World, official_client


def _ends_well(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


REFUSING = [sys.executable, str(Path(__file__).parents[1] / "harness" / "refusing.py")]
WITHOUT_SOCKETS = [*REFUSING, "socket"]
MEMORY = {"content": "Prices are rounded at the end only.", "type": "decision", "title": "Rounding"}
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    ("search_symbols", {"query": "compute_total"}),
    ("get_file_outline", {"path": "shop/pricing.py"}),
    ("get_callers", {"node_id": "shop.pricing.compute_total"}),
    ("search_code", {"query": "holiday discount"}),
    ("find_refs", {"symbol": "shop.pricing.compute_total"}),
    ("read_file", {"path": "README.md"}),
    ("graph_stats", {}),
    ("search", {"query": "rounded"}),
    ("list_tasks", {}),
    ("get_symbol", {"node_id": "no-such-node"}),
]
PATIENCE_S = 20.0
SEALED = [
    "unshare",
    "-rm",
    "sh",
    "-c",
    'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" && shift && exec "$@"',
    "sh",
]  # DIRECTORY COMMAND …
can_seal = pytest.mark.skipif(
    not (shutil.which("unshare") and _ends_well([*SEALED, "/tmp", "true"])), reason="nobody may mount here"
)

pytestmark = pytest.mark.skipif(not _ends_well([*WITHOUT_SOCKETS, "true"]), reason="nobody may have calls refused here")


@pytest.fixture(scope="module")
def kept() -> Iterator[tuple[World, Path]]:
    """The shop, indexed, with one memory; its daemon has left."""
    with World() as world:
        repo = world.repository("shop", SHOP)
        world.index(repo)
        window = world.connect(repo, "--toolsets", "all")
        window.must("store", MEMORY)
        for tool, question in (("search_code", {"query": "discount"}), ("graph_stats", {})):
            window.must(tool, question)  # waits for the text of the files, for the analysis of the graph
        world.codeagentd("stop", "--repo", str(repo))
        yield world, repo


def sandboxed(world: World, repo: Path, *flags: str, **variables: str) -> Window:
    """A window whose kernel refuses local sockets, after its handshake."""
    argv = [*WITHOUT_SOCKETS, str(BIN / "codeagent-mcp"), "--repo", str(repo), *(flags or ("--toolsets", "all"))]
    window = Window(argv, world.environment | variables, None, world.errors)
    world.windows.append(window)
    window.initialize()
    return window


def commanded(world: World, repo: Path, *words: str) -> Outcome:
    """A command of `codeagentd` in such a sandbox."""
    argv = [*WITHOUT_SOCKETS, str(BIN / "codeagentd"), *words, "--repo", str(repo)]
    done = subprocess.run(argv, env=world.environment, capture_output=True, text=True, timeout=120, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


def asked(world: World, repo: Path, command: list[str]) -> list[Any]:
    """What the official client is told by a window."""

    async def talk() -> list[Any]:
        arguments = [*command[1:], "--repo", str(repo), "--toolsets", "all"]
        async with official_client(command[0], arguments, world.environment, world.errors) as client:
            await client.call_tool("search_symbols", {"query": "x"}, meta={"codeagent/fresh": "wait"})
            return [
                (name, (await client.call_tool(name, asked_for)).structured_content) for name, asked_for in QUESTIONS
            ]

    return asyncio.run(talk())


def server_of(window: Window) -> int:
    """The process that answers for a window."""
    (server,) = psutil.Process(window.pid).children()
    return server.pid


def place_of(world: World) -> Path:
    """Where processes of this world make what passes."""
    (place := world.base / "temporary").mkdir(exist_ok=True)
    return place


def test_answers_without_sockets_are_those_of_a_daemon(kept: tuple[World, Path]):
    world, repo = kept
    inside = asked(world, repo, [*WITHOUT_SOCKETS, str(BIN / "codeagent-mcp")])
    assert world.status(repo)["state"] == "not_running"
    outside = asked(world, repo, [str(BIN / "codeagent-mcp")])
    world.codeagentd("stop", "--repo", str(repo))
    for one, other in zip(_plain(inside), _plain(outside), strict=True):
        assert one == other


def _plain(answers: list[Any]) -> list[Any]:
    """Without what differs between any two calls."""
    for _, answer in answers:
        if "index" in answer and isinstance(answer["index"], dict):
            answer["index"].pop("built_at")
    return answers


def test_a_daemon_outside_of_the_sandbox_keeps_the_index_that_is_read_inside(world: World, shop: Path):
    world.index(shop)
    pid, window = world.daemon(shop), sandboxed(world, shop)
    assert window.must("search_symbols", {"query": "compute_total"}).watermark["caught_up"] is True
    (shop / "shop" / "refunds.py").write_text("def refund_everything():\n    return 0\n")
    eventually(lambda: window.must("search_symbols", {"query": "refund_everything"}).items)
    assert world.daemon(shop) == pid


def test_a_window_that_may_not_connect_does_not_wait_for_ever(world: World, shop: Path):
    world.index(shop)
    window = Window(
        [*REFUSING, "connect", str(BIN / "codeagent-mcp"), "--repo", str(shop)], world.environment, None, world.errors
    )
    world.windows.append(window)
    window.initialize(PATIENCE_S)
    assert window.must("search_symbols", {"query": "compute_total"}).watermark["caught_up"] is True
    assert world.status(shop)["clients"] == 0


def test_an_index_that_nobody_keeps_says_how_far_it_is_behind(world: World, shop: Path):
    world.index(shop)
    world.codeagentd("stop", "--repo", str(shop))
    window = sandboxed(world, shop)
    assert window.must("search_symbols", {"query": "compute_total"}).watermark["caught_up"] is True
    os.utime(shop / "shop" / "pricing.py")
    assert (
        window.must("search_symbols", {"query": "compute_total"}).watermark["caught_up"] is True
    )  # its content is what it was
    (shop / "shop" / "pricing.py").write_text("def compute_less():\n    return 0\n")
    (shop / "shop" / "refunds.py").write_text("def refund_everything():\n    return 0\n")
    (shop / "README.md").unlink()
    mark = window.must("search_symbols", {"query": "refund_everything"}).watermark
    assert (mark["caught_up"], mark["pending_files"]) == (False, 3)


def test_what_would_be_written_is_refused_with_the_reason(kept: tuple[World, Path]):
    world, repo = kept
    window = sandboxed(world, repo)
    refused = window.call("index_files", {"paths": ["shop/pricing.py"]})
    assert refused.error_code == "engine_unavailable"
    assert "local sockets are refused" in refused.data["error"]["message"]
    assert refused.data["error"]["remedy"]
    stored = window.call("store", MEMORY)
    assert stored.failed
    assert "store would write" in stored.data["error"]
    assert window.call("store", {"content": 7}).failed  # arguments are looked at first, as ever
    health = window.must("healthcheck").data
    assert health["state"] == "degraded"
    assert "local sockets are refused" in health["reason"]


def test_people_are_told_in_one_line(world: World, shop: Path):
    sandboxed(world, shop)
    (line,) = world.errors.read_text().splitlines()
    assert line.startswith("codeagentd: local sockets are refused (Operation not permitted): no daemon can be reached")


def test_without_an_index_one_is_made_that_ends_with_the_window(world: World, shop: Path):
    place = place_of(world)
    window = sandboxed(world, shop, TMPDIR=str(place))
    assert window.must("search_symbols", {"query": "compute_total"}).items
    (shop / "shop" / "refunds.py").write_text("def refund_everything():\n    return 0\n")
    eventually(lambda: window.must("search_symbols", {"query": "refund_everything"}).items)
    assert list(place.iterdir())
    window.close()
    eventually(lambda: not list(place.iterdir()))
    assert not list((world.base / "cache").glob("worktrees/*/index.db"))


def test_what_a_killed_one_has_left_goes_when_the_next_one_comes(world: World, shop: Path):
    place = place_of(world)
    window = sandboxed(world, shop, TMPDIR=str(place))
    (left,) = place.iterdir()
    server = server_of(window)
    os.kill(server, signal.SIGKILL)
    window.close()
    long_ago = time.time() - 3600
    os.utime(left, (long_ago, long_ago))
    sandboxed(world, shop, TMPDIR=str(place))
    assert left not in place.iterdir()


def test_a_runtime_directory_that_cannot_be_made_leads_to_the_same(kept: tuple[World, Path]):
    world, repo = kept
    below_a_file = str(repo / "README.md" / "run")
    window = world.window(repo, "--toolsets", "all", CODEAGENT_RUNTIME_DIR=below_a_file)
    window.initialize()
    assert window.must("search_symbols", {"query": "compute_total"}).items
    assert (
        "README.md/run cannot be used"
        in window.call("index_files", {"paths": ["shop/pricing.py"]}).data["error"]["message"]
    )
    found = world.codeagentd(
        "call", "search_symbols", "query=compute_total", "--repo", str(repo), CODEAGENT_RUNTIME_DIR=below_a_file
    )
    assert found.code == 0
    status = world.codeagentd("status", "--json", "--repo", str(repo), CODEAGENT_RUNTIME_DIR=below_a_file)
    assert (status.code, status.json["state"]) == (3, "not_running")
    assert "windows in here answer by themselves" in status.json["reason"]


def test_a_server_that_is_killed_is_started_again_and_no_request_is_lost(kept: tuple[World, Path]):
    world, repo = kept
    window = sandboxed(world, repo)
    server = server_of(window)
    os.kill(server, signal.SIGSTOP)
    waiting = window.begin("tools/call", {"name": "search_symbols", "arguments": {"query": "compute_total"}})
    os.kill(server, signal.SIGKILL)
    assert window.finish(waiting).items
    assert window.surplus == 0


def test_a_flood_from_a_client_that_reads_late_is_answered_once_each(world: World, shop: Path):
    (shop / "large.txt").write_text("".join(f"line {number}\\n" for number in range(20_000)))
    window = sandboxed(world, shop)
    asked = [
        window.begin("tools/call", {"name": "read_file", "arguments": {"path": "large.txt", "note": "x" * 5_000}})
        for _ in range(20)
    ]
    asked += [window.begin("tools/call", {"name": "read_file", "arguments": {"path": "large.txt"}}) for _ in range(200)]
    let_pass(1.0, "pipes fill while the client does not read")
    answers = [window.finish(one) for one in asked]
    assert [answer.failed for answer in answers] == [True] * 20 + [False] * 200
    assert sum(len(answer.data["content"]) for answer in answers[20:]) > 4_000_000
    assert window.surplus == 0


@pytest.mark.parametrize("way", ["leaves", "is killed"])
def test_the_server_ends_with_its_window(kept: tuple[World, Path], way: str):
    world, repo = kept
    before = world.processes()
    window = sandboxed(world, repo)
    ours = world.processes() - before
    assert len(ours) == 2
    if way == "leaves":
        assert window.close() == 0
    else:
        os.kill(window.pid, signal.SIGKILL)
        window.close()
    eventually(lambda: not world.processes() & ours)


def test_the_client_that_names_its_roots_is_served_too(kept: tuple[World, Path]):
    world, repo = kept
    window = Window([*WITHOUT_SOCKETS, str(BIN / "codeagent-mcp")], world.environment, repo, world.errors)
    world.windows.append(window)
    client = {
        "protocolVersion": "2025-06-18",
        "capabilities": {"roots": {}},
        "clientInfo": {"name": "harness", "version": "1"},
    }
    assert not window.request("initialize", client).failed
    window.send({"jsonrpc": "2.0", "method": "notifications/initialized", "params": {}})
    assert window.must(
        "search_symbols", {"query": "compute_total"}
    ).items  # the harness has no roots to name: the current directory counts
    assert window.surplus == 0


def test_commands_that_ask_answer_too_and_status_and_doctor_say_why(kept: tuple[World, Path]):
    world, repo = kept
    found = commanded(world, repo, "search", "holiday", "discount")
    assert found.code == 0
    assert "shop/pricing.py" in found.out
    assert found.err.startswith("codeagentd: local sockets are refused")
    refused = commanded(world, repo, "call", "index_files", '{"paths": ["shop/pricing.py"]}')
    assert (refused.code, refused.json["error"]["code"]) == (1, "engine_unavailable")
    status = commanded(world, repo, "status")
    assert status.code == 3
    assert "windows in here answer by themselves, and write nothing" in status.out
    doctor = commanded(world, repo, "doctor")
    assert doctor.code == 1
    assert "out of reach: local sockets are refused (Operation not permitted)" in doctor.out


def test_a_command_does_not_wait_for_a_daemon_that_it_cannot_reach(world: World, shop: Path):
    world.index(shop)
    began = time.monotonic()
    assert commanded(world, shop, "symbol", "compute_total").code == 0
    assert commanded(world, shop, "status").code == 4
    assert time.monotonic() - began < PATIENCE_S


def in_sealed(world: World, command: list[str], repo: Path) -> Window:
    """A window whose directories are all on a read-only disk."""
    argv = [*SEALED, str(world.base), *command, "--repo", str(repo), "--toolsets", "all"]
    window = Window(argv, world.environment, None, world.errors)
    world.windows.append(window)
    window.initialize()
    return window


@can_seal
def test_an_index_on_a_disk_that_cannot_be_written_is_read(kept: tuple[World, Path]):
    world, repo = kept
    window = in_sealed(world, [str(BIN / "codeagent-mcp")], repo)
    assert window.must("search_symbols", {"query": "compute_total"}).watermark["caught_up"] is True
    assert window.must("search", {"query": "rounded"}).data["total_count"] == 1
    refused = window.call("index_files", {"paths": ["shop/pricing.py"]})
    assert "cannot be written" in refused.data["error"]["message"]


@can_seal
def test_it_is_read_as_it_grows_once_a_daemon_outside_begins_to_keep_it(world: World, shop: Path):
    world.index(shop)
    world.codeagentd("stop", "--repo", str(shop))
    window = in_sealed(world, [*WITHOUT_SOCKETS, str(BIN / "codeagent-mcp")], shop)
    assert window.must("search_symbols", {"query": "compute_total"}).items
    (shop / "shop" / "refunds.py").write_text("def refund_everything():\n    return 0\n")
    assert not window.must("search_symbols", {"query": "refund_everything"}).watermark["caught_up"]
    world.index(shop)
    eventually(lambda: window.must("search_symbols", {"query": "refund_everything"}).items)


@can_seal
def test_a_daemon_outside_is_reached_although_nothing_can_be_written(world: World, shop: Path):
    world.index(shop)
    window = in_sealed(world, [str(BIN / "codeagent-mcp")], shop)
    assert window.must("healthcheck").data["state"] == "ready"
    assert not window.call("index_files", {"paths": ["shop/pricing.py"]}).failed
