"""Git's history: revisions, changes since a commit, the files of a commit and their contents.

Names of revisions are not trusted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.base.limits import BLOBS_AT_ONCE, GIT_HISTORY_DEADLINE_S, GIT_QUICK_DEADLINE_S
from codeagentd.base.text import is_unicode
from codeagentd.model.changed_lines import Hunk

from .git import COMMIT, ask, common_dir, git_dir
from .work_tree_comparison import compare

MAX_REVISION: Final = 250  # characters of a revision's name
RECENT: Final = "90.days"  # commits that count as recent

_REVISION: Final = re.compile(r"[^-\s\x00-\x1f\x7f][^\s\x00-\x1f\x7f]*")
_HUNK: Final = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_USUAL: Final = ("main", "master", "develop", "trunk")  # usual names of default branches, where no remote names its own
_PLAIN_DIFF: Final = (
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--no-color",
    "--ignore-submodules",
    "--relative",
    "-z",
)
_FILES: Final = frozenset({b"100644", b"100755"})  # modes of what the index holds: neither links nor submodules


class Blob(NamedTuple):
    """A file of a commit: its object id, and its size in bytes."""

    oid: str
    size: int


def is_repository(root: Path) -> bool:
    """Whether `root` lies in a git work tree that git itself can read here."""
    return (
        git_dir(root) is not None and ask(root, "rev-parse", "--git-dir", deadline_s=GIT_QUICK_DEADLINE_S) is not None
    )


def is_shallow(root: Path) -> bool:
    """Whether the clone is shallow: its history is cut off."""
    common = common_dir(root)
    return common is not None and (common / "shallow").is_file()


def commit_of(root: Path, revision: str) -> str:
    """Return the commit that `revision` names, as a whole hash; '' when there is none."""
    if len(revision) > MAX_REVISION or not _REVISION.fullmatch(revision):
        return ""
    output = ask(root, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", deadline_s=GIT_QUICK_DEADLINE_S)
    result = (output or b"").decode("ascii", "replace").strip()
    return result if COMMIT.fullmatch(result) else ""


def default_branch(root: Path) -> str:
    """Return the branch that changes are to be merged into: the remote's default branch, else a usual name; '' when
    none of these exists.
    """
    output = ask(
        root, "symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD", deadline_s=GIT_QUICK_DEADLINE_S
    )
    remote_default = os.fsdecode(output or b"").strip()
    names = (remote_default, *_USUAL, *(f"origin/{name}" for name in _USUAL))
    return next((name for name in names if name and commit_of(root, name)), "")


def fork_point(root: Path, base: str) -> str:
    """Return the commit at which HEAD left `base` (a commit's hash); `base` itself when no common ancestor is known."""
    output = ask(root, "merge-base", base, "HEAD", deadline_s=GIT_HISTORY_DEADLINE_S)
    result = (output or b"").decode("ascii", "replace").strip()
    return result if COMMIT.fullmatch(result) else base


def changed_since(root: Path, commit: str) -> list[str] | None:
    """Return the paths below `root` that differ between `commit` and the work tree, new files included; None where git
    does not answer.
    """
    output = _compared(root, "--name-only", commit)
    new = ask(root, "ls-files", "-o", "--exclude-standard", "-z", "--", deadline_s=GIT_HISTORY_DEADLINE_S)
    if output is None or new is None:
        return None
    paths = {os.fsdecode(path) for path in (output + new).split(b"\0") if path and not path.endswith(b"/")}
    return sorted(path for path in paths if is_unicode(path))


def lines_changed(root: Path, old: str, new: str = "") -> dict[str, int] | None:
    """Return the number of lines added and removed, by path, between two commits, or (`new` '') a commit and the work
    tree; binary files have no entry.

    None where git does not answer.
    """
    output = _compared(root, "--numstat", old, *([new] if new else []))
    if output is None:
        return None
    result = {}
    for record in output.split(b"\0"):
        added, _, rest = record.partition(b"\t")
        removed, _, path = rest.partition(b"\t")
        if added.isdigit() and removed.isdigit():
            result[os.fsdecode(path)] = int(added) + int(removed)
    return result


def hunks_since(root: Path, commit: str) -> dict[str, list[Hunk]] | None:
    """Return the lines that differ between `commit` and the work tree, by path. New files, binary files and those with
    unusual characters in their paths have no entry.

    None where git does not answer.
    """
    output = _compared(root, "--unified=0", commit)
    if output is None:
        return None
    result: dict[str, list[Hunk]] = {}
    lines = iter(output.decode("utf-8", "replace").split("\n"))
    hunks: list[Hunk] = []
    for line in lines:
        if line.startswith("+++ b/"):
            hunks = result.setdefault(line.removeprefix("+++ b/").removesuffix("\t"), [])
        elif line.startswith("+++ "):
            hunks = []
        elif place := _HUNK.match(line):
            removed, first, added = int(place[1] or 1), int(place[2]), int(place[3] or 1)
            texts = [text[1:] for text in islice((line for line in lines if line[:1] != "\\"), removed + added)]
            hunks.append(Hunk(first, texts[:removed], texts[removed:]))
    return result


def _compared(root: Path, form: str, *revisions: str) -> bytes | None:
    commits = [revision if COMMIT.fullmatch(revision) else commit_of(root, revision) for revision in revisions]
    return (
        compare(root, form, *_PLAIN_DIFF, *commits, "--", commit=commits[0], deadline_s=GIT_HISTORY_DEADLINE_S)
        if all(commits)
        else None
    )


def recent_commits(root: Path, paths: Sequence[str]) -> int:
    """Return how many commits of the last 90 days changed one of `paths`; 0 also where git does not answer."""
    places = [f":(literal){path}" for path in paths]
    output = (
        ask(root, "rev-list", "--count", f"--since={RECENT}", "HEAD", "--", *places, deadline_s=GIT_HISTORY_DEADLINE_S)
        if places
        else None
    )
    return int(output or 0)


def tree(root: Path, commit: str) -> dict[str, Blob] | None:
    """Return the files of `commit` below `root`, by path; None where git does not answer."""
    output = ask(root, "ls-tree", "-r", "-z", "-l", commit, deadline_s=GIT_HISTORY_DEADLINE_S)
    if output is None:
        return None
    result = {}
    for record in output.split(b"\0")[:-1]:
        head, _, path = record.partition(b"\t")
        mode, _, oid, size = head.split()
        if mode in _FILES and size.isdigit() and is_unicode(os.fsdecode(path)):
            result[os.fsdecode(path)] = Blob(oid.decode(), int(size))
    return result


class Revision(NamedTuple):
    """A commit, and the name of its tree."""

    commit: str
    tree: str


def ancestors(root: Path, limit: int) -> list[Revision]:
    """Return HEAD and its ancestors, the newest first, at most `limit`; none where git does not answer."""
    # not `git log`, which a repository's configuration makes check signatures with a program of its choice
    arguments = ("rev-list", f"--max-count={limit}", "--format=%H %T", "HEAD", "--")
    lines = (ask(root, *arguments, deadline_s=GIT_HISTORY_DEADLINE_S) or b"").decode("ascii", "replace").split("\n")
    return [Revision(*line.split(" ")) for line in lines if line.count(" ") == 1 and not line.startswith("commit ")]


def prefix(root: Path) -> str:
    """Return the folder `root` relative to the top of its work tree, ending in '/'; '' for the top."""
    output = ask(root, "rev-parse", "--show-prefix", deadline_s=GIT_QUICK_DEADLINE_S)
    return os.fsdecode(output or b"").rstrip("\n")


def present(root: Path, commit: str, paths: Sequence[str]) -> set[str]:
    """Return those of `paths` that `commit` has as files; none where git does not answer."""
    output = (
        ask(root, "ls-tree", "-r", "-z", "--name-only", commit, "--", *paths, deadline_s=GIT_HISTORY_DEADLINE_S)
        if paths
        else b""
    )
    return set(paths) & {os.fsdecode(path) for path in (output or b"").split(b"\0")}


def contents(root: Path, oids: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Yield (object id, content as git stores it) for the objects `oids`. Objects that are missing, as in a partial
    clone, are left out.
    """
    for first in range(0, len(oids), BLOBS_AT_ONCE):
        few = oids[first : first + BLOBS_AT_ONCE]
        output = (
            ask(root, "cat-file", "--batch", deadline_s=GIT_HISTORY_DEADLINE_S, stdin="\n".join(few).encode() + b"\n")
            or b""
        )
        at = 0
        while at < len(output):
            end = output.index(b"\n", at)
            oid, kind, *rest = output[at:end].split(b" ")
            at = end + 1
            if kind == b"blob":
                size = int(rest[0])
                yield oid.decode(), output[at : at + size]
                at += size + 1
