"""The listing of a commit's whole tree, which has an end."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.vcs.repository_source import Unusable
from codeagentd.vcs.tree_listing import list_tree
from tests.harness.past import committed, run


def test_every_entry_is_listed_with_mode_and_size(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n", "b/c.py": "", "d é.txt": "12"})
    (repo / "link").symlink_to("a.py")
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "link")
    listed = list_tree(repo, "HEAD")
    assert {path: (entry.is_file, entry.size) for path, entry in listed.items()} == {
        "a.py": (True, 6), "b/c.py": (True, 0), "d é.txt": (True, 2), "link": (False, 4),
    }  # fmt: skip


def test_a_tree_of_too_many_files_is_refused(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", {f"{number}.py": "" for number in range(11)})
    assert len(list_tree(repo, "HEAD", 11)) == 11
    with pytest.raises(Unusable, match="more than 10 files"):
        list_tree(repo, "HEAD", 10)


def test_a_commit_that_is_not_there_is_refused(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", {"a.py": ""})
    with pytest.raises(Unusable, match="missing or damaged"):
        list_tree(repo, "0" * 40)
