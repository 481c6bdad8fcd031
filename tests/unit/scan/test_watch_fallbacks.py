"""Where the best way of watching is not to be had: polling, and watchdog with cookie files."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

from codeagentd.scan.ignore import COOKIE, IgnoreRules
from codeagentd.scan.watching import watcher as watch
from codeagentd.scan.watching.events import GONE, SILENT, Change
from codeagentd.scan.watching.watchdog_backend import ObserverBackend
from codeagentd.scan.watching.watcher import AUTO, OBSERVER, POLLING, Watcher
from tests.unit.scan.mirror import Mirror, run_git

pytestmark = pytest.mark.filterwarnings(
    "ignore:Callback with id:RuntimeWarning"
)  # watchdog's book-keeping on Linux, where the product does not use it
BOTH = pytest.mark.parametrize("way", [POLLING, OBSERVER])


@BOTH
def test_files_that_come_change_move_and_go_are_told(repo: Path, way: str) -> None:
    with Mirror(repo, way) as mirror:
        assert not mirror.settle()
        (repo / "src" / "new.py").write_text("1")
        assert mirror.settle() == Change(paths=frozenset({"src/new.py"}))
        (repo / "src" / ".t").write_text("saved")
        (repo / "src" / ".t").replace(repo / "src" / "b.py")
        assert "src/b.py" in mirror.settle().paths
        (repo / "a.py").unlink()
        assert mirror.settle() == Change(paths=frozenset({"a.py"}))
        (repo / "lib").rename(repo / "src" / "lib")
        mirror.settle()
        assert not mirror.stale()
        shutil.rmtree(repo / "src")
        mirror.settle()
        assert not mirror.stale()


@BOTH
def test_ignored_files_are_silent_and_rules_are_obeyed(repo: Path, way: str) -> None:
    with Mirror(repo, way) as mirror:
        (repo / "node_modules" / "x").mkdir(parents=True)
        (repo / "node_modules" / "x" / "y.js").write_text("")
        (repo / "debug.log").write_text("")
        assert not mirror.settle()
        run_git(repo, "add", "-f", "debug.log")
        assert mirror.settle().index
        (repo / "debug.log").write_text("tracked")
        assert mirror.settle().paths == {"debug.log"}
        (repo / ".gitignore").write_text("lib/\n")
        assert mirror.settle().rules
        assert not mirror.stale()


@BOTH
def test_the_head_is_seen_moving_in_linked_work_trees_too(repo: Path, way: str) -> None:
    tree = repo.parent / "linked"
    run_git(repo, "worktree", "add", "-q", "-b", "side", str(tree))
    for root in (repo, tree):
        with Mirror(root, way) as mirror:
            (root / "a.py").write_text(f"edited in {root.name}")
            run_git(root, "commit", "-qam", "more")
            assert mirror.settle().head
            (root / "x.log").write_text("")
            run_git(root, "add", "-f", "x.log")
            assert mirror.settle().index
            assert not mirror.stale()


@BOTH
def test_a_plain_directory_is_watched_too(plain: Path, way: str) -> None:
    with Mirror(plain, way) as mirror:
        (plain / "src" / "n.py").write_text("")
        assert mirror.settle().paths == {"src/n.py"}
        run_git(plain, "init", "-q")
        mirror.settle()
        assert not mirror.stale()
    assert not list(plain.rglob(f"{COOKIE}*"))


@BOTH
def test_a_lost_root_is_told(repo: Path, way: str) -> None:
    with Mirror(repo, way) as mirror:
        shutil.rmtree(repo)
        while mirror.watcher.mode != "polling":
            mirror.watcher.sync(0.1)
        assert mirror.settle().overflow
        assert mirror.files == {}
        assert mirror.watcher.reason == GONE
        repo.mkdir()
        (repo / "back.py").write_text("")
        mirror.settle()
        assert mirror.files.keys() == {"back.py"}


def test_polling_says_why(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "remote_type", lambda _: "9p")
    with Mirror(repo, AUTO) as mirror:
        assert mirror.watcher.mode == "polling"
        assert "9p" in mirror.watcher.reason
        assert mirror.watcher.remedy


def test_polling_goes_on_by_itself(repo: Path) -> None:
    told = threading.Event()
    watcher = Watcher(
        repo,
        lambda change: told.set() if "a.py" in change.paths else None,
        rules=IgnoreRules(repo),
        way=POLLING,
        poll_interval_s=0.01,
    )
    watcher.start()
    (repo / "a.py").write_text("edited")
    assert told.wait(20.0)
    watcher.stop(5.0)


def test_one_scan_serves_all_who_asked_before_it(repo: Path) -> None:
    with Mirror(repo, POLLING) as mirror:
        (repo / "a.py").write_text("edited")
        answers: list[bool] = []
        threads = [threading.Thread(target=lambda: answers.append(mirror.watcher.sync(20.0))) for _ in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == [True] * 20
        assert mirror.settle().paths == {"a.py"}


def test_cookies_are_hidden_and_removed(repo: Path) -> None:
    (repo / ".git" / f"{COOKIE}1-1").write_text("left by another")
    with Mirror(repo, OBSERVER) as mirror:
        for number in range(20):
            (repo / "a.py").write_text(str(number))
            assert mirror.settle() == Change(paths=frozenset({"a.py"}))
    assert run_git(repo, "status", "--porcelain") == "M a.py"
    assert not list(repo.rglob(f"{COOKIE}*"))


def test_every_thread_waits_for_a_cookie_of_its_own_time(repo: Path) -> None:
    seen: set[str] = set()
    missed: list[str] = []
    watcher = Watcher(repo, lambda change: seen.update(change.paths), rules=IgnoreRules(repo), way=OBSERVER)
    watcher.start()

    def work(number: int) -> None:
        for turn in range(30):
            path = f"src/t{number}_{turn}.py"
            (repo / path).write_text("")
            if not watcher.sync(20.0) or path not in seen:
                missed.append(path)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    watcher.stop(5.0)
    assert missed == []


def test_a_place_where_no_cookie_can_be_written_is_said(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Mirror(repo, OBSERVER) as mirror:
        monkeypatch.setattr(ObserverBackend, "_cookie", lambda *_: repo / "no" / "such" / "place")
        assert not mirror.watcher.sync(1.0)
        assert "no sync point" in mirror.watcher.reason


def test_watchdog_that_reports_nothing_leads_to_polling(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeagentd.scan.watching.watchdog_backend.WATCH_VERIFY_S", 0.1)
    monkeypatch.setattr(ObserverBackend, "_handle", lambda *_: None)
    with Mirror(repo, OBSERVER) as mirror:
        assert (mirror.watcher.mode, mirror.watcher.reason) == ("polling", SILENT)
        (repo / "a.py").write_text("edited")
        assert mirror.settle().paths == {"a.py"}
    assert not [name for name in os.listdir(repo / ".git") if name.startswith(COOKIE)]
