"""The part of a search that git does, begun when a question arrives, while this process still loads its modules."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from codeagentd.model.on_demand import Question
from codeagentd.vcs import git

Result = TypeVar("Result")


class Meanwhile(Generic[Result]):
    """Work that runs in a thread of its own, since most of it waits for another process."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._result: list[Result] = []
        self._thread = threading.Thread(target=self._run, name="meanwhile", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._result.append(self._work())

    @property
    def is_done(self) -> bool:
        """Whether the work has ended."""
        return not self._thread.is_alive()

    def result(self) -> Result:
        """Wait for the work, and return its result."""
        self._thread.join()
        return self._result[0]


class Listing:
    """The files that git lists: those that it `tracks`, and `others` that it would add."""

    def __init__(self, root: Path) -> None:
        self.tracked = git.list_tracked(root)
        self.others = git.list_untracked(root) if self.tracked else []


class RawSearch:
    """The files that mention the names of a question, as git finds them; None where git cannot be asked."""

    def __init__(self, root: Path, question: Question) -> None:
        self.names: Sequence[str] = question.names
        self._root = root
        self._matches = Meanwhile(self._search) if self.names else None

    def _search(self) -> list[str] | None:
        is_work_tree = git.git_dir(self._root) is not None
        return git.list_mentioning(self._root, self.names, is_work_tree=is_work_tree)

    def result(self, names: Sequence[str]) -> list[str] | None:
        """Return the files that mention one of `names`."""
        if self._matches is not None and list(names) == list(self.names):
            return self._matches.result()
        return RawSearch(self._root, Question(tuple(names))).result(names) if names else []
