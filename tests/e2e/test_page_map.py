"""The map on the page of a real daemon, as a person uses it in Chromium."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SHOP
from tests.e2e.test_report import HOSTILE, package
from tests.harness.browser import MISSING, Browser, browser
from tests.harness.opened_page import Opened, sign_in
from tests.harness.waiting import eventually
from tests.harness.world import World

pytestmark = [pytest.mark.skipif(bool(MISSING), reason=MISSING), pytest.mark.limit(120)]

FILES = (
    SHOP
    | package("bank")
    | package("depot")
    | {
        "tests/test_bank.py": "from bank.core import bank_7\n\n\ndef test_saving():\n    assert bank_7()\n",
        f"{HOSTILE}.md": f"# {HOSTILE}\n\n## {HOSTILE} too\n",
    }
)
HOOK = """
const draw = GraphMap.prototype.draw
GraphMap.prototype.draw = function () { window.map = this; return draw.call(this) }
document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '0', bubbles: true }))
"""  # the drawn map, which no script of the page can be asked for
FLOWN = "return new Promise((done) => setTimeout(done, 600))"
CIRCLE = """
const one = map.graph.titles.findIndex((title) => title.includes(arguments[0]))
const box = map.canvas.getBoundingClientRect(), [x, y] = map.seen(map.circles.x[one] - map.circles.radius[one] * 0.95, map.circles.y[one])
return [box.left + x, box.top + y]
"""  # near the edge, where no member is
SYMBOL = """
const node = map.graph.labels.indexOf(arguments[0])
if (node < 0) return null
const box = map.canvas.getBoundingClientRect(), [x, y] = map.seen(...map.spot(node))
return [box.left + x, box.top + y]
"""
CENTRE = "return map.seen(map.circles.x[map.chosen.community], map.circles.y[map.chosen.community])"


@pytest.fixture(scope="module")
def opened(shared_world: World, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    repo = shared_world.repository("shop", FILES)
    shared_world.index(repo)
    with browser(tmp_path_factory.mktemp("chromium")) as chrome:
        yield sign_in(chrome, shared_world, repo)


@pytest.fixture
def page(opened: Opened) -> Iterator[Opened]:
    """The map, with nothing to complain about at the end, and no request to anywhere else."""
    show(opened, "/map")
    opened.chrome.log("browser")
    opened.chrome.requests()
    yield opened
    assert [entry["message"] for entry in opened.chrome.log("browser")] == []
    assert {url[: len(opened.base) + 1] for url in opened.chrome.requests()} <= {f"{opened.base}/"}


def show(opened: Opened, path: str) -> None:
    """Open a page of the map, and wait for its picture."""
    opened.go(path)
    eventually(lambda: opened.chrome.run("return window.GraphMap && document.querySelector('#stage canvas') !== null"))
    opened.chrome.run(HOOK)
    eventually(lambda: opened.chrome.run("return window.map !== undefined"))
    opened.chrome.run(FLOWN)


def place(chrome: Browser, script: str, *arguments: str) -> tuple[float, float]:
    """A point of the window, once it is known."""
    found: list[float] = eventually(lambda: chrome.run(script, *arguments))
    return found[0], found[1]


def camera(chrome: Browser) -> Any:
    return chrome.run("return map.camera")


def brightness(chrome: Browser, colour: str) -> int:
    """How bright the map draws what has this colour, from 0 to 255."""
    script = "const pen = document.createElement('canvas').getContext('2d'); pen.fillStyle = map.colour(arguments[0]); pen.fillRect(0, 0, 1, 1); return Math.max(...pen.getImageData(0, 0, 1, 1).data.slice(0, 3))"
    found: int = chrome.run(script, colour)
    return found


def open_bank(page: Opened) -> None:
    """Click the circle of the bank."""
    page.chrome.click_at(*place(page.chrome, CIRCLE, "bank_"))
    eventually(lambda: page.here().startswith("/map?community="))
    eventually(lambda: "bank_" in page.chrome.text("h1"))
    page.chrome.run(FLOWN)


def test_a_click_opens_a_part_and_then_a_symbol_and_one_gets_back(page: Opened):
    open_bank(page)
    community = page.here()
    page.chrome.click_at(*place(page.chrome, SYMBOL, "bank_3()"))
    eventually(lambda: page.here().startswith("/symbol/"))
    eventually(lambda: "bank_3" in page.chrome.text("h1"))
    page.chrome.run("history.back()")
    eventually(lambda: page.here() == community and "bank_" in page.chrome.text("h1"))
    page.chrome.find("#stage canvas")
    page.chrome.press("escape")
    eventually(lambda: page.here() == "/map" and page.chrome.text("h1") == "Map")
    page.chrome.run("history.back()")
    assert eventually(lambda: page.here() == community)


def test_what_is_chosen_is_in_the_address(page: Opened):
    open_bank(page)
    number = page.here().rpartition("=")[2]
    show(page, page.here())
    assert page.chrome.run("return map.graph.ids[map.chosen.community]") == int(number)
    assert page.chrome.run("return map.isOpen(map.chosen.community)")


def test_the_keyboard_moves_and_zooms_around_what_is_chosen(page: Opened):
    page.chrome.click("#parts ~ ul a", "bank_")
    eventually(lambda: "bank_" in page.chrome.text("h1"))
    page.chrome.run(FLOWN)
    before, scale = page.chrome.run(CENTRE), camera(page.chrome)["scale"]
    page.chrome.press("+", "+", "+")
    assert camera(page.chrome)["scale"] > scale
    assert page.chrome.run(CENTRE) == pytest.approx(before, abs=0.5)
    page.chrome.press("-")
    assert page.chrome.run(CENTRE) == pytest.approx(before, abs=0.5)
    page.chrome.run("map.canvas.focus()")
    page.chrome.press("down")
    assert page.chrome.run(CENTRE) == pytest.approx([before[0], before[1] - 60], abs=0.5)
    page.chrome.press("0")
    page.chrome.run(FLOWN)
    assert camera(page.chrome) == page.chrome.run("return map.whole()")


def test_switches_add_tests_and_documents_to_picture_and_lists(page: Opened):
    only_code = page.chrome.run("return map.graph.sizes.reduce((sum, size) => sum + size)")
    page.chrome.click(".switch", "Add tests")
    page.chrome.find(".switch", "Leave out tests")
    eventually(lambda: page.chrome.run("return map.graph.sizes.reduce((sum, size) => sum + size)") == only_code + 1)
    page.chrome.click(".switch", "Add documents")
    page.chrome.find("#parts ~ ul a", ">alert(2)")
    assert page.here() == "/map?tests=1&documents=1"
    eventually(lambda: page.chrome.run("return map.graph.titles.some((title) => title.includes('>alert(2)'))"))
    assert page.chrome.run("return document.querySelectorAll('main img, main script').length") == 0


def test_the_lists_say_what_the_picture_shows(page: Opened):
    assert page.chrome.run("return map.canvas.getAttribute('role')") == "img"
    assert "lists" in page.chrome.run("return map.canvas.getAttribute('aria-label')")
    shown = page.chrome.run("return map.graph.titles")
    listed = page.chrome.run("return [...document.querySelectorAll('#parts ~ ul a')].map((link) => link.textContent)")
    assert listed == shown
    assert len(set(shown)) == len(shown)


def test_the_same_graph_is_the_same_picture(page: Opened):
    drawn = []
    for _ in range(2):
        show(page, "/map")
        drawn.append(page.chrome.run("map.canvas.blur(); return map.canvas.toDataURL()"))
    assert drawn[0] == drawn[1]


def test_a_save_changes_the_lists_and_moves_nobody(page: Opened):
    open_bank(page)
    page.chrome.press("+")
    page.chrome.run("map.canvas.focus(); window.before = map.canvas")
    before = camera(page.chrome)
    core = page.repo / "bank" / "core.py"
    text = core.read_text()
    core.write_text(f"{text}\n\ndef bank_99():\n    return bank_7() + bank_6()\n")
    page.chrome.find("#inside ~ ul a", "bank_99()")
    assert page.chrome.run("return map.canvas === before && map.canvas.isConnected")
    eventually(lambda: page.chrome.run("return document.activeElement === map.canvas"))
    assert camera(page.chrome) == before
    core.write_text(text)


def test_a_picture_in_the_dark_is_dark(opened: Opened, tmp_path: Path):
    with browser(tmp_path, dark=True) as chrome:
        dark = sign_in(chrome, opened.world, opened.repo)
        show(dark, "/map")
        ground, text = (brightness(chrome, name) for name in ("ground", "text"))
        assert ground < 100 < text
    show(opened, "/map")
    ground, text = (brightness(opened.chrome, name) for name in ("ground", "text"))
    assert text < 100 < ground


def test_the_map_comes_by_itself_when_the_first_analysis_is_done(opened: Opened):
    world = opened.world
    repo = world.repository("young", FILES)
    world.codeagentd("start", "--repo", str(repo))
    try:
        young = sign_in(opened.chrome, world, repo)
        young.go("/map")
        young.chrome.run("window.isSame = true")
        young.chrome.find("#parts ~ ul a", "bank_")
        young.chrome.find("#stage canvas")
        assert young.chrome.run("return window.isSame")  # the document was not loaded again
    finally:
        world.codeagentd("stop", "--repo", str(repo))
