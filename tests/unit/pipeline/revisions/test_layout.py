"""The files of a commit, laid out from git's objects."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from codeagentd.pipeline.revisions import layout as layouts
from codeagentd.pipeline.revisions.layout import Layout, is_safe, lay_out
from codeagentd.vcs import history
from codeagentd.vcs.repository_source import Source, source_at
from tests.harness.past import committed, run, write


def source_of(repo: Path) -> Source:
    source = source_at(repo)
    assert source is not None
    return source


def head(repo: Path) -> str:
    return run(repo, "rev-parse", "HEAD").strip()


def test_files_are_those_of_the_commit_byte_for_byte(tmp_path: Path) -> None:
    files = {
        "a.py": "x = 1\r\n",
        "b/c d.py": "$Id$\n",
        ".gitattributes": "* text eol=lf ident\n",
        ".gitignore": "*.log\n",
    }
    repo = committed(tmp_path / "repo", {"first.py": ""})
    run(repo, "config", "core.autocrlf", "false")
    write(repo, files)
    write(repo, {"kept.log": "tracked although ignored\n"})
    run(repo, "add", "-f", "-A")
    run(repo, "commit", "-qm", "second")
    write(repo, {"a.py": "changed\n", "new.py": ""})
    place = Layout(tmp_path / "c" / "1", "repo", head(repo))
    written, like = lay_out(place, source_of(repo))
    assert (written, like) == (6, None)
    for path in (*files, "kept.log"):
        command = ["git", "-C", str(repo), "cat-file", "blob", f"HEAD:{path}"]
        blob = subprocess.run(command, capture_output=True, check=True).stdout
        assert (place.tree / path).read_bytes() == blob
    assert not (place.tree / "new.py").exists()


def test_the_next_commit_shares_the_files_that_are_the_same(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", {f"{number}.py": f"x = {number}\n" for number in range(20)})
    first = Layout(tmp_path / "c" / "1", "repo", head(repo))
    lay_out(first, source_of(repo))
    run(repo, "rm", "-q", "3.py")
    committed(repo, {"1.py": "x = 'one'\n", "new.py": "x = 2\n"})
    second = Layout(tmp_path / "c" / "2", "repo", head(repo))
    written, like = lay_out(second, source_of(repo), [first])
    assert (written, like) == (2, first)
    assert (second.tree / "2.py").samefile(first.tree / "2.py")
    assert (first.tree / "1.py").read_text() == "x = 1\n"
    assert not (second.tree / "3.py").exists()


def test_a_layout_is_a_work_tree_without_changes_that_knows_the_branches(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n", "data.bin": "y" * 100})
    (repo / "link").symlink_to("a.py")
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "link")
    run(repo, "branch", "other", "HEAD~1")
    place = Layout(tmp_path / "c" / "1", "repo", head(repo))
    lay_out(place, source_of(repo))
    assert history.changed_since(place.tree, head(repo)) == []
    assert history.commit_of(place.tree, "other") == run(repo, "rev-parse", "other").strip()
    assert not (place.tree / "link").exists()


def test_long_files_are_left_out_and_count_as_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "MAX_LAID_OUT_BYTES", 50)
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n", "data.txt": "y" * 100})
    place = Layout(tmp_path / "c" / "1", "repo", head(repo))
    assert lay_out(place, source_of(repo))[0] == 1
    assert history.changed_since(place.tree, head(repo)) == []


@pytest.mark.parametrize(
    ("path", "safe"),
    [("a/b.py", True), (".github/x", True), ("a/.gitignore", True), ("../a", False), ("a/../b", False), ("/a", False), ("a//b", False), (".git/config", False),
     ("a/.GIT/x", False), ("GIT~1/config", False), ("a\\b", False), ("./a", False), ("x" * 256, False), ("\udcff.py", False)],
)  # fmt: skip
def test_only_paths_that_stay_inside_are_laid_out(path: str, safe: bool) -> None:
    assert is_safe(path) is safe
