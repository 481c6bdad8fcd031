"""A small pipeline for tests: keeps the set of files up to date by what the watcher tells, and compares it with the disk."""

from __future__ import annotations

import os
import subprocess
import threading
from pathlib import Path
from typing import Self

from codeagentd.scan.ignore import IgnoreRules
from codeagentd.scan.walk import Stat, look, scan, scan_under
from codeagentd.scan.watching.watcher import AUTO, Change, Watcher
from codeagentd.vcs import git

PATIENCE_S = 20.0


def run_git(root: Path, *arguments: str) -> str:
    command = ["git", "-c", "gc.auto=0", "-C", str(root), *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"GIT_CEILING_DIRECTORIES": str(root.parent)}
    ).stdout.strip()


def git_dirs(root: Path) -> tuple[Path, Path] | None:
    own, common = git.git_dir(root), git.common_dir(root)
    return (own, common) if own and common else None


class Mirror:
    """Holds what an index would know. `settle` is a query's sync point; `last` is what was told since the one before."""

    def __init__(self, root: Path, way: str = AUTO) -> None:
        self.root = root
        self.files: dict[str, Stat] = {}
        self.last = Change()
        self.calls = 0
        self._lock = threading.Lock()
        self._told = Change()
        self.rules = self._fresh_rules()
        self.watcher = Watcher(
            root, self._on_change, rules=self.rules, known=lambda path: path in self.files, git_dirs=lambda: git_dirs(root),
            listing=lambda: git.list_files(root), forced=lambda: git.list_forced(root), way=way, poll_interval_s=60.0,
        )  # fmt: skip

    def __enter__(self) -> Self:
        self.watcher.start()
        self._list_again()
        return self

    def __exit__(self, *_: object) -> None:
        self.watcher.stop(5.0)

    def settle(self) -> Change:
        """Sync, take in what was told, and return it."""
        assert self.watcher.sync(PATIENCE_S), self.watcher.reason
        with self._lock:
            self.last, self._told = self._told, Change()
        if self.last.overflow or self.last.rules or self.last.index:
            self._list_again()
        else:
            self._look_again(self.last)
        return self.last

    def stale(self) -> set[str]:
        """The paths about which the mirror and the disk disagree."""
        truth = scan(self.root, self._fresh_rules(), git.list_files(self.root)).files
        return {path for path, _ in truth.items() ^ self.files.items()}

    def _on_change(self, change: Change) -> None:
        with self._lock:
            self._told |= change
            self.calls += 1

    def _fresh_rules(self) -> IgnoreRules:
        outside, root = git.exclude_files(self.root), self.root
        return IgnoreRules(
            root, exclude_files=outside, nested=git.git_dir(root) is None, tracked=lambda: git.list_tracked(root)
        )

    def _list_again(self) -> None:
        self.files = scan(self.root, self.rules, git.list_files(self.root)).files

    def _look_again(self, change: Change) -> None:
        below = tuple(f"{folder}/" for folder in change.directories)
        again = change.paths | {path for path in self.files if path.startswith(below)}
        found = scan_under(self.root, change.directories, self.rules).files | look(self.root, again).files
        for path in again:
            self.files.pop(path, None)
        self.files |= found
