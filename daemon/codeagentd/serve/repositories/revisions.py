"""Revisions as requests name them: a repository's name, and a branch, tag or commit; each leads to one commit."""

from __future__ import annotations

import tempfile
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Final, NamedTuple

from codeagent_protocol.errors import EngineUnavailable, NotFound
from codeagentd.vcs.repository_source import Unusable, borrow_objects, commit_in, object_of

from .catalogue import Catalogue, Served, printable

MAX_REVISION: Final = 250  # characters of a revision's name
REMEMBERED: Final = 2_000  # objects that are known to lead to a commit

Identity = tuple[int, int]


class Target(NamedTuple):
    """What a path names: a repository, and a revision ('' for HEAD)."""

    name: str
    revision: str = ""


def target_of(text: str) -> Target:
    """Return the target that `text` names: NAME or NAME@REVISION."""
    name, _, revision = text.partition("@")
    return Target(name, revision)


class Revisions:
    """Finds the commits of revisions. Thread-safe; blocks for a moment where git has to be asked. `place`: a folder
    for what git needs.
    """

    def __init__(self, catalogue: Catalogue, place: Path) -> None:
        self._catalogue = catalogue
        self._place = place
        self._lock = threading.Lock()
        self._commits: OrderedDict[tuple[Identity, str], str] = OrderedDict()

    def resolve(self, target: Target) -> tuple[Served, str]:
        """Return the repository and the commit of `target`: where its branch is now. Errors: not_found,
        engine_unavailable.
        """
        served = self._catalogue.find(target.name)
        if len(target.revision) > MAX_REVISION:
            raise _no_revision(target)
        try:
            named = object_of(served.source, target.revision)
            commit = self._commit_of(served, named) if named else ""
        except Unusable as error:
            raise NotFound(f"the repository {target.name} cannot be served: {error}") from None
        except OSError as error:
            raise EngineUnavailable(
                f"the cache cannot be written: {error.strerror}", remedy="make room on its disk", retry_after=10
            ) from None
        if not commit:
            raise _no_revision(target)
        return served, commit

    def _commit_of(self, served: Served, named: str) -> str:
        """The commit that an object leads to. Git is asked once for each, since objects do not change."""
        key = (served.source.identity, named)
        with self._lock:
            if commit := self._commits.get(key):
                self._commits.move_to_end(key)
                return commit
        with tempfile.TemporaryDirectory(dir=self._place) as folder:
            borrow_objects(Path(folder) / ".git", served.source)
            commit = commit_in(Path(folder), named)
        if commit and len(named) in (40, 64):  # an abbreviation may become ambiguous
            with self._lock:
                self._commits[key] = commit
                while len(self._commits) > REMEMBERED:
                    self._commits.popitem(last=False)
        return commit


def _no_revision(target: Target) -> NotFound:
    if not target.revision:
        return NotFound(f"the repository {target.name} has no commit at HEAD", remedy="name a branch: NAME@BRANCH")
    return NotFound(
        f"the repository {target.name} has no branch, tag or commit {printable(target.revision)}",
        remedy="name a branch, a tag, or a commit by at least 4 digits of its hash",
    )
