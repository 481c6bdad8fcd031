"""What happened to the files: the watcher's message to the pipeline, and how it is collected."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from codeagentd.base.text import is_unicode
from codeagentd.scan.ignore import RULE_FILES, IgnoreRules

# What a file of git's own says when it changes
HEAD: Final = "head"
INDEX: Final = "index"
RULES: Final = "rules"

# Why nothing is watched
GONE: Final = "the repository's root directory is gone"
GONE_REMEDY: Final = "bring it back, and indexing goes on by itself; or `codeagentd stop` with --repo and its path"
SILENT: Final = "the file system accepts watches but reports nothing"


class Change(msgspec.Struct, frozen=True):
    """Look again at `paths`, and at everything below `directories` ('' is the root): they may have come, changed or
    gone.

    `head`: HEAD or a ref moved. `index`: git tracks other files now. `rules`: an ignore file changed, list everything
    again. `overflow`: events were lost, look at everything again.
    """

    paths: frozenset[str] = frozenset()
    directories: frozenset[str] = frozenset()
    head: bool = False
    rules: bool = False
    index: bool = False
    overflow: bool = False

    def __bool__(self) -> bool:
        return bool(self.paths or self.directories or self.head or self.rules or self.index or self.overflow)

    def __or__(self, other: Change) -> Change:
        return Change(
            self.paths | other.paths,
            self.directories | other.directories,
            self.head or other.head,
            self.rules or other.rules,
            self.index or other.index,
            self.overflow or other.overflow,
        )


EVERYTHING: Final = Change(head=True, rules=True, index=True, overflow=True)


class WatchFailed(Exception):
    """Watching is impossible here, or no longer possible: the reason, and what the user can do about it."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


class Admission:
    """Which paths the pipeline wants to hear about: those it knows, those the rules let in, and those that git tracks
    although rules cover them.
    """

    def __init__(
        self, rules: IgnoreRules, known: Callable[[str], bool], list_forced: Callable[[], Iterable[str]] | None
    ) -> None:
        self.rules = rules
        self.known = known
        self.forced: frozenset[str] = frozenset()
        self._list_forced = list_forced

    def file(self, path: str) -> bool:
        """Whether a change of this file matters."""
        return is_unicode(path) and (
            self.known(path) or not self.rules.ignored(path) or (path in self.forced and not self.rules.excluded(path))
        )

    def folder(self, path: str) -> bool:
        """Whether this directory may hold files that the rules let in."""
        return is_unicode(path) and not self.rules.ignored(path, is_dir=True)

    def reconsider(self, flags: set[str]) -> None:
        """Find out what a change of git's index means: INDEX stays only if other files are tracked that rules cover;
        RULES if a directory changed hands.
        """
        before = self.forced
        if self._list_forced is not None:
            self.forced = frozenset(self._list_forced())
            if before == self.forced:
                flags.discard(INDEX)
        if self.rules.claims_changed():
            flags.add(RULES)


class Batch:
    """Collects the changes that a few events report."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.directories: set[str] = set()
        self.flags: set[str] = set()
        self.overflow = False

    def file(self, path: str, name: str) -> None:
        """Note an event of a file."""
        self.paths.add(path)
        if name in RULE_FILES:
            self.flags.add(RULES)

    def change(self, admission: Admission) -> Change:
        """The message, without the events that no caller needs."""
        if self.overflow:
            return EVERYTHING
        paths = frozenset(filter(admission.file, self.paths))
        return Change(paths, frozenset(self.directories), HEAD in self.flags, RULES in self.flags, INDEX in self.flags)
