"""Comparisons of a work tree with a commit: git runs in a repository of codeagentd that reads the user's objects and a
copy of the user's index.

Comparing contents makes git run the filters that a repository configures (`filter.*.clean`, `filter.*.process`), and no
check before can tell reliably which ones there are: it may take too long, and the configuration may change in between.
The repository of codeagentd has none. Git still knows attributes, line ends and encodings, which it handles itself.
What a filter would have changed (Git LFS, encryption) counts as changed once the file was written again, since its
bytes are not those of the commit.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from codeagentd.base.limits import GIT_QUICK_DEADLINE_S, MAX_GIT_FILE_BYTES
from codeagentd.base.paths import read_regular

from .alternates import ALONE, copy_index, make_git_dir
from .git import NOTHING_FOUND, ask, common_dir, git_dir, run, top_level

DIFFERENT: Final = 1  # the exit code of `git diff --quiet` for differences

_YES_OR_NO: Final = frozenset({"true", "false", "yes", "no", "on", "off", "1", "0"})
_COPIED: Final[
    Mapping[str, frozenset[str]]
] = {  # settings for the form of files on this disk, and the only values that are taken over
    "core.autocrlf": _YES_OR_NO | {"input"},
    "core.eol": frozenset({"lf", "crlf", "native"}),
    "core.filemode": _YES_OR_NO,
    "core.symlinks": _YES_OR_NO,
    "core.ignorecase": _YES_OR_NO,
    "core.precomposeunicode": _YES_OR_NO,
    "core.trustctime": _YES_OR_NO,
    "core.checkstat": frozenset({"default", "minimal"}),
}
_PATTERN: Final = rf"^core\.({'|'.join(name.partition('.')[2] for name in _COPIED)})$"


def compare(root: Path, *arguments: str, commit: str, deadline_s: float) -> bytes | None:
    """Return the output of `git diff` with `arguments` below `root`; None when git fails or takes too long, or the
    index cannot be read.

    `commit` determines the object format.
    """
    with _repository(root, commit) as variables:
        return None if variables is None else ask(root, "diff", *arguments, deadline_s=deadline_s, variables=variables)


def is_dirty(root: Path, commit: str, *, deadline_s: float) -> bool | None:
    """Whether tracked files of the work tree differ from `commit`; submodules do not count. None when git fails or
    takes too long, or the index cannot be read.
    """
    options = ("--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules")
    with _repository(root, commit) as variables:
        if variables is None:
            return None
        answer = run(root, "diff", *options, commit, "--", deadline_s=deadline_s, variables=variables)
    return bool(answer.returncode) if answer and answer.returncode in (0, DIFFERENT) else None


@contextmanager
def _repository(root: Path, commit: str) -> Iterator[dict[str, str] | None]:
    """Make a temporary repository with the user's objects, index and work tree; give the environment variables by which
    git uses it, None where that is impossible.
    """
    top, own, common = top_level(root), git_dir(root), common_dir(root)
    settings = _settings(root)
    if top is None or own is None or common is None or settings is None:
        yield None
        return
    index = copy_index(own)
    if index is None and os.path.lexists(own / "index"):
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="codeagent-git-") as name:
        variables = make_git_dir(Path(name), commit, [str(common / "objects")], index, settings)
        copied = _copy(common, Path(name), "info/attributes") and all(
            _copy(own, Path(name), shared_index.name) for shared_index in own.glob("sharedindex.*")
        )
        yield ALONE | variables | {"GIT_WORK_TREE": str(top)} if copied else None


def _copy(source: Path, target: Path, name: str) -> bool:
    """Copy a file that may be missing; return whether that was possible.

    An index can be based on a second index file (split index), which git keeps beside it.
    """
    if not os.path.lexists(source / name):
        return True
    content = read_regular(source / name, MAX_GIT_FILE_BYTES)
    if content is not None:
        (target / name).parent.mkdir(exist_ok=True)
        (target / name).write_bytes(content)
    return content is not None


def _settings(root: Path) -> dict[str, str] | None:
    """Return the settings of `core` that the temporary repository takes over; None where git does not answer."""
    answer = run(root, "config", "-z", "--get-regexp", _PATTERN, deadline_s=GIT_QUICK_DEADLINE_S)
    if answer is None or answer.returncode not in (0, NOTHING_FOUND):
        return None
    result = {}
    for record in os.fsdecode(answer.stdout).split("\0"):
        name, has_value, value = record.partition("\n")
        value = value.lower() if has_value else "true"
        if value in _COPIED.get(name.lower(), ()):
            result[name.lower().partition(".")[2]] = value
    return result
