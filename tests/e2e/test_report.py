"""`codeagentd report` of a real daemon: its files, and graph.html as a person uses it in Chromium."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.conftest import SHOP
from tests.harness.browser import MISSING, Browser, browser
from tests.harness.opened_page import HOSTILE
from tests.harness.waiting import eventually
from tests.harness.world import World

NAMES = ("GRAPH_REPORT.md", "graph.html", "graph.json")


def package(name: str) -> dict[str, str]:
    """Functions that call only each other."""
    functions = "\n\n".join(
        f"def {name}_{at}():\n" + "\n".join(f"    {name}_{other}()" for other in range(at)) + "\n    return 1"
        for at in range(8)
    )
    return {f"{name}/__init__.py": "", f"{name}/core.py": functions + "\n"}


@pytest.fixture(scope="module")
def reported(shared_world: World) -> tuple[World, Path]:
    """A repository with its report in it."""
    files = SHOP | package("bank") | package("depot") | {f"{HOSTILE}.md": f"# {HOSTILE}\n"}
    repo = shared_world.repository("shop", files)
    done = shared_world.codeagentd("report", "--repo", str(repo))
    assert done.code == 0, done
    return shared_world, repo


def test_the_files_are_where_git_does_not_see_them_and_the_index_neither(reported: tuple[World, Path]):
    world, repo = reported
    before = world.status(repo)["indexed_files"]
    assert {path.name for path in (repo / "codeagent-report").iterdir()} == {*NAMES, ".gitignore"}
    assert world.git(repo, "status", "--porcelain") == ""
    world.index(repo)
    assert world.status(repo)["indexed_files"] == before


def test_a_folder_of_ones_own_gets_what_was_asked_for_and_nothing_of_it_is_replaced_unasked(
    reported: tuple[World, Path], tmp_path: Path
):
    world, repo = reported
    (tmp_path / "graph.json").write_text("[]")
    refused = world.codeagentd("report", "--repo", str(repo), "--output", str(tmp_path), "--format", "json,md")
    assert (refused.code, refused.out, [path.name for path in tmp_path.iterdir()]) == (1, "", ["graph.json"])
    assert "--force" in refused.err
    done = world.codeagentd(
        "report", "--repo", str(repo), "--output", str(tmp_path), "--format", "json,md", "--force", "--json"
    )
    assert [Path(one["file"]).name for one in done.json["written"]] == ["GRAPH_REPORT.md", "graph.json"]
    found = json.loads((tmp_path / "graph.json").read_text())
    assert {"bank_0()", "compute_total()"} <= {node["label"] for node in found["nodes"]}
    assert "\n## Communities\n" in (tmp_path / "GRAPH_REPORT.md").read_text()
    assert world.codeagentd("report", "--repo", str(repo), "--output", str(tmp_path), "--format", "pdf").code == 2


def test_the_report_is_of_what_is_saved_now(reported: tuple[World, Path], tmp_path: Path):
    world, repo = reported
    (repo / "shop" / "late.py").write_text("def latest():\n    return 1\n")
    assert world.codeagentd("report", "--repo", str(repo), "--output", str(tmp_path), "--format", "json").code == 0
    (node,) = [one for one in json.loads((tmp_path / "graph.json").read_text())["nodes"] if one["label"] == "latest()"]
    assert "community" in node


@pytest.fixture(scope="module")
def chromium(reported: tuple[World, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, str]]:
    """A browser, and the address of the page."""
    if MISSING:
        pytest.skip(MISSING)
    with browser(tmp_path_factory.mktemp("chromium")) as found:
        yield found, (reported[1] / "codeagent-report" / "graph.html").as_uri()


@pytest.fixture
def visited(chromium: tuple[Browser, str]) -> Iterator[Browser]:
    """The page as it opens. It may ask for nothing but itself, and has nothing to complain about."""
    found, url = chromium
    found.open("about:blank")
    found.log("browser")
    found.requests()
    found.open(url)
    yield found
    assert [entry["message"] for entry in found.log("browser")] == []
    assert set(found.requests()) == {url}


def test_one_goes_from_the_whole_to_a_community_to_a_function_to_its_callers_and_back(visited: Browser):
    visited.click("#told .row", "bank")
    eventually(lambda: "members" in visited.text("#told") and "bank" in visited.text("#told h2"))
    visited.click("#told .row", "bank_3()")
    eventually(lambda: visited.text("#told h2") == "bank_3()")
    assert "Callers 4" in visited.text("#told")
    visited.click("#told .row", "bank_7()")
    eventually(lambda: visited.text("#told h2") == "bank_7()")
    assert "Calls 7" in visited.text("#told")
    visited.run("history.back()")
    eventually(lambda: visited.text("#told h2") == "bank_3()")
    visited.press("escape", "escape")
    eventually(lambda: visited.text("#told h2") == "Code graph")


def test_the_keyboard_alone_finds_a_function_and_who_calls_it(visited: Browser):
    visited.press("/")
    visited.press(*"compute_tot")
    visited.find("#hits li", "compute_total()")
    visited.press("enter")
    eventually(lambda: visited.text("#told h2") == "compute_total()")
    told = visited.text("#told")
    assert "Callers 1" in told
    assert "calls it at shop/orders/checkout.py:8" in told


def test_the_map_opens_what_is_clicked(visited: Browser):
    middle = visited.run(
        "const box = document.getElementById('map').getBoundingClientRect(); return [box.left + box.width / 2, box.top + box.height / 2]"
    )
    visited.click("#told .row", "bank")
    eventually(lambda: "bank" in visited.text("#told h2"))
    visited.run("return new Promise((done) => setTimeout(done, 600))")
    for right in range(0, 200, 4):
        visited.click_at(middle[0] + right, middle[1])
        if "()" in visited.text("#told h2"):
            break
    assert visited.text("#told h2").startswith("bank_")


def test_names_from_files_are_text_wherever_they_are_shown(visited: Browser):
    visited.write("#search", "onerror")
    visited.find("#hits li", "onerror=alert(1)")
    visited.press("enter")
    eventually(lambda: "onerror" in visited.text("#told h2"))
    assert visited.run("return document.querySelectorAll('img, script').length") == 2
    blocked = visited.run(
        "const one = document.createElement('script'); one.textContent = 'window.ran = 1'; document.body.append(one); return window.ran || null"
    )
    assert blocked is None
    assert "Content Security Policy" in visited.log("browser")[0]["message"]


def test_the_same_graph_is_the_same_picture(visited: Browser, tmp_path: Path):
    for name in ("first.png", "second.png"):
        visited.run("location.reload()")
        visited.find("#told .row")
        visited.run("return new Promise((done) => setTimeout(done, 600))")
        visited.picture(tmp_path / name)
    assert (tmp_path / "first.png").read_bytes() == (tmp_path / "second.png").read_bytes()


MAP = """
const draw = GraphMap.prototype.draw;
GraphMap.prototype.draw = function () { window.map = this; return draw.call(this); };
window.dispatchEvent(new Event('hashchange'));
"""
CHOSEN = "return [...map.seen(...map.spot(map.chosen.node)), map.width, map.height, map.camera.scale]"
FLOWN = "return new Promise((done) => setTimeout(done, 600))"


def test_a_window_that_changes_its_size_shows_all_that_it_showed_until_the_map_is_moved(visited: Browser):
    visited.run(MAP)
    try:
        for size in ({"width": 700, "height": 500}, {"width": 1200, "height": 800}):
            visited.ask("POST", "/window/rect", size)
            eventually(lambda: visited.run("return map.width === document.getElementById('map').clientWidth"))
            assert visited.run("return JSON.stringify(map.camera) === JSON.stringify(map.whole())")
        visited.click("#closer")
        before = visited.run("return map.camera")
        visited.ask("POST", "/window/rect", {"width": 900, "height": 700})
        eventually(lambda: visited.run("return map.width === document.getElementById('map').clientWidth"))
        assert visited.run("return map.camera") == before
    finally:
        visited.ask("POST", "/window/rect", {"width": 1400, "height": 900})


def test_zooming_by_a_button_keeps_what_is_chosen_where_it_is(visited: Browser):
    visited.click("#told .row", "bank")
    eventually(lambda: "bank" in visited.text("#told h2"))
    visited.click("#told .row", "bank_3()")
    eventually(lambda: visited.text("#told h2") == "bank_3()")
    visited.run(MAP)
    visited.run(FLOWN)
    x, y, width, height, scale = visited.run(CHOSEN)
    assert 0 <= x <= width
    assert 0 <= y <= height
    for _ in range(3):
        visited.click("#closer")
    after = visited.run(CHOSEN)
    assert after[4] > scale
    assert after[:2] == pytest.approx([x, y], abs=0.5)
