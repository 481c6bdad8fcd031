"""Safe reading and replacing of other programs' files: no file is half written, no content is lost, and a refusal
states the place and the reason.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple

from codeagent_protocol.errors import InvalidParameter

from .jsonc import Broken

MOST_BYTES: Final = 32_000_000  # bytes; a configuration that also stores its client's history can have megabytes
OWN_FILE: Final = 0o600  # private, since configurations contain keys
SHARED_FILE: Final = 0o644  # files of a repository may be read by others
_UNFINISHED: Final = ".codeagentd-"  # begins the name of a file that is being written
_BOM: Final = b"\xef\xbb\xbf"
_READ: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_REMEDIES: Final = {
    errno.ENOSPC: "make room on this disk; the file is as it was",
    errno.EDQUOT: "make room in your quota; the file is as it was",
    errno.EROFS: "this file system is read-only; the file is as it was",
}


class Refused(InvalidParameter):
    """Raised when a file is left unchanged; the message names the file, the place in it, and the reason."""


class Changed(Exception):
    """Raised when another program wrote the file between reading and writing it."""


class Original(NamedTuple):
    """A file as it was read: its path as given, its real path behind links, its content (None: no such file) and its
    status.
    """

    path: str
    real: str
    content: bytes | None
    status: os.stat_result | None

    @property
    def text(self) -> str:
        """The content without its byte order mark; "" when there is no file. Errors: Refused when it is not UTF-8."""
        content = self.content or b""
        try:
            return content.removeprefix(_BOM).decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise Refused(
                f"{self.path}, line {line}: byte {error.start} is not UTF-8", remedy="save the file as UTF-8"
            ) from None

    def encoded(self, text: str) -> bytes:
        """Return the bytes of `text` in this file's encoding: with a byte order mark if the file had one."""
        return (_BOM if self.content is not None and self.content.startswith(_BOM) else b"") + text.encode()


def original(path: str) -> Original:
    """Read the file at `path`, which need not exist. Errors: Refused for one that is no regular file, is too large or
    cannot be read.
    """
    real = os.path.realpath(path)
    if os.path.islink(real):
        raise Refused(f"{path}: a loop of symbolic links", remedy="remove the links, or point them at a file")
    try:
        fd = os.open(real, _READ)
    except FileNotFoundError:
        return Original(path, real, None, None)
    except OSError as error:
        raise refused(path, error) from None
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            kind = "a directory" if stat.S_ISDIR(status.st_mode) else "no regular file"
            raise Refused(f"{path} is {kind}", remedy="move it away")
        if status.st_size > MOST_BYTES:
            raise Refused(
                f"{path} is longer than {MOST_BYTES:,} bytes", remedy="this is no configuration; move it away"
            )
        with open(fd, "rb", closefd=False) as file:
            return Original(path, real, file.read(), status)
    finally:
        os.close(fd)


def broken(path: str, text: str, error: Broken) -> Refused:
    """Return the refusal for `text` (the content of the file at `path`) because it cannot be read or edited, with line
    and column (from 1) of the fault.
    """
    offset = len(text) if error.offset < 0 else error.offset
    line, column = text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
    return Refused(
        f"{path}, line {line}, column {column}: {error.message}", remedy="correct the file there; it is as it was"
    )


def refused(path: str, error: OSError) -> Refused:
    """Return the refusal for an error of the operating system."""
    remedy = _REMEDIES.get(error.errno or 0, "the file is as it was")
    return Refused(f"{path}: {error.strerror or error}", remedy=remedy)


def check_writable(file: Original) -> None:
    """Check that `file` may be replaced. Errors: Refused when the file or its folder belongs to another user or is
    read-only, or the file has other names (hard links).

    Root can write every file, so the permission bits are checked too.
    """
    if file.status:
        _check_owner(file.path, file.status)
        if not file.status.st_mode & stat.S_IWUSR or not os.access(file.real, os.W_OK):
            raise Refused(f"{file.path} is read-only", remedy=f"chmod u+w {file.path}, if it may be changed")
        if file.status.st_nlink > 1:
            raise Refused(
                f"{file.path} has {file.status.st_nlink} names: they would no longer be one file",
                remedy="make the others symbolic links",
            )
    folder = os.path.dirname(file.real)
    while not os.path.lexists(folder):
        folder = os.path.dirname(folder)
    if not os.path.isdir(folder):
        raise Refused(f"{file.path}: {folder} is no directory", remedy="move it away")
    status = os.stat(folder)
    if not os.access(folder, os.W_OK | os.X_OK) or (_is_own(status) and not status.st_mode & stat.S_IWUSR):
        raise Refused(
            f"{file.path}: the folder {folder} is read-only", remedy=f"chmod u+w {folder}, if it may be changed"
        )


