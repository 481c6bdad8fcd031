"""Git's data about a directory: the files that it tracks, the git directories, the commit that is checked out.

The repository is not trusted.
"""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from codeagentd.base.limits import (
    GIT_GREP_DEADLINE_S,
    GIT_LIST_DEADLINE_S,
    GIT_QUICK_DEADLINE_S,
    MAX_GIT_FILE_BYTES,
    MAX_GIT_MEMORY_BYTES,
    MAX_GIT_OUTPUT_BYTES,
    MAX_PATH_BYTES,
    MAX_REF_HOPS,
)
from codeagentd.base.paths import read_regular

from . import time_budget
from .bounded_process import finished

if sys.platform == "linux":
    import resource

# What a repository's own configuration could make git run while it answers: hooks, a monitor, a pager, an external
# diff; or read without end: a file of attributes. A folder that looks like a bare repository is none: its configuration
# would be a file of the work tree.
HARMLESS = (
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    f"core.attributesFile={os.devnull}",
    "-c",
    "core.fsmonitor=false",
    "-c",
    f"core.hooksPath={os.devnull}",
    "-c",
    "core.pager=cat",
    "-c",
    "diff.external=",
    "--no-pager",
    "--no-optional-locks",
)
NO_FETCH = {"GIT_NO_LAZY_FETCH": "1", "GIT_ALLOW_PROTOCOL": ""}  # git before 2.39.4 knows the second alone
MOST_THREADS = 8
NOTHING_FOUND = 1  # the exit code of `git config` for a name that is not set
COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_most_output = [MAX_GIT_OUTPUT_BYTES]
REF = re.compile(r"refs/[^\0-\x20\x7f~^:?*\[\\]+")


def list_files(root: Path) -> list[str] | None:
    """Return the files below `root` that git tracks or would add: relative posix paths, each once, in no particular
    order.

    Tracked files that are gone from the disk are included; repositories inside this one end in '/' (a submodule is a
    plain entry). None: no work tree, no git, or no answer in time.
    """
    return _names(root, "ls-files", "-co", "--exclude-standard", "-z", "--", deadline_s=GIT_LIST_DEADLINE_S)


def list_tracked(root: Path) -> list[str]:
    """Return the files in git's index, also those that are gone from the disk; empty without git."""
    return _names(root, "ls-files", "-c", "-z", "--", deadline_s=GIT_LIST_DEADLINE_S) or []


def list_forced(root: Path) -> list[str]:
    """Return the tracked files that ignore rules cover. A change of the index alone can add only these to
    `list_files`.
    """
    return _names(root, "ls-files", "-ci", "--exclude-standard", "-z", "--", deadline_s=GIT_LIST_DEADLINE_S) or []


def list_untracked(root: Path) -> list[str]:
    """Return the files that git would add: neither tracked nor ignored; empty without git."""
    return _names(root, "ls-files", "-o", "--exclude-standard", "-z", "--", deadline_s=GIT_LIST_DEADLINE_S) or []


def list_ignored_folders(root: Path, *, deadline_s: float) -> list[str]:
    """Return the folders that git ignores, each ending in '/', without what they contain; empty without git."""
    options = ("-o", "-i", "--exclude-standard", "--directory", "--no-empty-directory", "-z", "--")
    return [path for path in _names(root, "ls-files", *options, deadline_s=deadline_s) or [] if path.endswith("/")]


