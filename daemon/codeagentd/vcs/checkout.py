"""The commit and the branch that are checked out, and whose work tree this is: read anew for every answer."""

from __future__ import annotations

import os
import re
import stat
import time
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.base.limits import (
    GIT_QUICK_DEADLINE_S,
    MAX_GIT_FILE_BYTES,
    MAX_PATH_BYTES,
    MAX_REF_HOPS,
    MAX_WORK_TREES,
)
from codeagentd.base.paths import read_regular

from .git import COMMIT, REF, ask, common_dir, git_dir

_HEADS: Final = "refs/heads/"
_REFTABLE: Final = f"{_HEADS}.invalid"  # the name in HEAD where the refs are in a reftable, which only git reads
MOST_LINES: Final = 100  # files of refs that are remembered
JUST_NOW_NS: Final = 100_000_000  # some file systems stamp times to 4 ms, and clocks of servers differ

Signature = tuple[int, ...]


class Head(NamedTuple):
    """HEAD: its commit ('' before the first one and without git), and its branch ('' where it is detached; None without
    git).
    """

    commit: str = ""
    branch: str | None = None


class Identity(NamedTuple):
    """Whose work tree this is: the name of the repository's folder, and for a linked work tree that of its own folder
    ('' otherwise).
    """

    repository: str
    worktree: str = ""


class Checkout:
    """What is checked out in the work tree at `root`. Thread-safe.

    HEAD, the file of its branch and what they need are read again when their time stamps change. That of a file which
    changed just now is not relied on: another change may leave it as it is.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._dot_git = os.path.join(root, ".git")
        self._places: tuple[Signature, str, str] | None = None
        self._identity = Identity(_folder_name(root))
        self._find()
        self._lines: dict[str, tuple[Signature, str]] = {}
        self._packed: tuple[Signature, dict[str, str]] = ((), {})
        self._in_reftable: tuple[tuple[Signature, ...], Head] = ((), Head())

    @property
    def identity(self) -> Identity:
        """Whose work tree this is, as of the last read."""
        return self._identity

    def read(self) -> Head:
        """Return what HEAD names at this moment."""
        places = self._find()
        if places is None:
            return Head()
        _, own, common = places
        value, branch = self._head_file(os.path.join(own, "HEAD")), ""
        for _ in range(MAX_REF_HOPS):
            if COMMIT.fullmatch(value):
                return Head(value, branch)
            name = value.removeprefix("ref:").strip()
            if name == _REFTABLE:
                return self._from_reftable(own, common)
            if not REF.fullmatch(name) or ".." in name:
                break
            branch = branch or name.removeprefix(_HEADS)
            value = self._ref(own, common, name)
        return Head("", branch)

    def _find(self) -> tuple[Signature, str, str] | None:
        """Find the directories of HEAD and of the refs. They are looked for again when `.git` is another one."""
        signature = _signature(self._dot_git, is_directory_alike=True)
        places = self._places
        if places is None or not signature or places[0] != signature:
            own, common = git_dir(self._root), common_dir(self._root)
            places = None if own is None or common is None else (signature, os.fspath(own), os.fspath(common))
            self._identity = _identity(self._root, own, common)
            self._places = places
        return places

    def _ref(self, own: str, common: str, name: str) -> str:
        if own != common and not name.startswith(_HEADS) and (value := self._line(os.path.join(own, name))):
            return value
        return self._line(os.path.join(common, name)) or self._packed_ref(common, name)

    def _line(self, place: str) -> str:
        """The text of the file at `place`; '' without one."""
        signature = _signature(place)
        known, text = self._lines.get(place, ((), ""))
        if signature and known == signature:
            return text
        text = _line(place) if signature else ""
        if signature and time.time_ns() - signature[-1] > JUST_NOW_NS:
            self._lines = {**self._lines, place: (signature, text)} if len(self._lines) < MOST_LINES else {}
        return text

    def _head_file(self, place: str) -> str:
        """The text of HEAD; where HEAD is a symbolic link, as in old repositories, its target as `ref: …`."""
        if value := self._line(place):
            return value
        try:
            return f"ref: {os.readlink(place)}"
        except OSError:
            return ""

    def _packed_ref(self, common: str, name: str) -> str:
        place = os.path.join(common, "packed-refs")
        signature = _signature(place)
        known, refs = self._packed
        if known != signature:
            refs = {}
        if name not in refs:
            data = (read_regular(place, MAX_GIT_FILE_BYTES) or b"") if signature else b""
            match = re.search(rb"^([0-9a-f]{40,64}) " + re.escape(os.fsencode(name)) + rb"$", data, re.MULTILINE)
            refs = {**refs, name: match[1].decode() if match else ""}
            self._packed = signature, refs
        return refs[name]

    def _from_reftable(self, own: str, common: str) -> Head:
        signature = tuple(_signature(os.path.join(place, "reftable", "tables.list")) for place in (own, common))
        known, head = self._in_reftable
        if known != signature:
            commit = ask(self._root, "rev-parse", "--verify", "--quiet", "HEAD", deadline_s=GIT_QUICK_DEADLINE_S)
            name = ask(self._root, "symbolic-ref", "--quiet", "HEAD", deadline_s=GIT_QUICK_DEADLINE_S)
            head = Head(_text(commit), _text(name).removeprefix(_HEADS))
            self._in_reftable = signature, head
        return head


def work_trees(root: Path) -> list[Path]:
    """Return the folders of all work trees of the repository of `root`, the main one first, as git's files name them;
    empty without git. Some may be gone. No more than MAX_WORK_TREES are read.
    """
    common = common_dir(root)
    if common is None:
        return []
    main = [common.parent] if common.name == ".git" else []
    try:
        with os.scandir(common / "worktrees") as entries:
            names = sorted(entry.name for entry, _ in zip(entries, range(MAX_WORK_TREES), strict=False))
    except OSError:
        names = []
    linked = [_line(common / "worktrees" / name / "gitdir") for name in names]
    return [*main, *(Path(place).parent for place in linked if os.path.isabs(place))]


def _identity(root: Path, own: Path | None, common: Path | None) -> Identity:
    if own is None or common is None or own == common:
        return Identity(_folder_name(root))
    is_usual = common.name == ".git"
    return Identity(_folder_name(common.parent) if is_usual else common.name.removesuffix(".git"), _folder_name(root))


def _folder_name(folder: Path) -> str:
    return os.path.basename(os.path.realpath(folder))


def _line(place: str | Path) -> str:
    return _text(read_regular(place, MAX_PATH_BYTES))


def _text(content: bytes | None) -> str:
    return os.fsdecode(content or b"").strip()


def _signature(place: str, *, is_directory_alike: bool = False) -> Signature:
    """Return what tells that the file at `place` is another one; () without one. `is_directory_alike`: the times of a
    directory, which change with each entry, do not count.
    """
    try:
        info = os.lstat(place)
    except OSError:
        return ()
    if is_directory_alike and stat.S_ISDIR(info.st_mode):
        return info.st_dev, info.st_ino
    return info.st_dev, info.st_ino, info.st_size, info.st_mtime_ns, info.st_ctime_ns
