"""Ignore rules: the paths that are left out of the index, by .gitignore, .codeagentignore and the like at every level,
and by settings.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

from codeagentd.base.limits import MAX_IGNORE_FILE_BYTES
from codeagentd.base.paths import read_regular

from .gitignore_patterns import Pattern, PatternFile, parse

GIT_FILE: Final = ".gitignore"
# in one directory, the first that has a verdict decides
OWN_FILES: Final = (".codeagentignore", ".codeindexignore", ".claudeignore", ".cursorignore")
RULE_FILES: Final = frozenset((GIT_FILE, *OWN_FILES))
ALWAYS: Final = frozenset((".git", ".hg", ".svn"))
COOKIE: Final = ".codeagentd-sync-"  # the watcher's own files in the root begin with this

# The ignore files that apply in a directory, nearest first, each with the bytes of its own directory's path and slash.
Chain = tuple[tuple[int, PatternFile], ...]


class _Folder:
    """The ignore state of one directory.

    `excluded` holds for tracked files too; `foreign` means that only its own .git makes the directory ignored.
    """

    __slots__ = ("excluded", "foreign", "git", "ignored", "own")

    def __init__(
        self, git: Chain, own: Chain, *, ignored: bool = False, excluded: bool = False, foreign: bool = False
    ) -> None:
        self.git, self.own, self.ignored, self.excluded, self.foreign = git, own, ignored, excluded, foreign


class IgnoreRules:
    """The ignore rules of one repository, read when a directory is first asked for. Thread-safe; all paths are relative
    and posix.

    `exclude_files`: ignore files outside of the tree, the stronger first. `extra`: patterns from the settings, which
    rank below the ignore files of codeagentd (OWN_FILES). `nested`: whether directories with a .git of their own belong
    to the index (they do where the root itself is no repository). `tracked`: vcs.git's list_tracked; a directory with a
    .git of its own in which this repository tracks files is still part of it, as for git. `above`: for a root inside of
    a work tree, that work tree's top: the .gitignore files in between apply as well.
    """

    def __init__(
        self,
        root: Path,
        *,
        exclude_files: Sequence[Path] = (),
        extra: Iterable[str] = (),
        nested: bool = False,
        above: Path | None = None,
        ignore_case: bool = False,
        tracked: Callable[[], Iterable[str] | None] = lambda: (),
    ) -> None:
        self.root = Path(os.path.realpath(root))
        top = Path(os.path.realpath(above)) if above else self.root
        self._prefix = "" if top == self.root else f"{self.root.relative_to(top).as_posix()}/"
        self._top = f"{top}/"
        self._exclude_files = tuple(exclude_files)
        self._extra = tuple(extra)
        self._nested = nested
        self._ignore_case = ignore_case
        self._tracked = tracked
        self._ours: frozenset[str] | None = (
            None  # directories with tracked files; asked for when a .git is met, since few trees have one inside
        )
        self._met: dict[str, bool] = {}  # directories with a .git of their own, and whether they are foreign
        self._folders: dict[str, _Folder] = {}
        self.refresh()

    def refresh(self) -> None:
        """Forget the rules that were read, after an ignore file has changed."""
        outside: Chain = ()
        for place in self._exclude_files:
            outside += self._chain_of(parse(read_regular(place, MAX_IGNORE_FILE_BYTES) or b""), "")
        top = _Folder(self._read("", GIT_FILE) + outside, self._read_own("") + self._settings(""))
        self._met, self._ours = {}, None
        self._folders = {"": top}  # replaced, not cleared: other threads may be filling the old one

    def ignored(self, path: str, is_dir: bool = False) -> bool:
        """Whether the untracked file or directory at `path` is left out, itself or with a directory that
        contains it.
        """
        return self._judge(path, is_dir, tracked=False)

    def excluded(self, path: str, is_dir: bool = False) -> bool:
        """Whether the file or directory at `path` is left out even if it is tracked: by an ignore file of codeagentd,
        by the settings, or by a fixed rule.
        """
        return self._judge(path, is_dir, tracked=True)

    def barred(self, folder: str) -> bool:
        """Whether the directory `folder` is ignored by the rules of the directories above it alone; its own ignore
        files are not read.
        """
        if not folder:
            return False
        path = self._prefix + folder
        parent, _, name = path.rpartition("/")
        above = self._folder(parent)
        return above.ignored or _left_out(above, path, name, is_dir=True, tracked=False)

    def forget(self, folder: str) -> None:
        """Forget the own rules of the directory `folder`, so that its ignore files are read again at the next query."""
        self._folders.pop(self._key(folder), None)

    def excludes_in(self, folder: str) -> bool | None:
        """Return what `excluded` is for all files of the directory `folder`: True, False, or None if it depends on the
        file.
        """
        rules = self._folder(self._key(folder))
        return True if rules.excluded else None if rules.own else False

    def foreign(self, folder: str) -> bool:
        """Whether the directory `folder` is left out only because it is a repository of its own."""
        return self._folder(self._key(folder)).foreign

    def nested_repositories_changed(self) -> bool:
        """Whether the nested repositories in which this one tracks files are now, by git's index, others than when the
        rules were read.
        """
        if not self._met:
            return False
        ours = folders_of(self._tracked() or ())
        return any(foreign == (path in ours) for path, foreign in self._met.copy().items())

    def has_negated_rules(self) -> bool:
        """Whether one of the rules read so far takes back a path that git ignores."""
        return any(
            pattern.negated
            for folder in self._folders.copy().values()
            for _, rules in folder.own
            for pattern in rules.patterns
        )

    def _judge(self, path: str, is_dir: bool, *, tracked: bool) -> bool:
        if is_dir:
            rules = self._folder(self._key(path))
            return rules.excluded if tracked else rules.ignored
        path = self._prefix + path
        parent, _, name = path.rpartition("/")
        rules = self._folder(parent)
        if rules.excluded if tracked else rules.ignored:
            return True
        return _left_out(rules, path, name, is_dir=False, tracked=tracked)

    def _key(self, folder: str) -> str:
        """Return a directory's path from the top of the work tree."""
        return self._prefix + folder if folder else self._prefix[:-1]

    def _folder(self, path: str) -> _Folder:
        """Return the state of a directory; the first call reads its ignore files."""
        folders = self._folders
        unread = []
        while (rules := folders.get(path)) is None:  # not recursive: a path may have two thousand parts
            unread.append(path)
            path = path.rpartition("/")[0]
        for path in reversed(unread):
            rules = folders[path] = self._enter(rules, path, path.rpartition("/")[2])
        return rules

    def _enter(self, parent: _Folder, path: str, name: str) -> _Folder:
        excluded = parent.excluded or _left_out(parent, path, name, is_dir=True, tracked=True)
        if excluded:
            return _Folder((), (), ignored=True, excluded=True)
        own = self._read_own(path) + self._settings(path) + parent.own
        if parent.ignored or _left_out(parent, path, name, is_dir=True, tracked=False):
            return _Folder(parent.git, own, ignored=True)
        if self._is_foreign(path):
            return _Folder(parent.git, own, ignored=True, foreign=True)
        return _Folder(self._read(path, GIT_FILE) + parent.git, own)

    def _is_foreign(self, path: str) -> bool:
        if self._nested or len(path) <= len(self._prefix) or not os.path.lexists(f"{self._top}{path}/.git"):
            return False
        if self._ours is None:
            self._ours = folders_of(self._tracked() or ())
        inner = path[len(self._prefix) :]
        self._met[inner] = foreign = inner not in self._ours
        return foreign

    def _read(self, folder: str, name: str) -> Chain:
        place = f"{self._top}{folder}/{name}" if folder else self._top + name
        content = read_regular(place, MAX_IGNORE_FILE_BYTES)
        return self._chain_of(parse(content), folder) if content else ()

    def _read_own(self, folder: str) -> Chain:
        return tuple(rules for name in OWN_FILES for rules in self._read(folder, name))

    def _settings(self, path: str) -> Chain:
        """Return the extra patterns from the settings, which belong to the root."""
        return (
            self._chain_of(parse("\n".join(self._extra).encode("utf-8", "replace")), path)
            if path == self._prefix[:-1]
            else ()
        )

    def _chain_of(self, patterns: Iterable[Pattern], folder: str) -> Chain:
        rules = PatternFile(patterns, ignore_case=self._ignore_case)
        return ((len(os.fsencode(folder)) + 1 if folder else 0, rules),) if rules.patterns else ()


def _left_out(folder: _Folder, path: str, name: str, *, is_dir: bool, tracked: bool) -> bool:
    """Whether one entry of a directory is left out; the directory itself is not."""
    if name in ALWAYS or name.startswith(COOKIE):
        return True
    own = _verdict(folder.own, path, name, is_dir=is_dir)
    return bool(own if own is not None or tracked else _verdict(folder.git, path, name, is_dir=is_dir))


def _verdict(chain: Chain, path: str, name: str, *, is_dir: bool) -> bool | None:
    if not chain:
        return None
    raw, raw_name = os.fsencode(path), os.fsencode(name)
    for base, rules in chain:
        verdict = rules.verdict(raw[base:], raw_name, is_dir=is_dir)
        if verdict is not None:
            return verdict
    return None


def folders_of(paths: Iterable[str]) -> frozenset[str]:
    """Return the directories that contain the files `paths`, at any depth."""
    folders: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(folders)
