"""Messages between processes over pipes: each is preceded by its length."""

from __future__ import annotations

import os
from typing import Final, Protocol

LENGTH_BYTES: Final = 4


class Readable(Protocol):
    """A source of bytes: each read returns at most `count` bytes, and none at the end."""

    def read(self, count: int, /) -> bytes:
        """Wait for bytes, and return at most `count` of them; none at the end."""


def framed(content: bytes) -> bytes:
    """Return the bytes of one message for a pipe: the length of `content`, then the content."""
    return len(content).to_bytes(LENGTH_BYTES, "big") + content


def send(descriptor: int, content: bytes) -> None:
    """Write `content` as one message in full, also where the pipe takes only a part at once."""
    data = memoryview(framed(content))
    while data:
        data = data[os.write(descriptor, data) :]


def receive(pipe: Readable) -> bytes:
    """Return the content of the next message; b"" when the pipe ends, also in the middle of a message."""
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
    """Return the complete messages among the bytes received so far; they are removed from `buffer`."""
    messages, start = [], 0
    with memoryview(buffer) as view:
        while len(view) >= (content := start + LENGTH_BYTES) and len(view) >= (
            end := content + int.from_bytes(view[start:content], "big")
        ):
            messages.append(bytes(view[content:end]))
            start = end
    del buffer[:start]
    return messages
