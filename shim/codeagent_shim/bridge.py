"""The event loop between a client's pipes and the upstream that takes the client's lines. The loop ends when the client
leaves, in whichever way that happens.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable
from typing import Any, Protocol

import zmq

from codeagent_protocol.pipe_writer import Outbox
from codeagent_protocol.processes import STOPPING, WatchedProcess
from codeagent_protocol.streams import reading

from . import limits
from .line_reader import LineReader
from .upstream import BROKEN, READABLE, WRITABLE, Upstream


class Unreadable(Protocol):
    """What a client wrote in place of a line."""

    def refusal(self) -> bytes | None:
        """Return the line that refuses it; None when nobody waits for one."""


class Reader(Protocol):
    """The splitting of what a client writes into lines."""

    def feed(self, chunk: bytes, /) -> Iterable[bytes | Unreadable]:
        """Return the lines that `chunk` completes."""

    def finish(self) -> Iterable[bytes | Unreadable]:
        """Return the line that the end of the client's output completes, if any."""


class Bridge:
    """Carries lines from `stdin`, as `reader` splits it, to an upstream, and polls the descriptors that the upstream
    watches. It leaves at the end of stdin, on a signal, when stdout has no reader, when the parent process ends, and
    when the upstream is over.
    """

    def __init__(self, upstream: Upstream, outbox: Outbox, stdin: int = 0, reader: Reader | None = None) -> None:
        self._upstream = upstream
        self._outbox = outbox
        self._input = reading(stdin, waits=True)
        self._stdin = self._input.fd
        self._reader = reader or LineReader()
        self._parent = WatchedProcess(os.getppid())
        self._waking, self._wakeup_end = _signal_pipe()
        self._eof_at = 0.0
        self._is_signalled = False

    def run(self) -> None:
        """Carry lines until it is time to leave."""
        try:
            while not self._is_over():
                self._turn()
        finally:
            self._upstream.leave()
            self._outbox.restore()

    def _turn(self) -> None:
        """Wait for one event, and handle it."""
        ready = self._wait()
        if self._waking in ready or self._parent.fd in ready:
            self._is_signalled = True
            return
        if self._outbox.fd in ready:
            self._on_stdout(ready[self._outbox.fd])
        self._upstream = self._upstream.on_ready(ready)
        if self._stdin in ready:
            self._read()
        self._upstream = self._upstream.tick()

    def _wait(self) -> dict[Any, int]:
        watched: list[tuple[Any, int]] = [(self._waking, READABLE), *self._upstream.watched()]
        watched.append((self._outbox.fd, BROKEN if self._outbox.is_empty else WRITABLE))
        if self._parent.fd >= 0:
            watched.append((self._parent.fd, READABLE))
        if not self._eof_at and self._upstream.has_room:
            watched.append((self._stdin, READABLE))
        wait_s = self._wait_s()
        return dict(zmq.zmq_poll(watched, -1 if wait_s is None else int(wait_s * 1000) + 1))

    def _wait_s(self) -> float | None:
        waits = [self._upstream.wait_s()]
        if self._eof_at:
            waits.append(max(0.0, self._upstream.patience_until(self._eof_at) - time.monotonic()))
        if self._parent.fd < 0:
            waits.append(limits.PARENT_S)
        return min((wait for wait in waits if wait is not None), default=None)

    def _is_over(self) -> bool:
        if self._is_signalled or self._outbox.is_closed or self._upstream.is_over:
            return True
        if self._parent.fd < 0 and self._parent.has_parent_ended():
            return True
        if not self._eof_at:
            return False
        is_done = not self._upstream.unanswered and self._outbox.is_empty
        return is_done or time.monotonic() >= self._upstream.patience_until(self._eof_at)

    def _on_stdout(self, events: int) -> None:
        if events & BROKEN:
            self._is_signalled = True
        else:
            self._outbox.flush()

    def _read(self) -> None:
        try:
            chunk = self._input.read(limits.READ_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        for line in self._reader.feed(chunk) if chunk else self._reader.finish():
            if isinstance(line, bytes):
                self._upstream = self._upstream.offer(line)
            elif response := line.refusal():
                self._outbox.put(response)
        if not chunk:
            self._eof_at = time.monotonic()
            self._upstream = self._upstream.end_input()


def _signal_pipe() -> tuple[int, object]:
    """Create a pipe that signal handlers write to. It is polled with the other descriptors, so that no signal is lost
    between a check and the next poll.

    Returns the descriptor to poll, and an object to keep alive meanwhile.
    """
    if sys.platform == "win32":
        import socket  # sockets are all that can be polled on Windows

        ends = socket.socketpair()
        ends[1].setblocking(False)
        waking, writing, sockets = ends[0].fileno(), ends[1].fileno(), ends
    else:
        waking, writing = sockets = os.pipe()
        os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in STOPPING:
        signal.signal(number, lambda *_: None)
    return waking, sockets
