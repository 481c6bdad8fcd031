"""What a store of shared facts saves: a fresh clone's first true answer and whole index, cold and warm in pairs.

`python -m tests.bench.sharing CLONE… [--rounds 3] [--function NAME]` measures any clones; `make bench BENCH='--only
share'` measures Django.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench import corpora
from tests.bench.figures import Figure
from tests.bench.first_answers import ask, functions
from tests.harness.world import World

MEGABYTE: Final = 1e6
FIRST_S: Final = 2.0  # targets
SHARE_OF_COLD: Final = 0.5
MOVED_MB: Final = 15.0


class Start(NamedTuple):
    """One machine's start with a clone: seconds to its first true answer (callers of a function) and its whole index,
    both from the start of a daemon that does nothing else; bytes that it fetched; seconds of the pull.
    """

    first_s: float
    whole_s: float
    fetched: int = 0
    pull_s: float = 0.0


def start(root: Path, name: str, store: str) -> Start:
    """Begin on a machine that has nothing, with `store` ('': none): once with a question, once without."""
    with World() as world:
        world.environment["CODEAGENT_SHARE_URL"] = store
        began = time.monotonic()
        window = world.window(root)
        window.initialize()
        first_s = ask(window, name, began).callers
    with World() as world:
        world.environment["CODEAGENT_SHARE_URL"] = store
        began = time.monotonic()
        world.index(root)
        whole_s = time.monotonic() - began
        pull = world.codeagentd("share", "status", "--repo", str(root), "--json").json["last_pull"] if store else {}
        return Start(first_s, whole_s, pull.get("bytes", 0), pull.get("seconds", 0.0))


def pairs(root: Path, name: str, rounds: int) -> list[tuple[Start, Start]]:
    """Return (cold, warm) starts, one after the other, after the facts of `root` were pushed."""
    with World() as world:
        store = str(world.base / "store")
        pushed = world.codeagentd("share", "push", "--repo", str(root), "--store", store, patience_s=3600)
        assert pushed.code == 0, pushed
        return [(start(root, name, ""), start(root, name, store)) for _ in range(rounds)]


def figures(root: Path, name: str, rounds: int) -> Iterator[Figure]:
    """The medians of `rounds` pairs."""
    measured = pairs(root, name, rounds)
    cold, warm = [pair[0] for pair in measured], [pair[1] for pair in measured]
    whole = statistics.median(start.whole_s for start in cold), statistics.median(start.whole_s for start in warm)
    detail = f"median of {rounds} pairs; cold {whole[0]:.1f} s, warm {whole[1]:.1f} s"
    yield Figure(
        "share", f"{root.name}: first true answer, warm", statistics.median(start.first_s for start in warm), "s",
        FIRST_S, detail=f"callers of {name}; cold {statistics.median(start.first_s for start in cold):.2f} s",
    )  # fmt: skip
    ratio = statistics.median(two.whole_s / one.whole_s for one, two in measured)
    yield Figure("share", f"{root.name}: whole index, warm to cold", ratio, "x", SHARE_OF_COLD, detail=detail)
    yield Figure(
        "share",
        f"{root.name}: fetched",
        warm[0].fetched / MEGABYTE,
        "MB",
        MOVED_MB,
        detail=f"pull {warm[0].pull_s:.1f} s",
    )


def sharing(rounds: int) -> Iterator[Figure]:
    """Django."""
    with World() as world:
        yield from figures(corpora.repository(world, "django"), "get_object_or_404", rounds)


def main(argv: Sequence[str] | None = None) -> None:
    """Print the figures of clones."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--function", default="", help="whose callers are asked for (default: a random one)")
    options = parser.parse_args(argv)
    for clone in options.clones:
        name = options.function or functions(clone, 1, 1)[0]
        for figure in figures(clone, name, options.rounds):
            print(figure.line(), flush=True)


if __name__ == "__main__":
    main()
