"""`codeagentd ui` of a real daemon, as a person uses it in Chromium: looking around, following changes, every reader."""

from __future__ import annotations

import importlib.resources
import os
import signal
import time
from pathlib import Path

import pytest

from tests.e2e.conftest import SHOP
from tests.harness import processes
from tests.harness.browser import MISSING, Browser, browser
from tests.harness.opened_page import (
    FILE,
    SYMBOL,
    Opened,
    every_page,
    link,
    remember,
    sign_in,
)
from tests.harness.waiting import eventually
from tests.harness.world import World

pytestmark = [pytest.mark.skipif(bool(MISSING), reason=MISSING), pytest.mark.limit(120)]


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
    assert eventually(lambda: page.chrome.run("return document.querySelector('dialog').open") is False)


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
        assert eventually(lambda place=place: page.here().startswith(place))


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


def test_a_save_before_the_page_listens_is_on_it_too(page: Opened):
    source, before = page.repo / "shop/pricing.py", (page.repo / "shop/pricing.py").read_text()
    page.chrome.devtools("Page.enable")
    late = "const Real = EventSource; window.EventSource = function (url) { const held = new EventTarget(); window.listen = () => { const real = new Real(url); for (const name of ['here', 'changed']) real.addEventListener(name, (event) => held.dispatchEvent(new MessageEvent(name, { data: event.data }))) }; return held }"
    script = page.chrome.devtools("Page.addScriptToEvaluateOnNewDocument", source=late)["identifier"]
    try:
        page.go("/file/shop/pricing.py")
        source.write_text(before + "\nBETWEEN = 1\n")
        page.world.index(page.repo)
        assert "BETWEEN" not in page.chrome.text("main")
        page.chrome.run("listen()")
        page.chrome.find(".source", "BETWEEN")
    finally:
        page.chrome.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        source.write_text(before)


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
        chrome.find("#main h1")  # to go on before would end the sending of the form
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