def list_mentioning(
    root: Path, texts: Sequence[str], *, is_work_tree: bool = True, whole_words: bool = True, all_of_them: bool = False,
    without: Sequence[str] = (),
) -> list[str] | None:  # fmt: skip
    """Return the tracked files below `root` that contain one of `texts` as a whole word; without `whole_words`,
    anywhere and in upper or lower case. `all_of_them`: the files that contain every one. Files whose names end in
    one of `without` are left out.

    Without `is_work_tree`, all files that git would not ignore if it were one. Files whose content git may take from
    its objects are included. None: no git, or no answer in time. Filters and drivers of the repository do not run: git
    compares the bytes of the files (git-grep, "--textconv").
    """
    options = ["-l", "-z", "-F", "--no-color", "--no-textconv", "--no-recurse-submodules", "--no-full-name"]
    # on two cores 8 threads, which are git's default, take twice the time of 3 (Linux 6.1: 1.9 and 0.9 s)
    options += [f"--threads={min(MOST_THREADS, 1 + (os.cpu_count() or 1))}", "-w" if whole_words else "-i"]
    options += ["--all-match"] if all_of_them else []
    options += [] if is_work_tree else ["--no-index", "--exclude-standard"]
    patterns = [part for text in texts for part in ("-e", text)]
    excluded = [f":(exclude)*{suffix}" for suffix in without]
    answer = run(root, "grep", *options, *patterns, "--", ".", *excluded, deadline_s=GIT_GREP_DEADLINE_S)
    if answer is None or answer.returncode not in (0, NOTHING_FOUND):
        return None
    return os.fsdecode(answer.stdout).split("\0")[:-1]


def exclude_files(root: Path) -> list[Path]:
    """Return the ignore files outside of the work tree, the stronger first: info/exclude, then core.excludesFile (or
    its default place).
    """
    common = common_dir(root)
    if common is None:
        return []
    configured = ask(root, "config", "--type=path", "--get", "core.excludesFile", deadline_s=GIT_QUICK_DEADLINE_S)
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    personal = root / os.fsdecode(configured).rstrip("\n") if configured else home / "git" / "ignore"
    return [common / "info" / "exclude", personal]


def ignores_case(root: Path) -> bool:
    """Whether git compares the names of this repository without regard to case (core.ignoreCase)."""
    return ask(root, "config", "--type=bool", "--get", "core.ignoreCase", deadline_s=GIT_QUICK_DEADLINE_S) == b"true\n"


def top_level(root: Path) -> Path | None:
    """Return the work tree that contains `root`: the nearest directory upwards with a .git. None without one."""
    return next((folder for folder in (root, *root.parents) if git_dir(folder, upwards=False)), None)


def git_dir(root: Path, *, upwards: bool = True) -> Path | None:
    """Return the directory with this work tree's HEAD and index: .git, or the directory that the .git file of a
    worktree or submodule names. None without one; `upwards`: also search above `root`.
    """
    for folder in (root, *root.parents) if upwards else (root,):
        dot_git = folder / ".git"
        if dot_git.is_dir():
            result: Path | None = dot_git
        else:
            result = _pointed_at(dot_git, b"gitdir: ", folder)
        # an old HEAD is a link to a ref that may not exist yet
        if result is not None and os.path.lexists(result / "HEAD"):
            return result
    return None


def common_dir(root: Path) -> Path | None:
    """Return the directory with refs, packed-refs and info/exclude; for a linked work tree, that of the main work tree.
    None without git.
    """
    own = git_dir(root)
    return own and (_pointed_at(own / "commondir", b"", own) or own)


def head(root: Path) -> str:
    """Return the commit that HEAD names, read from git's files; '' before the first commit and without git."""
    own, common = git_dir(root), common_dir(root)
    if own is None or common is None:
        return ""
    value = _head_file(own / "HEAD")
    for _ in range(MAX_REF_HOPS):
        if COMMIT.fullmatch(value):
            return value
        name = value.removeprefix("ref:").strip()
        if name == "refs/heads/.invalid":  # the refs are in a reftable, which only git reads
            answer = ask(root, "rev-parse", "--verify", "--quiet", "HEAD", deadline_s=GIT_QUICK_DEADLINE_S)
            return (answer or b"").decode("ascii", "replace").strip()
        if not REF.fullmatch(name) or ".." in name:
            return ""
        value = _small(own / name) or _small(common / name) or _packed(common, name)
    return ""


