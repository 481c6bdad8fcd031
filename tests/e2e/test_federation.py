"""A workspace of repositories, each with its own daemon, as clients see it through shims, over HTTP and on the command line."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.harness.processes import ended
from tests.harness.world import World

PRICES = {
    "pyproject.toml": '[project]\nname = "prices"\nversion = "1.0"\n',
    "prices/__init__.py": "from prices.tariff import total\n",
    "prices/tariff.py": "def total(amounts):\n    return sum(amounts)\n",
}
SHOP = {
    ".codeagent/workspace.json": '{"members": ["../prices"]}',
    "requirements.txt": "prices==1.0\n",
    "shop/checkout.py": "from prices import total\n\n\ndef checkout(cart):\n    return total(cart)\n",
}


@pytest.fixture
def shop(world: World) -> Path:
    """A shop that uses the prices of another repository, both indexed by their daemons."""
    for name, files in (("prices", PRICES), ("shop", SHOP)):
        world.index(world.repository(name, files))
    return world.base / "shop"


def ask(world: World, repo: Path, tool: str, **arguments: Any) -> dict[str, Any]:
    done = world.codeagentd("call", tool, json.dumps(arguments), "--repo", str(repo))
    assert done.code == 0, done
    found: dict[str, Any] = done.json
    return found


def states(world: World, repo: Path) -> dict[str, str]:
    return {one["repo"]: one["state"] for one in ask(world, repo, "list_repos")["repos"]}


def test_each_repository_keeps_its_daemon_and_answers_for_all(world: World, shop: Path) -> None:
    assert states(world, shop) == {"shop": "here", "prices": "ready"}
    [callee] = ask(world, shop, "find_callees", label="checkout")["neighbors"]
    assert (callee["label"], callee["file"], callee["confidence"]) == (
        "total()",
        "prices::prices/tariff.py",
        "EXTRACTED",
    )
    assert world.daemon(shop) != world.daemon(world.base / "prices")


@pytest.mark.limit(120)
def test_a_daemon_that_is_killed_leaves_an_index_that_answers_and_one_that_comes_back_is_believed(
    world: World, shop: Path
) -> None:
    prices = world.base / "prices"
    pid = world.daemon(prices)
    os.kill(pid, signal.SIGKILL)
    assert ended(pid)
    answer = ask(world, shop, "find_callees", label="checkout")
    assert [one["label"] for one in answer["neighbors"]] == ["total()"]
    assert answer["note"] == "no daemon keeps prices up to date: what is told is as of the last one"
    assert states(world, shop)["prices"] == "resting"
    (prices / "prices/tariff.py").write_text("\n\ndef total(amounts):\n    return sum(amounts)\n")
    world.index(prices)
    assert states(world, shop)["prices"] == "ready"
    answer = ask(world, shop, "find_callees", label="checkout")
    assert [(one["line"], answer.get("note", "")) for one in answer["neighbors"]] == [(3, "")]


@pytest.mark.limit(180)
def test_a_member_that_is_being_indexed_is_told_until_it_is_there(world: World, shop: Path) -> None:
    many = {f"pkg/mod{number}.py": f"def step{number}(value):\n    return value\n" for number in range(1_500)}
    big = world.repository("big", many)
    (shop / ".codeagent/workspace.json").write_text(json.dumps({"members": ["../prices", "../big"]}))
    assert world.codeagentd("start", "--repo", str(big)).code == 0
    seen = []
    while not seen or seen[-1] != "ready":
        seen.append(states(world, shop).get("big", "no member yet"))
        assert [one["label"] for one in ask(world, shop, "find_callees", label="checkout")["neighbors"]] == ["total()"]
    assert set(seen) <= {"no member yet", "absent", "building", "ready", "busy"}


def test_clients_complete_the_names_of_repositories(world: World, shop: Path) -> None:
    async def talk() -> list[str]:
        async with world.client(shop, "--toolsets", "graph") as client:
            from mcp_types import PromptReference

            found = await client.complete(PromptReference(name="explain_subsystem"), {"name": "repo", "value": "pr"})
            return list(found.completion.values)

    assert asyncio.run(talk()) == ["prices"]


def test_settings_name_whom_the_user_trusts(world: World, shop: Path) -> None:
    hidden = world.repository("hidden", {"a.py": "x = 1\n"})
    (shop / ".codeagent/workspace.json").write_text(json.dumps({"members": ["../hidden"]}))
    config = Path(world.environment["CODEAGENT_CONFIG_DIR"]) / "config.json"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(json.dumps({"workspace": {"trusted": [str(hidden)]}}))
    assert world.codeagentd("restart", "--repo", str(shop)).code == 0
    assert states(world, shop) == {"shop": "here", "hidden": "absent"}
    (shop / ".codeagent/config.json").write_text(json.dumps({"workspace": {"trusted": ["/"]}}))
    refused = world.codeagentd("config", "--repo", str(shop))
    assert "'workspace.trusted' may not be set by a repository" in refused.out + refused.err
