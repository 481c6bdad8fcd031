"""The tree of watched directories, and the meaning of the kernel's events in it (Linux)."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from codeagentd.base.text import is_unicode
from codeagentd.scan.ignore import RULE_FILES, IgnoreRules, folders_of

from .events import HEAD, INDEX, RULES, Batch, WatchFailed
from .git_state import GitDirs, GitFolder, folders
from .inotify import (
    APPEARED,
    FOLDER,
    IN_ATTRIB,
    IN_ISDIR,
    IN_Q_OVERFLOW,
    IN_UNMOUNT,
    LOST,
    SELF,
    VANISHED,
    Event,
    Inotify,
)

LIMITS = {
    errno.ENOSPC: (
        "the system's limit of watched directories is reached",
        "raise it: sysctl fs.inotify.max_user_watches=1048576",
    ),
    errno.EMFILE: (
        "the system's limit of file watchers is reached",
        "raise it: sysctl fs.inotify.max_user_instances=1024",
    ),
    errno.ENOSYS: ("this kernel cannot watch files", ""),
}
BLOCKED = -1  # in place of a watch descriptor: reading the directory is not permitted


class _Folder:
    """A watched directory of the work tree. `prefix` is its path with a slash, '' for the root."""

    __slots__ = ("has_rules", "inner", "prefix", "watch")

    def __init__(self, prefix: str, watch: int) -> None:
        self.prefix = prefix
        self.watch = watch
        self.inner: dict[str, _Folder] = {}
        self.has_rules = False


class Folders:
    """The watches on every directory that may contain files of the index, and on the directories of git with HEAD and
    the index.

    Ignored directories are not watched, so that a storm of events in node_modules costs nothing. Not thread-safe.
    Errors: WatchFailed.
    """

    def __init__(self, root: Path, rules: IgnoreRules, git_dirs: GitDirs) -> None:
        self._base = str(root)
        self._rules = rules
        self._git_dirs = git_dirs
        self._forced: frozenset[str] = frozenset()
        self._covered: frozenset[str] = frozenset()  # the directories that lead to them
        self._watched: dict[int, _Folder | GitFolder] = {}
        self._root: _Folder | None = None
        self._identity = (0, 0)
        try:
            self.queue = Inotify()
        except OSError as error:
            raise _failure(error) from error

    @property
    def present(self) -> bool:
        """Whether the watched root is the directory that has its path now."""
        return self._root is not None and self._identity == _identity(self._base)

    def rebuild(self) -> None:
        """Watch the directories that exist now, whatever was watched before; none if there is no root."""
        before, self._watched, self._root = self._watched, {}, None
        self._identity = _identity(self._base)
        try:
            self._plant()
        except FileNotFoundError:  # gone in this moment
            self._root = None
        for watch in before.keys() - self._watched.keys():
            self.queue.remove(watch)

    def cover(self, forced: frozenset[str]) -> None:
        """Watch the directories of the files `forced`, ignored or not, and report such a file when it appears together
        with a directory.
        """
        self._forced = forced
        self._covered = folders_of(forced)
        for folder in sorted(self._covered):  # outer ones first
            self._reach(folder)

    def handle(self, event: Event, batch: Batch) -> None:
        """Add the meaning of `event` to `batch`, and watch new directories."""
        watch, mask, raw = event
        folder = self._watched.get(watch)
        if folder is None:
            if mask & IN_Q_OVERFLOW:
                batch.overflow = True
            return
        name = os.fsdecode(raw)
        if mask & LOST:
            self._lose(watch, mask, batch)
        elif isinstance(folder, GitFolder):
            self._git_event(folder, name, mask, batch)
        elif name == ".git" and (mask & (APPEARED | VANISHED)):
            # a repository was created or removed here
            batch.flags |= {RULES} if folder.prefix else {HEAD, INDEX, RULES}
        elif mask & IN_ISDIR:
            self._folder_event(folder, name, mask, batch)
        else:
            batch.file(folder.prefix + name, name)
            folder.has_rules |= name in RULE_FILES

    def _plant(self) -> None:
        watch = self._add(self._base, FOLDER | SELF)
        if watch == BLOCKED:
            raise WatchFailed("the repository's root directory may not be read")
        self._root = self._watched[watch] = _Folder("", watch)
        self._descend(self._root, None)
        self.cover(self._forced)
        for folder in self._git_folders():
            self._watch_git(folder)

    def _folder_event(self, parent: _Folder, name: str, mask: int, batch: Batch) -> None:
        path = parent.prefix + name
        child = parent.inner.get(name)
        if mask & IN_ATTRIB and child is not None and child.watch != BLOCKED:
            return  # only a directory that could not be read before is reported
        if child is None and not self._wants(path):
            return
        batch.directories.add(path)
        if child is not None:
            self._drop(parent, name, batch)
        if not mask & VANISHED:
            self._enter(parent, name, batch)

    def _git_event(self, folder: GitFolder, name: str, mask: int, batch: Batch) -> None:
        if mask & IN_ISDIR and mask & APPEARED:
            place = os.path.join(folder.place, name)
            inner = (
                [GitFolder(place, deep=folder.deep)]
                if folder.deep
                else [known for known in self._git_folders() if known.place == place]
            )
            for known in inner:
                self._watch_git(known)
                batch.flags |= {known.deep, *known.names.values()} - {""}
        elif meaning := folder.meaning(name):
            batch.flags.add(meaning)

    def _lose(self, watch: int, mask: int, batch: Batch) -> None:
        """Handle an event that the kernel stopped watching a directory, or that the root was moved."""
        folder = self._watched.pop(watch)
        if folder is self._root:
            self.queue.remove(watch)  # a moved root would continue to send events
            self._root = None
            batch.overflow = True
        elif isinstance(folder, _Folder) and mask & IN_UNMOUNT:
            batch.directories.add(folder.prefix[:-1])

    def _enter(self, parent: _Folder, name: str, batch: Batch | None) -> _Folder | None:
        """Watch a directory and everything below it.

        The watch is set before the directory is listed, so that a file created in between is seen twice rather than
        missed.
        """
        folder = self._watch(parent, name)
        if folder is not None:
            self._descend(folder, batch)
        return folder

    def _watch(self, parent: _Folder, name: str) -> _Folder | None:
        try:
            watch = self._add(f"{self._base}/{parent.prefix}{name}", FOLDER)
        except FileNotFoundError:
            return None  # gone again, or a link to a directory
        folder = parent.inner[name] = _Folder(f"{parent.prefix}{name}/", watch)
        # rules that were read before the watch was set may have changed without an event
        self._rules.forget(folder.prefix[:-1])
        if watch != BLOCKED:
            before = self._watched.get(watch)
            if isinstance(before, _Folder):
                before.watch = BLOCKED  # the same directory, under its name before a move whose event was not read yet
            self._watched[watch] = folder
        return folder

    def _descend(self, top: _Folder, batch: Batch | None) -> None:
        todo = [top]
        while todo:
            folder = todo.pop()
            if self._is_foreign(folder):
                if batch is not None:
                    batch.flags.add(RULES)  # files known under this path are another repository's now
                continue
            for name, is_dir in _entries(f"{self._base}/{folder.prefix}"):
                if is_dir:
                    inner = self._watch(folder, name) if self._wants(folder.prefix + name) else None
                    todo += [inner] if inner else []
                    continue
                folder.has_rules |= name in RULE_FILES
                if batch is not None and (name in RULE_FILES or folder.prefix + name in self._forced):
                    batch.file(folder.prefix + name, name)

    def _wants(self, path: str) -> bool:
        """Whether a directory is to be watched. The top directory of a nested repository is, so that the removal of its
        .git is noticed.
        """
        return path in self._covered or (is_unicode(path) and not self._rules.barred(path))

    def _is_foreign(self, folder: _Folder) -> bool:
        return bool(folder.prefix) and self._rules.foreign(folder.prefix[:-1])

    def _drop(self, parent: _Folder, name: str, batch: Batch) -> None:
        """Forget a directory that is gone or moved, with everything below it: its watches would report a wrong path."""
        todo = [parent.inner.pop(name)]
        while todo:
            folder = todo.pop()
            todo += folder.inner.values()
            if self._watched.get(folder.watch) is folder:
                del self._watched[folder.watch]
                self.queue.remove(folder.watch)
            if folder.has_rules or self._is_foreign(folder):
                batch.flags.add(RULES)

    def _reach(self, path: str) -> None:
        """Watch a directory and those that lead to it, and no others."""
        folder = self._root
        for name in path.split("/"):
            folder = folder and (folder.inner.get(name) or self._watch(folder, name))

    def _git_folders(self) -> list[GitFolder]:
        dirs = self._git_dirs()
        unborn = GitFolder(f"{self._base}/.git", {"HEAD": RULES})  # git writes HEAD last when it creates a repository
        return folders(*dirs) if dirs else [unborn]

    def _watch_git(self, top: GitFolder) -> None:
        todo = [top]
        while todo:
            folder = todo.pop()
            try:
                watch = self._add(folder.place, FOLDER)
            except FileNotFoundError:
                continue
            if watch == BLOCKED:
                continue
            self._watched[watch] = folder
            if folder.deep:
                todo += [
                    GitFolder(os.path.join(folder.place, name), deep=folder.deep)
                    for name, is_dir in _entries(folder.place)
                    if is_dir
                ]

    def _add(self, place: str, mask: int) -> int:
        """Return a watch descriptor, or BLOCKED; FileNotFoundError if there is no such directory."""
        try:
            return self.queue.add(place, mask)
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG):
                raise FileNotFoundError from error
            if error.errno in (errno.EACCES, errno.EPERM):
                return BLOCKED
            raise _failure(error) from error


def _failure(error: OSError) -> WatchFailed:
    return WatchFailed(*LIMITS.get(error.errno or 0, (f"watching failed: {error.strerror}", "")))


def _identity(place: str) -> tuple[int, int]:
    """Return the identity of a directory, whatever its name; (0, 0) if there is none."""
    try:
        info = os.stat(place)
    except OSError:
        return (0, 0)
    return info.st_dev, info.st_ino


def _entries(place: str) -> list[tuple[str, bool]]:
    try:
        with os.scandir(place) as entries:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except OSError:  # gone, or not readable: the event that reports it is in the queue
        return []
