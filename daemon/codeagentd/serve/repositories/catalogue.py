"""The repositories in the folder of a server, by name: `name`, or `group/name` for one level more. Each is found anew
at every request, so that one that comes, goes or is replaced is noticed.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from codeagent_protocol.errors import NotFound
from codeagentd.vcs.repository_source import Source, Unusable, head_of, source_at

MAX_LISTED: Final = 5_000  # repositories that a list names
MAX_ENTRIES: Final = 20_000  # entries of the folder that a list looks at
MAX_SHOWN: Final = 100  # characters of an odd name

# no name begins with a dot or a dash; other letters look alike, and have several forms in Unicode
_PART: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+-]{0,99}", re.ASCII)
_SUFFIX: Final = ".git"
_ODD: Final = "names have letters of ASCII, digits and . _ + -, and at most 100 of them"


class Served(NamedTuple):
    """A repository that can be served: its name, its folder, and its objects and refs."""

    name: str
    root: Path
    source: Source


class Listed(NamedTuple):
    """An entry of the list. `reason`: why it is not served, '' where it is."""

    name: str
    served: Served | None
    reason: str = ""
    head: str = ""
    branch: str = ""


class Catalogue:
    """The repositories in `folder`. Thread-safe; nothing is remembered."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def find(self, name: str) -> Served:
        """Return the repository of this name. Errors: not_found, also for one that cannot be served."""
        parts = name.split("/")
        if len(parts) <= 2 and all(_is_plain(part) for part in parts):
            for root in (self.folder / name, self.folder / f"{name}{_SUFFIX}"):
                if self._is_real(root):
                    try:
                        source = source_at(root)
                    except Unusable as error:
                        raise NotFound(f"the repository {name} cannot be served: {error}") from None
                    if source:
                        return Served(name, root, source)
        raise missing(name)

    def listed(self) -> list[Listed]:
        """Return every repository in the folder, by name, and those that cannot be served with the reason."""
        result: dict[str, Listed] = {}
        for entry in _entries(self.folder):
            for item in self._look(entry, "", result):
                result.setdefault(item.name, item)
            if len(result) >= MAX_LISTED:
                break
        return sorted(result.values())

    def _look(self, entry: os.DirEntry[str], group: str, known: dict[str, Listed]) -> Iterator[Listed]:
        """What an entry of the folder, or of a `group` in it, is: nothing, a repository, or (in no group) a group."""
        shown = f"{group}{entry.name}".encode("utf-8", "replace").decode()[:MAX_SHOWN]
        if entry.name.startswith("."):
            return
        if entry.is_symlink():
            if entry.is_dir():
                yield Listed(shown, None, "it is a symbolic link")
            return
        if not entry.is_dir():
            return
        name = f"{group}{entry.name.removesuffix(_SUFFIX)}"
        try:
            source = source_at(Path(entry.path))
            if source is None:
                if not group and _is_plain(entry.name):
                    for below in _entries(Path(entry.path)):
                        yield from self._look(below, f"{entry.name}/", known)
                return
            if not all(_is_plain(part) for part in name.split("/")):
                raise Unusable(_ODD)
            if entry.name.endswith(_SUFFIX) and self.find(name).root != Path(entry.path):
                yield Listed(f"{group}{entry.name}", None, f"{name} is another repository's name")
                return
            head = head_of(source)
        except (Unusable, NotFound, OSError) as error:
            yield Listed(shown if not _is_plain(entry.name) else name, None, str(error))
            return
        yield Listed(name, Served(name, Path(entry.path), source), "", head.commit, head.branch or "")

    def _is_real(self, root: Path) -> bool:
        """Whether neither the folder of a repository nor that of its group is a link."""
        places = [root] if root.parent == self.folder else [root.parent, root]
        try:
            return all(stat.S_ISDIR(os.lstat(place).st_mode) for place in places)
        except (OSError, ValueError):
            return False


def missing(name: str) -> NotFound:
    """Return the error for a repository that is not there, or that the user may not see."""
    return NotFound(f"there is no repository {printable(name)}", remedy="GET /repositories lists them")


def printable(text: str) -> str:
    """Return a name of the request as an error may quote it."""
    short = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    return repr(short)


def _is_plain(part: str) -> bool:
    return bool(_PART.fullmatch(part)) and not part.endswith((_SUFFIX, "."))


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(
                (entry for entry, _ in zip(entries, range(MAX_ENTRIES), strict=False)), key=lambda entry: entry.name
            )
    except OSError:
        return []
