"""What the page of the daemon costs its reader and the daemon, in Chromium: `python -m tests.bench.page REPO`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

import psutil

from tests.bench.figures import HEADING, Figure, median
from tests.bench.idle import cost
from tests.harness.browser import MISSING, Browser, browser
from tests.harness.processes import MEGABYTE
from tests.harness.waiting import comes, eventually, let_pass
from tests.harness.world import World

ROUNDS: Final = 5
SETTLING_S: Final = 70.0  # workers are ended after a minute
WATCHED_S: Final = 30.0
WATCHES: Final = 3  # the daemon does rounds of its own: the median of so many is what a page costs

PAINTED: Final = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime || 0"
TRANSFERRED: Final = """
const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
return [all.reduce((sum, one) => sum + one.transferSize, 0), all.length]
"""
SETTLED: Final = """
const all = performance.getEntriesByType("resource")
const known = window.known
window.known = all.length
return document.readyState === "complete" && all.length === known
"""
# from the event of the click to the frame that shows the new content
CLICK: Final = """
const [address] = arguments
const main = document.getElementById("main")
const link = [...document.querySelectorAll("a[href]")].find((one) => one.getAttribute("href") === address)
return new Promise((done) => {
  const began = performance.now()
  new MutationObserver((_, observer) => {
    observer.disconnect()
    const changed = performance.now() - began
    requestAnimationFrame(() => setTimeout(() => done([changed, performance.now() - began])))
  }).observe(main, { childList: true })
  link.click()
})
"""
LINKS: Final = """
return [...document.querySelectorAll("main .source a, main a.main-link")].map((one) => one.getAttribute("href")).filter((one) => one.startsWith("/symbol/"))
"""


def page(repo: Path) -> Iterator[Figure]:
    """The figures of the page of this repository; its index is made in a world of its own."""
    with World() as world, tempfile.TemporaryDirectory() as place:
        world.index(repo)
        pid = world.daemon(repo)
        symbol, file, text = busiest(world, repo)
        let_pass(SETTLING_S, "daemons end their workers")
        closed = [watched(pid) for _ in range(WATCHES)]
        with browser(Path(place)) as chrome:
            base = signed_in(chrome, world, repo)
            sizes = {"Now": "/", "a symbol": symbol, "a file": file, "a search": f"/search?q={quote(text)}"}
            yield Figure(
                "page",
                "first paint: one word, for comparison",
                median(painted(chrome, "data:text/html,<p>word") for _ in range(ROUNDS)),
                "ms",
            )
            for name, path in sizes.items():
                paints = [painted(chrome, base + path) for _ in range(ROUNDS)]
                yield Figure(
                    "page",
                    f"first paint: {name}",
                    median(paints),
                    "ms",
                    300,
                    "",
                    f"{paints[0]:.0f} to begin with; {path[:60]}",
                )
            yield from clicks(chrome, base, file)
            yield from transferred(world, repo, Path(place), symbol)
            yield from opened(chrome, base + symbol, pid, closed)


def busiest(world: World, repo: Path) -> tuple[str, str, str]:
    """A symbol that is used much, as its page and the page of its file, and words of its name."""
    overview = world.codeagentd("call", "architecture_overview", "limit=10", "--repo", str(repo)).json
    node = next(node for node in overview["god_nodes"] if node["path"])
    return (
        f"/symbol/{quote(node['path'])}:{node['line']}",
        f"/file/{quote(node['path'])}",
        node["name"].removesuffix("()").replace("_", " "),
    )


def signed_in(chrome: Browser, world: World, repo: Path) -> str:
    """Sign a browser in; the origin of the page."""
    url = world.codeagentd("ui", "--print", "--repo", str(repo)).out.strip()
    chrome.open(url)
    chrome.find("nav a", "Now")
    return url.partition("/#")[0]


def painted(chrome: Browser, url: str) -> float:
    """Milliseconds from the start of the navigation to the first text on the screen, with nothing in the browser's cache."""
    chrome.devtools("Network.clearBrowserCache")
    chrome.open("about:blank")
    chrome.open(url)
    return float(eventually(lambda: chrome.run(PAINTED)))


def clicks(chrome: Browser, base: str, file: str) -> Iterator[Figure]:
    """How soon a click on a reference of a file shows its symbol."""
    chrome.open(base + file)
    chrome.find(".source")
    addresses = list(dict.fromkeys(chrome.run(LINKS)))[:20]
    changed, shown = [], []
    for address in addresses:
        chrome.open(base + file)
        eventually(lambda: chrome.run(SETTLED))
        times = chrome.run(CLICK, address)
        changed.append(times[0])
        shown.append(times[1])
    slowest = f"{max(changed):.0f} the slowest of {len(addresses)}; {median(shown):.0f} until it is painted"
    yield Figure("page", "a click to the new content", median(changed), "ms", 50, "", slowest)


def transferred(world: World, repo: Path, place: Path, symbol: str) -> Iterator[Figure]:
    """What the first visit of a symbol's page fetches, all that comes later with it."""
    second = place / "second"
    second.mkdir()
    with browser(second) as chrome:
        base = signed_in(chrome, world, repo)
        chrome.devtools("Network.clearBrowserCache")
        chrome.open("about:blank")
        chrome.open(base + symbol)
        eventually(lambda: chrome.run(SETTLED))
        let_pass(2, "parts that take longer come after the page")
        size, count = chrome.run(TRANSFERRED)
    yield Figure("page", "first visit of a symbol", size / 1_000, "kB", 150, "", f"{count} requests; {symbol[:60]}")


def opened(chrome: Browser, url: str, pid: int, closed: list[tuple[float, float]]) -> Iterator[Figure]:
    """What an open page of a symbol costs the daemon, beside what it cost with none."""
    chrome.open("about:blank")
    let_pass(5, "what was asked before is over")
    before = memory(pid)
    chrome.open(url)
    chrome.find(".source")
    comes(lambda: chrome.run(SETTLED), 5)
    let_pass(5, "the page is complete")
    idle = [watched(pid) for _ in range(WATCHES)]
    after = memory(pid)
    busy, wakes = (median(one[at] for one in idle) for at in (0, 1))
    busy_closed, wakes_closed = (median(one[at] for one in closed) for at in (0, 1))
    detail = f"of one core; {busy_closed:.2f} without a page; {wakes:.1f} wake-ups a second, {wakes_closed:.1f} without"
    yield Figure("page", "processor of the daemon, one idle page", busy, "%", 0.5, "", detail)
    yield Figure("page", "memory for one open page", after - before, "MB", 5, "", f"{after:.0f} MB with it")


def watched(pid: int) -> tuple[float, float]:
    """Percent of a core, and wake-ups a second, of a process while nothing is asked."""
    before = cost(pid)
    let_pass(WATCHED_S, "what it costs meanwhile is the figure")
    after = cost(pid)
    return (after[0] - before[0]) / WATCHED_S * 100, (after[1] - before[1]) / WATCHED_S


def memory(pid: int) -> float:
    """The memory that is the process's alone, in MB: mapped files of the index do not count."""
    return float(psutil.Process(pid).memory_full_info().uss) / MEGABYTE


def main() -> int:
    """Measure and print; 0 when it could be measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.page", description=__doc__)
    parser.add_argument("repo", type=Path, metavar="REPO", help="a repository; nothing is written into it")
    repo = parser.parse_args().repo.resolve()
    if MISSING:
        print(f"error: {MISSING}", file=sys.stderr)
        return 1
    subprocess.run([sys.executable, "-m", "compileall", "-q", "daemon", "shim", "protocol"], check=False)
    print(HEADING)
    for figure in page(repo):
        print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
