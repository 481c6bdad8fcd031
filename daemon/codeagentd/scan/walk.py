"""Listing of the files to index: from git's list or a walk of the tree, each file with its size and time."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.text import is_unicode

from .ignore import IgnoreRules

SYMLINK: Final = "symlink"  # not followed; what it points to is indexed in its own place, if it lies in the repository
SPECIAL: Final = "special"  # a pipe, socket or device
NAME: Final = "name not in UTF-8"  # such a path cannot be sent to a client
IGNORED: Final = "ignored"  # tracked, but left out by an ignore file of codeagentd or the settings
UNREADABLE: Final = "unreadable"


class Stat(msgspec.Struct, frozen=True, gc=False):
    """The cheap signs that a file may have changed. `size` in bytes, `mtime_ns` in nanoseconds since 1970."""

    size: int
    mtime_ns: int


class ScanResult(msgspec.Struct, frozen=True):
    """The files by path; the nested repositories (submodules too); and the entries that were left out because of their
    own kind, with the reason.
    """

    files: dict[str, Stat] = {}
    nested: tuple[str, ...] = ()
    skipped: dict[str, str] = {}


class _Findings:
    """The result of a scan so far."""

    def __init__(self, root: Path) -> None:
        self.base = os.path.realpath(root)
        self.files: dict[str, Stat] = {}
        self.nested: list[str] = []
        self.skipped: dict[str, str] = {}

    def look(self, path: str) -> None:
        """Record the file at `path`, whose directory is known to be real; nothing is recorded if there is none."""
        try:
            info = os.lstat(f"{self.base}/{path}")
        except OSError:
            return
        kind = stat.S_IFMT(info.st_mode)
        if kind == stat.S_IFREG:
            if is_unicode(path):
                self.files[path] = Stat(info.st_size, info.st_mtime_ns)
            else:
                self.skipped[path.encode("utf-8", "replace").decode()] = NAME
        elif kind == stat.S_IFDIR:
            self.nested.append(path)  # git lists a directory only if it is a repository
        else:
            self.skipped[path] = SYMLINK if kind == stat.S_IFLNK else SPECIAL

    def result(self) -> ScanResult:
        return ScanResult(self.files, tuple(self.nested), self.skipped)


def scan(root: Path, rules: IgnoreRules, listed: Sequence[str] | None = None) -> ScanResult:
    """Return all files of the index. `listed` is git's own list; without it the tree is walked by the ignore rules.

    Symbolic links are not followed. With `listed`, the walk is still needed where an ignore file of codeagentd takes
    back a path that git ignores.
    """
    findings = _Findings(root)
    if listed is None:
        _walk(findings, [""], rules)
        return findings.result()
    _take(findings, listed, rules)
    if rules.has_negated_rules():
        _walk(findings, [""], rules)
    return findings.result()


def scan_under(root: Path, folders: Iterable[str], rules: IgnoreRules) -> ScanResult:
    """Return the files below the directories `folders` that the rules admit. Tracked files in ignored directories are
    left out; `look` finds those.
    """
    findings = _Findings(root)
    _walk(
        findings,
        [
            folder
            for folder in folders
            if not rules.ignored(folder, is_dir=True) and _is_real(findings.base, folder, {})
        ],
        rules,
    )
    return findings.result()


def look(root: Path, paths: Iterable[str]) -> ScanResult:
    """Return what is at `paths` now; a path that is missing from the result's files is not, or no longer, a file."""
    findings = _Findings(root)
    real: dict[str, bool] = {"": True}
    for path in paths:
        if _is_real(findings.base, path.rpartition("/")[0], real):
            findings.look(path)
    return findings.result()


def _take(findings: _Findings, listed: Sequence[str], rules: IgnoreRules) -> None:
    """Record the files that git lists, except those that codeagentd's own rules exclude and those behind a link that
    replaced a directory.
    """
    real: dict[str, bool] = {"": True}
    verdicts: dict[str, bool | None] = {}
    for path in listed:
        if path.endswith("/"):
            findings.nested.append(path[:-1])
            continue
        folder = path.rpartition("/")[0]
        if folder not in verdicts:
            verdicts[folder] = rules.excludes_in(folder)
        verdict = verdicts[folder]
        if rules.excluded(path) if verdict is None else verdict:
            findings.skipped[path] = IGNORED
        elif _is_real(findings.base, folder, real):
            findings.look(path)


def _walk(findings: _Findings, folders: list[str], rules: IgnoreRules) -> None:
    """Record every file below `folders`, without entering ignored directories or links."""
    while folders:
        folder = folders.pop()
        prefix = f"{folder}/" if folder else ""
        for name, is_dir in _entries(findings, folder):
            path = prefix + name
            if not rules.ignored(path, is_dir):
                folders.append(path) if is_dir else findings.look(path)
            elif is_dir and rules.foreign(path) and path not in findings.nested:
                findings.nested.append(path)


def _entries(findings: _Findings, folder: str) -> list[tuple[str, bool]]:
    try:
        with os.scandir(f"{findings.base}/{folder}") as entries:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    except PermissionError:
        findings.skipped[folder] = UNREADABLE
        return []
    except OSError:  # gone, or replaced by a file, since its parent was read
        return []


def _is_real(base: str, folder: str, known: dict[str, bool]) -> bool:
    """Whether every part of a directory's path is a directory and no link to one."""
    unknown = []
    while folder and folder not in known:
        unknown.append(folder)
        folder = folder.rpartition("/")[0]
    real = known.get(folder, True)
    for folder in reversed(unknown):
        try:
            real = real and stat.S_ISDIR(os.lstat(f"{base}/{folder}").st_mode)
        except OSError:
            real = False
        known[folder] = real
    return real
