"""A call that waits for the first index tells how far it is, and a session is sent a snippet once."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from tests.harness.waiting import let_pass_beside
from tests.harness.world import World

FILES = 1_200  # more than one batch, and seconds of work
Told = list[tuple[float, float, float | None]]


def source(number: int) -> str:
    return "\n".join(
        f"def late_{number}_{part}(book):\n    return late_{(number + 1) % FILES}_{part}(book)\n" for part in range(12)
    )


async def asked(world: World, repo: Path, mode: str, tool: str, arguments: dict[str, Any]) -> tuple[Told, float, Any]:
    told: Told = []

    async def tell(progress: float, total: float | None, message: str | None) -> None:
        told.append((time.monotonic(), progress, total))

    async with world.client(repo, "--toolsets", "all", mode=mode) as client:
        result = await client.call_tool(tool, arguments, progress_callback=tell)
        answered = time.monotonic()
        await let_pass_beside(0.6, "nothing may be told after the answer")
    return told, answered, result


@pytest.mark.limit(180)
@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(("tool", "arguments"), [("index_stats", {}), ("index_files", {"paths": ["books/late_7.py"]})])
def test_a_call_that_waits_for_the_first_index_tells_how_far_it_is(
    world: World, mode: str, tool: str, arguments: dict[str, Any]
) -> None:
    repo = world.repository("library", {f"books/late_{number}.py": source(number) for number in range(FILES)})
    told, answered, result = asyncio.run(asked(world, repo, mode, tool, arguments))
    assert not result.is_error
    values = [value for _, value, _ in told]
    assert len(values) >= 2
    assert values == sorted(set(values))
    assert all(total and value <= total for _, value, total in told)
    assert all(at < answered for at, _, _ in told)
    assert len(told) <= 10 * (answered - told[0][0]) + 1


def test_a_session_is_sent_a_snippet_once_where_it_wants_that_and_the_command_line_always(
    shared_world: World, indexed_shop: Path
) -> None:
    def best(result: Any) -> dict[str, Any]:
        found: dict[str, Any] = result.structured_content["results"][0]
        return found

    async def talk() -> None:
        async with shared_world.client(indexed_shop) as client, shared_world.client(indexed_shop) as other:
            once = {"query": "compute_total", "dedupe": True}
            first = best(await client.call_tool("search_code", once))
            again = best(await client.call_tool("search_code", once))
            resent = best(await client.call_tool("search_code", {"query": "compute_total"}))
            elsewhere = best(await other.call_tool("search_code", once))
        assert "def compute_total" in first["snippet"]
        assert (again["already_sent"], again["snippet"]) == (True, "")
        assert resent == elsewhere == first

    asyncio.run(talk())
    for _ in range(2):
        printed = shared_world.codeagentd("search", "compute_total", "--repo", str(indexed_shop))
        assert "def compute_total" in printed.out
