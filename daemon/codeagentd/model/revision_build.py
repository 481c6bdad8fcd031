"""The messages between a server and the process that makes the index of one commit."""

from __future__ import annotations

import msgspec


class BuildOrder(msgspec.Struct, frozen=True):
    """What is to be built: the index of `commit` of the repository whose folder is `repository`, in the folder `place`,
    with the facts of its files in the folder `blobs`. `name`: the last part of the repository's name; `others`: the
    commits that have an index, with their folders, the latest first.
    """

    repository: str
    commit: str
    place: str
    blobs: str
    name: str
    others: tuple[tuple[str, str], ...] = ()


class BuildProgress(msgspec.Struct, frozen=True, tag="progress"):
    """How far the build is; `total` is 0 while unknown."""

    phase: str
    done: int = 0
    total: int = 0


class BuildUsable(msgspec.Struct, frozen=True, tag="usable"):
    """The index answers; its text and the analysis of the graph are still being made."""


class BuildFailed(msgspec.Struct, frozen=True, tag="failed"):
    """Why nothing was built, and the remedy. `lasts`: it will be so the next time as well."""

    message: str
    remedy: str = ""
    lasts: bool = False


class BuildDone(msgspec.Struct, frozen=True, tag="done"):
    """An index is ready: its size, the files that were written for it, and the seconds it took."""

    files: int
    symbols: int
    written: int
    seconds: float


BuildMessage = BuildProgress | BuildUsable | BuildFailed | BuildDone
