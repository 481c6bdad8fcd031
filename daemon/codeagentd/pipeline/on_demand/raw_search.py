"""The part of a search that git does, begun when a question arrives, while this process still loads its modules."""

from __future__ import annotations

import functools
import posixpath
import re
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Generic, TypeVar

from codeagentd.languages.language import is_parsed, language_of
from codeagentd.model.on_demand import Question
from codeagentd.vcs import git

SUFFIXES: Final = 20  # most frequent suffixes of a repository's files that are looked at
SHARE: Final = 0.01  # of all files; rarer ones are not worth an argument
_SUFFIX: Final = re.compile(r"\.\w+")

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
    """The files that git lists; those that it tracks in a thread of its own, from now on."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._tracked = Meanwhile(lambda: git.list_tracked(root))

    @property
    def tracked(self) -> list[str]:
        """The files that git tracks."""
        return self._tracked.result()

    @functools.cached_property
    def others(self) -> list[str]:
        """The files that git would add; none where it tracks none. To find them it reads every folder."""
        return git.list_untracked(self._root) if self.tracked else []

    @functools.cached_property
    def unread_suffixes(self) -> tuple[str, ...]:
        """The frequent suffixes of files that are never parsed: to search them would take time for nothing."""
        files = Counter(posixpath.splitext(path)[1] for path in self.tracked)
        return tuple(
            suffix
            for suffix, count in files.most_common(SUFFIXES)
            if _SUFFIX.fullmatch(suffix)
            and count > len(self.tracked) * SHARE
            and not is_parsed(language_of(f"a{suffix}"))
        )


class RawSearch:
    """The files that mention the names of a question, as git finds them; None where git cannot be asked. `listing`:
    some recent one.
    """

    def __init__(self, root: Path, question: Question, listing: Listing) -> None:
        self.names: Sequence[str] = question.names
        self._root = root
        self._listing = listing
        self._matches = Meanwhile(self._search) if self.names else None

    def _search(self) -> list[str] | None:
        is_work_tree = git.git_dir(self._root) is not None
        return git.list_mentioning(
            self._root, self.names, is_work_tree=is_work_tree, without=self._listing.unread_suffixes
        )

    @property
    def is_done(self) -> bool:
        """Whether the search has ended."""
        return self._matches is None or self._matches.is_done

    def result(self, names: Sequence[str]) -> list[str] | None:
        """Return the files that mention one of `names`."""
        if self._matches is not None and list(names) == list(self.names):
            return self._matches.result()
        return RawSearch(self._root, Question(tuple(names)), self._listing).result(names) if names else []
