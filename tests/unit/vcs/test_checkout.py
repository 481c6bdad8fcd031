"""What is checked out, read anew at each call."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from codeagentd.vcs import git
from codeagentd.vcs.checkout import Checkout, Head, Identity, work_trees
from codeagentd.vcs.work_tree_comparison import is_dirty
from tests.harness.git_repositories import linked, run


def commit_of(root: Path) -> str:
    return run(root, "rev-parse", "HEAD")


def dirty(root: Path) -> bool | None:
    return is_dirty(root, commit_of(root), deadline_s=10.0)


def test_each_read_tells_the_present_commit_and_branch(repo: Path) -> None:
    checkout = Checkout(repo)
    assert checkout.read() == Head(commit_of(repo), "main")
    run(repo, "checkout", "-q", "-b", "feature/one")
    run(repo, "commit", "-q", "--allow-empty", "-m", "second")
    assert checkout.read() == Head(commit_of(repo), "feature/one")
    run(repo, "checkout", "-q", "--detach", "HEAD~1")
    assert checkout.read() == Head(commit_of(repo), "")
    assert checkout.read().commit == git.head(repo)


def test_packed_refs_are_read_again_when_they_change(repo: Path) -> None:
    checkout = Checkout(repo)
    for turn in range(3):
        run(repo, "commit", "-q", "--allow-empty", "-m", f"turn {turn}")
        run(repo, "pack-refs", "--all")
        assert not (repo / ".git/refs/heads/main").exists()
        assert checkout.read() == Head(commit_of(repo), "main")


def test_before_the_first_commit_there_is_a_branch_and_no_commit(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "-b", "trunk")
    assert Checkout(tmp_path).read() == Head("", "trunk")


def test_git_may_come_and_go(repo: Path) -> None:
    checkout = Checkout(repo)
    shutil.rmtree(repo / ".git")
    assert checkout.read() == Head()
    run(repo, "init", "-q", "-b", "anew")
    assert checkout.read() == Head("", "anew")


def test_a_linked_work_tree_has_the_repositorys_name_and_its_own(repo: Path) -> None:
    tree = linked(repo)
    assert Checkout(repo).identity == Identity("repo")
    assert Checkout(tree).identity == Identity("repo", "linked")
    assert Checkout(tree).read() == Head(commit_of(tree), "side")
    assert work_trees(repo) == work_trees(tree) == [repo, tree]


@pytest.mark.parametrize("content", ["ref: refs/heads/../../../../etc/passwd\n", "ref: nonsense\n", "\0", ""])
def test_a_head_that_means_nothing_is_no_commit(repo: Path, content: str) -> None:
    (repo / ".git/HEAD").write_text(content)
    assert not Checkout(repo).read().commit


def test_tracked_files_that_differ_make_a_work_tree_dirty(repo: Path) -> None:
    assert dirty(repo) is False
    (repo / "new.py").write_text("")
    assert dirty(repo) is False
    run(repo, "add", "new.py")
    assert dirty(repo) is True
    run(repo, "rm", "-q", "-f", "new.py")
    (repo / "a.py").touch()
    assert dirty(repo) is False
    (repo / "a.py").unlink()
    assert dirty(repo) is True
    run(repo, "checkout", "-q", "a.py")
    (repo / "src/b.py").write_text("another\n")
    assert dirty(repo) is True


def test_a_comparison_with_head_runs_no_filter_and_writes_no_index(repo: Path) -> None:
    (repo / ".gitattributes").write_text("*.py filter=trap diff=trap\n")
    for name in ("filter.trap.clean", "filter.trap.process", "diff.trap.textconv", "core.fsmonitor"):
        run(repo, "config", name, f"touch {repo.parent}/sprung; cat")
    (repo / "a.py").write_text("another\n")
    before = (repo / ".git/index").read_bytes()
    assert dirty(repo) is True
    assert not (repo.parent / "sprung").exists()
    assert (repo / ".git/index").read_bytes() == before


def test_it_is_unknown_whether_a_work_tree_is_dirty_where_git_cannot_tell(repo: Path) -> None:
    (repo / ".git/index").write_bytes(b"nonsense")
    assert is_dirty(repo, "0" * 40, deadline_s=10.0) is None
