"""The repository that contains a path, told by no more than the existence of a `.git`."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagentd.base.limits import MAX_PATH_PARTS
from codeagentd.vcs.repository_of_path import repository_of
from tests.harness.git_repositories import linked, run


def test_the_nearest_folder_with_a_git_is_the_repository(repo: Path) -> None:
    inner = repo / "src/inner"
    inner.mkdir()
    run(inner, "init", "-q")
    for place, root in (
        ("src/b.py", repo),
        ("src/none/at/all.py", repo),
        ("src/inner/c.py", inner),
        ("src/inner", inner),
    ):
        assert repository_of(str(repo / place)) == str(root)
    tree = linked(repo)
    assert repository_of(str(tree / "a.py")) == str(tree)


def test_a_folder_called_git_without_a_head_is_none(tmp_path: Path) -> None:
    (tmp_path / "fake/.git").mkdir(parents=True)
    assert not repository_of(str(tmp_path / "fake/a.py"))


def test_no_link_is_followed(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "door").symlink_to(repo)
    (repo / "out").symlink_to(tmp_path)
    (tmp_path / "posed").mkdir()
    (tmp_path / "posed/.git").symlink_to(repo / ".git")
    for place in (tmp_path / "door/a.py", repo / "out/x.py", tmp_path / "posed/a.py"):
        assert not repository_of(str(place))


def test_a_home_directory_and_system_directories_are_none(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(repo))
    assert not repository_of(str(repo / "a.py"))
    assert not repository_of("/etc/passwd")


def test_folders_of_another_user_tell_nothing(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    assert not repository_of(str(repo / "a.py"))


def test_the_number_of_looks_is_bounded(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not repository_of(str(repo / "/".join(["d"] * MAX_PATH_PARTS)))
    assert not repository_of(f"/{'x' * 5_000}/y")
    assert not repository_of("/a\0b/c")
