"""Programs that a test has installed: what they answer about a small repository, by the official client."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

from tests.harness.world import World, official_client

SHOP = {
    "pricing.py": "def total(amounts: list[float]) -> float:\n    return sum(amounts)\n",
    "orders.py": "from pricing import total\n\n\ndef checkout(cart: dict[str, float]) -> float:\n    return total([*cart.values()])\n",
}
CALLED, CALLERS = "total", {"orders.checkout"}


def shop(world: World) -> Path:
    """A repository in which CALLED is called by CALLERS."""
    return world.repository("shop", SHOP)


def callers(world: World, repository: Path, programs: Path) -> set[str]:
    """The callers of CALLED, by the shim in the folder `programs` and the daemon that it starts."""

    async def ask() -> Any:
        arguments = ["--repo", str(repository)]
        program = str(programs / "codeagent-mcp")
        async with official_client(program, arguments, world.environment, world.errors) as client:
            return await client.call_tool("get_callers", {"node_id": CALLED})

    answer = asyncio.run(ask())
    assert not answer.is_error, answer
    return {row["qualified_name"] for row in answer.structured_content["results"]}


def daemon_command(world: World, repository: Path, programs: Path) -> str:
    """The command of the daemon that answered, with the path of its Python."""
    status = [str(programs / "codeagentd"), "status", "--json", "--repo", str(repository)]
    done = subprocess.run(status, env=world.environment, capture_output=True, text=True, check=True)
    return Path(f"/proc/{json.loads(done.stdout)['pid']}/cmdline").read_text()
