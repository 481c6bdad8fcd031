"""`codeagentd ui` of a real daemon, as a person uses it in Chromium."""

from __future__ import annotations

import contextlib
import functools
import http.server
import importlib.resources
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest

from tests.e2e.conftest import SHOP
from tests.e2e.test_report import HOSTILE
from tests.harness import processes
from tests.harness.browser import MISSING, Browser, browser
from tests.harness.waiting import eventually
from tests.harness.window import Window
from tests.harness.world import World

pytestmark = [pytest.mark.skipif(bool(MISSING), reason=MISSING), pytest.mark.limit(120)]

TURNED = "left\u202eright\u202c"  # shown as it is, its second half would be read backwards
FILES = SHOP | {
    f"{HOSTILE}.md": f"# {HOSTILE}\n\n## {TURNED}\n",
    f"odd/{TURNED}.py": f'def odd():\n    return "{TURNED}\x1b[31m\u200b"\n',
    "odd/long.py": f"class {'Long' * 12}:\n    def compute_the_total_{'of_all_' * 8}shops(self):\n        return compute_the_total_and_{'then_' * 12}once()\n\n\n"
    f"def compute_the_total_and_{'then_' * 12}once():\n    return 1\n",
    "docs/long.md": "# Long\n\n" + "A sentence that goes on. " * 40 + "\n",
}
SYMBOL = "/symbol/shop.pricing.compute_total"
FILE = "/file/shop/orders/checkout.py"
AWAY = "http://localhost:{port}/"  # another site than 127.0.0.1, though the same machine


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


@pytest.fixture(scope="module")
def filled(shared_world: World) -> tuple[World, Path]:
    """A repository with its index, a memory, a task, and names that want to be more than text."""
    repo = shared_world.repository("shop", FILES)
    shared_world.commit(repo)
    with (repo / "shop/orders/checkout.py").open("a") as file:  # a change that is not committed
        file.write("\n\ndef checkout_often(cart):\n    return checkout_twice(cart)\n")
    shared_world.index(repo)
    window = shared_world.connect(repo, "--toolsets", "all")
    remember(window, "compute_total sums before it rounds")
    remember(window, f"About {HOSTILE} and {TURNED}")
    window.must("create_task", {"project": "shop", "name": f"Look at {HOSTILE} {TURNED}", "description": "of names"})
    window.close()
    return shared_world, repo


