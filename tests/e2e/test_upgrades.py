"""A newer version comes while an older daemon serves: windows are answered all the time, and the index is brought up to date beside."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagent_protocol.version import __version__
from tests.harness.upgrade import MIGRATION, SCHEMA, Upgrade
from tests.harness.window import Window
from tests.harness.world import World

SLOW = f"""{MIGRATION}
CREATE TABLE slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000) SELECT count(*) AS many FROM n;"""
IMPOSSIBLE = (
    f"{MIGRATION} INSERT INTO meta(key, value) SELECT 'impossible', id FROM files;"  # but for an index without files
)


@pytest.fixture
def upgrade(world: World, shop: Path) -> Callable[[str], Upgrade]:
    """The shop, indexed and served, before an upgrade with this migration."""
    world.index(shop)
    return lambda migration: Upgrade(world, shop, migration)


def found(window: Window, name: str) -> list[str]:
    return [item["name"] for item in window.must("search_symbols", {"query": name}).items]


def test_the_older_daemon_answers_every_window_until_the_newer_one_has_the_index_ready(
    world: World, upgrade: Callable[[str], Upgrade]
):
    new_build = upgrade(SLOW)
    old = world.connect(new_build.repo, "--toolsets", "default,engine")
    before = old.must("get_status").watermark["generation"]
    serving = world.daemon(new_build.repo)
    new = new_build.window()
    new_build.wait((new_build.beside / "index.db").exists)
    answered = 0
    while new_build.beside.exists() and new_build.status().get("pid") == serving:  # no daemon serves for a moment
        assert found(old, "compute_total") == found(new, "compute_total") == ["compute_total"]
        answered += 1
    assert answered
    new_build.wait_taken_over()
    assert found(old, "compute_total") == found(new, "compute_total") == ["compute_total"]
    assert world.daemon(new_build.repo) != serving
    assert new_build.is_migrated
    assert old.must("get_status").watermark["generation"] > before
    assert old.surplus == new.surplus == 0
    assert not new_build.beside.exists()


def test_what_is_saved_while_the_next_index_is_made_is_in_it(world: World, upgrade: Callable[[str], Upgrade]):
    new_build = upgrade(SLOW)
    old = world.connect(new_build.repo)
    new_build.window()
    new_build.wait((new_build.beside / "index.db").exists)
    (new_build.repo / "shop" / "late.py").write_text("def saved_meanwhile():\n    return 1\n")
    new_build.wait(lambda: found(old, "saved_meanwhile"))
    assert new_build.status()["version"] == __version__
    assert new_build.beside.exists()
    new_build.wait_taken_over()
    assert found(old, "saved_meanwhile") == ["saved_meanwhile"]
    assert new_build.is_migrated


def test_an_older_daemon_that_dies_while_the_next_index_is_made_is_followed_at_once(
    world: World, upgrade: Callable[[str], Upgrade]
):
    new_build = upgrade(SLOW)
    old = world.connect(new_build.repo)
    new = new_build.window()
    new_build.wait((new_build.beside / "index.db").exists)
    os.kill(world.daemon(new_build.repo), signal.SIGKILL)
    assert found(new, "compute_total") == ["compute_total"]
    new_build.wait_taken_over()
    assert found(old, "compute_total") == ["compute_total"]
    new_build.wait(lambda: not new_build.beside.exists())
    assert new_build.is_migrated
    assert old.surplus == new.surplus == 0


def test_without_a_new_schema_the_newer_daemon_takes_over_at_once_and_makes_no_copy(
    world: World, upgrade: Callable[[str], Upgrade]
):
    new_build = upgrade("")
    place = new_build.index.stat().st_ino
    old = world.connect(new_build.repo)
    new_build.window()
    new_build.wait_taken_over()
    assert found(old, "compute_total") == ["compute_total"]
    assert new_build.index.stat().st_ino == place


def test_an_index_that_cannot_be_migrated_is_made_anew_beside_the_one_that_answers(
    world: World, upgrade: Callable[[str], Upgrade]
):
    new_build = upgrade(IMPOSSIBLE)
    old = world.connect(new_build.repo)
    new_build.window()
    new_build.wait_taken_over()
    assert found(old, "compute_total") == ["compute_total"]
    assert new_build.is_migrated
    assert [path.name for path in new_build.index.parent.glob("index.db*") if "corrupt" in path.name] == []


def test_of_many_newer_windows_one_brings_the_daemon(world: World, upgrade: Callable[[str], Upgrade]):
    new_build = upgrade(MIGRATION)
    old = world.connect(new_build.repo)
    windows = [world.window(new_build.repo, PYTHONPATH=new_build.path) for _ in range(4)]
    for window in windows:
        window.initialize()
    new_build.wait_taken_over()
    serving = world.daemon(new_build.repo)
    for window in (old, *windows):
        assert found(window, "compute_total") == ["compute_total"]
        assert window.surplus == 0
    assert world.daemon(new_build.repo) == serving


def test_when_nobody_serves_the_index_is_migrated_where_it_is(world: World, upgrade: Callable[[str], Upgrade]):
    new_build = upgrade(MIGRATION)
    world.codeagentd("stop", "--repo", str(new_build.repo))
    assert found(new_build.window(), "compute_total") == ["compute_total"]
    assert new_build.is_migrated


def test_an_older_window_is_served_by_a_newer_daemon_and_its_commands_reach_it(
    world: World, upgrade: Callable[[str], Upgrade]
):
    new_build = upgrade(MIGRATION)
    world.codeagentd("stop", "--repo", str(new_build.repo))
    new_build.window()
    old = world.connect(new_build.repo)
    new_build.wait_taken_over()
    serving = world.daemon(new_build.repo)
    assert found(old, "compute_total") == ["compute_total"]
    assert world.daemon(new_build.repo) == serving
    assert world.codeagentd("stop", "--repo", str(new_build.repo)).out.startswith("stopped")


def saves(new_build: Upgrade, window: Window, name: str) -> None:
    """A new file is indexed by the daemon that serves the window."""
    (new_build.repo / "shop" / f"late{len(name)}.py").write_text(f"def {name}():\n    return 1\n")
    new_build.wait(lambda: found(window, name))


@pytest.mark.limit(180)  # six daemons, one after the other
def test_two_versions_that_take_turns_keep_an_index_each(world: World, upgrade: Callable[[str], Upgrade]):
    new_build = upgrade(MIGRATION)
    newer = new_build.index
    older = newer.with_name(f"index.v{SCHEMA - 1}.db")
    files: list[tuple[int, int]] = []
    for turn in range(3):
        world.codeagentd("stop", "--repo", str(new_build.repo))
        new = new_build.window()
        assert found(new, "compute_total") == ["compute_total"]
        new_build.wait_taken_over()
        saves(new_build, new, f"saved_in_turn{turn}")
        new.close()
        world.codeagentd("stop", "--repo", str(new_build.repo))
        old = world.connect(new_build.repo)
        assert found(old, "compute_total") == ["compute_total"]
        saves(new_build, old, f"saved_by_older{turn}")
        assert found(old, f"saved_in_turn{turn}") == [f"saved_in_turn{turn}"]
        old.close()
        assert new_build.status()["version"] == __version__
        assert "was written by a newer version" in new_build.status()["reason"]
        assert new_build.is_migrated
        files.append((newer.stat().st_ino, older.stat().st_ino))
    assert len(set(files)) == 1, "none of them was made again"
    assert not list(newer.parent.glob("*.corrupt*"))


def test_a_newer_daemon_goes_on_with_its_own_index_when_it_takes_over_from_an_older_one(
    world: World, upgrade: Callable[[str], Upgrade]
):
    new_build = upgrade(MIGRATION)
    world.codeagentd("stop", "--repo", str(new_build.repo))
    new_build.window().close()
    new_build.wait_taken_over()
    world.codeagentd("stop", "--repo", str(new_build.repo))
    place = new_build.index.stat().st_ino
    old = world.connect(new_build.repo)
    saves(new_build, old, "saved_meanwhile")
    new = new_build.window()
    new_build.wait_taken_over()
    new_build.wait(lambda: found(old, "saved_meanwhile") and found(new, "saved_meanwhile"))
    assert new_build.index.stat().st_ino == place
    assert old.surplus == new.surplus == 0
