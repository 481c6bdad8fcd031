"""The watcher on real files: what each operation tells, and that a sync has told all of it."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from pathlib import Path

import pytest

from codeagentd.scan.ignore import OWN_FILES, IgnoreRules
from codeagentd.scan.watching import inotify_backend, watch_tree
from codeagentd.scan.watching.events import GONE, SILENT, Change
from codeagentd.scan.watching.inotify import Inotify
from codeagentd.scan.watching.watcher import OFF, Watcher
from tests.unit.scan.mirror import Mirror, run_git

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")


def test_nothing_is_told_when_nothing_happens(mirror: Mirror) -> None:
    assert mirror.watcher.mode == "inotify"
    assert mirror.watcher.reason == ""
    assert not mirror.settle()
    assert not mirror.settle()


def test_a_new_an_edited_and_a_deleted_file_are_told(mirror: Mirror) -> None:
    (mirror.root / "src" / "new.py").write_text("1")
    assert mirror.settle() == Change(paths=frozenset({"src/new.py"}))
    with (mirror.root / "a.py").open("a") as file:
        file.write("more")
        file.flush()
        assert mirror.settle() == Change(paths=frozenset({"a.py"})), "an edit counts before the file is closed"
    mirror.settle()
    (mirror.root / "lib" / "d.py").unlink()
    assert mirror.settle() == Change(paths=frozenset({"lib/d.py"}))
    os.truncate(mirror.root / "a.py", 0)
    assert mirror.settle() == Change(paths=frozenset({"a.py"}))
    assert not mirror.stale()


def test_an_atomic_save_tells_both_names(mirror: Mirror) -> None:
    (mirror.root / "src" / ".b.py.tmp").write_text("saved")
    (mirror.root / "src" / ".b.py.tmp").replace(mirror.root / "src" / "b.py")
    assert mirror.settle().paths == {"src/.b.py.tmp", "src/b.py"}
    assert not mirror.stale()


def test_a_file_moved_in_or_out_is_told_at_once(mirror: Mirror, tmp_path: Path) -> None:
    (mirror.root / "a.py").rename(tmp_path / "away.py")
    assert mirror.settle().paths == {"a.py"}
    (tmp_path / "away.py").rename(mirror.root / "back.py")
    assert mirror.settle().paths == {"back.py"}
    os.link(mirror.root / "back.py", mirror.root / "src" / "hard.py")
    assert "src/hard.py" in mirror.settle().paths
    assert not mirror.stale()


def test_a_file_that_becomes_readable_is_told(mirror: Mirror) -> None:
    (mirror.root / "a.py").chmod(0o000)
    assert mirror.settle().paths == {"a.py"}


def test_directories_that_come_move_and_go_are_told(mirror: Mirror, tmp_path: Path) -> None:
    (mirror.root / "one" / "two" / "three").mkdir(parents=True)
    (mirror.root / "one" / "two" / "three" / "x.py").write_text("")
    assert "one" in mirror.settle().directories
    assert "one/two/three/x.py" in mirror.files
    (mirror.root / "one").rename(mirror.root / "src" / "uno")
    assert mirror.settle().directories == {"one", "src/uno"}
    (mirror.root / "src" / "uno" / "two" / "three" / "y.py").write_text("")
    assert mirror.settle().paths == {"src/uno/two/three/y.py"}, "watched under its new name"
    (mirror.root / "src" / "uno").rename(tmp_path / "out")
    assert mirror.settle().directories == {"src/uno"}
    (tmp_path / "out" / "two" / "z.py").write_text("")
    assert not mirror.settle(), "what has left is no longer watched"
    (tmp_path / "out").rename(mirror.root / "again")
    assert mirror.settle().directories == {"again"}
    assert "again/two/z.py" in mirror.files
    shutil.rmtree(mirror.root / "again")
    assert "again" in mirror.settle().directories
    assert not mirror.stale()


def test_directories_may_trade_places(mirror: Mirror) -> None:
    for name, target in (("src", "tmp"), ("lib", "src"), ("tmp", "lib")):
        (mirror.root / name).rename(mirror.root / target)
    mirror.settle()
    assert not mirror.stale()
    (mirror.root / "lib" / "deep" / "n.py").write_text("")
    (mirror.root / "src" / "n.py").write_text("")
    assert mirror.settle().paths == {"lib/deep/n.py", "src/n.py"}


def test_a_removed_and_recreated_directory_is_watched_again(mirror: Mirror) -> None:
    for _ in range(5):
        shutil.rmtree(mirror.root / "src")
        (mirror.root / "src" / "deep").mkdir(parents=True)
        (mirror.root / "src" / "deep" / "new.py").write_text("")
    mirror.settle()
    assert not mirror.stale()
    (mirror.root / "src" / "deep" / "later.py").write_text("")
    assert mirror.settle().paths == {"src/deep/later.py"}


def test_a_file_may_take_a_directorys_name_and_back(mirror: Mirror) -> None:
    shutil.rmtree(mirror.root / "src")
    (mirror.root / "src").write_text("a file now")
    mirror.settle()
    assert not mirror.stale()
    (mirror.root / "src").unlink()
    (mirror.root / "src").mkdir()
    (mirror.root / "src" / "n.py").write_text("")
    mirror.settle()
    assert not mirror.stale()


def test_ignored_directories_are_silent_unless_they_hold_tracked_files(mirror: Mirror) -> None:
    modules = mirror.root / "node_modules" / "left" / "lib"
    modules.mkdir(parents=True)
    (modules / "x.js").write_text("")
    (mirror.root / "debug.log").write_text("")
    assert not mirror.settle()
    run_git(mirror.root, "add", "-f", "node_modules/left/lib/x.js", "debug.log")
    assert mirror.settle().index
    assert {"node_modules/left/lib/x.js", "debug.log"} <= mirror.files.keys()
    (modules / "x.js").write_text("edited")
    (modules / "y.js").write_text("not tracked")
    (mirror.root / "debug.log").write_text("edited")
    assert mirror.settle().paths == {"node_modules/left/lib/x.js", "debug.log"}
    shutil.rmtree(mirror.root / "node_modules")
    mirror.settle()
    assert not mirror.stale()


@pytest.mark.parametrize("name", [".gitignore", *OWN_FILES, ".git/info/exclude"])
def test_changed_rules_are_told_and_obeyed(mirror: Mirror, name: str) -> None:
    (mirror.root / "node_modules").mkdir()
    (mirror.root / "node_modules" / "x.js").write_text("")
    mirror.settle()
    (mirror.root / ".git" / "info").mkdir(exist_ok=True)
    (mirror.root / name).write_text("lib/\n*.md\n")
    assert mirror.settle().rules
    assert not mirror.stale()
    assert "lib/d.py" not in mirror.files or name not in OWN_FILES
    (mirror.root / "read.md").write_text("")
    assert not mirror.settle()
    (mirror.root / ".gitignore").write_text("")
    assert mirror.settle().rules
    (mirror.root / "node_modules" / "y.js").write_text("")
    assert mirror.settle().paths == {"node_modules/y.js"}, "watched as soon as it is let in"


def test_rules_go_with_the_directory_that_brought_them(mirror: Mirror) -> None:
    (mirror.root / "gen").mkdir()
    (mirror.root / "gen" / ".gitignore").write_text("*\n")
    (mirror.root / "gen" / "x.py").write_text("")
    mirror.settle()
    assert not mirror.stale()
    shutil.rmtree(mirror.root / "gen")
    (mirror.root / "gen").mkdir()
    (mirror.root / "gen" / "x.py").write_text("")
    mirror.settle()
    assert "gen/x.py" in mirror.files
    assert not mirror.stale()


def test_commits_and_branches_move_the_head(mirror: Mirror) -> None:
    (mirror.root / "a.py").write_text("edited")
    run_git(mirror.root, "commit", "-qam", "second")
    assert mirror.settle() == Change(paths=frozenset({"a.py"}), head=True), "the index changed, but not what is tracked"
    run_git(mirror.root, "branch", "deep/branch/name")
    assert mirror.settle().head
    run_git(mirror.root, "update-ref", "refs/heads/deep/branch/name", "HEAD~1")
    assert mirror.settle() == Change(head=True)
    run_git(mirror.root, "pack-refs", "--all")
    assert mirror.settle().head
    run_git(mirror.root, "status")
    run_git(mirror.root, "gc", "-q")
    (mirror.root / ".git" / "objects" / "noise").write_text("")
    assert not mirror.settle().paths


def test_a_branch_switch_is_complete(mirror: Mirror) -> None:
    run_git(mirror.root, "checkout", "-qb", "other")
    shutil.rmtree(mirror.root / "src")
    for number in range(30):
        (mirror.root / f"pkg{number % 5}").mkdir(exist_ok=True)
        (mirror.root / f"pkg{number % 5}" / f"m{number}.py").write_text(str(number))
    run_git(mirror.root, "add", "-A")
    run_git(mirror.root, "commit", "-qm", "other")
    mirror.settle()
    for branch in ("main", "other", "main"):
        run_git(mirror.root, "checkout", "-q", branch)
        assert mirror.settle().head
        assert not mirror.stale()


def test_a_linked_work_tree_has_a_head_of_its_own(repo: Path) -> None:
    tree = repo.parent / "linked"
    run_git(repo, "worktree", "add", "-q", "-b", "side", str(tree))
    with Mirror(tree) as mirror:
        assert not mirror.settle()
        (tree / "a.py").write_text("edited")
        assert mirror.settle().paths == {"a.py"}
        run_git(tree, "commit", "-qam", "side")
        assert mirror.settle() == Change(head=True)
        (tree / "x.log").write_text("")
        run_git(tree, "add", "-f", "x.log")
        assert mirror.settle().index
        (repo / "a.py").write_text("edited in the main work tree")
        run_git(repo, "add", "a.py")
        assert not mirror.settle(), "the other tree's index and files are not ours"
        (repo / ".git" / "info").mkdir(exist_ok=True)
        (repo / ".git" / "info" / "exclude").write_text("lib/\n")
        assert mirror.settle().rules, "but its excludes are"


def test_a_plain_directory_is_watched_and_may_become_a_repository(plain: Path) -> None:
    with Mirror(plain) as mirror:
        (plain / "src" / "n.py").write_text("")
        assert mirror.settle() == Change(paths=frozenset({"src/n.py"}))
        run_git(plain, "init", "-q", "-b", "main")
        assert mirror.settle().rules
        run_git(plain, "add", "-A")
        run_git(plain, "commit", "-qm", "first")
        assert mirror.settle().head
        shutil.rmtree(plain / ".git")
        assert mirror.settle().head
        (plain / "src" / "o.py").write_text("")
        assert mirror.settle().paths == {"src/o.py"}
        assert not mirror.stale()


def test_a_repository_cloned_inside_is_not_ours_until_its_git_goes(mirror: Mirror) -> None:
    run_git(mirror.root, "init", "-q", "inner")
    (mirror.root / "inner" / "i.py").write_text("")
    mirror.settle()
    assert not mirror.stale()
    assert "inner/i.py" not in mirror.files
    shutil.rmtree(mirror.root / "inner" / ".git")
    mirror.settle()
    assert "inner/i.py" in mirror.files
    assert not mirror.stale()


def test_tracked_files_stay_ours_when_a_repository_begins_around_them(mirror: Mirror) -> None:
    run_git(mirror.root, "init", "-q", "src")
    mirror.settle()
    assert "src/deep/c.py" in mirror.files
    (mirror.root / "src" / "deep" / "new.py").write_text("")
    assert mirror.settle().paths == {"src/deep/new.py"}
    assert not mirror.stale()
    run_git(mirror.root, "rm", "-rq", "--cached", "src")
    mirror.settle()
    assert "src/deep/c.py" not in mirror.files
    assert not mirror.stale()


def test_a_tracked_file_that_rules_cover_may_go_and_come_back(mirror: Mirror) -> None:
    (mirror.root / "node_modules" / "kept").mkdir(parents=True)
    for path in ("node_modules/kept/k.js", "src/kept.log"):
        (mirror.root / path).write_text("")
        run_git(mirror.root, "add", "-f", path)
    assert mirror.settle().index
    for _ in range(2):
        shutil.rmtree(mirror.root / "node_modules")
        shutil.rmtree(mirror.root / "src")
        mirror.settle()
        assert not mirror.files.keys() & {"node_modules/kept/k.js", "src/kept.log"}
        run_git(mirror.root, "checkout", "--", ".")
        mirror.settle()
        assert mirror.files.keys() >= {"node_modules/kept/k.js", "src/kept.log"}
        assert not mirror.stale()


def test_links_to_directories_are_not_followed(mirror: Mirror, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (mirror.root / "link").symlink_to(outside)
    mirror.settle()
    (outside / "secret.py").write_text("")
    assert not mirror.settle()


def test_a_root_that_goes_and_comes_back_is_told(mirror: Mirror) -> None:
    mirror.root.rename(mirror.root.with_name("away"))
    assert not mirror.watcher.sync(0.2)
    assert (mirror.watcher.mode, mirror.watcher.reason) == ("off", GONE)
    (mirror.root / "fresh").mkdir(parents=True)
    (mirror.root / "fresh" / "f.py").write_text("")
    assert mirror.settle().overflow
    assert (mirror.watcher.mode, mirror.watcher.reason) == ("inotify", "")
    assert mirror.files.keys() == {"fresh/f.py"}
    (mirror.root / "fresh" / "g.py").write_text("")
    assert mirror.settle().paths == {"fresh/g.py"}


def test_a_root_whose_parent_was_moved_is_noticed(mirror: Mirror) -> None:
    parent = mirror.root.parent
    parent.rename(parent.with_name("elsewhere"))
    try:
        assert not mirror.watcher.sync(0.2)
        assert mirror.watcher.reason == GONE
    finally:
        parent.with_name("elsewhere").rename(parent)
    assert mirror.settle().overflow
    assert not mirror.stale()


def test_every_thread_that_syncs_sees_its_own_operation(mirror: Mirror) -> None:
    missed: list[str] = []
    seen: set[str] = set()
    tell = mirror.watcher._on_change
    mirror.watcher._on_change = lambda change: (seen.update(change.paths), tell(change))[1]

    def work(number: int) -> None:
        for turn in range(60):
            path = f"src/t{number}_{turn}.py"
            (mirror.root / path).write_text("")
            if not mirror.watcher.sync(10.0) or path not in seen:
                missed.append(path)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert missed == []


def test_a_sync_gives_up_when_its_time_is_up(repo: Path) -> None:
    busy, release = threading.Event(), threading.Event()

    def slow(_: Change) -> None:
        busy.set()
        release.wait(20.0)

    watcher = Watcher(repo, slow, rules=IgnoreRules(repo))
    watcher.start()
    (repo / "a.py").write_text("edited")
    assert busy.wait(10.0)
    assert not watcher.sync(0.05)
    release.set()
    assert watcher.sync(10.0)
    watcher.stop(5.0)
    assert not watcher.sync(0.1)
    assert watcher.mode == OFF


def test_nothing_is_left_behind(repo: Path) -> None:
    descriptors, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    before = sorted(path for path in repo.rglob("*"))
    for _ in range(3):
        with Mirror(repo) as mirror:
            mirror.settle()
    assert len(os.listdir("/proc/self/fd")) == descriptors
    assert threading.active_count() == threads
    assert sorted(path for path in repo.rglob("*")) == before


def test_switched_off_means_off(repo: Path) -> None:
    with Mirror(repo, way=OFF) as mirror:
        assert mirror.watcher.mode == OFF
        assert mirror.watcher.reason
        assert not mirror.watcher.sync(0.1)


def test_the_watch_limit_leads_to_polling_with_a_remedy(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    added: list[str] = []

    def limited(queue: Inotify, place: str, mask: int) -> int:
        added.append(place)
        if len(added) > 2:
            raise OSError(28, "No space left on device")
        return Inotify.add(queue, place, mask)

    class Limited(Inotify):
        add = limited

    monkeypatch.setattr(watch_tree, "Inotify", Limited)
    with Mirror(repo) as mirror:
        assert mirror.watcher.mode == "polling"
        assert "limit" in mirror.watcher.reason
        assert "max_user_watches" in mirror.watcher.remedy
        (repo / "a.py").write_text("edited")
        assert mirror.settle().paths == {"a.py"}


def test_a_limit_reached_later_leads_to_polling_too(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Mirror(repo) as mirror:
        monkeypatch.setattr(Inotify, "add", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        (repo / "new" / "deep").mkdir(parents=True)
        (repo / "new" / "deep" / "n.py").write_text("")
        while mirror.watcher.mode != "polling":
            mirror.watcher.sync(0.1)
        assert mirror.settle().overflow
        assert "max_user_watches" in mirror.watcher.remedy
        assert not mirror.stale()
        (repo / "new" / "deep" / "o.py").write_text("")
        assert mirror.settle().paths == {"new/deep/o.py"}


def test_a_callee_that_fails_once_is_told_to_look_at_everything(repo: Path) -> None:
    told: list[Change] = []

    def fragile(change: Change) -> None:
        told.append(change)
        if len(told) == 1:
            raise ValueError("a bug")

    watcher = Watcher(repo, fragile, rules=IgnoreRules(repo))
    watcher.start()
    (repo / "a.py").write_text("edited")
    while watcher.mode != "polling":
        watcher.sync(0.1)
    assert watcher.sync(20.0)
    assert told[1].overflow
    assert "ValueError" in watcher.reason
    watcher.stop(5.0)


def test_a_queue_that_cannot_be_measured_leads_to_polling(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        Inotify, "pending", lambda _: (_ for _ in ()).throw(OSError(25, "Inappropriate ioctl for device"))
    )
    with Mirror(repo) as mirror:
        assert (mirror.watcher.mode, mirror.watcher.reason) == ("polling", inotify_backend.UNREPORTED)


def test_watches_that_report_nothing_lead_to_polling(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inotify_backend, "WATCH_VERIFY_S", 0.05)
    monkeypatch.setattr(Inotify, "add", lambda _queue, place, _mask: hash(place) & 0xFFFF)
    with Mirror(repo) as mirror:
        assert (mirror.watcher.mode, mirror.watcher.reason) == ("polling", SILENT)
        (repo / "a.py").write_text("edited")
        assert mirror.settle().paths == {"a.py"}
