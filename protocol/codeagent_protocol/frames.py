"""The header on the wire, packed and unpacked without msgspec: that import would cost every window 13 ms and 3 MB.

`messages` defines the same header as structs for the daemon and the command line; a property test holds the two codecs
together.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final, NamedTuple

from .version import PROTOCOL

HELLO: Final = 1  # shim -> daemon: payload Hello
WELCOME: Final = 2  # daemon -> shim: payload Welcome
LINE: Final = 3  # both ways: payload is one raw JSON-RPC line without its newline
ACK: Final = 4  # daemon -> shim: line `ack` was handled and has no answer
PING: Final = 5  # shim -> daemon, answered by PONG with the same seq
PONG: Final = 6
BYE: Final = 7  # either side leaves on purpose; no payload
REFUSED: Final = 8  # daemon -> shim: payload Refused; the session is over
DRAINING: Final = 9  # daemon -> shim: reconnect to the successor and resend unanswered lines
REPLACE: Final = 10  # daemon -> shim: payload of `pack_replacement`: one line takes the place of some state lines

# flag, daemon -> shim on the answer (or ACK) of a line: keep that line, it made session state; replay it to a new
# daemon
STATE: Final = 1
REPLAY: Final = 2  # flag, shim -> daemon: a state line sent again; its answer is dropped by the shim
RESENT: Final = 4  # flag, shim -> daemon: an unanswered line sent again; a write is answered from its record

# a longer line is refused by the shim; an oversize frame would end the connection
MAX_LINE_BYTES: Final = 16 * 1024 * 1024

_PACKED: Final = struct.Struct(">BBBBBQBQ")  # a msgpack array of five: three small integers, then two of 64 bits
HEADER_BYTES: Final = _PACKED.size  # size of the result of `pack`
_ARRAY: Final = 0x90  # msgpack: an array of up to 15 elements
_WIDE: Final = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}  # msgpack: the width of an unsigned integer in bytes
_U64: Final = 0xCF


class Frame(NamedTuple):
    """A header as read from the wire; fields that an older peer left out have their defaults."""

    kind: int
    version: int = PROTOCOL
    flags: int = 0
    seq: int = 0
    ack: int = 0


def pack(kind: int, flags: int = 0, seq: int = 0, ack: int = 0) -> bytes:
    """Return a header with these fields as bytes, always HEADER_BYTES of them."""
    return _PACKED.pack(_ARRAY + 5, kind, PROTOCOL, flags, _U64, seq, _U64, ack)


def unpack(frame: bytes) -> Frame:
    """Return the header in the bytes `frame`; fields that a newer peer put after the known ones are skipped.

    Errors: ValueError when these bytes are no header.
    """
    try:
        count = frame[0] - _ARRAY
        if not 1 <= count <= 15:
            raise ValueError(f"not a header: {frame[:24]!r}")
        return Frame._make(_integers(frame, count))
    except (IndexError, KeyError) as error:
        raise ValueError(f"not a header: {frame[:24]!r}") from error


def pack_map(fields: dict[str, str | int | bool]) -> bytes:
    """Return `fields`, at most 15 with short keys, as a msgpack map: the payload of HELLO."""
    parts = [bytes((0x80 + len(fields),))]
    for key, value in fields.items():
        parts += (_scalar(key), _scalar(value))
    return b"".join(parts)


def pack_replacement(numbers: Sequence[int], line: bytes) -> bytes:
    """Return the payload of REPLACE: the state lines `numbers` are replaced by `line`; an empty line drops them.

    It is the count of the numbers (4 bytes), each number (8 bytes), and the line; all integers begin with their highest
    byte.
    """
    return struct.pack(f">I{len(numbers)}Q", len(numbers), *numbers) + line


def unpack_replacement(payload: bytes) -> tuple[tuple[int, ...], bytes]:
    """Return the numbers and the line in the payload of REPLACE. Errors: ValueError when these bytes are no such
    payload.
    """
    end = 4 + 8 * int.from_bytes(payload[:4], "big")
    if len(payload) < end:
        raise ValueError(f"not a replacement: {payload[:24]!r}")
    return struct.unpack_from(f">{(end - 4) // 8}Q", payload, 4), payload[end:]


def _integers(frame: bytes, count: int) -> list[int]:
    integers: list[int] = []
    at = 1
    for _ in range(min(count, 5)):
        first = frame[at]
        at += 1
        if first >= 0x80:
            width = _WIDE[first]
            # raises IndexError for a frame that is too short, instead of reading a smaller number
            frame[at + width - 1]
            first, at = int.from_bytes(frame[at : at + width], "big"), at + width
        integers.append(first)
    return integers + list(Frame._field_defaults.values())[len(integers) - 1 :]


def _scalar(value: str | int | bool) -> bytes:
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return struct.pack(">BQ", _U64, value)
    text = value.encode("utf-8", "replace")
    return struct.pack(">BI", 0xDB, len(text)) + text