@pytest.fixture(scope="module")
def opened(filled: tuple[World, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    with browser(tmp_path_factory.mktemp("chromium")) as chrome:
        yield sign_in(chrome, *filled)


@pytest.fixture
def page(opened: Opened) -> Iterator[Opened]:
    """The first page. What a test does with it has nothing to complain about, and asks only this server."""
    opened.go("/")
    opened.chrome.log("browser")
    opened.chrome.requests()
    yield opened
    assert [entry["message"] for entry in opened.chrome.log("browser")] == []
    assert {url[: len(opened.base) + 1] for url in opened.chrome.requests()} <= {f"{opened.base}/"}


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Browser]:
    """A browser that knows nobody."""
    with browser(tmp_path) as chrome:
        yield chrome


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


# -- signing in


def test_the_link_signs_in_once_and_its_token_is_nowhere_afterwards(filled: tuple[World, Path], fresh: Browser):
    url = link(*filled)
    fresh.open(url)
    fresh.find("nav a", "Now")
    assert fresh.run("return location.href") == url.partition("#")[0]
    assert fresh.run("return document.cookie") == ""
    cookies = fresh.ask("GET", "/cookie")
    assert [(one["httpOnly"], one["sameSite"]) for one in cookies] == [(True, "Strict")]
    fresh.ask("DELETE", "/cookie")
    fresh.open("about:blank")
    fresh.open(url)
    fresh.find("[role=alert]", "used before")
    assert "codeagentd ui" in fresh.text("main")
    assert "token=" not in fresh.run("return location.href")


def test_a_wrong_token_says_what_to_do(filled: tuple[World, Path], fresh: Browser):
    fresh.open(link(*filled).partition("=")[0] + "=nonsense")
    fresh.find("[role=alert]", "used before, or it is older than ten minutes")
    assert "codeagentd ui" in fresh.text("main")


def test_a_link_to_a_symbol_leads_there_after_signing_in(filled: tuple[World, Path], fresh: Browser):
    base, _, fragment = link(*filled).partition("/#")
    fresh.open(f"{base}{SYMBOL}#{fragment}")
    fresh.find("h1", "compute_total")
    assert fresh.run("return location.href") == base + SYMBOL
    fresh.ask("DELETE", "/cookie")
    fresh.open("about:blank")
    fresh.open(f"{base}/search?q=total")
    fresh.write("#token", link(*filled).partition("#token=")[2])
    fresh.click("button")
    fresh.find("h1", "Search")
    assert fresh.run("return location.href") == f"{base}/search?q=total"


def test_who_signs_out_is_asked_to_sign_in(filled: tuple[World, Path], fresh: Browser):
    page = sign_in(fresh, *filled)
    page.go(SYMBOL)
    fresh.click("footer button", "Sign out")
    fresh.find("#token")
    fresh.open(page.base + SYMBOL)
    fresh.find("#token")


def test_two_repositories_are_open_side_by_side(filled: tuple[World, Path], fresh: Browser):
    world, repo = filled
    depot = world.repository("depot", {"depot.py": "def shelve():\n    return 1\n"})
    world.index(depot)
    one, other = sign_in(fresh, world, repo), sign_in(fresh, world, depot)
    assert one.base != other.base
    one.go(SYMBOL)
    assert fresh.text(".brand") == "shop"
    other.go("/symbol/shelve")
    assert fresh.text(".brand") == "depot"
    world.codeagentd("stop", "--repo", str(depot))


# -- looking around


def test_every_page_opens_and_asks_nobody_else(page: Opened):
    for path in every_page(page):
        missing = path in ("/symbol/nobody", "/file/missing.py")
        page.go(path)
        if missing:
            page.chrome.find("[role=alert]")
            page.chrome.log("browser")  # it names the address that is not there
        else:
            assert (
                page.chrome.run("return document.querySelector('[role=alert], .trouble:not(#connection)')") is None
            ), path


def test_a_reference_in_a_file_leads_to_its_symbol_and_back_to_where_one_was(page: Opened):
    page.go(FILE)
    page.chrome.run("window.stays = 1")
    page.chrome.click(".source a.reference, .source a.guess", "compute_total")
    eventually(lambda: "compute_total" in page.chrome.text("h1"))
    assert "Callers 1" in page.chrome.text("main")
    assert page.here().startswith("/symbol/")
    assert page.chrome.run("return document.title").startswith("compute_total")
    page.chrome.run("history.back()")
    eventually(lambda: "checkout.py" in page.chrome.text("h1"))
    assert (page.here(), page.chrome.run("return window.stays")) == (FILE, 1)  # no new document in between


def test_a_line_that_is_linked_to_is_marked_and_seen(page: Opened):
    page.go("/symbol/shop.orders.checkout.checkout_cart")
    page.chrome.click(".sites a.place", "checkout.py:12")
    eventually(lambda: page.here() == f"{FILE}#L12")
    eventually(lambda: page.chrome.run("return document.querySelector('tr:target')?.id") == "L12")
    box = page.chrome.run(
        "const box = document.querySelector('tr:target').getBoundingClientRect(); return [box.top, innerHeight]"
    )
    assert 0 < box[0] < box[1]


def test_the_keyboard_alone_finds_and_opens_a_symbol(page: Opened):
    page.chrome.press("/")
    page.chrome.press(*"compute_tot")
    page.chrome.find("#suggestions li", "shop.pricing.compute_total")
    page.chrome.press("down", "enter")
    eventually(lambda: "compute_total" in page.chrome.text("h1"))
    assert page.chrome.run("return document.activeElement.id") == "main"


def test_g_and_a_letter_opens_each_page(page: Opened):
    titles = {
        "f": "Search",
        "t": "shop",
        "w": "Flow",
        "c": "Change",
        "k": "Memories",
        "b": "Tasks",
        "p": "Workspace",
        "m": "Map",
        "n": "Now",
    }
    for letter, title in titles.items():
        page.chrome.press("g", letter)
        eventually(lambda title=title: page.chrome.text("h1").startswith(title))
    page.chrome.press("?")
    page.chrome.find("dialog[open] h2", "Keys")
    page.chrome.press("escape")
    eventually(lambda: page.chrome.run("return document.querySelector('dialog').open") is False)


def test_arrows_walk_through_the_entries_and_enter_opens_one(page: Opened):
    page.go("/tree/shop")
    page.chrome.press("down", "down", "down", "up")
    assert page.chrome.run("return document.activeElement.textContent") == "orders/"
    page.chrome.press("enter")
    eventually(lambda: page.here() == "/tree/shop/orders")


def test_escape_leaves_a_field(page: Opened):
    page.chrome.press("/", "x")
    assert page.chrome.run("return document.activeElement.id") == "q"
    page.chrome.press("escape")
    assert page.chrome.run("return document.activeElement === document.body")
    page.go("/memories")
    page.chrome.click("main input[name=about]")
    page.chrome.press("g", "n", "escape")  # letters are letters in a field
    assert (page.here(), page.chrome.run("return document.activeElement === document.body")) == ("/memories", True)


def test_the_name_of_one_symbol_opens_it_and_back_leads_to_where_one_was(page: Opened):
    page.chrome.run("window.stays = 1")
    page.chrome.press("/", *"checkout_twice", "enter")
    eventually(lambda: "checkout_twice" in page.chrome.text("h1"))
    assert page.here().startswith("/symbol/")
    page.chrome.run("history.back()")
    eventually(lambda: (page.here(), page.chrome.text("h1")) == ("/", "Now"))
    assert page.chrome.run("return window.stays") == 1


def test_a_search_and_its_kind_are_in_the_address(page: Opened):
    page.chrome.write("#q", "total")
    page.chrome.press("enter")
    page.chrome.find("h1", "Search")
    assert page.here().startswith("/search?q=total")
    page.chrome.find("select[name=kind]")
    page.chrome.run("document.querySelector('select[name=kind]').value = 'class'")
    page.chrome.click("main form button")
    eventually(lambda: page.here() == "/search?q=total&kind=class")


def test_a_path_and_a_name_that_one_symbol_has_lead_there_at_once(page: Opened):
    for text, place in (("shop/pricing.py:2", "/file/shop/pricing.py#L2"), ("compute_total", "/symbol/")):
        page.go("/")
        page.chrome.write("#q", text)
        page.chrome.press("enter")
        eventually(lambda place=place: page.here().startswith(place))


# -- following what happens


WATCH = """
const [main, name] = [document.getElementById("main"), arguments[0]]
new MutationObserver(() => { if (!window[name] && main.textContent.includes(name)) window[name] = Date.now() }).observe(main, { childList: true, subtree: true })
"""


def test_a_save_is_on_the_page_of_the_file_at_once(page: Opened):
    page.go("/file/shop/pricing.py")
    source = page.repo / "shop/pricing.py"
    before, delays = source.read_text(), []
    try:
        for at in range(4):
            name = f"added_later_{at}"
            page.chrome.run(WATCH, name)
            page.chrome.run("return new Promise((done) => setTimeout(done, 400))")
            began = time.time()
            source.write_text(before + f"\n\ndef {name}():\n    return compute_total([1.0])\n")
            delays.append(eventually(lambda name=name: page.chrome.run(f"return window.{name} || 0")) / 1000 - began)
            page.chrome.find("aside a", name)
    finally:
        source.write_text(before)
    print("on the page after it was written:", *(f"{delay * 1000:.0f} ms" for delay in delays))
    assert min(delays) <= 1.0  # the first one also starts the workers; 0.3 s where nothing else runs


def test_what_a_reader_has_begun_with_stays_while_files_change(page: Opened):
    source = page.repo / "shop/pricing.py"
    before = source.read_text()
    page.go("/file/shop/pricing.py")
    page.chrome.run("getSelection().selectAllChildren(document.querySelector('h1'))")
    try:
        source.write_text(before + "\nLATER = 1\n")
        page.world.index(page.repo)
        page.chrome.run("return new Promise((done) => setTimeout(done, 700))")
        assert "LATER" not in page.chrome.text("main")
        page.chrome.run("getSelection().removeAllRanges()")
        page.chrome.find(".source", "LATER")
    finally:
        source.write_text(before)


def test_a_memory_and_a_question_appear_without_a_reload(page: Opened):
    window = page.world.connect(page.repo, "--toolsets", "all")
    page.go("/memories")
    page.chrome.run("window.stays = 1")
    remember(window, "Zebras are striped")
    page.chrome.find("main li", "Zebras are striped")
    page.chrome.press("g", "n")
    page.chrome.find("h2", "Last questions")
    window.must("search_symbols", {"query": "a_name_nobody_has"})
    page.chrome.find("td", "a_name_nobody_has")
    assert page.chrome.run("return window.stays") == 1
    window.close()


def test_a_killed_daemon_is_told_and_the_page_comes_back_with_the_next_one(world: World, fresh: Browser):
    repo = world.repository("shop", SHOP)
    world.index(repo)
    page = sign_in(fresh, world, repo)
    page.go("/file/shop/pricing.py")
    fresh.run("window.stays = 1")
    pid = world.daemon(repo)
    os.kill(pid, signal.SIGKILL)
    assert processes.ended(pid)
    fresh.find("#connection", "does not answer")
    (repo / "shop/pricing.py").write_text("def meanwhile():\n    return 1\n")
    assert world.codeagentd("start", "--repo", str(repo)).code == 0
    eventually(lambda: fresh.text("#connection") == "")
    fresh.find(".source", "meanwhile")
    assert fresh.run("return window.stays") == 1


# -- strangers


def test_names_with_markup_and_turned_letters_are_text_and_seen(page: Opened):
    memory, turned = first_link(page, "/memories", HOSTILE), "left⟨202E⟩right⟨202C⟩"
    shown = {
        "/tree/": (HOSTILE,), "/tree/odd": (f"{turned}.py",), f"/file/{quote(HOSTILE)}.md": (HOSTILE, turned),
        f"/file/{quote(f'odd/{TURNED}.py')}": (f"{turned}⟨1B⟩[31m⟨200B⟩", turned), f"/search?q={quote('onerror')}": (HOSTILE,),
        "/memories": (HOSTILE, turned), memory: (HOSTILE, turned), "/tasks": (HOSTILE, turned), f"/memories?about={quote(HOSTILE)}": (HOSTILE,),
        f"/flow?source={quote(HOSTILE)}": (), f"/change?symbol={quote(HOSTILE)}": (), f"/change?base={quote(HOSTILE)}": (),
    }  # fmt: skip
    for path, texts in shown.items():
        page.go(path)
        text = page.chrome.text("main")
        assert [one for one in texts if one not in text] == [], path
        assert TURNED not in page.chrome.run("return document.documentElement.outerHTML"), path
        assert (
            page.chrome.run("return document.querySelectorAll('main img, main script, main [onerror]').length") == 0
        ), path
    page.chrome.log("browser")  # it names what is not there
    page.chrome.press("/")
    page.chrome.press(*"onerr")
    page.chrome.find("#suggestions li", HOSTILE)
    page.chrome.press("escape")
    page.go(f"/file/{quote(f'odd/{TURNED}.py')}")
    page.chrome.click("aside a.main-link", "odd")
    eventually(lambda: page.here().startswith("/symbol/"))
    assert TURNED not in page.chrome.run("return document.title")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@contextlib.contextmanager
def elsewhere(folder: Path, text: str) -> Iterator[int]:
    """A server of this machine with one page; its port."""
    (folder / "index.html").write_text(text)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


TRIES = """
const [base, id, ways] = arguments
const fields = () => new URLSearchParams({ id })
const answered = (promise) => promise.then(async (response) => `${response.type} ${response.status} ${(await response.text()).length}`, () => "refused")
return Promise.all([
  answered(fetch(base + "/", { credentials: "include" })),
  answered(fetch(base + "/file/shop/pricing.py", { credentials: "include", mode: "no-cors" })),
  answered(fetch(base + "/edit/delete", { credentials: "include", method: "POST", body: fields() })),
  answered(fetch(base + "/edit/delete", { credentials: "include", method: "POST", body: fields(), mode: "no-cors" })),
  new Promise((done) => { const events = new EventSource(base + "/events", { withCredentials: true }); events.onopen = () => done("open"); events.onerror = () => { events.close(); done("refused") } }),
  new Promise((done) => { const script = document.createElement("script"); script.src = base + "/static/1/page.js"; script.onload = () => done("ran"); script.onerror = () => done("refused"); document.head.append(script) }),
])
"""


def test_a_page_of_another_origin_neither_reads_nor_writes(filled: tuple[World, Path], fresh: Browser, tmp_path: Path):
    page = sign_in(fresh, *filled, "--write")
    window = page.world.connect(page.repo, "--toolsets", "all")
    memory = remember(window, "It is to stay")
    text = f'<!doctype html><a href="{page.base}/tasks">in</a><form method="post" action="{page.base}/edit/delete"><input name="id" value="{memory}"><button>Win</button></form>'
    (tmp_path / "site").mkdir()
    with elsewhere(tmp_path / "site", text) as port:
        for origin in (f"http://127.0.0.1:{port}/", f"http://localhost:{port}/"):
            fresh.open(origin)
            assert fresh.run(TRIES, page.base, memory) == ["refused"] * 6, origin
            fresh.click("button")
            eventually(lambda: "forbidden" in fresh.run("return document.body.textContent"))
            fresh.open(origin)
            fresh.click(
                "a"
            )  # a link is only a link: it opens the page, also where the browser keeps the cookie back at first
            fresh.find("h1", "Tasks")
    assert window.must("read", {"id": memory}).data["content"] == "It is to stay"
    window.close()


# -- writing


def test_a_browser_that_may_write_makes_tasks_and_mends_memories(filled: tuple[World, Path], fresh: Browser):
    page = sign_in(fresh, *filled, "--write")
    page.go("/tasks")
    fresh.write("input[name=project]", "shop")
    fresh.write("input[name=name]", "Count the shelves")
    fresh.click("button", "Create")
    fresh.find("#state-pending")
    eventually(lambda: "Count the shelves" in fresh.text("section:has(#state-pending)"))
    fresh.run(
        "[...document.querySelectorAll('.card')].find((one) => one.textContent.includes('Count the shelves')).querySelector('button').click()"
    )
    eventually(lambda: "Count the shelves" in fresh.text("section:has(#state-done)"))
    window = page.world.connect(page.repo, "--toolsets", "all")
    memory = remember(window, "Shelves are of wod")
    page.go(f"/memories?id={memory}")
    fresh.run("document.querySelector('textarea').value = 'Shelves are of wood'")
    remember(window, "Something else, meanwhile")
    fresh.run("return new Promise((done) => setTimeout(done, 700))")
    fresh.click("button", "Save")
    fresh.find("pre", "Shelves are of wood")
    assert window.must("read", {"id": memory}).data["content"] == "Shelves are of wood"
    fresh.click("summary")
    fresh.click("button", "Delete this memory")
    fresh.find("h1", "Memories")
    assert window.call("read", {"id": memory}).failed
    window.close()


def test_a_browser_that_may_only_read_has_no_forms_and_is_refused(page: Opened):
    for path in ("/tasks", first_link(page, "/memories", "compute_total")):
        page.go(path)
        assert page.chrome.run("return document.querySelectorAll('main form[method=post]').length") == 0
    status = "return fetch('/edit/delete', { method: 'POST', body: new URLSearchParams({ id: 'x' }) }).then((response) => response.status)"
    assert page.chrome.run(status) == 403
    page.chrome.log("browser")


# -- every reader

FAULTS = """
return axe.run(document, { resultTypes: ["violations"] }).then((found) => found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 200)).join(" ")}`))
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_accessible(filled: tuple[World, Path], fresh: Browser, scheme: str):
    # not by an element: the policy of the page lets no script of elsewhere in
    axe = (importlib.resources.files("axe_core_python") / "axe.min.js").read_text("utf-8")
    fresh.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def faults() -> list[str]:
        fresh.devtools("Runtime.evaluate", expression=axe)
        return list(fresh.run(FAULTS))

    fresh.open(link(*filled).partition("=")[0] + "=nonsense")
    fresh.find("[role=alert]")
    assert faults() == []
    page = sign_in(fresh, *filled, "--write")
    window = page.world.connect(page.repo)
    window.must("search_symbols", {"query": "total"})  # so that every table of the first page has rows
    found = {}
    for path in every_page(page):
        page.go(path)
        found[path] = faults()
    assert {path: several for path, several in found.items() if several} == {}
    page.go("/")
    fresh.press("?")
    fresh.find("dialog[open]")
    assert faults() == []
    fresh.press("escape", "/", *"compute")
    fresh.find("#suggestions li")
    fresh.press("down")
    assert faults() == []
    window.close()


def test_without_scripts_the_page_can_be_signed_in_to_and_read(filled: tuple[World, Path], tmp_path: Path):
    with browser(tmp_path, scripts=False) as chrome:
        base, _, token = link(*filled).partition("/#token=")
        chrome.open(f"{base}{SYMBOL}")
        chrome.write("#token", token)
        chrome.click("button", "Sign in")
        page = Opened(chrome, base, *filled)
        for path, text in (
            ("/", "Languages"),
            (FILE, "def checkout_cart"),
            (SYMBOL, "Callers 1"),
            ("/search?q=total", "compute_total"),
        ):
            page.go(path)
            assert text in chrome.text("main"), path
        page.go(FILE)
        chrome.click(".source a.reference, .source a.guess", "compute_total")
        chrome.find("h1", "compute_total")


def test_on_a_phone_nothing_but_tables_and_source_scrolls_sideways(page: Opened):
    paths = every_page(page)
    page.chrome.devtools("Emulation.setDeviceMetricsOverride", width=360, height=780, deviceScaleFactor=1, mobile=True)
    try:
        for path in paths:
            page.go(path)
            width, window = page.chrome.run("return [document.documentElement.scrollWidth, innerWidth]")
            assert (width <= window, window) == (True, 360), path
    finally:
        page.chrome.devtools("Emulation.clearDeviceMetricsOverride")
        page.chrome.log("browser")
