"""The state of the work tree that an answer names: the commit and branch that are checked out, read anew, and whether
tracked files differ from the commit, found in the background.
"""

from __future__ import annotations

import logging
import sys
import threading
import time
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base.host_load import lower_priority
from codeagentd.base.limits import (
    DIRTY_AGE_S,
    DIRTY_SETTLE_S,
    DIRTY_SHARE,
    GIT_DIRTY_DEADLINE_S,
    GIT_LIST_DEADLINE_S,
)
from codeagentd.model.engine_status import Watermark
from codeagentd.scan.nested_repositories import repositories_below
from codeagentd.vcs import git
from codeagentd.vcs.checkout import Checkout, Head, work_trees
from codeagentd.vcs.work_tree_comparison import is_dirty

log = logging.getLogger("codeagentd.work_tree")

CLOSING_S: Final = 2.0  # seconds that the end of the engine waits for a comparison


class _Comparison(msgspec.Struct, frozen=True):
    """The result of a comparison with the commit `head`; `is_dirty` None where git could not tell. `at`: when."""

    head: str = ""
    is_dirty: bool | None = None
    at: float = 0.0


class WorkTreeState:
    """The state of one work tree. Thread-safe; no method waits for git.

    A comparison runs on a thread of its own at low priority, never two at once, some time after the last change. From a
    change until its end it is unknown whether the work tree is dirty.
    """

    def __init__(self, root: Path, ready: threading.Event | None = None) -> None:
        """`ready`: no comparison begins before; None for no comparisons."""
        self._root = root
        self._ready = ready
        self._checkout = Checkout(root)
        self._lock = threading.Lock()
        self._indexed = self._checkout.read()
        self._changes = 0
        self._comparison = _Comparison()
        self._took_s = 0.0
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()
        self._nested: tuple[str, ...] = ()
        self._nested_at = 0.0  # when they were looked for, 0: not yet

    @property
    def head(self) -> Head:
        """What HEAD names at this moment."""
        return self._checkout.read()

    @property
    def nested(self) -> tuple[str, ...]:
        """The repositories inside of this one that git's listing of files does not show: in ignored folders, and linked
        work trees.
        """
        return self._nested

    # -- which commit the index belongs to

    def note_head(self) -> None:
        """Note that HEAD changed, and that every change of files before is noted."""
        with self._lock:
            self._indexed = self._checkout.read()
        self.note_change()

    def confirm_head(self, head: Head) -> None:
        """Note that every change of files was noted that was made before `head` was read, unless HEAD has changed
        since.
        """
        with self._lock:
            if self._indexed != head and self._checkout.read() == head:
                self._indexed = head

    def has_indexed(self, head: Head) -> bool:
        """Whether the changes of files that came before `head` are known to be noted."""
        return self._indexed == head

    def watermark(self, generation: int, caught_up: bool, pending_files: int, now: Head) -> Watermark:
        """Return the watermark of an answer, with `now` as what HEAD names."""
        identity = self._checkout.identity
        dirty = self._dirty(now)
        return Watermark(
            generation, now.commit, caught_up, pending_files, identity.repository,
            identity.worktree or msgspec.UNSET, msgspec.UNSET if now.branch is None else now.branch,
            msgspec.UNSET if dirty is None else dirty,
        )  # fmt: skip

    # -- whether it is dirty

    def note_change(self, *, has_all: bool = False) -> None:
        """Note that files changed: what is known of the work tree is found again, some time after the last change.
        `has_all`: any file may have changed.
        """
        with self._lock:
            self._changes += 1
            self._comparison = _Comparison()
            self._nested_at = 0.0 if has_all else self._nested_at
            self._begin()

    def _dirty(self, head: Head) -> bool | None:
        comparison = self._comparison
        is_other = comparison.head != head.commit
        if comparison.at and (is_other or time.monotonic() - comparison.at > DIRTY_AGE_S):
            with self._lock:
                self._begin()
        return None if is_other or not head.commit else comparison.is_dirty

    def _begin(self) -> None:
        if self._thread is None and self._ready is not None and not self._stopping.is_set():
            self._thread = threading.Thread(target=self._run, name="work tree", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        if sys.platform == "linux":  # elsewhere it would be the priority of the whole process
            lower_priority(threading.get_native_id())
        while not self._stopping.is_set():
            self._await_rest()
            with self._lock:
                changes = self._changes
            comparison = self._compare()
            with self._lock:
                if changes == self._changes or self._stopping.is_set():
                    self._comparison = comparison
                    self._thread = None
                    return

    def _await_rest(self) -> None:
        """Wait until the engine is ready, and until no change has come for a while."""
        assert self._ready is not None
        while not self._stopping.is_set() and not self._ready.wait(1.0):
            pass
        self._stopping.wait(DIRTY_SHARE * self._took_s)
        changes = -1
        while changes != self._changes and not self._stopping.is_set():
            changes = self._changes
            self._stopping.wait(DIRTY_SETTLE_S)

    def _compare(self) -> _Comparison:
        head, began, dirty = self._checkout.read().commit, time.monotonic(), None
        try:
            if head and not self._stopping.is_set():
                dirty = is_dirty(self._root, head, deadline_s=GIT_DIRTY_DEADLINE_S)
            if not self._nested_at or began - self._nested_at > DIRTY_AGE_S:
                self._nested_at = began
                self._nested = self._nested_repositories()
        except OSError as error:  # a full disk, for example: the temporary repository cannot be made
            log.warning("the work tree cannot be compared", extra={"facts": {"error": type(error).__name__}})
        self._took_s = time.monotonic() - began
        return _Comparison(head, dirty, time.monotonic())

    def _nested_repositories(self) -> tuple[str, ...]:
        ignored = git.list_ignored_folders(self._root, deadline_s=GIT_LIST_DEADLINE_S)
        trees = (tree for tree in work_trees(self._root) if tree.is_relative_to(self._root) and tree != self._root)
        linked = {tree.relative_to(self._root).as_posix() for tree in trees if (tree / ".git").is_file()}
        return tuple(sorted({*repositories_below(self._root, ignored), *linked}))

    def close(self) -> None:
        """End the comparison that is running, and begin no other."""
        self._stopping.set()
        with self._lock:
            thread = self._thread
        if thread:
            thread.join(CLOSING_S)
