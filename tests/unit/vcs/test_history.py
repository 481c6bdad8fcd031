"""What git says about the past, and what it is never made to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.vcs import history
from tests.harness.past import committed, run, write


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return committed(tmp_path / "repo", {"a.py": "x = 1\n", "sub/b.py": "y = 1\n"}, {"a.py": "x = 1\nz = 2\n"})


def test_a_revision_is_a_commit_or_nothing(repo: Path) -> None:
    head = run(repo, "rev-parse", "HEAD")
    assert (
        history.commit_of(repo, "HEAD") == history.commit_of(repo, "main") == history.commit_of(repo, head[:10]) == head
    )
    for name in (
        "",
        "-h",
        "--all",
        "HEAD:a.py",
        "HEAD^{tree}",
        "HEAD HEAD",
        "HEAD\nHEAD",
        "x\0y",
        "x" * 999,
        "@{upstream}",
    ):
        assert history.commit_of(repo, name) == ""


def test_the_default_branch_is_the_remotes_else_a_usual_one(tmp_path: Path, repo: Path) -> None:
    assert history.default_branch(repo) == "main"
    run(tmp_path, "clone", "-q", str(repo), "clone")
    assert history.default_branch(tmp_path / "clone") == "origin/main"
    assert history.default_branch(committed(tmp_path / "odd", {"a": "1"}, branch="odd")) == ""


def test_changes_are_told_by_whole_paths_below_the_root(repo: Path) -> None:
    write(repo, {"sub/new\nline.py": "n = 1\n", "sub/b.py": None})
    assert history.changed_since(repo, "HEAD~1") == ["a.py", "sub/b.py", "sub/new\nline.py"]
    assert history.changed_since(repo / "sub", "HEAD~1") == ["b.py", "new\nline.py"]
    assert history.lines_changed(repo, "HEAD~1") == {"a.py": 1, "sub/b.py": 1}
    assert history.lines_changed(repo, "HEAD~1", "HEAD") == {"a.py": 1}


def test_a_name_with_signs_of_a_pattern_is_only_a_name(repo: Path) -> None:
    assert history.recent_commits(repo, ["a.py"]) == 2
    assert history.recent_commits(repo, ["*.py", ":(top)a.py", "-x"]) == 0


def test_the_files_of_a_commit_are_read_without_a_work_tree(repo: Path) -> None:
    write(repo, {"a.py": "changed\n"})
    files = history.tree(repo, "HEAD~1") or {}
    assert sorted(files) == ["a.py", "sub/b.py"]
    assert dict(history.contents(repo, [files["a.py"].oid, "0" * 40])) == {files["a.py"].oid: b"x = 1\n"}


def test_the_base_is_where_the_branch_left_it(repo: Path) -> None:
    start = run(repo, "rev-parse", "HEAD")
    run(repo, "checkout", "-q", "-b", "topic")
    write(repo, {"c.py": "c = 1\n"})
    run(repo, "add", "-A")
    run(repo, "commit", "-q", "-m", "topic")
    assert history.fork_point(repo, start) == start
    run(repo, "checkout", "-q", "--orphan", "alone")
    run(repo, "commit", "-q", "-m", "alone")
    assert history.fork_point(repo, start) == start


def test_variables_of_git_change_nothing(repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = committed(tmp_path / "other", {"o.py": ""})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "false")
    assert sorted(history.tree(repo, "HEAD") or {}) == ["a.py", "sub/b.py"]
    assert history.changed_since(repo, "HEAD") == []
