"""Connections that say nothing, or only half of what they began to say, in any number."""

from __future__ import annotations

import contextlib
import resource
import socket
import threading
from collections.abc import Iterator
from typing import Self

import pytest

SPARE = 200  # descriptors that the test itself needs
HALF = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Pad: "
PATIENCE_S = 20


class Flood:
    """`number` connections to one port, opened one after the other in a thread; each third sends half a head. `close` ends them."""

    def __init__(self, host: str, port: int, number: int) -> None:
        self._place = (host, port)
        self._number = number
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._pour, daemon=True)

    @property
    def is_pouring(self) -> bool:
        """Whether more are still opened."""
        return self._thread.is_alive()

    @property
    def opened(self) -> int:
        """How many were opened."""
        return len(self._open)

    def _pour(self) -> None:
        for number in range(self._number):
            one = socket.create_connection(self._place, timeout=PATIENCE_S)
            self._open.append(one)
            if number % 3 == 0:
                with contextlib.suppress(ConnectionError):
                    one.sendall(HALF)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join(PATIENCE_S)
        for one in self._open:
            one.close()


@contextlib.contextmanager
def descriptors(number: int) -> Iterator[None]:
    """This process may open so many; skips the test where the system does not grant that."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    if before[1] != resource.RLIM_INFINITY and before[1] < number + SPARE:
        pytest.skip(f"this user may not open {number} descriptors")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], number + SPARE), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)
