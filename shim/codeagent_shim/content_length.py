"""The framing of LSP: each body follows a header with its length. Bodies are read in whatever pieces they come, with a
bound on how much is kept of an endless one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.frames import MAX_LINE_BYTES
from codeagent_protocol.jsonrpc_errors import PARSE_ERROR, error_line
from codeagent_protocol.pipe_writer import Outbox

from .limits import EDGE_BYTES, HEADER_BYTES
from .line_reader import Oversize

_END: Final = re.compile(rb"\r?\n\r?\n")  # clients that are scripts leave out the carriage returns
_FIELD: Final = re.compile(rb"([\w!#$%&'*+.^`|~-]+)[ \t]*:[ \t]*(.*?)[ \t]*")
_LENGTH: Final = b"content-length"
_DIGITS: Final = re.compile(rb"\d{1,12}")
_NEXT: Final = re.compile(rb"content-length[ \t]*:[ \t]*\d{1,12}[ \t]*\r?\n", re.IGNORECASE)


class Garbled(NamedTuple):
    """The beginning of bytes that are no header of a message."""

    text: bytes

    def refusal(self) -> bytes:
        """Return the line that tells the client so; there is no id that it could answer."""
        message = f"no header with Content-Length: {self.text[:80].decode('utf-8', 'replace')!r}"
        remedy = "send Content-Length: N before each message; clients of MCP start codeagent-mcp"
        return error_line(None, InvalidParameter(message, remedy=remedy), number=PARSE_ERROR)


class OversizeBody(Oversize):
    """A body that was too long to keep."""

    __slots__ = ()

    def refusal(self) -> bytes | None:
        """Return the line that refuses the request in it; None when it is no request, or has its id in its middle. In
        LSP an answer without an id helps no client.
        """
        is_request = b'"method"' in self.head or b'"method"' in self.tail
        return super().refusal() if is_request and self.request_id() is not None else None


class FramedOutbox(Outbox):
    """Messages on their way to a file descriptor, each behind a header with its length."""

    def put(self, message: bytes) -> None:
        """Write a message, at once or when the reader has room."""
        super().put(b"Content-Length: %d\r\n\r\n%b" % (len(message), message))


class BodyReader:
    """Splits chunks of bytes into whole bodies. Behind a header that cannot be read, all is skipped up to the next one
    that can.
    """

    def __init__(self, limit: int = MAX_LINE_BYTES) -> None:
        self._limit = limit
        self._buffer = bytearray()
        self._length = -1  # of the body that is arriving; -1: a header is
        self._head = b""  # of a body that is not kept
        self._dropped = 0  # bytes of it that were dropped
        self._is_lost = False  # whether bytes are skipped up to a header

    def feed(self, chunk: bytes) -> Iterator[bytes | Garbled | OversizeBody]:
        """Yield the bodies that `chunk` completes; empty ones are left out."""
        self._buffer += chunk
        while True:
            if self._length < 0:
                garbled = self._take_header()
                if garbled is not None:
                    yield garbled
                elif self._length < 0:
                    return
            elif len(self._buffer) + self._dropped < self._length:
                self._drop()
                return
            else:
                yield from self._take_body()

    def finish(self) -> Iterator[bytes | Garbled | OversizeBody]:
        """Yield nothing: a body that the client did not finish before it closed its end is no message."""
        return iter(())

    def _take_header(self) -> Garbled | None:
        """Take the next header off the buffer, if it is complete. Returns the bytes that are no header, the first time
        that such come.
        """
        if self._is_lost and not self._recover():
            return None
        if self._buffer[:1].isspace():
            self._buffer = self._buffer.lstrip()
        end = _END.search(self._buffer, 0, HEADER_BYTES)
        if not end:
            return self._lose() if len(self._buffer) >= HEADER_BYTES else None
        length = _length(bytes(self._buffer[: end.start()]))
        if length is None:
            return self._lose()
        del self._buffer[: end.end()]
        self._length = length
        return None

    def _lose(self) -> Garbled:
        garbled = Garbled(bytes(self._buffer[:EDGE_BYTES]))
        del self._buffer[:1]  # so that the same header is not met again
        self._is_lost = True
        return garbled

    def _recover(self) -> bool:
        """Drop all up to the next header; without one, all but what may be its beginning. Returns whether there is
        one.
        """
        header = _NEXT.search(self._buffer)
        self._is_lost = not header
        del self._buffer[: header.start() if header else max(0, len(self._buffer) - EDGE_BYTES)]
        return bool(header)

    def _take_body(self) -> Iterator[bytes | OversizeBody]:
        end = self._length - self._dropped
        if self._length > self._limit:
            head = self._head or bytes(self._buffer[:EDGE_BYTES])
            yield OversizeBody(head, bytes(self._buffer[max(0, end - EDGE_BYTES) : end]), self._length)
        elif (body := bytes(self._buffer[:end])) and not body.isspace():
            yield body
        del self._buffer[:end]
        if not self._buffer:
            self._buffer = bytearray()  # the room of a large body is given back
        self._length, self._head, self._dropped = -1, b"", 0

    def _drop(self) -> None:
        """Drop the middle of a body that is not kept."""
        spare = len(self._buffer) - EDGE_BYTES
        if self._length > self._limit and spare > 0:
            self._head = self._head or bytes(self._buffer[:EDGE_BYTES])
            del self._buffer[:spare]
            self._dropped += spare


def _length(header: bytes) -> int | None:
    """The length in a header; None when it is no header, or not a single length. Other fields mean nothing here."""
    fields = [_FIELD.fullmatch(line.rstrip(b"\r")) for line in header.split(b"\n")]
    lengths = [field[2] for field in fields if field and field[1].lower() == _LENGTH]
    if None in fields or len(lengths) != 1 or not _DIGITS.fullmatch(lengths[0]):
        return None
    return int(lengths[0])
