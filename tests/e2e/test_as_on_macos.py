"""Shim, daemon and commands that take this system for macOS: its branches run here, over what Linux has of the same (flock, local sockets, polling)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import SHOP
from tests.harness.waiting import eventually
from tests.harness.world import World

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="Linux stands in for another system"),
    pytest.mark.limit(120),
]


@pytest.fixture
def mac(tmp_path: Path) -> Iterator[World]:
    (tmp_path / "sitecustomize.py").write_text("import sys, urllib.request\nsys.platform = 'darwin'\n")
    with World() as world:
        world.environment["PYTHONPATH"] = str(tmp_path)
        yield world


@pytest.fixture
def repo(mac: World) -> Path:
    root = mac.repository("shop", SHOP)
    mac.index(root)
    return root


def test_windows_share_a_daemon_that_looks_for_changes_by_itself(mac: World, repo: Path) -> None:
    first, second = mac.connect(repo), mac.connect(repo)
    callers = first.must("get_callers", {"node_id": "compute_total"})
    assert [row["name"] for row in callers.items] == ["checkout_cart"]
    (repo / "shop" / "gifts.py").write_text("def wrap_gift():\n    return 1\n")
    found = eventually(lambda: second.must("search_symbols", {"query": "wrap_gift"}).items)
    assert [row["name"] for row in found] == ["wrap_gift"]
    status = mac.status(repo)
    assert status["watcher"] == "polling"
    assert "watchdog cannot be loaded" in json.dumps(status), "Linux has no FSEvents"
    assert status["clients"] == 2


def test_the_service_is_launchds(mac: World, repo: Path) -> None:
    told = mac.codeagentd("service", "install", "--dry-run", cwd=repo)
    assert told.code == 0, told
    assert "Library/LaunchAgents" in told.out
    assert "launchctl bootstrap" in told.out


def test_files_are_where_macos_has_them(mac: World) -> None:
    root, home = mac.repository("shop", SHOP), mac.base / "h"
    home.mkdir()
    for name in ("CACHE", "DATA", "CONFIG"):
        del mac.environment[f"CODEAGENT_{name}_DIR"]
    mac.environment["HOME"] = str(home)
    mac.index(root)
    assert list((home / "Library/Caches/codeagentd").rglob("index.db"))
