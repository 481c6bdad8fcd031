"""inotify: the queue by which the Linux kernel reports events of files."""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import sys
from collections.abc import Iterator
from typing import Final

from codeagentd.base.limits import INOTIFY_READ_BYTES

IN_MODIFY: Final = 0x2
IN_ATTRIB: Final = 0x4
IN_CLOSE_WRITE: Final = 0x8
IN_MOVED_FROM: Final = 0x40
IN_MOVED_TO: Final = 0x80
IN_CREATE: Final = 0x100
IN_DELETE: Final = 0x200
IN_DELETE_SELF: Final = 0x400
IN_MOVE_SELF: Final = 0x800
IN_UNMOUNT: Final = 0x2000
IN_Q_OVERFLOW: Final = 0x4000
IN_IGNORED: Final = 0x8000
IN_ONLYDIR: Final = 0x1000000
IN_DONT_FOLLOW: Final = 0x2000000
IN_EXCL_UNLINK: Final = 0x4000000
IN_ISDIR: Final = 0x40000000

APPEARED: Final = IN_CREATE | IN_MOVED_TO
VANISHED: Final = IN_DELETE | IN_MOVED_FROM
# Closing is listened to for writers that map the file: their writes send no IN_MODIFY.
FOLDER: Final = (
    APPEARED | VANISHED | IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK
)
SELF: Final = IN_DELETE_SELF | IN_MOVE_SELF
LOST: Final = SELF | IN_UNMOUNT | IN_IGNORED

HEADER: Final = struct.Struct("iIII")
FIONREAD: Final = 0x541B

Event = tuple[int, int, bytes]  # watch descriptor, mask, name


class Inotify:
    """One queue of file events, in the order in which they happened. Errors are OSError with the kernel's errno."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.handle = self._checked(self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))

    def add(self, place: str, mask: int) -> int:
        """Watch the directory `place` for the events of `mask`. Return the watch descriptor; for a directory that is
        watched already, it is the same as before.
        """
        return self._checked(self._libc.inotify_add_watch(self.handle, os.fsencode(place), ctypes.c_uint32(mask)))

    def remove(self, descriptor: int) -> None:
        """Stop the watch with this descriptor; no effect if the kernel has already stopped it."""
        self._libc.inotify_rm_watch(self.handle, descriptor)

    def pending(self) -> int:
        """Return the number of bytes of the events that happened and were not read."""
        return int.from_bytes(fcntl.ioctl(self.handle, FIONREAD, b"\0\0\0\0"), sys.byteorder)

    def read(self) -> bytes:
        """Return the bytes of events that happened, at most INOTIFY_READ_BYTES; b"" if there are none."""
        try:
            return os.read(self.handle, INOTIFY_READ_BYTES)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Close the queue and every watch."""
        os.close(self.handle)

    def _checked(self, answer: int) -> int:
        if answer < 0:
            code = ctypes.get_errno()
            raise OSError(code, os.strerror(code))
        return answer


def events(data: bytes) -> Iterator[Event]:
    """Yield the events in `data`, the bytes that were read."""
    at = 0
    while at < len(data):
        descriptor, mask, _, length = HEADER.unpack_from(data, at)
        at += HEADER.size + length
        yield descriptor, mask, data[at - length : at].rstrip(b"\0")
