"""The jail: paths of clients resolved to files inside the repository, and reads that nothing can block."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from codeagent_protocol.errors import CodedError, InvalidParameter, NotFound, PathEscape, TooLarge

from .limits import MAX_NAME_BYTES, MAX_PATH_BYTES, MAX_SYMLINK_HOPS

CARE = (
    getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
STEP = (
    getattr(os, "O_PATH", 0)
    | getattr(os, "O_DIRECTORY", 0)
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
)
OPENS_BY_STEPS = os.open in os.supports_dir_fd
GONE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)  # the two last: a part became a file or a link after it was resolved
READ_BYTES = 16_384  # at least, per read: the size that stat reports may be 0 (/proc) or grow


class Jail:
    """The resolver of paths that clients send.

    Each symbolic link on the way must stay inside the root, and `..` may not climb out of the root, not even to come
    back.
    """

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self._base = str(self.root)

    def resolve(self, path: str, *, must_exist: bool = True) -> tuple[str, Path]:
        """Resolve a repository-relative path. Returns (posix path relative to the root, '' for the root itself;
        absolute path without links).

        Errors: path_escape; not_found; invalid_parameter (not text, NUL, too long, a loop of links).
        """
        parts = self._real_parts(_checked(path), path, must_exist)
        relative = "/".join(parts)
        return relative, self.root / relative if relative else self.root

    def read_bytes(self, path: str, limit: int) -> bytes:
        """Return the content of the regular file at `path`, of at most `limit` bytes.

        Errors: those of `resolve`; too_large; invalid_parameter for directories, devices, pipes and files that may not
                be read.
        """
        relative, place = self.resolve(path)
        try:
            return _content(self._open(relative), path, limit)
        except OSError as error:
            raise _refusal(error, path, place) from None

    def _real_parts(self, todo: list[str], path: str, must_exist: bool) -> list[str]:
        """Follow `todo` (last part first) from the root, one part at a time."""
        real: list[str] = []
        hops = 0
        while todo:
            part = todo.pop()
            if part in ("", "."):
                continue
            if part == "..":
                _climb(real, path)
                continue
            info = self._look([*real, part], path, must_exist)
            if info is not None and stat.S_ISLNK(info.st_mode):
                hops += 1
                if hops > MAX_SYMLINK_HOPS:
                    raise _invalid(f"{_shown(path)} runs in a loop of symbolic links")
                real = self._follow([*real, part], real, todo, path)
                continue
            if info is not None and any(todo) and not stat.S_ISDIR(info.st_mode):
                raise _missing(path)
            real.append(part)
        return real

    def _look(self, parts: list[str], path: str, must_exist: bool) -> os.stat_result | None:
        try:
            return os.lstat(os.path.join(self._base, *parts))
        except OSError as error:
            if error.errno in GONE and not must_exist:
                return None
            raise _refusal(error, path, None) from None

    def _follow(self, link: list[str], folder: list[str], todo: list[str], path: str) -> list[str]:
        """Put the target of a link before `todo`; return the parts to continue from."""
        target = os.readlink(os.path.join(self._base, *link))
        if os.path.isabs(target):
            if target != self._base and not target.startswith(self._base + os.sep):
                raise _escape(path)
            target, folder = target[len(self._base) :], []
        todo.extend(reversed(target.replace(os.sep, "/").split("/")))
        return folder

    def _open(self, relative: str) -> int:
        """Open a file from the root without following any link, so that the file that was checked is the one that is
        read; return its descriptor.
        """
        if not OPENS_BY_STEPS:
            return os.open(os.path.join(self._base, relative), os.O_RDONLY | CARE)
        *folders, name = relative.split("/")
        at = os.open(self._base, STEP)
        try:
            for part in folders:
                inner = os.open(part, STEP, dir_fd=at)
                os.close(at)
                at = inner
            return os.open(name or ".", os.O_RDONLY | CARE, dir_fd=at)
        finally:
            os.close(at)


def read_regular(path: str | os.PathLike[str], limit: int) -> bytes | None:
    """Return the content of the small file at `path` that codeagentd or git reads (an ignore file, a ref). None unless
    it is a regular file, no link, of at most `limit` bytes.
    """
    try:
        return _content(os.open(path, os.O_RDONLY | CARE), os.fspath(path), limit)
    except (OSError, CodedError):
        return None


def read_start(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the first bytes of the regular file at `path`, at most `most`; none where it is a link or cannot
    be read.
    """
    try:
        handle = os.open(path, os.O_RDONLY | CARE)
    except OSError:
        return b""
    try:
        return os.read(handle, most) if stat.S_ISREG(os.fstat(handle).st_mode) else b""
    except OSError:
        return b""
    finally:
        os.close(handle)


