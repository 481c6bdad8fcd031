"""What `codeagentd install` writes works: the entry starts a server, and the hook says what there is to say."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.harness.window import Window
from tests.harness.world import BIN, World

PROGRAM = str(BIN / "codeagent-mcp")


def test_the_entry_of_a_project_starts_a_server(shared_world: World, indexed_shop: Path, tmp_path: Path):
    done = shared_world.codeagentd(
        "install", "claude-code", "kiro", "--project", "--command", PROGRAM, cwd=indexed_shop, HOME=str(tmp_path)
    )
    assert done.code == 0, done
    for name, elsewhere in ((".mcp.json", indexed_shop), (".kiro/settings/mcp.json", tmp_path)):
        entry = json.loads((indexed_shop / name).read_text())["mcpServers"]["codeagent"]
        window = Window([entry["command"], *entry["args"]], shared_world.environment, elsewhere, shared_world.errors)
        window.initialize()
        window.must("search_symbols", {"query": "total"})
        window.close()
    assert (
        shared_world.codeagentd(
            "uninstall", "claude-code", "kiro", "--project", cwd=indexed_shop, HOME=str(tmp_path)
        ).code
        == 0
    )
    assert not (indexed_shop / ".mcp.json").exists()
    assert not (indexed_shop / ".kiro").exists()


def test_the_commands_of_the_skill_answer_and_start_what_they_need(world: World, shop: Path, tmp_path: Path):
    assert (
        world.codeagentd(
            "install", "claude-code", "--project", "--skill", "--command", PROGRAM, cwd=shop, HOME=str(tmp_path)
        ).code
        == 0
    )
    text = (shop / ".claude/skills/codeagentd/SKILL.md").read_text()
    here = text.replace("Order.total", "compute_total").replace("shop/orders.py", "shop/pricing.py")
    calls = [call.split() for call in re.findall(r"\| `codeagentd ([^`]+)` \|", here)]
    assert len(calls) == 8
    for call in calls:
        done = world.codeagentd(*call, cwd=shop)
        assert done.code == 0, (call, done)
        assert "compute_total" in done.out or call[0] in ("explain", "affected"), (call, done)


def nudged(world: World, cwd: Path, **variables: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [PROGRAM, "--nudge"],
        cwd=cwd,
        env=world.environment | variables,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout, done.stderr


def test_a_hook_speaks_where_a_daemon_serves(shared_world: World, indexed_shop: Path):
    shared_world.status(indexed_shop)
    code, out, err = nudged(shared_world, indexed_shop / "shop")
    assert (code, err) == (0, "")
    told = json.loads(out)["hookSpecificOutput"]
    assert told["hookEventName"] == "SessionStart"
    assert "explain_code" in told["additionalContext"]


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"CODEAGENT_TOOL_NAMES": "nonsense"},
        {"CODEAGENT_REPO": "/nowhere"},
        {"CODEAGENT_RUNTIME_DIR": "/proc/nowhere"},
    ],
)
def test_a_hook_is_silent_everywhere_else(variables: dict[str, str], shared_world: World, tmp_path: Path):
    assert nudged(shared_world, tmp_path, **variables) == (0, "", "")


def test_a_hook_starts_no_daemon(world: World, shop: Path):
    assert nudged(world, shop) == (0, "", "")
    assert world.processes() == set()
