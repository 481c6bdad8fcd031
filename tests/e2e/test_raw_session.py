"""Handwritten lines that are piped to a window."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.harness.raw_session import CALLS, INITIALIZE, Json, check_session
from tests.harness.world import BIN, World

HANDSHAKES: list[Json] = [
    INITIALIZE,
    {name: value for name, value in INITIALIZE.items() if name != "params"},
    INITIALIZE | {"params": {}},
    INITIALIZE | {"params": {"clientInfo": {"name": "sh"}}},
    INITIALIZE | {"params": {"capabilities": {"roots": {}}}},
]


def piped(world: World, repo: Path, messages: list[Json]) -> dict[Any, Json]:
    """What `codeagent-mcp` answers to lines on its stdin, by id."""
    text = "".join(f"{json.dumps(message)}\n" for message in messages)
    argv = [str(BIN / "codeagent-mcp"), "--toolsets", "graph"]
    done = subprocess.run(
        argv, input=text, cwd=repo, env=world.environment, capture_output=True, text=True, timeout=60, check=True
    )
    return {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("handshake", HANDSHAKES)
def test_the_session_of_the_page_works_whatever_its_handshake_leaves_out(
    shared_world: World, indexed_shop: Path, handshake: Json
) -> None:
    check_session(piped(shared_world, indexed_shop, [handshake, *CALLS]))
