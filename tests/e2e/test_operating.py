"""What operators do to a daemon while windows are open, and what machines read of it."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

from tests.harness.processes import alive
from tests.harness.world import BIN, World

PROMISED = {
    "state", "pid", "repo", "generation", "indexed_files", "indexed_symbols", "pending_files", "caught_up", "clients", "rss_bytes", "embeddings",
    "uptime_s", "version",
}  # fmt: skip


def test_the_json_status_has_every_promised_field(shared_world: World, indexed_shop: Path):
    status = shared_world.status(indexed_shop)
    assert status.keys() >= PROMISED
    assert status["embeddings"].keys() >= {"model", "count", "pending"}
    assert status["repo"] == str(indexed_shop)
    assert status["caught_up"] is True


def test_a_window_shows_up_by_the_name_of_its_client(shared_world: World, indexed_shop: Path):
    window = shared_world.connect(indexed_shop, "--toolsets", "engine")
    window.must("get_status")
    (told,) = [one for one in shared_world.status(indexed_shop)["windows"] if one["pid"] == window.pid]
    assert "harness" in told["client"]
    assert "harness" in shared_world.codeagentd("status", "--repo", str(indexed_shop)).out
    window.close()


def test_an_open_window_goes_on_after_a_restart(world: World, shop: Path):
    window = world.connect(shop, "--toolsets", "default,engine")
    window.must("get_status")
    before = world.daemon(shop)
    assert world.codeagentd("restart", "--repo", str(shop)).code == 0
    assert window.must("search_symbols", {"query": "compute_total"}).items
    assert world.daemon(shop) != before
    assert window.surplus == 0


def test_a_request_after_stop_brings_the_daemon_back(world: World, shop: Path):
    window = world.connect(shop, "--toolsets", "default,engine")
    window.must("get_status")
    before = world.daemon(shop)
    assert world.codeagentd("stop", "--repo", str(shop)).code == 0
    assert not alive(before)
    assert window.must("search_symbols", {"query": "compute_total"}).items
    assert world.codeagentd("status", "--repo", str(shop)).code == 0


def test_status_never_starts_a_daemon(world: World, shop: Path):
    assert world.codeagentd("status", "--repo", str(shop)).code == 3
    assert world.processes() == set()


def test_the_foreground_daemon_ends_with_its_terminal_signal(world: World, shop: Path):
    daemon = subprocess.Popen(
        [str(BIN / "codeagentd"), "run", "--repo", str(shop)],
        env=world.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 20
    while world.codeagentd("status", "--repo", str(shop)).code != 0:
        assert time.monotonic() < deadline
    assert world.daemon(shop) == daemon.pid
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(20) == 0
    assert world.codeagentd("status", "--repo", str(shop)).code == 3


def test_files_are_indexed_on_demand_and_failures_are_named(world: World, shop: Path):
    (shop / "shop" / "late.py").write_text("def late_addition():\n    return 1\n")
    done = world.codeagentd("index", "--repo", str(shop), "shop/late.py", "shop/missing.py")
    assert done.code == 1
    assert done.out == "indexed 1 file\n"
    assert done.err.startswith("error: shop/missing.py: ")
