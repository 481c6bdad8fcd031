"""Which directory is the repository, and which never is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.root import find_root, forbidden, git_top_level, root_of


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with `repo` (git), `plain` (not git), and a home directory elsewhere."""
    (tmp_path / "home" / "me" / "work").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home" / "me"))
    repository(tmp_path / "repo")
    (tmp_path / "repo" / "src" / "deep").mkdir(parents=True)
    (tmp_path / "plain" / "below").mkdir(parents=True)
    return tmp_path.resolve()


def repository(path: Path) -> None:
    (path / ".git").mkdir(parents=True)
    (path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")


def test_the_flag_comes_first_then_the_variable_then_the_current_directory(place: Path):
    plain, repo, below = str(place / "plain"), str(place / "repo"), str(place / "plain" / "below")
    assert find_root(plain, repo, repo) == plain
    assert find_root("", below, repo) == below
    assert find_root("", "", repo) == repo


def test_a_path_inside_a_work_tree_means_its_top_level(place: Path):
    repo = str(place / "repo")
    assert find_root(str(place / "repo" / "src" / "deep")) == repo
    assert find_root("src/..", cwd=repo) == repo
    assert find_root(".", cwd=str(place / "repo" / "src")) == repo
    assert find_root(cwd=str(place / "repo" / "src" / "deep")) == repo
    assert find_root(str(place / "repo" / ".git")) == repo


def test_a_path_outside_git_is_the_root_itself(place: Path):
    assert find_root(str(place / "plain" / "below")) == str(place / "plain" / "below")


def test_a_worktree_or_submodule_is_its_own_repository(place: Path):
    linked = place / "repo" / "linked"
    linked.mkdir()
    (linked / ".git").write_text("gitdir: /elsewhere\n")
    assert find_root(cwd=str(linked)) == str(linked)


def test_an_empty_git_directory_is_no_repository(place: Path):
    (place / "plain" / ".git").mkdir()
    assert git_top_level(str(place / "plain")) == ""


def test_links_lead_to_the_real_path(place: Path):
    (place / "link").symlink_to(place / "repo" / "src")
    assert find_root(str(place / "link")) == str(place / "repo")
    (place / "to-root").symlink_to("/")
    with pytest.raises(InvalidParameter, match="root of a file system"):
        find_root(str(place / "to-root"))


def test_a_current_directory_without_git_is_refused_with_what_to_do(place: Path):
    with pytest.raises(InvalidParameter, match="in no git work tree") as caught:
        find_root(cwd=str(place / "plain"))
    assert "--repo PATH" in caught.value.remedy
    assert "CODEAGENT_REPO=PATH" in caught.value.remedy
    assert caught.value.as_dict()["parameter"] == "repo"


SYSTEM = [
    path
    for path in [
        "/",
        "/tmp",
        "/usr",
        "/etc",
        "/var",
        "/home",
        "/proc",
        "/proc/fs",
        "/sys/kernel",
        "/dev",
        "/opt",
        "/root",
        "/Users",
    ]
    if os.path.isdir(path)
]


@pytest.mark.parametrize("path", SYSTEM)
def test_system_directories_are_never_a_repository(path: str):
    for arguments in ((path, "", ""), ("", path, "")):
        with pytest.raises(InvalidParameter, match="never indexed"):
            find_root(*arguments)


def test_a_home_directory_and_what_is_above_it_are_never_a_repository(place: Path):
    for path in ("home/me", "home", "."):
        with pytest.raises(InvalidParameter, match="home directory: that is never indexed"):
            find_root(str(place / path))
    assert find_root("~/work") == str(place / "home" / "me" / "work")


def test_a_home_directory_under_version_control_swallows_nothing(place: Path):
    repository(place / "home" / "me")
    work = str(place / "home" / "me" / "work")
    assert find_root(work) == work
    with pytest.raises(InvalidParameter, match="in no git work tree"):
        find_root(cwd=work)
    with pytest.raises(InvalidParameter, match="a home directory"):
        find_root(cwd=str(place / "home" / "me"))


def test_the_temporary_directory_of_this_user_is_never_a_repository(place: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TMPDIR", str(place / "plain"))
    assert forbidden(str(place / "plain"))
    assert not forbidden(str(place / "plain" / "below"))


@pytest.mark.parametrize("path", ["/nonexistent/x", "${workspaceFolder}", "nul\0byte"])
def test_what_is_no_directory_is_refused(place: Path, path: str):
    with pytest.raises(InvalidParameter, match="--repo"):
        find_root(path, cwd=str(place))


def test_a_file_is_no_repository(place: Path):
    (place / "plain" / "file").write_text("")
    with pytest.raises(InvalidParameter, match="no directory"):
        root_of(str(place / "plain" / "file"))


def test_a_current_directory_that_is_gone_is_refused(place: Path, monkeypatch: pytest.MonkeyPatch):
    gone = place / "gone"
    gone.mkdir()
    before = os.getcwd()
    monkeypatch.chdir(gone)
    gone.rmdir()
    try:
        for arguments in ({}, {"explicit": "."}):
            with pytest.raises(InvalidParameter, match="no longer exists"):
                find_root(**arguments)
        assert find_root(str(place / "repo")) == str(place / "repo")
    finally:
        os.chdir(before)
