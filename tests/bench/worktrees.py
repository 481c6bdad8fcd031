"""What a second worktree costs beside a cold one: time until its index has caught up, and disk."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.bench import corpora
from tests.bench.cost import disk_mb
from tests.bench.figures import Figure, median
from tests.harness.waiting import let_pass
from tests.harness.world import World


class Pair(NamedTuple):
    """One cold worktree and the one after it: seconds from `codeagentd index --wait` to its end, and MB of indexes and facts."""

    cold_s: float
    second_s: float
    cold_mb: float
    second_mb: float


def pair(name: str) -> Pair:
    """Index a repository without stored facts, with its text, and then a second worktree of it."""
    with World() as world:
        first, second = corpora.repository(world, name), world.base / "second"
        cold_s, cold_mb = timed(world, first), settled_mb(world, first)
        world.git(first, "worktree", "add", "-q", "-b", "second", str(second))
        second_s = timed(world, second)
        return Pair(cold_s, second_s, cold_mb, settled_mb(world, second) - cold_mb)


def timed(world: World, root: Path) -> float:
    """Seconds until the index of a worktree has caught up, from the start of its daemon."""
    started = time.perf_counter()
    world.index(root)
    return time.perf_counter() - started


def settled_mb(world: World, root: Path) -> float:
    """What the cache has when text search has everything too and the daemon has left."""
    assert world.codeagentd("search", "--repo", str(root), "how are requests routed").code == 0
    let_pass(TEXT_S, "text search gets the rest")
    assert world.codeagentd("stop", "--repo", str(root)).code == 0
    return disk_mb(*(f"{world.environment['CODEAGENT_CACHE_DIR']}/{part}" for part in ("worktrees", "repositories")))


TEXT_S = 20.0  # text is written in the background after the graph: 8 s for Django


def worktrees(rounds: int) -> Iterator[Figure]:
    """Django; the median of the times."""
    pairs = [pair("django") for _ in range(rounds)]
    cold, second = median(one.cold_s for one in pairs), median(one.second_s for one in pairs)
    yield Figure(
        "worktrees", "cold worktree, queryable", cold, "s", detail=f"median of {rounds}, start of the daemon included"
    )
    yield Figure("worktrees", "second worktree, queryable", second, "s")
    yield Figure(
        "worktrees", "second over cold, time", second / cold, "x", 0.2, detail=f"{cold / second:.1f} times sooner"
    )
    yield Figure("worktrees", "cold worktree, index and facts", pairs[0].cold_mb, "MB")
    yield Figure(
        "worktrees", "second worktree, what it adds", pairs[0].second_mb, "MB", detail="a file of two names counts once"
    )
    yield Figure("worktrees", "second over cold, disk", max(one.second_mb / one.cold_mb for one in pairs), "x", 0.4)
