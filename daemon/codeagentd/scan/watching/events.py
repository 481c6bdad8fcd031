"""Changes of files: the watcher's message to the pipeline, and the collection of events into one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from codeagentd.base.text import is_unicode
from codeagentd.scan.ignore import RULE_FILES, IgnoreRules

# The meanings of a change of a git file
HEAD: Final = "head"
INDEX: Final = "index"
RULES: Final = "rules"

# Reasons why no watching is possible
GONE: Final = "the repository's root directory is gone"
GONE_REMEDY: Final = "bring it back, and indexing goes on by itself; or `codeagentd stop` with --repo and its path"
SILENT: Final = "the file system accepts watches but reports nothing"


class Change(msgspec.Struct, frozen=True):
    """A message that `paths`, and everything below `directories` ('' is the root), may have been created, changed or
    removed, and have to be examined.

    `head`: HEAD or a ref moved. `index`: git tracks other files now. `rules`: an ignore file changed, so everything has
    to be listed again. `overflow`: events were lost, so everything has to be examined.
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
    """Raised when watching is impossible here, or no longer possible: the reason, and a remedy for the user."""

    def __init__(self, reason: str, remedy: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


class Admission:
    """The filter of paths that are reported to the pipeline: those it knows, those the ignore rules admit, and those
    that git tracks although ignore rules cover them.
    """

    def __init__(
        self, rules: IgnoreRules, known: Callable[[str], bool], list_forced: Callable[[], Iterable[str]] | None
    ) -> None:
        self.rules = rules
        self.known = known
        self.forced: frozenset[str] = frozenset()
        self._list_forced = list_forced

    def file(self, path: str) -> bool:
        """Whether a change of the file at `path` is to be reported."""
        return is_unicode(path) and (
            self.known(path) or not self.rules.ignored(path) or (path in self.forced and not self.rules.excluded(path))
        )

    def folder(self, path: str) -> bool:
        """Whether the directory `path` may contain files that the rules admit."""
        return is_unicode(path) and not self.rules.ignored(path, is_dir=True)

    def reconsider(self, flags: set[str]) -> None:
        """Edit `flags`, noted for a change of git's index: drop INDEX unless the set of files that are tracked although
        ignored has changed; add RULES if a nested repository became a part of this one or ceased to be one.
        """
        before = self.forced
        if self._list_forced is not None:
            self.forced = frozenset(self._list_forced())
            if before == self.forced:
                flags.discard(INDEX)
        if self.rules.nested_repositories_changed():
            flags.add(RULES)


class Batch:
    """A collector of the changes that events report."""

    def __init__(self) -> None:
        self.paths: set[str] = set()
        self.directories: set[str] = set()
        self.flags: set[str] = set()
        self.overflow = False

    def file(self, path: str, name: str) -> None:
        """Record an event of the file at `path`; `name` is the last part of its path."""
        self.paths.add(path)
        if name in RULE_FILES:
            self.flags.add(RULES)

    def change(self, admission: Admission) -> Change:
        """Return the message, without the paths that `admission` does not let through."""
        if self.overflow:
            return EVERYTHING
        paths = frozenset(filter(admission.file, self.paths))
        return Change(paths, frozenset(self.directories), HEAD in self.flags, RULES in self.flags, INDEX in self.flags)
