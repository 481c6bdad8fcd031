"""A daemon's first index begins with the facts of a store, and is made whatever the store does."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from codeagentd.share.pull_messages import PullReport
from codeagentd.share.shared_facts import SharedFacts, last_report, save_report
from tests.harness.contents import content
from tests.unit.share.conftest import FILES, Team, facts_at  # type: ignore[import-not-found]  # importlib mode
from tests.unit.share.test_push_and_pull import lied, rewritten  # type: ignore[import-not-found]


def cold(team: Team, place: Path, *, ahead: bool = False, **choices: object) -> PullReport | None:
    """Make a first index at `place` with the store; the report of its pull. `ahead`: the pull begins before all."""
    source = SharedFacts(team.request(place, **choices))
    if ahead:
        source.start()
    team.index(place, facts_source=source)
    return last_report(place / "blobs.db")


def is_whole(team: Team, place: Path) -> bool:
    assert content(place / "index.db") == content(team.place / "index.db")
    return facts_at(place) == facts_at(team.place)


@pytest.mark.parametrize("ahead", [False, True])
def test_an_index_that_began_with_shared_facts_is_as_any_other(team: Team, tmp_path: Path, ahead: bool) -> None:
    team.push()
    report = cold(team, tmp_path / "clone", ahead=ahead)
    assert report is not None
    assert (report.facts, report.trouble, report.refused) == (FILES, "", "")
    assert is_whole(team, tmp_path / "clone")


def test_nothing_that_the_store_had_is_extracted_again(team: Team, tmp_path: Path) -> None:
    team.push()
    place = tmp_path / "clone"
    team.pull(place)
    before = facts_at(place)
    team.write("shop/own.py", "def own(): pass\n")
    team.index(place)
    assert len(facts_at(place)) == len(before) + 1


def test_a_lying_store_is_not_used_and_not_asked_again(team: Team, tmp_path: Path) -> None:
    team.push()
    rewritten(team, lambda entries: [(key, lied(blob)) for key, blob in entries])
    place = tmp_path / "clone"
    report = cold(team, place)
    assert report is not None
    assert "are not those of the file" in report.refused
    assert is_whole(team, place)
    for database in place.glob("*.db*"):
        database.unlink()
    assert cold(team, place) == report  # the same report: there was no other pull
    assert is_whole(team, place)


def test_a_store_that_is_away_is_told_and_done_without(team: Team, tmp_path: Path) -> None:
    team.index()
    report = cold(team, tmp_path / "clone", url="http://127.0.0.1:9/facts")
    assert report is not None
    assert "cannot be read" in report.trouble
    assert is_whole(team, tmp_path / "clone")


def test_a_store_that_hangs_is_given_up(team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeagentd.share.shared_facts.STALL_S", 1.0)
    team.push()
    (manifest,) = team.manifests()
    manifest.unlink()
    os.mkfifo(manifest)  # opening it waits for a writer that never comes
    report = cold(team, tmp_path / "clone")
    assert report is not None
    assert report.facts == 0
    assert is_whole(team, tmp_path / "clone")


def test_a_daemon_that_leaves_ends_its_pull(team: Team, tmp_path: Path) -> None:
    source = SharedFacts(team.request(tmp_path / "clone"))
    source.close()
    began = time.monotonic()
    source.bring(FILES, lambda done, total: None)
    assert time.monotonic() - began < 1
    assert last_report(tmp_path / "clone" / "blobs.db") is None


def test_a_few_files_are_extracted_without_asking_the_store(team: Team, tmp_path: Path) -> None:
    team.push()
    place = tmp_path / "clone"
    cold(team, place)
    save_report(place / "blobs.db", PullReport("none"))
    team.write("shop/part0.py", "def other(): pass\n")
    report = cold(team, place)
    assert report is not None
    assert report.url == "none"
