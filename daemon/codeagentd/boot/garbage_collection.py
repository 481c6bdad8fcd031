"""Garbage collection in the directories of this program: it removes files that belong to no repository any more. It
never removes memory.db or a file of a running daemon.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.locks import FileLock, is_held
from codeagentd.languages.versions import version_of
from codeagentd.store.blob_gc import sweep

from .index_ownership import IndexOwner, recorded

HOUR_S: Final = 3600.0
DAY_S: Final = 24 * HOUR_S
# seconds that files are kept whose worktree may only be away, on a mount that is missing now, or whose index has no
# record
AWAY_S: Final = 30 * DAY_S
RECENT_S: Final = 7 * DAY_S  # seconds since its last use for which a daemon, in its daily run, keeps an index
FRESH_S: Final = HOUR_S  # seconds that facts without an index are kept: a daemon may be about to write its record
PORTS: Final = ".tcp"
PLACES: Final = (".sock", ".ctl", PORTS)  # endings of the files at which a daemon listens
GONE: Final = ".gone-"  # prefix of the name of a folder that is being removed

INDEX, OLDER, FACTS, UNUSED, SOCKET, LOG, RULES = (
    "index",
    "older version",
    "facts",
    "unused facts",
    "socket",
    "log",
    "rules",
)


class Garbage(msgspec.Struct, frozen=True):
    """One file or folder that the collection removed, or would remove in a dry run, with the reason. `bytes`: its size;
    `root`: the repository it belonged to.
    """

    kind: str
    path: str
    reason: str
    bytes: int
    root: str = ""


class Collection:
    """One run of the garbage collection. `careful`: the user has not requested it, so files that were used lately
    stay.
    """

    def __init__(self, *, dry_run: bool = False, careful: bool = False, now: float | None = None) -> None:
        self._dry = dry_run
        self._age_s = RECENT_S if careful else 0.0
        self._now = time.time() if now is None else now
        self._cache, self._runtime, self._state = dirs.cache_dir(), dirs.runtime_dir(), dirs.state_dir()

    def run(self) -> list[Garbage]:
        """Collect. Returns the removed files and folders in the order of their removal."""
        indexes = list(self._indexes())
        gone = {Path(item.path) for item in indexes}
        owners = {folder: recorded(folder) for folder in _folders(self._cache / "worktrees") if folder not in gone}
        return [
            *indexes,
            *self._older(owners),
            *self._facts(owners),
            *self._unused(owners),
            *self._sockets(),
            *self._logs({folder.name for folder in owners}),
            *self._rules(),
        ]

    # -- indexes
    def _indexes(self) -> Iterator[Garbage]:
        for folder in _folders(self._cache / "worktrees"):
            owner = recorded(folder)
            reason = self._why(folder, owner)
            if not reason or (owner and is_held(owner.life_lock)):
                continue
            with self._without_daemon(folder.name) as is_unused:
                if is_unused:
                    yield self._removed(INDEX, folder, reason, owner.root if owner else "")

    def _why(self, folder: Path, owner: IndexOwner | None) -> str:
        """The reason to remove an index; '' to keep it.

        A worktree is gone when its mount point exists and the worktree does not.
        """
        if folder.name.startswith(GONE):
            return "half removed"
        if owner is None:
            return "nobody has used it for a month" if self._now - _newest(folder) > AWAY_S else ""
        age_s = self._now - owner.seen
        if not _is_gone(owner.root) or age_s < self._age_s:
            return ""
        if os.path.ismount(owner.mount):
            return "its worktree is gone"
        return f"{owner.mount} has not been mounted for a month" if age_s > AWAY_S else ""

    def _older(self, owners: dict[Path, IndexOwner | None]) -> Iterator[Garbage]:
        """Remove indexes and facts that an older version made beside those of a newer one (store.opening.own), unless a
        daemon in that place may be of the older version.
        """
        lived_in = {owner.repository for owner in owners.values() if owner and is_held(owner.life_lock)}
        for folder, owner in owners.items():
            if owner and is_held(owner.life_lock):
                continue
            with self._without_daemon(folder.name) as is_unused:
                if is_unused:
                    yield from self._long_unused(folder.glob("index.v*.db"), owner.root if owner else "")
        for folder in _folders(self._cache / "repositories"):
            if folder.name not in lived_in:
                yield from self._long_unused(folder.glob("blobs.v*.db"))

    def _long_unused(self, databases: Iterable[Path], root: str = "") -> Iterator[Garbage]:
        for path in databases:
            parts = sorted(path.parent.glob(f"{path.name}*"))
            if self._now - max(map(_time, parts)) > AWAY_S:
                removed = [
                    self._removed(OLDER, part, "no daemon of that version has written it for a month", root)
                    for part in parts
                ]
                yield msgspec.structs.replace(removed[0], bytes=sum(item.bytes for item in removed))

    # -- files that indexes share
    def _facts(self, owners: dict[Path, IndexOwner | None]) -> Iterator[Garbage]:
        """Remove the facts of repositories that have no index. While any index has no record, facts are kept for a
        longer time, since they may belong to its repository.
        """
        used = {owner.repository for owner in owners.values() if owner}
        least_s = AWAY_S if None in owners.values() else max(self._age_s, FRESH_S)
        for folder in _folders(self._cache / "repositories"):
            if folder.name.startswith(GONE) or (folder.name not in used and self._now - _newest(folder) > least_s):
                yield self._removed(FACTS, folder, "no worktree of its repository has an index")

    def _unused(self, owners: dict[Path, IndexOwner | None]) -> Iterator[Garbage]:
        """Remove stored contents that no index of their repository uses any more."""
        if None in owners.values():
            return
        users: dict[str, list[Path]] = {}
        for folder, owner in owners.items():
            if owner:
                users.setdefault(owner.repository, []).append(folder / "index.db")
        for repository, indexes in users.items():
            blobs = self._cache / "repositories" / repository / "blobs.db"
            if blobs.is_file():
                swept = sweep(blobs, indexes, version_of, self._now, dry_run=self._dry)
                if swept.bytes:
                    yield Garbage(
                        UNUSED,
                        str(blobs),
                        f"no index has had these {swept.facts} contents and {swept.vectors} texts for two weeks",
                        swept.bytes,
                    )

    # -- small files
    def _sockets(self) -> Iterator[Garbage]:
        for socket in sorted(path for kind in PLACES for path in self._runtime.glob(f"*{kind}")):
            with self._without_daemon(socket.stem) as is_unused:
                if is_unused and is_abandoned(socket):
                    yield self._removed(SOCKET, socket, "no daemon listens there")

    def _logs(self, known: set[str]) -> Iterator[Garbage]:
        for log in sorted(self._state.glob("*.log*")):
            if log.name.partition(".")[0] not in known and log.is_file() and self._now - _time(log) > AWAY_S:
                yield self._removed(LOG, log, "its index is gone")

    def _rules(self) -> Iterator[Garbage]:
        """Remove compiled rules of earlier releases of the secret detectors; the newest ones are in use."""
        compiled = sorted((self._cache / "detectors").glob("*.vscdb"), key=_time)
        for file in compiled[:-1]:
            if self._now - _time(compiled[-1]) > max(self._age_s, FRESH_S):
                yield self._removed(RULES, file, "compiled for another release")

    # -- the removal
    @contextlib.contextmanager
    def _without_daemon(self, name: str) -> Iterator[bool]:
        """Whether no daemon of that name runs; as long as the context lasts, none can start either."""
        lock = FileLock(os.path.join(self._runtime, f"{name}.life"))
        if self._dry:
            yield not is_held(lock.path)
            return
        dirs.make_private(str(self._runtime))
        is_unused = lock.try_take()
        try:
            yield is_unused
        finally:
            lock.release()

    def _removed(self, kind: str, place: Path, reason: str, root: str = "") -> Garbage:
        garbage = Garbage(kind, str(place), reason, _size(place), root)
        if not self._dry:
            _remove(place)
        return garbage


def _is_gone(root: str) -> bool:
    """Whether it is certain that no file has this path."""
    try:
        os.lstat(root)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def is_abandoned(place: Path) -> bool:
    """Whether `place` is an abandoned endpoint of a dead daemon: a socket, or the file with its ports."""
    return place.is_file() if place.suffix == PORTS else place.is_socket() and not is_bound(place)


def is_bound(socket: Path) -> bool:
    """Whether a process listens at the path `socket`. For a daemon that does not run yet, this may be systemd, and
    connecting would start the daemon.

    True where the answer cannot be found.
    """
    try:
        return any(
            line.endswith(os.fsencode(f" {socket}")) for line in Path("/proc/net/unix").read_bytes().splitlines()
        )
    except OSError:
        return True


def _folders(place: Path) -> list[Path]:
    """The folders in a folder; empty if the folder is missing. Symbolic links are left out, since they lead to files of
    others.
    """
    try:
        return sorted(folder for folder in place.iterdir() if folder.is_dir() and not folder.is_symlink())
    except OSError:
        return []


def _files(place: Path) -> Iterable[Path]:
    return (Path(folder, name) for folder, _, names in os.walk(place) for name in names) if place.is_dir() else (place,)


def _size(place: Path) -> int:
    total = 0
    for file in _files(place):
        with contextlib.suppress(OSError):
            total += file.lstat().st_size
    return total


def _time(file: Path) -> float:
    """The modification time of a file; the current time where it cannot be read, so that the file is kept."""
    try:
        return file.lstat().st_mtime
    except OSError:
        return time.time()


def _newest(folder: Path) -> float:
    return max((_time(file) for file in _files(folder)), default=_time(folder))


def _remove(place: Path) -> None:
    """Remove a path so that it disappears at once for every reader: it is renamed first. A folder that cannot be
    emptied is recognised by its new name in the next run.
    """
    with contextlib.suppress(OSError):
        if not place.is_dir():
            place.unlink()
            return
        aside = place if place.name.startswith(GONE) else place.with_name(f"{GONE}{place.name}")
        if aside != place:
            shutil.rmtree(aside, ignore_errors=True)
            place.rename(aside)
        shutil.rmtree(aside, ignore_errors=True)
