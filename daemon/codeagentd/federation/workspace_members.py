"""The members of a workspace: repositories and folders that its files name and that may be read.

The files come with the repository and are not trusted. Nothing of a member is read unless the user has indexed it. An
outside repository without an index is no member, unless the user's own settings name it; then it is only listed.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagent_protocol.endpoint import Endpoint, endpoint_at
from codeagent_protocol.root import forbidden, git_top_level
from codeagentd.base.limits import MAX_MEMBERS, MAX_SURVEY_S, MAX_WORKSPACE_FOLDERS, MAX_WORKSPACE_LOOKS
from codeagentd.model.labels import clean
from codeagentd.scan.projects.workspace import WORKSPACE_FILE, Declared, Named, TooMany, declared, folders

_UNFIT: Final = re.compile(r"[^A-Za-z0-9_.-]+")


class Member(msgspec.Struct, frozen=True):
    """One member of a workspace: a repository by its root, or a folder of this repository (`folder`,
    repository-relative). This repository's index contains such a folder already.

    `index` is the path of the repository's index.db, which need not exist; `life_lock` is the lock that its daemon
    holds while it runs.
    """

    name: str
    root: str
    index: Path
    life_lock: str
    folder: str = ""


class Survey(NamedTuple):
    """The repository's own name, its members in the order of the files that name them, and notes in words on members
    left out.
    """

    own: str
    members: list[Member]
    notes: list[str]

    @property
    def repositories(self) -> list[Member]:
        """The members that have indexes of their own."""
        return [member for member in self.members if not member.folder]


def survey(root: Path, trusted: tuple[str, ...] = ()) -> Survey:
    """Return the members of the workspace of the repository at `root`; `trusted` are folders that the user's settings
    name, each with everything below it.
    """
    declaration = declared(root)
    return _Surveyor(Path(os.path.realpath(root)), trusted, declaration).survey()


class _Surveyor:
    """Reads the entries of the workspace's files, and collects the members."""

    def __init__(self, root: Path, trusted: tuple[str, ...], declaration: Declared) -> None:
        self._root, self._declared = root, declaration
        self._trusted = [
            os.path.realpath(os.path.expanduser(folder))
            for folder in trusted
            if os.path.isabs(os.path.expanduser(folder))
        ]
        self._own = declaration.name or fitting(root.name)
        self._members: dict[str, Member] = {}  # by real path
        self._names = {self._own}
        self._notes = [f"{clean(source)} is left out: {clean(why)}" for source, why in declaration.problems]
        self._hidden: set[str] = set()
        self._looks = iter(range(MAX_WORKSPACE_LOOKS))

    def survey(self) -> Survey:
        """Return all members, with notes on those left out."""
        end = time.thread_time() + MAX_SURVEY_S
        for named in self._declared.named:
            for place in self._places(named):
                if len(self._members) == MAX_MEMBERS:
                    self._notes.append(f"only the first {MAX_MEMBERS} members are looked at")
                    return self._result()
                if time.thread_time() > end:
                    self._notes.append("the rest is left out: it names more folders than can be looked at in time")
                    return self._result()
                self._add(named, os.path.realpath(place))
        return self._result()

    def _result(self) -> Survey:
        if self._hidden:
            self._notes.append(
                f"{len(self._hidden)} folders outside of this repository have no index, and are no members"
            )
        return Survey(self._own, list(self._members.values()), list(dict.fromkeys(self._notes)))

    def _places(self, named: Named) -> Iterator[str]:
        try:
            places = folders(self._root, named, self._declared.excluded, self._looks)
        except TooMany:
            self._notes.append(
                f"{named.source}: {_shown(named)} is left out: there are more than {MAX_WORKSPACE_FOLDERS} folders to "
                "look at"
            )
            return
        first = next(places, None)
        if first is not None:
            yield first
            yield from places
        elif named.source == WORKSPACE_FILE and not named.is_pattern:
            self._notes.append(f"{_shown(named)} is no folder that can be read")

    def _add(self, named: Named, real: str) -> None:
        inside = real == str(self._root) or real.startswith(f"{self._root}{os.sep}")
        own = git_top_level(real) or ("" if inside else real)
        if own in ("", str(self._root)) and inside:
            self._add_folder(named, real)
        elif reason := forbidden(own):
            self._notes.append(f"{_shown(named)} is left out: it is {reason}")
        elif own not in self._members and self._may_be_named(named, own, inside):
            self._put(named, named.name or fitting(os.path.basename(own)), own)

    def _add_folder(self, named: Named, real: str) -> None:
        if real == str(self._root):
            if named.source == WORKSPACE_FILE:
                self._notes.append(f"{_shown(named)} is this repository itself, which always belongs to its workspace")
            return
        if real not in self._members:
            folder = os.path.relpath(real, self._root).replace(os.sep, "/")
            name = named.name or fitting(os.path.basename(real))
            self._put(
                named, name if named.name or name not in self._names else fitting(folder), str(self._root), folder
            )

    def _may_be_named(self, named: Named, real: str, inside: bool) -> bool:
        """Whether answers may name this repository: it is inside this one, the user's settings trust it, or the user
        has indexed it.
        """
        if inside or any(real == folder or real.startswith(f"{folder}{os.sep}") for folder in self._trusted):
            return True
        if index_of(endpoint_at(real)).exists():
            return True
        if named.is_pattern:
            self._hidden.add(real)
        else:
            remedy = (
                f"run `codeagentd index --repo {clean(real)}`, or name it under workspace.trusted in your own "
                "config.json"
            )
            self._notes.append(
                f"{_shown(named)} is left out: it lies outside of this repository and has no index: {remedy}"
            )
        return False

    def _put(self, named: Named, name: str, root: str, folder: str = "") -> None:
        if name in self._names:
            self._notes.append(
                f"{_shown(named)} is left out: there is another {name!r}: give it a name in {WORKSPACE_FILE}"
            )
            return
        self._names.add(name)
        endpoint = endpoint_at(root)
        self._members[os.path.join(root, folder) if folder else root] = Member(
            name, root, index_of(endpoint), endpoint.life_lock, folder
        )


def index_of(endpoint: Endpoint) -> Path:
    """Return the path of the index.db of the repository of `endpoint`."""
    return endpoint.index / "index.db"


def _shown(named: Named) -> str:
    """An entry as written in the file, shortened and cleaned for answers."""
    return f"'{clean(named.pattern)}'"


def fitting(text: str) -> str:
    """Return `text`, the name of a folder, changed to a valid name of a repository."""
    return _UNFIT.sub("-", text).strip("-.")[:64] or "repository"