def _check_owner(path: str, status: os.stat_result) -> None:
    if not _is_own(status):
        raise Refused(f"{path} belongs to another user (uid {status.st_uid})", remedy="run this as that user")


def _is_own(status: os.stat_result) -> bool:
    return sys.platform == "win32" or status.st_uid == os.geteuid()


def backup_path(file: Original) -> str:
    """Return a free path in the folder of `file` for a copy of it, "" when there is no file. Errors: OSError."""
    if file.content is None:
        return ""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    for number in range(1000):
        path = f"{file.real}.codeagentd-{stamp}{f'-{number}' if number else ''}.bak"
        if not os.path.lexists(path):
            return path
    raise OSError(errno.EEXIST, "too many copies", file.real)


def back_up(file: Original, path: str = "") -> str:
    """Copy `file` to `path`, which has to be free, or with "" to a free path in its folder. Returns the copy's path, ""
    when there was no file. Errors: OSError.
    """
    path = path or backup_path(file)
    if not path or file.content is None:
        return ""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        _fill(fd, file.content, file.status)
    except OSError:
        os.unlink(path)
        raise
    return path


def missing_folders(file: Original) -> list[str]:
    """Return the folders above `file` that do not exist, the deepest first."""
    missing = []
    folder = os.path.dirname(file.real)
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing


def make_folders(file: Original, mode: int) -> None:
    """Create the folders above `file`, which gets `mode`. Errors: OSError."""
    os.makedirs(os.path.dirname(file.real), mode=0o755 if mode == SHARED_FILE else 0o700, exist_ok=True)


def remove_unfinished(folder: str) -> None:
    """Remove what an edit of a file in `folder` left that was killed while it wrote."""
    with contextlib.suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.startswith(_UNFINISHED) and entry.is_file(follow_symlinks=False):
                os.unlink(entry.path)


def remove_folders(folders: Sequence[str]) -> None:
    """Remove `folders`, which are in order from the deepest, up to the first that is not empty."""
    for folder in folders:
        try:
            os.rmdir(folder)
        except OSError:
            return


def replace(file: Original, content: bytes, mode: int = OWN_FILE) -> None:
    """Replace the content of `file` at once, keeping its mode and owner. Of a link, the file that it leads to is
    replaced. A new file gets `mode`.

    Errors: Changed when the file is no longer what was read; OSError; both leave everything unchanged.
    """
    folder = os.path.dirname(file.real)
    fd, path = tempfile.mkstemp(dir=folder, prefix=_UNFINISHED)
    try:
        _fill(fd, content, file.status, mode)
        if _now(file.real) != file.content:
            raise Changed(file.path)
        os.replace(path, file.real)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise
    sync_folder(folder)


def remove(file: Original) -> None:
    """Remove `file`. Errors: Changed; OSError."""
    if _now(file.real) != file.content:
        raise Changed(file.path)
    os.unlink(file.real)
    sync_folder(os.path.dirname(file.real))


def sync_folder(folder: str) -> None:
    """Flush `folder` to disk, so that a rename in it lasts; does nothing where the system does not support that."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def _fill(fd: int, content: bytes, status: os.stat_result | None, mode: int = OWN_FILE) -> None:
    """Write all content of a new file, give it the mode and owner of the old one, and close it."""
    with open(fd, "wb") as file:
        file.write(content)
        file.flush()
        if sys.platform != "win32":
            if status and (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
                # fails for a group without this user: the file then keeps this user's group
                with contextlib.suppress(PermissionError):
                    os.fchown(fd, -1, status.st_gid)
            os.fchmod(fd, stat.S_IMODE(status.st_mode) if status else mode)
        os.fsync(fd)


def _now(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
