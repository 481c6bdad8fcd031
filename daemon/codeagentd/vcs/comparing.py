"""Comparisons of a work tree with a commit: git runs in a repository of ours that reads the user's objects and a copy of the user's index.

Comparing contents makes git run the filters that a repository configures (`filter.*.clean`, `filter.*.process`), and nothing that is asked before can tell
reliably which ones there are: the question may take too long, and the configuration may change in between. In a repository of ours there are none. Git
still knows attributes, line ends and encodings, which it handles itself. What a filter would have changed (Git LFS, encryption) counts as changed once the
file was written again, since its bytes are not those of the commit.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from codeagentd.base.limits import GIT_QUICK_DEADLINE_S, MAX_GIT_FILE_BYTES, MAX_IGNORE_FILE_BYTES
from codeagentd.base.paths import read_regular

from .borrowing import ALONE, lend_objects
from .git import NOTHING_FOUND, ask, common_dir, git_dir, run, top_level

_YES_OR_NO: Final = frozenset({"true", "false", "yes", "no", "on", "off", "1", "0"})
_COPIED: Final[Mapping[str, frozenset[str]]] = {  # settings that say how files lie on this disk, and the only values that are taken over
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
    """What `git diff` with these arguments says below `root`; None when it fails or takes too long, or the index cannot be read. `commit` tells the format."""
    with _repository(root, commit) as variables:
        return None if variables is None else ask(root, "diff", *arguments, deadline_s=deadline_s, variables=variables)


@contextmanager
def _repository(root: Path, commit: str) -> Iterator[dict[str, str] | None]:
    """A repository with the user's objects, index and work tree for a moment: the variables by which git uses it."""
    top, own, common = top_level(root), git_dir(root), common_dir(root)
    settings = _settings(root)
    if top is None or own is None or common is None or settings is None:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="codeagent-git-") as name:
        place = Path(name)
        (place / "HEAD").write_text("ref: refs/heads/none\n")
        (place / "refs").mkdir()
        (place / "config").write_text(_config(settings, commit))
        lend_objects(place / "objects", str(common / "objects"))
        if attributes := read_regular(common / "info" / "attributes", MAX_IGNORE_FILE_BYTES):
            (place / "info").mkdir()
            (place / "info" / "attributes").write_bytes(attributes)
        is_whole = _copy_index(own, place)
        yield ALONE | {"GIT_DIR": name, "GIT_WORK_TREE": str(top)} if is_whole else None


def _copy_index(own: Path, place: Path) -> bool:
    """Copy the index, and the shared one that a split index is based on; whether that is possible. Git writes to it when it has compared."""
    shared = [one.name for one in own.glob("sharedindex.*")]
    return all(_copy(own / name, place / name) for name in ("index", *shared))


def _copy(source: Path, target: Path) -> bool:
    """Copy a file that may be missing, with its time: git compares contents where a file is not older than the index."""
    try:
        found = os.lstat(source)
    except OSError:
        return True
    content = read_regular(source, MAX_GIT_FILE_BYTES)
    if content is None:
        return False
    target.write_bytes(content)
    os.utime(target, ns=(found.st_atime_ns, found.st_mtime_ns))
    return True


def _settings(root: Path) -> dict[str, str] | None:
    """The settings that are taken over; None without an answer."""
    answer = run(root, "config", "-z", "--get-regexp", _PATTERN, deadline_s=GIT_QUICK_DEADLINE_S)
    if answer is None or answer.returncode not in (0, NOTHING_FOUND):
        return None
    found = {}
    for record in os.fsdecode(answer.stdout).split("\0"):
        name, has_value, value = record.partition("\n")
        value = value.lower() if has_value else "true"
        if value in _COPIED.get(name.lower(), ()):
            found[name.lower()] = value
    return found


def _config(settings: Mapping[str, str], commit: str) -> str:
    is_long = len(commit) == 64
    lines = [
        "[core]",
        f"repositoryformatversion = {int(is_long)}",
        "bare = false",
        *(f"{name.partition('.')[2]} = {value}" for name, value in settings.items()),
    ]
    lines += ["[extensions]", "objectformat = sha256"] if is_long else []
    return "\n".join(lines) + "\n"
