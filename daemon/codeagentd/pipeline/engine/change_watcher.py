"""The watcher of one repository's files, as the source of the indexer's changes."""

from __future__ import annotations

from pathlib import Path

from codeagentd.pipeline.changes.pending_changes import PendingChanges
from codeagentd.scan.ignore import IgnoreRules
from codeagentd.scan.watching.events import Change
from codeagentd.scan.watching.watcher import Watcher
from codeagentd.vcs import git

from .indexer_state import IndexerState
from .work_tree_state import WorkTreeState


class ChangeWatcher:
    """Adds the changes that the watcher reports to the pending changes; does nothing where the watcher is not used."""

    def __init__(
        self, root: Path, rules: IgnoreRules, changes: PendingChanges, state: IndexerState, work_tree: WorkTreeState, *,
        is_used: bool,
    ) -> None:  # fmt: skip
        self._root = root
        self._changes = changes
        self._state = state
        self._work_tree = work_tree
        self._watcher = self._watch(rules) if is_used else None

    def _watch(self, rules: IgnoreRules) -> Watcher:
        return Watcher(
            self._root, self._note, rules=rules, known=lambda path: path in self._state.paths,
            forced=lambda: git.list_forced(self._root), git_dirs=lambda: _git_dirs(self._root),
            listing=lambda: git.list_files(self._root),
        )  # fmt: skip

    def start(self) -> None:
        """Begin to watch."""
        if self._watcher:
            self._watcher.start()

    def stop(self, timeout_s: float) -> None:
        """Stop watching; wait at most `timeout_s` for the watcher's end."""
        if self._watcher:
            self._watcher.stop(timeout_s)

    @property
    def sees_changes(self) -> bool:
        """Whether changes of files are reported. True also without a watcher, since clients report changes then."""
        return self._watcher is None or self._watcher.mode != "off"

    @property
    def is_used(self) -> bool:
        """Whether files are watched at all."""
        return self._watcher is not None

    @property
    def condition(self) -> tuple[str, str, str]:
        """The watcher's (mode, reason, remedy)."""
        watcher = self._watcher
        return (watcher.mode, watcher.reason, watcher.remedy) if watcher else ("off", "not wanted", "")

    def sync(self, timeout_s: float) -> bool:
        """Wait until everything that happened before this call has been noted; return False after `timeout_s`."""
        return self._watcher is None or self._watcher.sync(timeout_s)

    def _note(self, change: Change) -> None:
        """Add a change to the pending ones; on the watcher's thread."""
        paths = set(change.paths) | {f"{folder}/" for folder in change.directories}
        has_all = change.rules or change.overflow
        self._changes.note(paths, rescan=has_all, tracked=change.index)
        self._work_tree.note_change(has_all=has_all)
        if change.head:  # after the files, which git changes before it moves HEAD
            self._work_tree.note_head()


def _git_dirs(root: Path) -> tuple[Path, Path] | None:
    own, common = git.git_dir(root), git.common_dir(root)
    return (own, common) if own and common else None
