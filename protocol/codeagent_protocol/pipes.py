"""Messages between processes over pipes: each with its length before it."""

from __future__ import annotations

import os
from typing import Final, Protocol

LENGTH_BYTES: Final = 4


class Readable(Protocol):
    """Whatever bytes come from, at most so many at once, none at its end."""

    def read(self, count: int, /) -> bytes:
        """Wait for at most `count` bytes."""


def framed(content: bytes) -> bytes:
    """One message as it goes through a pipe."""
    return len(content).to_bytes(LENGTH_BYTES, "big") + content


def send(descriptor: int, content: bytes) -> None:
    """Write one message, however little the pipe takes at once."""
    data = memoryview(framed(content))
    while data:
        data = data[os.write(descriptor, data) :]


def receive(pipe: Readable) -> bytes:
    """The next message; nothing when the pipe ends, be it within one."""
    head = _exactly(pipe, LENGTH_BYTES)
    return _exactly(pipe, int.from_bytes(head, "big")) if head else b""


def _exactly(pipe: Readable, count: int) -> bytes:
    received = bytearray()
    while len(received) < count:
        data = pipe.read(count - len(received))
        if not data:
            return b""
        received += data
    return bytes(received)


def complete_messages(buffer: bytearray) -> list[bytes]:
    """The messages that have arrived whole, taken out of what a pipe has delivered so far."""
    messages, start = [], 0
    with memoryview(buffer) as view:
        while len(view) >= (content := start + LENGTH_BYTES) and len(view) >= (
            end := content + int.from_bytes(view[start:content], "big")
        ):
            messages.append(bytes(view[content:end]))
            start = end
    del buffer[:start]
    return messages
