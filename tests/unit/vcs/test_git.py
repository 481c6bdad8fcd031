"""What git says about a repository, and what its files say without git."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from codeagentd.base import limits
from codeagentd.vcs import git
from tests.harness.git_repositories import linked, run, write


def test_tracked_and_new_files_are_listed_once_and_ignored_ones_are_not(repo: Path) -> None:
    (repo / ".gitignore").write_text("*.log\nout/\n")
    write(repo, "new.py", "x.log", "out/y.py", "with space.py", "naïve.py", "src/line\nbreak.py")
    files = git.list_files(repo)
    assert files is not None
    assert sorted(files) == sorted(set(files))
    assert set(files) == {".gitignore", "a.py", "src/b.py", "new.py", "with space.py", "naïve.py", "src/line\nbreak.py"}


def test_a_conflict_lists_its_file_once(repo: Path) -> None:
    run(repo, "checkout", "-qb", "other")
    (repo / "a.py").write_text("other\n")
    run(repo, "commit", "-qam", "other")
    run(repo, "checkout", "-q", "main")
    (repo / "a.py").write_text("main\n")
    run(repo, "commit", "-qam", "main")
    subprocess.run(["git", "-C", str(repo), "merge", "-q", "other"], capture_output=True)
    assert len(run(repo, "ls-files", "-u").splitlines()) == 3
    assert (git.list_files(repo) or []).count("a.py") == 1


def test_a_subdirectory_lists_its_own_files(repo: Path) -> None:
    assert git.list_files(repo / "src") == ["b.py"]
    assert git.top_level(repo / "src") == repo
    assert git.head(repo / "src") == run(repo, "rev-parse", "HEAD")


def test_repositories_inside_are_told_by_their_directory(repo: Path, tmp_path: Path) -> None:
    for name in ("embedded", "module"):
        inner = (repo if name == "embedded" else tmp_path) / name
        inner.mkdir()
        run(inner, "init", "-q")
        write(inner, "inner.py")
        run(inner, "add", "-A")
        run(inner, "commit", "-qm", "inner")
    run(repo, "submodule", "--quiet", "add", str(tmp_path / "module"), "module")
    files = git.list_files(repo) or []
    assert {"embedded/", "module"} <= set(files)
    assert not [path for path in files if path.endswith("inner.py")]
    assert git.head(repo / "module") == run(repo / "module", "rev-parse", "HEAD")


def test_tracked_files_that_rules_cover_are_told(repo: Path) -> None:
    assert git.list_forced(repo) == []
    (repo / ".gitignore").write_text("*.log\n")
    write(repo, "kept.log", "left.log")
    run(repo, "add", "-f", "kept.log")
    assert git.list_forced(repo) == ["kept.log"]


def test_tracked_files_are_listed_whether_they_are_there_or_not(repo: Path) -> None:
    write(repo, "new.py")
    (repo / "a.py").unlink()
    assert sorted(git.list_tracked(repo)) == ["a.py", "src/b.py"]


def test_without_a_repository_or_git_there_is_no_list(
    tmp_path: Path, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    monkeypatch.setenv("GIT_DIR", str(repo / ".git"))
    assert git.list_files(plain) is None
    assert git.list_tracked(plain) == git.list_forced(plain) == []
    assert (git.git_dir(plain), git.common_dir(plain), git.head(plain), git.exclude_files(plain)) == (
        None,
        None,
        "",
        [],
    )
    monkeypatch.setenv("PATH", str(plain))
    assert git.list_files(repo) is None
    assert len(git.head(repo)) == 40


@pytest.mark.limit(20)
def test_a_git_that_does_not_answer_is_given_up(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git, "GIT_LIST_DEADLINE_S", 0.5)
    os.mkfifo(repo / "src" / ".gitignore")
    assert git.list_files(repo) is None
    assert limits.GIT_LIST_DEADLINE_S > 0.5


def test_nothing_that_the_repository_configures_is_run(repo: Path, tmp_path: Path) -> None:
    script = tmp_path / "evil"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    script.chmod(0o755)
    hooks = repo / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-index-change", "post-checkout", "reference-transaction"):
        (hooks / name).write_text(script.read_text())
        (hooks / name).chmod(0o755)
    for key in (
        "core.fsmonitor",
        "core.pager",
        "pager.ls-files",
        "diff.external",
        "core.sshCommand",
        "core.editor",
        "core.askPass",
        "filter.x.clean",
        "filter.x.process",
    ):
        run(repo, "config", key, str(script))
    (repo / ".gitattributes").write_text("* filter=x\n")
    os.utime(repo / "a.py", (1, 1))
    assert "a.py" in (git.list_files(repo) or [])
    assert git.list_forced(repo) == []
    assert git.head(repo)
    assert git.exclude_files(repo)
    assert not (tmp_path / "ran").exists()


def test_head_follows_commits_branches_and_detaching(repo: Path) -> None:
    first = run(repo, "rev-parse", "HEAD")
    assert git.head(repo) == first
    write(repo, "c.py")
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "second")
    second = run(repo, "rev-parse", "HEAD")
    assert git.head(repo) == second != first
    run(repo, "checkout", "-q", "--detach", first)
    assert git.head(repo) == first
    run(repo, "checkout", "-qb", "feature/with/slashes", second)
    run(repo, "pack-refs", "--all", "--prune")
    assert not (repo / ".git" / "refs" / "heads" / "feature" / "with" / "slashes").exists()
    assert git.head(repo) == second


def test_head_is_empty_before_the_first_commit(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q")
    assert git.head(tmp_path) == ""
    assert git.list_files(tmp_path) == []


def test_head_may_be_a_link_or_point_through_another_ref(repo: Path) -> None:
    commit = run(repo, "rev-parse", "HEAD")
    run(repo, "symbolic-ref", "refs/heads/alias", "refs/heads/main")
    run(repo, "symbolic-ref", "HEAD", "refs/heads/alias")
    assert git.head(repo) == commit
    (repo / ".git" / "HEAD").unlink()
    (repo / ".git" / "HEAD").symlink_to("refs/heads/main")
    assert git.head(repo) == commit


@pytest.mark.parametrize(
    "content",
    [
        "ref: ../../secret",
        "ref: refs/../../../secret",
        "ref: /etc/hostname",
        "ref: refs/heads/loop",
        "",
        "\0",
        "garbage",
        "ref:",
        "0" * 39,
    ],
)
def test_a_head_that_points_elsewhere_is_no_commit(repo: Path, tmp_path: Path, content: str) -> None:
    (tmp_path / "secret").write_text("a" * 40)
    (repo / ".git" / "refs" / "heads" / "loop").write_text("ref: refs/heads/loop\n")
    (repo / ".git" / "HEAD").write_text(content)
    assert git.head(repo) == ""


def test_a_linked_work_tree_has_its_own_head_and_shares_the_refs(repo: Path) -> None:
    tree = linked(repo)
    assert git.git_dir(tree) == repo / ".git" / "worktrees" / "linked"
    assert git.common_dir(tree) == repo / ".git" == git.common_dir(repo)
    write(tree, "side.py")
    run(tree, "add", "-A")
    run(tree, "commit", "-qm", "side")
    assert git.head(tree) == run(tree, "rev-parse", "HEAD") != git.head(repo)
    assert "side.py" in (git.list_files(tree) or [])
    assert git.exclude_files(tree)[0] == repo / ".git" / "info" / "exclude"


def test_exclude_files_are_where_the_configuration_says(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert git.exclude_files(repo) == [repo / ".git" / "info" / "exclude", tmp_path / "config" / "git" / "ignore"]
    run(repo, "config", "core.excludesFile", str(tmp_path / "mine"))
    assert git.exclude_files(repo)[1] == tmp_path / "mine"


def test_case_is_ignored_where_git_ignores_it(repo: Path) -> None:
    run(repo, "config", "core.ignoreCase", "true")
    assert git.ignores_case(repo)
    run(repo, "config", "core.ignoreCase", "false")
    assert not git.ignores_case(repo)


def test_a_head_is_read_without_starting_git(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: pytest.fail("a process was started"))
    started = time.monotonic()
    assert len(git.head(repo)) == 40
    assert time.monotonic() >= started


def test_an_answer_that_is_too_long_is_none(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert git.ask(repo, "ls-files", deadline_s=5)
    monkeypatch.setattr(git, "_most_output", [5])
    assert git.ask(repo, "ls-files", deadline_s=5) is None
    assert git.ask(repo, "cat-file", "--batch", deadline_s=5, stdin=b"HEAD\n" * 100_000) is None
