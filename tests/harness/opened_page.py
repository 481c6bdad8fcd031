"""The page of a daemon in a browser that is signed in to it, and a repository with names that want to be more than text."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from tests.harness.browser import Browser
from tests.harness.window import Window
from tests.harness.world import World

HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)<'
TURNED = "left\u202eright\u202c"  # shown as it is, its second half would be read backwards
ODD_FILES = {
    f"{HOSTILE}.md": f"# {HOSTILE}\n\n## {TURNED}\n",
    f"odd/{TURNED}.py": f'def odd():\n    return "{TURNED}\x1b[31m\u200b"\n',
    "odd/long.py": f"class {'Long' * 12}:\n    def compute_the_total_{'of_all_' * 8}shops(self):\n        return compute_the_total_and_{'then_' * 12}once()\n\n\n"
    f"def compute_the_total_and_{'then_' * 12}once():\n    return 1\n",
    "docs/long.md": "# Long\n\n" + "A sentence that goes on. " * 40 + "\n",
}
SYMBOL = "/symbol/shop.pricing.compute_total"
FILE = "/file/shop/orders/checkout.py"


class Opened(NamedTuple):
    """A browser that is signed in to the page of a repository."""

    chrome: Browser
    base: str  # the origin of the page
    world: World
    repo: Path

    def go(self, path: str) -> None:
        """Open a page of this one."""
        self.chrome.open(self.base + path)
        self.chrome.find("h1")

    def here(self) -> str:
        """The address without the origin."""
        url: str = self.chrome.run("return location.href")
        return url.removeprefix(self.base)


def link(world: World, repo: Path, *flags: str) -> str:
    """The address that signs one browser in."""
    done = world.codeagentd("ui", "--print", "--repo", str(repo), *flags)
    assert done.code == 0, done
    return done.out.strip()


def sign_in(chrome: Browser, world: World, repo: Path, *flags: str) -> Opened:
    """Open the link, and wait for the page behind it."""
    url = link(world, repo, *flags)
    chrome.open(url)
    chrome.find("nav a", "Now")
    return Opened(chrome, url.partition("/#")[0], world, repo)


def remember(window: Window, content: str) -> str:
    """Store a memory; its id."""
    return str(window.must("store", {"type": "decision", "content": content, "project": "shop"}).data["id"])


def first_link(page: Opened, path: str, text: str) -> str:
    """Where an entry of a page leads."""
    page.go(path)
    page.chrome.find("main a", text)
    found: str = page.chrome.run(
        "return [...document.querySelectorAll('main a')].find((one) => one.textContent.includes(arguments[0])).getAttribute('href')",
        text,
    )
    return found


def every_page(page: Opened) -> list[str]:
    """An address of each kind of page, with something on it; and of those that say that there is nothing."""
    return [
        "/", "/search", "/search?q=total", SYMBOL, "/symbol/shop.pricing.HolidayDiscount", "/symbol/web/cart.ts:3", "/symbol/nobody", "/tree/",
        "/tree/shop", FILE, f"{FILE}#L6", f"/file/{quote(HOSTILE)}.md", f"/file/{quote(f'odd/{TURNED}.py')}", "/file/missing.py", "/flow",
        "/flow?source=checkout_twice&target=compute_total", "/flow?source=checkout_twice", "/map", "/change", "/change?symbol=compute_total", "/change?until=HEAD",
        "/memories", first_link(page, "/memories", "compute_total"), "/memories?about=rounds", "/search?q=compute+the+total", "/flow?source=LongLongLongLongLongLongLongLongLongLongLongLong", "/tasks", "/workspace", "/tests/shop.pricing.compute_total",
        "/history/shop/pricing.py",
    ]  # fmt: skip
