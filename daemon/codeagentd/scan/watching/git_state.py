"""Git's own files whose changes matter to the index: HEAD, refs, the index, info/exclude."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.limits import MAX_PATH_BYTES
from codeagentd.base.paths import read_regular

from .events import HEAD, INDEX, RULES

LOCK: Final = ".lock"  # git writes NAME.lock and renames it
# The directories of this work tree's HEAD and of the refs (the same, but for linked work trees); None without git.
GitDirs = Callable[[], tuple[Path, Path] | None]
Signature = tuple[object, ...]


class GitFolder(msgspec.Struct, frozen=True):
    """A directory of git's to be watched, with the meaning of a change of each file name in it.

    `deep`: the meaning of any change below the directory.
    """

    place: str
    names: dict[str, str] = {}
    deep: str = ""

    def meaning(self, name: str) -> str:
        """Return the meaning of a change of the file `name` in this directory: HEAD, INDEX, RULES, or '' for a file
        that does not matter.
        """
        return self.deep if self.deep and not name.endswith(LOCK) else self.names.get(name, "")


def folders(own: Path, common: Path) -> list[GitFolder]:
    """Return the directories of git's to watch: `own` contains HEAD and the index, `common` the refs. Some may not
    exist.
    """
    names = {"HEAD": HEAD, "index": INDEX}
    existing = [
        GitFolder(str(common / "info"), {"exclude": RULES}),
        GitFolder(str(common / "refs"), deep=HEAD),
        GitFolder(str(common / "reftable"), deep=HEAD),
    ]
    if own == common:
        return [GitFolder(str(own), names | {"packed-refs": HEAD}), *existing]
    return [GitFolder(str(own), names), GitFolder(str(common), {"packed-refs": HEAD}), *existing]


def meaning(relative: str) -> str:
    """Return the meaning of a change of the file at `relative`, its path in a git directory that is not linked."""
    folder, _, name = relative.rpartition("/")
    if folder == "refs" or folder.startswith(("refs/", "reftable")):
        return "" if name.endswith(LOCK) else HEAD
    return {"HEAD": HEAD, "packed-refs": HEAD, "index": INDEX, "info/exclude": RULES}.get(relative, "")


class GitWatch:
    """A detector of changes of git's own files by polling, where there are no events."""

    def __init__(self, git_dirs: GitDirs) -> None:
        self._git_dirs = git_dirs
        self._last = self._look()

    def changed(self) -> set[str]:
        """Return the meanings of all changes since the last call (or since construction)."""
        before, self._last = self._last, self._look()
        return {what for what in (HEAD, INDEX, RULES) if before.get(what) != self._last.get(what)}

    def _look(self) -> dict[str, Signature]:
        dirs = self._git_dirs()
        if dirs is None:
            return {}
        own, common = dirs
        value = read_regular(own / "HEAD", MAX_PATH_BYTES) or b""
        ref = os.fsdecode(value.removeprefix(b"ref:").strip()).replace("\0", "")
        return {
            HEAD: (
                value,
                *map(
                    _signature, (own / ref, common / ref, common / "packed-refs", common / "reftable" / "tables.list")
                ),
            ),
            INDEX: (_signature(own / "index"),),
            RULES: (_signature(common / "info" / "exclude"),),
        }


def _signature(place: Path) -> Signature:
    try:
        info = place.lstat()
    except OSError:
        return ()
    return info.st_ino, info.st_size, info.st_mtime_ns
