"""The splitting of a client's output into lines, with a bound on how much of an endless line is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from codeagent_protocol.errors import TooLarge
from codeagent_protocol.frames import MAX_LINE_BYTES
from codeagent_protocol.jsonrpc_errors import error_line

from .limits import EDGE_BYTES

_SCALAR: Final = rb'(-?\d{1,15}|"[^"\\]{0,200}")'
_HEAD: Final = re.compile(rb'\s*\{\s*(?:"[^"\\]*"\s*:\s*(?:"[^"\\]*"|-?\d+)\s*,\s*)*?"id"\s*:\s*' + _SCALAR + rb"\s*,")
_TAIL: Final = re.compile(rb'[,{]\s*"id"\s*:\s*' + _SCALAR + rb'\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$')


class Oversize(NamedTuple):
    """A line that was too long to keep: its two ends and its length."""

    head: bytes
    tail: bytes
    length: int

    def request_id(self) -> str | int | None:
        """Return the JSON-RPC id, if it is at either end of the outermost object, where every known client puts it;
        None otherwise.
        """
        match = _HEAD.match(self.head) or _TAIL.search(self.tail)
        if not match:
            return None
        text = match.group(1)
        return text[1:-1].decode("utf-8", "replace") if text[:1] == b'"' else int(text)

    def refusal(self) -> bytes | None:
        """Return the line that refuses it; None when nobody waits for one."""
        message = f"a line of {self.length} bytes is longer than {MAX_LINE_BYTES}"
        return error_line(self.request_id(), TooLarge(message, remedy="send less at once", limit=MAX_LINE_BYTES))


class LineReader:
    """Splits chunks of bytes into whole lines."""

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._head = b""
        self._dropped = 0

    def feed(self, chunk: bytes) -> Iterator[bytes | Oversize]:
        """Yield the lines that `chunk` completes, without their newlines; blank ones are left out."""
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            self._keep(piece)
            yield from self.finish()
        self._keep(rest)

    def finish(self) -> Iterator[bytes | Oversize]:
        """Yield the line collected so far, if any: called at a newline, or when the client closes its end in the middle
        of a line.
        """
        if self._dropped:
            yield Oversize(self._head, bytes(self._buffer[-EDGE_BYTES:]), self._dropped + len(self._buffer))
        elif self._buffer and not self._buffer.isspace():
            yield bytes(self._buffer)
        self._buffer = bytearray()
        self._head, self._dropped = b"", 0

    def _keep(self, piece: bytes) -> None:
        self._buffer += piece
        if len(self._buffer) <= self._limit:
            return
        if not self._dropped:
            self._head = bytes(self._buffer[:EDGE_BYTES])
        spare = len(self._buffer) - EDGE_BYTES
        del self._buffer[:spare]
        self._dropped += spare