def _content(handle: int, path: str, limit: int) -> bytes:
    """Return the content of an open file, and close it."""
    try:
        info = os.fstat(handle)
        if not stat.S_ISREG(info.st_mode):
            raise _invalid(
                f"{_shown(path)} is not a regular file", remedy="name a file; list_directory shows what there is"
            )
        pieces, size = [], 0
        while size <= limit and (
            piece := os.read(handle, min(max(READ_BYTES, info.st_size - size) + 1, limit + 1 - size))
        ):
            pieces.append(piece)
            size += len(piece)
        if size > limit:  # not st_size: the file may be growing
            raise TooLarge(
                f"{_shown(path)} is larger than {limit} bytes",
                parameter="path",
                limit=limit,
                size=max(info.st_size, size),
            )
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)
    finally:
        os.close(handle)


def _checked(path: object) -> list[str]:
    """Check the form of a path and return its parts, the last one first."""
    if not isinstance(path, str):
        raise _invalid(f"path must be a string, not {type(path).__name__}")
    if len(path) > MAX_PATH_BYTES:
        raise _invalid(f"path is longer than {MAX_PATH_BYTES} bytes")
    try:
        raw = path.encode()
    except UnicodeEncodeError:
        raise _invalid("path is not valid Unicode") from None
    if b"\0" in raw:
        raise _invalid("path contains a NUL character")
    if os.path.isabs(path) or path.startswith("/") or os.path.splitdrive(path)[0]:
        raise PathEscape(
            f"{_shown(path)} is absolute", remedy="give a path relative to the repository root", parameter="path"
        )
    parts = path.replace(os.sep, "/").split("/")
    if len(raw) > MAX_PATH_BYTES or any(len(part.encode()) > MAX_NAME_BYTES for part in parts):
        raise _invalid("path is too long for any file system")
    return parts[::-1]


def _climb(real: list[str], path: str) -> None:
    if not real:
        raise _escape(path)
    real.pop()


def _shown(path: str) -> str:
    return repr(path if len(path) <= 120 else f"{path[:117]}...")


def _invalid(message: str, remedy: str = "give a path relative to the repository root") -> InvalidParameter:
    return InvalidParameter(message, remedy=remedy, parameter="path")


def _escape(path: str) -> PathEscape:
    return PathEscape(
        f"{_shown(path)} leads out of the repository",
        remedy="give a path inside the repository, relative to its root",
        parameter="path",
    )


def _missing(path: str) -> NotFound:
    return NotFound(
        f"there is no {_shown(path)} in the repository",
        remedy="list_directory and search_symbols show the paths there are",
        parameter="path",
    )


def _refusal(error: OSError, path: str, place: Path | None) -> CodedError:
    """Return the error that a client gets for an error of the operating system."""
    if error.errno in GONE:
        return _missing(path)
    if error.errno == errno.ENXIO or (place is not None and not place.is_file()):
        return _invalid(f"{_shown(path)} is not a regular file")
    return _invalid(f"{_shown(path)} cannot be read: {os.strerror(error.errno or errno.EIO)}")
