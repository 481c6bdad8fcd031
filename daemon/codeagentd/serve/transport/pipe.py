"""The transport of a standalone server: pipes, with the frames that sockets carry. There is one window, and the server
ends with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Final

from codeagent_protocol import pipes
from codeagent_protocol.frames import HEADER_BYTES

from .router_socket import BACKLOG_BYTES, Receiver

WINDOW: Final = b"W" + bytes(15)  # the name of the only window


class Pipe:
    """The server's ends of the two pipes to its only window.

    `gone` is called on the running loop when the window has hung up; it may be called twice.
    """

    def __init__(self, reading: int, writing: int, gone: Callable[[], None]) -> None:
        self._reading, self._writing = reading, writing
        self._gone = gone
        self._loop = asyncio.get_running_loop()
        self._receiver: Receiver
        self._waiting: SimpleQueue[bytes] = SimpleQueue()
        self._bytes = 0

    def listen(self, receiver: Receiver) -> None:
        """Begin to pass received messages to `receiver`, and to send messages."""
        self._receiver = receiver
        for work in (self._receive_all, self._send_all):
            threading.Thread(target=work, name="pipe", daemon=True).start()

    def send(self, peer: bytes, *parts: bytes) -> None:
        """Send one message of `parts` when the window reads; there is only one window, so `peer` does not matter. A
        window that does not read while answers accumulate is given up.
        """
        message = b"".join(parts)
        self._waiting.put(message)
        self._bytes += len(message)
        if self._bytes > BACKLOG_BYTES:
            self._receiver.overflow(peer)

    def forget(self, peer: bytes) -> None:
        """Drop the messages that wait to be sent; there is only one window, so `peer` does not matter."""
        while not self._waiting.empty():
            self._sent(len(self._waiting.get()))

    def _sent(self, count: int) -> None:
        self._bytes -= count

    def _receive_all(self) -> None:
        with os.fdopen(self._reading, "rb", closefd=False) as stream, contextlib.suppress(OSError):
            while content := pipes.receive(stream):
                self._tell(self._receiver.receive, WINDOW, [content[:HEADER_BYTES], content[HEADER_BYTES:]])
        self._tell(self._gone)

    def _send_all(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                message = self._waiting.get()
                pipes.send(self._writing, message)
                self._tell(self._sent, len(message))
        self._tell(self._gone)

    def _tell(self, act: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(lambda: act(*arguments))
