"""Scans: by git's list or by a walk, always the same files, and what is left out is told."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from codeagentd.scan.ignore import IgnoreRules
from codeagentd.scan.walk import IGNORED, NAME, SPECIAL, SYMLINK, Stat, look, scan, scan_under
from codeagentd.vcs import git
from tests.unit.scan.mirror import run_git


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    for path in ("a.py", "src/b.py", "src/deep/c.py", "node_modules/x/index.js", "debug.log", "vendor/v.py"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path)
    (root / ".gitignore").write_text("node_modules/\n*.log\n")
    run_git(root, "init", "-q")
    run_git(root, "add", "-A")
    return root


def both(root: Path) -> list[set[str]]:
    return [set(scan(root, IgnoreRules(root), listed).files) for listed in (git.list_files(root), None)]


def test_the_walk_finds_what_git_lists(root: Path) -> None:
    expected = {".gitignore", "a.py", "src/b.py", "src/deep/c.py", "vendor/v.py"}
    assert both(root) == [expected, expected]


def test_each_file_comes_with_its_size_and_time(root: Path) -> None:
    os.utime(root / "a.py", ns=(1, 1_234_567_890_123_456_789))
    for listed in (git.list_files(root), None):
        assert scan(root, IgnoreRules(root), listed).files["a.py"] == Stat(4, 1_234_567_890_123_456_789)


def test_codeagentignore_leaves_out_tracked_files_and_says_so(root: Path) -> None:
    (root / ".codeagentignore").write_text("vendor/\n")
    listed = scan(root, IgnoreRules(root), git.list_files(root))
    assert "vendor/v.py" not in listed.files
    assert listed.skipped == {"vendor/v.py": IGNORED}
    assert "vendor/v.py" not in both(root)[1]


def test_codeagentignore_takes_back_what_git_ignores(root: Path) -> None:
    (root / ".codeagentignore").write_text("!*.log\n")
    assert all("debug.log" in files for files in both(root))


def test_tracked_files_that_git_ignores_are_found_through_its_list(root: Path) -> None:
    run_git(root, "add", "-f", "debug.log")
    assert "debug.log" in scan(root, IgnoreRules(root), git.list_files(root)).files


def test_links_pipes_and_sockets_are_left_out_with_the_reason(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.py").write_text("secret")
    (root / "link.py").symlink_to("a.py")
    (root / "linked").symlink_to(tmp_path / "outside")
    os.mkfifo(root / "pipe.py")
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket.py")
        walked = scan(root, IgnoreRules(root))
    listed = scan(root, IgnoreRules(root), git.list_files(root))
    assert walked.skipped == {"link.py": SYMLINK, "linked": SYMLINK, "pipe.py": SPECIAL, "socket.py": SPECIAL}
    assert listed.skipped == {"link.py": SYMLINK, "linked": SYMLINK}  # git does not list the others
    assert not [path for path in {**walked.files, **listed.files} if "secret" in path]


def test_a_tracked_directory_that_became_a_link_hides_its_files(root: Path, tmp_path: Path) -> None:
    (root / "src").rename(tmp_path / "moved")
    (root / "src").symlink_to(tmp_path / "moved")
    assert "src/b.py" in (git.list_files(root) or [])
    assert "src/b.py" not in scan(root, IgnoreRules(root), git.list_files(root)).files
    assert look(root, ["src/b.py", "src/deep/c.py", "a.py"]).files.keys() == {"a.py"}
    assert scan_under(root, ["src", "src/deep"], IgnoreRules(root)).files == {}


def test_deleted_files_are_gone_though_git_still_lists_them(root: Path) -> None:
    (root / "a.py").unlink()
    assert "a.py" in (git.list_files(root) or [])
    assert all("a.py" not in files for files in both(root))


def test_repositories_inside_are_told_and_not_entered(root: Path) -> None:
    (root / "inner").mkdir()
    run_git(root / "inner", "init", "-q")
    (root / "inner" / "i.py").write_text("")
    for listed in (git.list_files(root), None):
        found = scan(root, IgnoreRules(root), listed)
        assert found.nested == ("inner",)
        assert "inner/i.py" not in found.files
    assert "inner/i.py" in scan(root, IgnoreRules(root, nested=True)).files


def test_names_that_are_not_unicode_are_left_out_with_the_reason(root: Path) -> None:
    Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.py")).write_text("")
    for listed in (git.list_files(root), None):
        found = scan(root, IgnoreRules(root), listed)
        assert list(found.skipped.values()) == [NAME]
        assert all(path.isprintable() for path in (*found.files, *found.skipped))


def test_directories_are_scanned_by_the_rules(root: Path) -> None:
    found = scan_under(root, ["src", "node_modules", "no/such", "a.py"], IgnoreRules(root))
    assert set(found.files) == {"src/b.py", "src/deep/c.py"}
    assert set(scan_under(root, [""], IgnoreRules(root)).files) == both(root)[0]


def test_a_look_tells_files_from_what_is_none(root: Path) -> None:
    assert set(look(root, ["a.py", "src", "no.py", "debug.log", "a.py/x"]).files) == {"a.py", "debug.log"}


def test_an_empty_or_missing_root_has_no_files(tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "missing"):
        assert scan(place, IgnoreRules(place)).files == {}
