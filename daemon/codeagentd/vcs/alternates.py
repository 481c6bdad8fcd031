"""A separate repository that reads the objects of the user's repository (git's alternates). Nothing that happens in it
reaches the refs, index, configuration, hooks or stash of the user's repository.

A linked worktree would share all of these. No configuration but its own is read, so that no configured filter runs:
what Git LFS keeps stays a pointer, and submodules are empty folders.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.base.limits import GIT_CHECKOUT_DEADLINE_S, GIT_WRITTEN_DEADLINE_S, MAX_GIT_FILE_BYTES
from codeagentd.base.paths import read_regular

from .git import HARMLESS, NO_FETCH, limit_memory

MAX_SHALLOW_BYTES: Final = 1_048_576  # of the list of commits whose parents were not fetched

_NO_RENAMES: Final = (
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    "--ignore-submodules",
    "--name-only",
    "--relative",
    "-z",
)


class GitResult(NamedTuple):
    """The output of a git command, and the reason of its failure, '' for success."""

    output: bytes
    failure: str = ""

    @property
    def paths(self) -> list[str]:
        """The output as a list of paths."""
        return [os.fsdecode(path) for path in self.output.split(b"\0") if path]


def borrow(tree: Path, objects: str, shallow: str, commit: str) -> str:
    """Make `tree` a work tree with the files of `commit`, a detached HEAD, and a repository of its own that reads the
    objects in the folder `objects`.

    Returns: the reason of a failure, '' for success.
    """
    form = "sha256" if len(commit) == 64 else "sha1"
    created = git(tree.parent, "init", "-q", "--template=", "-b", "main", f"--object-format={form}", str(tree))
    if created.failure:
        return created.failure
    add_alternates(tree / ".git/objects", objects)
    if cut := read_regular(shallow, MAX_SHALLOW_BYTES):
        (tree / ".git/shallow").write_bytes(cut)
    return (
        git(tree, "update-ref", "--no-deref", "HEAD", commit).failure
        or git(tree, "read-tree", "--reset", "-u", commit).failure
    )


def add_alternates(folder: Path, *objects: str) -> None:
    """Make `folder`, a folder of objects, read the folders `objects` of other repositories."""
    (folder / "info").mkdir(parents=True, exist_ok=True)
    (folder / "info/alternates").write_bytes(b"".join(_quoted(os.fsencode(path)) + b"\n" for path in objects))


class IndexCopy(NamedTuple):
    """A copy of a git index, and its time stamp: git compares contents of files that are not older than the index."""

    content: bytes
    stamp_ns: int


def make_git_dir(
    place: Path, commit: str, objects: Sequence[str], index: IndexCopy | None, settings: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Make a git directory at `place` for a work tree that lies elsewhere; return the environment variables by which
    git uses it.

    `commit` determines the object format, `settings` are the settings of `core`.
    """
    is_long = len(commit) == 64
    lines = [
        "[core]",
        f"repositoryformatversion = {int(is_long)}",
        "bare = false",
        *(f"{name} = {value}" for name, value in (settings or {}).items()),
    ]
    lines += ["[extensions]", "objectformat = sha256"] if is_long else []
    (place / "HEAD").write_text("ref: refs/heads/none\n")
    (place / "refs").mkdir()
    (place / "config").write_text("\n".join(lines) + "\n")
    add_alternates(place / "objects", *objects)
    if index:
        (place / "index").write_bytes(index.content)
        os.utime(place / "index", ns=(index.stamp_ns, index.stamp_ns))
    return {"GIT_DIR": str(place)}


def copy_index(folder: Path) -> IndexCopy | None:
    """Return a copy of the index in the git directory `folder`; None when it is no regular file, or too large."""
    with suppress(OSError):
        stamp_ns = os.lstat(folder / "index").st_mtime_ns
        content = read_regular(folder / "index", MAX_GIT_FILE_BYTES)
        return None if content is None else IndexCopy(content, stamp_ns)
    return None


def stage(folder: Path) -> str:
    """Add all changes below `folder` to the index. Returns the reason of a failure, '' for success."""
    return git(folder, "add", "-A", "--", ".").failure


def apply(folder: Path, patch: str) -> str:
    """Apply `patch` to the tree; its paths are relative to `folder`. Git refuses paths that lead out of the tree.

    Returns: the reason of a failure, '' for success.
    """
    return git(
        folder, "apply", "--index", "--whitespace=nowarn", "-", stdin=patch.encode("utf-8", "surrogateescape")
    ).failure


def staged(folder: Path, commit: str) -> list[str]:
    """Return the files below `folder` that differ between the index and `commit`."""
    return git(folder, "diff", "--cached", *_NO_RENAMES, commit, "--").paths


def written(folder: Path, top: Path, commit: str, objects: str, index: IndexCopy) -> tuple[list[str], str]:
    """Return the files below `folder`, in the work tree `top`, that differ from `index` or are new and not ignored; and
    the reason where git could not tell all of them, else ''.

    The author of the files may also have written `.git/config`, with filters in it; therefore git uses a repository
    that is created here.
    """
    with tempfile.TemporaryDirectory(dir=top.parent) as place:
        variables = make_git_dir(Path(place), commit, [objects, str(top / ".git/objects")], index) | {
            "GIT_WORK_TREE": str(top)
        }
        changed = git(folder, "diff", *_NO_RENAMES, "--", variables=variables, deadline_s=GIT_WRITTEN_DEADLINE_S)
        new = git(
            folder,
            "ls-files",
            "-o",
            "--exclude-standard",
            "-z",
            "--",
            variables=variables,
            deadline_s=GIT_WRITTEN_DEADLINE_S,
        )
    return sorted({*changed.paths, *new.paths}), changed.failure or new.failure


def git(
    folder: Path,
    *arguments: str,
    stdin: bytes = b"",
    variables: Mapping[str, str] | None = None,
    deadline_s: float = GIT_CHECKOUT_DEADLINE_S,
) -> GitResult:
    """Run git with `arguments` in `folder`, one that codeagentd made. Git has no configuration but the repository's
    own, and no home directory.
    """
    environment = (
        {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "XDG_"))} | ALONE | NO_FETCH
    )
    environment |= {"LC_ALL": "C", "HOME": os.devnull} | dict(variables or {})
    command = ("git", *HARMLESS, "-C", str(folder), *arguments)
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
        )
    except (OSError, ValueError) as error:
        return GitResult(b"", f"git cannot be run: {error}")
    limit_memory(process.pid)
    with process:
        try:
            output, errors = process.communicate(stdin, timeout=deadline_s)
        except subprocess.TimeoutExpired:
            process.kill()
            return GitResult(b"", f"git {arguments[0]} took longer than {deadline_s:g} s")
    reason = errors.decode(errors="replace").strip() or f"git {arguments[0]} failed"
    return GitResult(output, reason if process.returncode else "")


ALONE: Final = {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_ATTR_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
}  # fmt: skip


def _quoted(path: bytes) -> bytes:
    """Return a path as a line that git reads: with odd characters in quotes."""
    if not any(byte < 32 or byte in b'"\\#' for byte in path):
        return path
    return (
        b'"'
        + b"".join(bytes([byte]) if byte >= 32 and byte not in b'"\\' else b"\\%03o" % byte for byte in path)
        + b'"'
    )
