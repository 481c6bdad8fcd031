"""A pipe behind a socket, for systems that cannot poll pipes: a thread copies bytes between the two, and waits when
either is full.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from typing import Final

from .stream import Stream

CHUNK_BYTES: Final = 65_536
DRAIN_S: Final = 1.0  # seconds for a reader to take the last bytes


class Incoming(Stream):
    """The reading end of a socket that serves as a pipe."""

    def __init__(self, fd: int, *, waits: bool = False) -> None:
        self._socket, far = socket.socketpair()
        self._socket.setblocking(waits)
        self.fd = self._socket.fileno()
        threading.Thread(target=_carry_in, args=(fd, far), name="pipe", daemon=True).start()

    def read(self, count: int) -> bytes:
        """Return the available bytes, at most `count`, as from a pipe."""
        return self._socket.recv(count)

    def end(self) -> None:
        """Stop reading."""
        self._socket.close()


class Outgoing(Stream):
    """The writing end of a socket that serves as a pipe."""

    def __init__(self, fd: int) -> None:
        self._socket, far = socket.socketpair()
        self._socket.setblocking(False)
        self.fd = self._socket.fileno()
        self._thread = threading.Thread(target=_carry_out, args=(far, fd), name="pipe", daemon=True)
        self._thread.start()

    def write(self, data: bytes | bytearray | memoryview) -> int:
        """Write as many bytes of `data` as fit now, as to a pipe. Returns how many were written."""
        return self._socket.send(data)

    def end(self) -> None:
        """Stop sending, and wait a moment until all sent bytes are read."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        self._thread.join(DRAIN_S)
        self._socket.close()


def _carry_in(fd: int, far: socket.socket) -> None:
    with far, contextlib.suppress(OSError):  # either end may be gone
        while chunk := os.read(fd, CHUNK_BYTES):
            far.sendall(chunk)


def _carry_out(far: socket.socket, fd: int) -> None:
    with far, contextlib.suppress(OSError):
        while chunk := far.recv(CHUNK_BYTES):
            data = memoryview(chunk)
            while data:
                data = data[os.write(fd, data) :]
