"""Repositories whose configuration names commands: none of them runs, however slow git is and whatever is written meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codeagentd.vcs import alternates, git, history, time_budget, work_tree_comparison
from tests.harness.past import committed, run, write

GIT = shutil.which("git") or "git"


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """A command that leaves a file behind when it runs."""
    script = tmp_path / "canary"
    script.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\nexit 1\n")
    script.chmod(0o755)
    return script


@pytest.fixture
def hostile(tmp_path: Path, canary: Path) -> Path:
    """A repository with filters for every file, each of which was written again since its commit."""
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n", "b.dat": "y = 1\n", "c.py": "z = 1\n"})
    write(repo, {".gitattributes": "*.py filter=evil diff=evil\n*.dat filter=process\n"})
    for name in (
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.process.process",
        "diff.evil.textconv",
        "diff.evil.command",
    ):
        run(repo, "config", name, str(canary))
    run(repo, "config", "filter.evil.required", "true")
    write(repo, {"a.py": "x = 1\n", "b.dat": "y = 1\n", "c.py": "z = 2\n"})
    for path in ("a.py", "b.dat"):
        os.utime(repo / path, (1, 1))
    return repo


def ran(canary: Path) -> bool:
    return canary.with_name("ran").exists()


def instead_of_git(folder: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    """Put a `git` first on PATH that does what the words of a shell say before it is git."""
    folder.mkdir()
    (folder / "git").write_text(f'#!/bin/sh\n{words}\nexec {GIT} "$@"\n')
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def test_the_filters_of_this_repository_run_where_git_is_asked_without_care(hostile: Path, canary: Path) -> None:
    subprocess.run(
        [GIT, "-C", str(hostile), "diff", "--no-ext-diff", "--no-textconv", "HEAD"], capture_output=True, check=False
    )
    assert ran(canary)


def test_comparing_runs_no_filter(hostile: Path, canary: Path) -> None:
    head = history.commit_of(hostile, "HEAD")
    assert history.changed_since(hostile, head) == [".gitattributes", "c.py"]
    assert history.lines_changed(hostile, head) == {"c.py": 2}
    assert git.list_files(hostile)
    assert not ran(canary)


def test_a_configuration_that_cannot_be_asked_in_time_runs_nothing_and_is_no_answer(
    hostile: Path, canary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = history.commit_of(hostile, "HEAD")
    monkeypatch.setattr(work_tree_comparison, "GIT_QUICK_DEADLINE_S", 0.2)
    instead_of_git(tmp_path / "bin", monkeypatch, 'case " $* " in *" config "*) exec sleep 30;; esac')
    with time_budget.at_most(10):
        assert history.changed_since(hostile, head) is None
        assert time_budget.is_late()
    assert history.lines_changed(hostile, head) is None
    assert not ran(canary)


@pytest.mark.parametrize(
    "answer",
    [
        "exit 1",
        "exit 0",
        "exit 128",
        "printf 'core.fsmonitor\\nx\\0filter.evil.clean\\n/bin/x\\0core.eol\\n$(x)\\0'; exit 0",
    ],
)
def test_whatever_the_configuration_is_said_to_be_nothing_runs(
    hostile: Path, canary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    head = history.commit_of(hostile, "HEAD")
    instead_of_git(tmp_path / "bin", monkeypatch, f'case " $* " in *" config "*) {answer};; esac')
    assert history.changed_since(hostile, head) == (None if "128" in answer else [".gitattributes", "c.py"])
    assert not ran(canary)


def test_a_configuration_that_is_written_between_two_questions_runs_nothing(
    hostile: Path, canary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, config = history.commit_of(hostile, "HEAD"), hostile / ".git" / "config"
    shutil.copy(config, tmp_path / "loaded")
    run(hostile, "config", "--remove-section", "filter.evil")
    run(hostile, "config", "--remove-section", "filter.process")
    instead_of_git(tmp_path / "bin", monkeypatch, f'case " $* " in *" diff "*) cp {tmp_path}/loaded {config};; esac')
    assert history.changed_since(hostile, head) == [".gitattributes", "c.py"]
    assert config.read_text() == (tmp_path / "loaded").read_text()
    assert not ran(canary)


def assert_fetches_nothing(tmp_path: Path, canary: Path, *, address: str = "") -> None:
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n"}, {"a.py": "x = 2\n"})
    oid = run(repo, "rev-parse", "HEAD~1:a.py")
    (repo / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    for name, value in (
        ("core.repositoryformatversion", "1"), ("extensions.partialClone", "origin"), ("remote.origin.promisor", "true"),
        ("remote.origin.url", address or str(repo)), ("protocol.allow", "always"), ("remote.origin.uploadpack", str(canary)), ("protocol.file.allow", "always"),
    ):  # fmt: skip
        run(repo, "config", name, value)
    assert dict(history.contents(repo, [oid])) == {}
    assert history.lines_changed(repo, "HEAD~1") is None
    assert not ran(canary)
    subprocess.run([GIT, "-C", str(repo), "cat-file", "-p", oid], capture_output=True, check=False)
    assert ran(canary)


def test_an_object_that_is_missing_is_fetched_by_no_command(tmp_path: Path, canary: Path) -> None:
    assert_fetches_nothing(tmp_path, canary)


def test_an_address_that_is_a_command_runs_nothing(tmp_path: Path, canary: Path) -> None:
    assert_fetches_nothing(tmp_path, canary, address=f"ext::{canary}")


def test_a_git_that_knows_nothing_of_lazy_fetching_is_kept_from_it_too(
    tmp_path: Path, canary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(git, "NO_FETCH", {"GIT_ALLOW_PROTOCOL": git.NO_FETCH["GIT_ALLOW_PROTOCOL"]})
    assert_fetches_nothing(tmp_path, canary)


def test_an_index_that_is_a_pipe_or_too_large_is_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n"})
    head = history.commit_of(repo, "HEAD")
    with monkeypatch.context() as patch:
        patch.setattr(alternates, "MAX_GIT_FILE_BYTES", 10)
        assert history.changed_since(repo, head) is None
    (repo / ".git" / "index").unlink()
    os.mkfifo(repo / ".git" / "index")
    assert work_tree_comparison.compare(repo, "--name-only", head, "--", commit=head, deadline_s=5) is None


def test_the_users_index_is_only_read(hostile: Path) -> None:
    index = hostile / ".git" / "index"
    before, stamp = index.read_bytes(), index.stat().st_mtime_ns
    history.changed_since(hostile, "HEAD")
    assert (index.read_bytes(), index.stat().st_mtime_ns) == (before, stamp)
    assert not list((hostile / ".git").glob("*.lock"))


def test_what_was_written_in_the_moment_of_the_index_is_seen(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n"})
    place, index = repo / "a.py", repo / ".git" / "index"
    moment = place.stat().st_mtime_ns
    place.write_text("x = 2\n")
    for one in (place, index):
        os.utime(one, ns=(moment, moment))
    assert history.changed_since(repo, "HEAD") == ["a.py"]


@pytest.mark.parametrize(("setting", "stored"), [("true", "a\nb\n"), ("input", "a\nb\n"), ("false", "a\r\nb\r\n")])
def test_line_ends_count_as_the_user_has_set_them(tmp_path: Path, setting: str, stored: str) -> None:
    repo = committed(tmp_path / "repo", {"a.txt": stored})
    run(repo, "config", "core.autocrlf", setting)
    write(repo, {"a.txt": "a\r\nb\r\n"})
    os.utime(repo / "a.txt", (1, 1))
    assert history.changed_since(repo, "HEAD") == []


def test_attributes_that_lie_in_the_git_folder_count_too(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", {"a.txt": "a\nb\n"})
    (repo / ".git" / "info" / "attributes").write_text("*.txt text eol=crlf\n")
    write(repo, {"a.txt": "a\r\nb\r\n"})
    os.utime(repo / "a.txt", (1, 1))
    assert history.changed_since(repo, "HEAD") == []


def test_modes_count_unless_the_user_says_that_they_do_not(tmp_path: Path) -> None:
    repo = committed(tmp_path / "repo", {"a.sh": "echo\n"})
    (repo / "a.sh").chmod(0o755)
    assert history.changed_since(repo, "HEAD") == ["a.sh"]
    run(repo, "config", "core.fileMode", "false")
    assert history.changed_since(repo, "HEAD") == []


@pytest.mark.parametrize("form", ["linked", "split", "sha256", "subfolder", "version 4"])
def test_every_form_of_a_repository_is_compared(tmp_path: Path, form: str) -> None:
    root = tmp_path / "re po"
    if form == "sha256":
        root.mkdir()
        run(root, "init", "-q", "-b", "main", "--object-format=sha256")
    repo = committed(root, {"sub/a.py": "x = 1\n", "sub/b.py": "y = 1\n"})
    if form == "linked":
        run(repo, "worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
        repo = tmp_path / "linked"
    elif form == "split":
        run(repo, "update-index", "--split-index")
        write(repo, {"sub/c.py": "c = 1\n"})
        run(repo, "add", "-A")
        assert list((repo / ".git").glob("sharedindex.*"))
    elif form == "version 4":
        run(repo, "update-index", "--index-version", "4")
    write(repo, {"sub/b.py": "y = 2\n", "sub/new.py": ""})
    added = ["sub/c.py"] if form == "split" else []
    assert history.changed_since(repo, "HEAD") == ["sub/b.py", *added, "sub/new.py"]
    if form == "subfolder":
        assert history.changed_since(repo / "sub", "HEAD") == ["b.py", "new.py"]


def test_all_questions_of_a_call_have_one_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n"})
    instead_of_git(tmp_path / "bin", monkeypatch, "sleep 0.4")
    begun = time.monotonic()
    with time_budget.at_most(1.0):
        answers = [history.commit_of(repo, "HEAD") for _ in range(10)]
        assert time_budget.is_late()
    assert time.monotonic() - begun < 3
    assert answers[0]
    assert answers[-1] == ""
    assert not time_budget.is_late()
    assert history.commit_of(repo, "HEAD")


LOOK = """
import resource, sys
from pathlib import Path
from codeagentd.vcs import git
git.MAX_GIT_MEMORY_BYTES, git.GIT_GREP_DEADLINE_S = 256 * 1024**2, 2
print(git.list_mentioning(Path(sys.argv[1]), ["x"]), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of another process")
@pytest.mark.parametrize("place", ["core.attributesFile", "info/attributes"])
def test_attributes_without_an_end_take_no_memory(tmp_path: Path, place: str) -> None:
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n"})
    if place.startswith("core."):
        run(repo, "config", place, "/dev/zero")
    else:
        (repo / ".git" / place).symlink_to("/dev/zero")
    done = subprocess.run([sys.executable, "-c", LOOK, str(repo)], capture_output=True, text=True, check=True)
    found, _, megabytes = done.stdout.rpartition(" ")
    assert found == ("['a.py']" if place.startswith("core.") else "None")
    assert int(megabytes) < 300


def test_the_work_tree_is_the_folder_that_was_asked_about(tmp_path: Path) -> None:
    other = committed(tmp_path / "other", {"private.py": "x = 1\n"})
    repo = committed(tmp_path / "repo", {"a.py": "x = 1\n"})
    run(repo, "config", "core.worktree", str(other))
    write(repo, {"b.py": "y = 1\n"})
    assert sorted(git.list_files(repo) or []) == ["a.py", "b.py"]
    assert history.changed_since(repo, history.commit_of(repo, "HEAD")) == ["b.py"]


def test_a_folder_with_the_files_of_a_bare_repository_is_none(tmp_path: Path) -> None:
    other = committed(tmp_path / "other", {"private.py": "x = 1\n"})
    run(tmp_path, "init", "-q", "--bare", str(repo := tmp_path / "repo"))
    for name, value in (("core.bare", "false"), ("core.worktree", str(other))):
        run(repo, "config", name, value)
    assert git.list_files(repo) is None
    assert history.commit_of(repo, "HEAD") == ""
