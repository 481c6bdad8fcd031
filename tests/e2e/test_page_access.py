"""Who gets in to the page of a real daemon, and what strangers and writers can do there, in Chromium."""

from __future__ import annotations

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.harness.browser import MISSING, Browser
from tests.harness.opened_page import (
    HOSTILE,
    SYMBOL,
    TURNED,
    Opened,
    first_link,
    link,
    remember,
    sign_in,
)
from tests.harness.waiting import eventually
from tests.harness.world import World

pytestmark = [pytest.mark.skipif(bool(MISSING), reason=MISSING), pytest.mark.limit(120)]


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
    assert fresh.find("#token")


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


# -- strangers

BRANCH = "<img/src=x/onerror=alert(1)>"


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


def test_names_of_clients_branches_commits_and_arguments_are_text_too(filled: tuple[World, Path], page: Opened):
    world, repo = filled
    world.git(repo, "checkout", "-q", "-b", BRANCH)
    world.git(repo, "-c", f"user.name={HOSTILE}", "commit", "-q", "-a", "-m", f"{HOSTILE} {TURNED}")
    window = world.window(repo, "--toolsets", "all")
    client = {"name": HOSTILE, "version": TURNED, "title": HOSTILE}
    window.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
    window.must("search_code", {"query": f"{HOSTILE} {TURNED}"})
    eventually(lambda: world.status(repo)["branch"] == BRANCH)
    for path, texts in {
        "/": (HOSTILE, BRANCH), "/history/shop/orders/checkout.py": (HOSTILE,), "/change?until=HEAD": (), "/map": (), "/workspace": (),
    }.items():  # fmt: skip
        page.go(path)
        text = page.chrome.text("main")
        assert [one for one in texts if one not in text] == [], path
        assert TURNED not in page.chrome.run("return document.documentElement.outerHTML"), path
        foreign = "main img, main script, main [onerror], main [onload], main [style], main iframe"
        assert page.chrome.run("return document.querySelectorAll(arguments[0]).length", foreign) == 0, path
    window.close()


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