def has_commit(root: Path, commit: str) -> bool:
    """Whether the repository has `commit`. True also if git does not answer in time, since nothing then speaks against
    it.
    """
    if not COMMIT.fullmatch(commit) or git_dir(root) is None:
        return False
    result = ask(
        root, "cat-file", "--batch-check=%(objecttype)", deadline_s=GIT_QUICK_DEADLINE_S, stdin=commit.encode() + b"\n"
    )
    return result is None or result.strip() == b"commit"


def _head_file(place: Path) -> str:
    """Return the text of HEAD; where HEAD is a symbolic link, as in old repositories, its target as `ref: …`."""
    return f"ref: {os.readlink(place)}" if place.is_symlink() else _small(place)


def _packed(common: Path, name: str) -> str:
    data = read_regular(common / "packed-refs", MAX_GIT_FILE_BYTES) or b""
    match = re.search(rb"^([0-9a-f]{40,64}) " + re.escape(name.encode()) + rb"$", data, re.MULTILINE)
    return match[1].decode() if match else ""


def _small(place: Path) -> str:
    return (read_regular(place, MAX_PATH_BYTES) or b"").decode("utf-8", "replace").strip()


def _pointed_at(place: Path, label: bytes, folder: Path) -> Path | None:
    """Return the directory that a one-line file names, relative to `folder`."""
    line = read_regular(place, MAX_PATH_BYTES) or b""
    if not line.startswith(label) or not line.strip() or b"\0" in line:
        return None
    return Path(os.path.normpath(folder / os.fsdecode(line[len(label) :].rstrip(b"\r\n"))))


def _names(root: Path, *arguments: str, deadline_s: float) -> list[str] | None:
    output = ask(root, *arguments, deadline_s=deadline_s)
    return None if output is None else list(dict.fromkeys(os.fsdecode(output).split("\0")[:-1]))


def ask(
    root: Path, *arguments: str, deadline_s: float, stdin: bytes = b"", variables: Mapping[str, str] | None = None
) -> bytes | None:
    """Return the standard output of the git command `arguments`, which only reads; None when it fails, is missing, or
    takes too long.

    `stdin`: the input of the command.
    """
    answer = run(root, *arguments, deadline_s=deadline_s, stdin=stdin, variables=variables)
    return answer.stdout if answer and answer.returncode == 0 else None


def run(
    root: Path, *arguments: str, deadline_s: float, stdin: bytes = b"", variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes] | None:
    """Run the git command `arguments` to its end and return it; None when git is missing, or takes longer than
    `deadline_s` or than the time budget of the current call allows.

    No object is fetched, whatever the configuration names as a transport: a partial clone would have git run commands
    for that. The work tree is the folder with the .git, whatever the configuration says (core.worktree).
    """
    environment = environment_of(variables)
    if "GIT_WORK_TREE" not in environment and (top := top_level(root)):
        environment["GIT_WORK_TREE"] = str(top)
    command = ("git", *HARMLESS, "-C", str(root), *arguments)
    try:
        with time_budget.spending(deadline_s) as seconds:
            most = _most_output[0]
            return finished(command, environment, seconds, most, stdin=stdin, on_start=limit_memory)
    except (OSError, ValueError):
        return None


def limit_output(most_bytes: int) -> None:
    """Let one answer of git have at most so many bytes in this process; a longer one counts as none."""
    _most_output[0] = most_bytes


def limit_memory(pid: int) -> None:
    """Let the git process `pid` have MAX_GIT_MEMORY_BYTES at most, where the system can: files of the repository that
    have no end, and objects that stand for far more bytes than they have, would take all memory of the machine.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # it has ended
            resource.prlimit(pid, resource.RLIMIT_DATA, (MAX_GIT_MEMORY_BYTES, MAX_GIT_MEMORY_BYTES))


def environment_of(variables: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a git command that only reads, with `variables` added."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1", "GIT_OPTIONAL_LOCKS": "0"}
    return environment | {"LC_ALL": "C"} | NO_FETCH | dict(variables or {})
