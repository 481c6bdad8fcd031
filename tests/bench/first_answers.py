"""The first answers of a daemon without an index: how long they take from its start, and how true they are.

`python -m tests.bench.first_answers CLONE [--names 20] [--group 1] [--truth] [--seed 1]`. Each group of functions gets a
daemon of its own, which has never seen the repository; for the first function of a group the time counts from the
daemon's start, for the others from the question. With `--truth` the whole repository is indexed first, and each list of
callers is compared with that of the finished index.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeagent_protocol.errors import NOT_FOUND
from codeagentd.extract.file_facts import extract
from codeagentd.languages.language import language_of, languages
from codeagentd.model.kinds import SymbolKind
from codeagentd.vcs import git
from tests.harness.waiting import let_pass
from tests.harness.window import Window
from tests.harness.world import World

PATIENCE_S: Final = 60.0
AGAIN_S: Final = 0.2  # seconds until a question without a true answer is asked again
MAX_BYTES: Final = 200_000  # of a file from which functions are chosen
LIMIT: Final = 500

Site = tuple[str, int]


class Times(NamedTuple):
    """The seconds until a function was found, and until its callers were known; `sites` where it is called."""

    lookup: float
    callers: float
    sites: set[Site]


def functions(root: Path, count: int, seed: int) -> list[str]:
    """Return the names of random functions of random files, each of another file."""
    paths = git.list_files(root) or [path.relative_to(root).as_posix() for path in root.rglob("*.*") if path.is_file()]
    chosen = random.Random(seed)
    names: dict[str, None] = {}
    for path in chosen.sample(sorted(paths), len(paths)):
        language = language_of(path)
        if language is None or languages()[language].modules.is_data or len(names) >= count:
            continue
        place = root / path
        if place.is_file() and place.stat().st_size < MAX_BYTES:
            facts = extract(place.read_bytes(), language)
            here = [symbol.name for symbol in facts.symbols if symbol.kind in (SymbolKind.FUNCTION, SymbolKind.METHOD)]
            if here:
                names[chosen.choice(here)] = None
    return list(names)


def until_true(window: Window, tool: str, arguments: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Ask until the answer is true: it has the function, or says that every file that mentions it was read."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        answer = window.call(tool, arguments)
        if not answer.failed:
            items = answer.items
            is_whole = answer.watermark.get("caught_up") or "more may exist" not in str(answer.data.get("note"))
            if any(item["name"] == name for item in items) if tool == "search_symbols" else is_whole:
                return items
        elif answer.error_code != NOT_FOUND:
            return []  # several definitions have the name
        if time.monotonic() > deadline:
            return []
        let_pass(AGAIN_S, "an agent asks again after a moment")


def ask(window: Window, name: str, began: float) -> Times:
    """Look a function up, and ask for its callers."""
    until_true(window, "search_symbols", {"query": name, "limit": 5}, name)
    lookup = time.monotonic() - began
    items = until_true(window, "get_callers", {"node_id": name, "limit": LIMIT}, name)
    sites = {(site["file_path"], site["line"]) for item in items for site in item["sites"]}
    return Times(lookup, time.monotonic() - began, sites)


def cold(root: Path, names: Sequence[str], group: int) -> Iterator[tuple[str, Times]]:
    """Yield the times of each function, with a new daemon for each group."""
    for at in range(0, len(names), group):
        with World() as world:
            began = time.monotonic()
            window = world.window(root, "--toolsets", "all")
            window.initialize()
            for name in names[at : at + group]:
                yield name, ask(window, name, began)
                began = time.monotonic()


def truth(root: Path, names: Sequence[str]) -> dict[str, set[Site]]:
    """Return where the finished index knows each function to be called."""
    with World() as world:
        world.index(root)
        window = world.connect(root, "--toolsets", "all")
        return {name: ask(window, name, time.monotonic()).sites for name in names}


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values lie."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    """Print the figures of one repository."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clone", type=Path)
    parser.add_argument("--names", type=int, default=20)
    parser.add_argument("--group", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--truth", action="store_true")
    options = parser.parse_args()
    names = functions(options.clone, options.names, options.seed)
    known = truth(options.clone, names) if options.truth else {}
    results = dict(cold(options.clone, names, options.group))
    for name, times in results.items():
        print(f"{name:40} lookup {times.lookup:5.2f} s, callers {times.callers:5.2f} s, {len(times.sites)} sites")
    for what in ("lookup", "callers"):
        values = [getattr(times, what) for times in results.values()]
        middle, high = statistics.median(values), percentile(values, 0.95)
        print(f"{what}: p50 {middle:.2f} s, p95 {high:.2f} s of {len(values)} functions")
    if known:
        expected = sum(len(sites) for sites in known.values())
        matches = sum(len(known[name] & results[name].sites) for name in known)
        false = sum(len(results[name].sites - known[name]) for name in known)
        for name in known:
            for site in sorted(known[name] ^ results[name].sites)[:5]:
                print(f"{'lacks' if site in known[name] else 'adds'} {name} {site[0]}:{site[1]}")
        print(f"call sites: {matches} of {expected} of the finished index, and {false} others")


if __name__ == "__main__":
    main()
