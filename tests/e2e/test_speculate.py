"""Trying changes out, from a window to the daemon and back."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import sys
from difflib import unified_diff
from pathlib import Path

import pytest

from codeagentd.toolkit.toolsets import load, select
from tests.e2e.conftest import SHOP
from tests.harness.processes import alive, with_argument
from tests.harness.waiting import eventually
from tests.harness.window import Window
from tests.harness.world import World

BROKEN = SHOP["shop/pricing.py"].replace("return amount\n", "return 0.0\n")
PATCH = "".join(
    unified_diff(
        SHOP["shop/pricing.py"].splitlines(keepends=True),
        BROKEN.splitlines(keepends=True),
        "a/shop/pricing.py",
        "b/shop/pricing.py",
    )
)
FLAGS = ("--toolsets", "all", "--allow-exec")


def listed(window: Window) -> set[str]:
    return {tool["name"] for tool in window.request("tools/list").result["tools"]}


def trees(world: World) -> list[Path]:
    places = Path(world.environment["CODEAGENT_CACHE_DIR"]).glob("repositories/*/speculations/*")
    return [place for place in places if place.name != "lock"]


def test_it_is_offered_and_runs_only_where_the_window_was_started_so(shared_world: World, indexed_shop: Path) -> None:
    plain, bold = shared_world.connect(indexed_shop, "--toolsets", "all"), shared_world.connect(indexed_shop, *FLAGS)
    assert listed(bold) - listed(plain) == {"speculate"}
    everything = select(load("codeagentd.tools"), toolsets="all", allow_exec=True)
    assert listed(bold) == {tool.name for tool in everything}
    assert plain.call("speculate", {"build": ["true"]}).error_code == "not_found"
    read_only = shared_world.connect(indexed_shop, *FLAGS, "--read-only")
    assert read_only.call("speculate", {"build": ["true"]}).error_code == "not_found"


def test_a_patch_is_tried_and_the_answer_says_what_happened(shared_world: World, indexed_shop: Path) -> None:
    window = shared_world.connect(indexed_shop, *FLAGS)
    program = "from shop.pricing import Discount; raise SystemExit(Discount().apply(5) != 5)"
    command = [sys.executable, "-c", program]
    assert window.must("speculate", {"build": command}).data["verdict"] == "passed"
    tried = window.must("speculate", {"patch": PATCH, "build": command})
    assert (tried.data["verdict"], tried.data["files"]) == ("broken", ["shop/pricing.py"])
    assert tried.result["content"][1]["text"].startswith("BROKEN: 1 files changed since HEAD, ")
    assert (indexed_shop / "shop/pricing.py").read_text() == SHOP["shop/pricing.py"]
    assert trees(shared_world) == []


def test_other_questions_are_answered_meanwhile(shared_world: World, indexed_shop: Path) -> None:
    window = shared_world.connect(indexed_shop, *FLAGS)
    slow = window.begin(
        "tools/call",
        {"name": "speculate", "arguments": {"build": [sys.executable, "-c", "import time; time.sleep(3)"]}},
    )
    assert window.must("search_symbols", {"query": "compute*"}).seconds < 2
    assert window.finish(slow).data["verdict"] == "passed"


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
@pytest.mark.limit(120)
def test_when_the_daemon_is_killed_its_commands_end_and_the_next_one_answers(world: World, shop: Path) -> None:
    window = world.connect(shop, *FLAGS)
    window.must("get_status")
    sign, word = world.base / "begun", secrets.token_hex(8)
    program = f"import time; open({str(sign)!r}, 'a').close(); time.sleep(4)"
    asked = window.begin(
        "tools/call", {"name": "speculate", "arguments": {"build": [sys.executable, "-c", program, word]}}
    )
    eventually(sign.exists)
    first = with_argument(word)
    os.kill(world.daemon(shop), signal.SIGKILL)
    assert first
    eventually(lambda: not any(map(alive, first)), 10)
    answer = window.finish(asked, 60)
    assert answer.data["verdict"] == "passed", answer.message
    assert trees(world) == []


WITHOUT_NAME_SPACES = (
    "unshare", "--user", "--map-root-user", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', "sh",
)  # fmt: skip
HIDING = (
    "import os, signal, subprocess, sys, time\n"
    "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(99)', sys.argv[1]], env={}, start_new_session=True, stdout=-3, stderr=-3)\n"
    "for pid in (os.getppid(), int(sys.argv[2])):\n"
    "    try: os.kill(pid, signal.SIGKILL)\n"
    "    except PermissionError: pass\n"
    "time.sleep(99)"
)


@pytest.mark.skipif(not shutil.which("unshare"), reason="unshare is not installed")
@pytest.mark.limit(120)
def test_where_no_name_space_can_be_had_a_command_ends_neither_what_watches_it_nor_the_daemon(
    world: World, shop: Path
) -> None:
    program = "from codeagentd.speculation import signal_scope; raise SystemExit(not signal_scope.is_possible())"
    words = [*WITHOUT_NAME_SPACES, sys.executable, "-c", program]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("this system grants nobody a user name space, or its kernel has no scopes for signals")
    words = [sys.executable, "-m", "codeagentd.boot.daemon", "--repo", str(shop), "--foreground"]
    with world.errors.open("ab") as errors:
        daemon = subprocess.Popen(
            [*WITHOUT_NAME_SPACES, *words], env=world.environment, stdin=subprocess.DEVNULL, stderr=errors
        )
    eventually(lambda: world.codeagentd("status", "--repo", str(shop)).code == 0)
    window, word = world.connect(shop, *FLAGS), secrets.token_hex(8)
    command = [sys.executable, "-c", HIDING, word]
    answer = window.call("speculate", {"build": [*command, str(world.daemon(shop))], "timeout": 3}, 30)
    assert (answer.data["verdict"], answer.data["network"]) == ("inconclusive", "open")
    assert daemon.poll() is None
    assert with_argument(word) == []
    assert trees(world) == []
    world.codeagentd("stop", "--repo", str(shop))
    assert daemon.wait(20) == 0
