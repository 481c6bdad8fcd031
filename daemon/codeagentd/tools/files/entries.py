"""The entries of a directory, without those that are hidden from clients."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from codeagent_protocol.errors import CodedError, InvalidParameter
from codeagentd.toolkit.context import Context


class Entry(NamedTuple):
    """A directory entry. `size` in bytes, for regular files only: a pipe, a device or a broken link has none.

    `path` is the path on the file system; `name` is printable and valid in JSON.
    """

    name: str
    path: str
    is_directory: bool
    size: int | None
    is_link: bool

    @property
    def type(self) -> str:
        """The name of the entry's type in answers."""
        return "directory" if self.is_directory else "file"


def directory(ctx: Context, path: str) -> tuple[str, Path]:
    """A directory's relative and absolute path. Errors: those of the jail; invalid_parameter when the path is no
    directory.
    """
    relative, place = ctx.jail.resolve(path)
    if not place.is_dir():
        raise InvalidParameter(f"{path!r} is not a directory", remedy="read_file shows files", parameter="path")
    if not os.access(place, os.R_OK | os.X_OK):
        raise InvalidParameter(
            f"{path!r} may not be read by the daemon's user", remedy="change the directory's mode", parameter="path"
        )
    return relative, place


def visible(ctx: Context, relative: str, place: Path, after: str = "") -> Iterator[Entry]:
    """Yield the entries of a directory that no ignore file excludes, by name, only those after the name `after`.

    This is lazy: of a huge directory, only the requested entries cost time.
    """
    try:
        with os.scandir(place) as scan:
            entries = sorted((entry for entry in scan if entry.name > after), key=lambda entry: entry.name)
    except OSError:  # removed or made unreadable since it was listed
        return
    for entry in entries:
        path = f"{relative}/{entry.name}" if relative else entry.name
        looked = _look(ctx, entry, path)
        # to git a link is a file, even if it leads to a nested repository
        if not ctx.ignored(path, looked.is_directory and not looked.is_link):
            yield looked


def _look(ctx: Context, entry: os.DirEntry[str], path: str) -> Entry:
    """The entry for a path. A link counts as the file that it leads to inside the repository, else as a file without
    size.
    """
    is_link = entry.is_symlink()
    try:
        info = (
            os.stat(ctx.jail.resolve(path)[1], follow_symlinks=False) if is_link else entry.stat(follow_symlinks=False)
        )
    except (OSError, CodedError):
        return Entry(_printable(entry.name), path, False, None, is_link)
    is_directory = stat.S_ISDIR(info.st_mode)
    return Entry(
        _printable(entry.name), path, is_directory, info.st_size if stat.S_ISREG(info.st_mode) else None, is_link
    )


def _printable(name: str) -> str:
    """A name that is not UTF-8, with replacement characters for invalid bytes."""
    return name if name.isascii() else os.fsencode(name).decode(errors="replace")
