"""Boundaries of a file: where code leaves its language or process, what the file offers and requires there, and the
names by which the two sides are matched.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final

import msgspec


class Role(IntEnum):
    """The role of a place at a boundary. Numbers are stored: append only."""

    ROUTE = 1  # answers requests for the path `text` below the object `on`
    GROUP = 2  # an object that has routes, or makes requests: `text` is the prefix of their paths
    MOUNT = 3  # mounts the routes of `to` below the path `text` of the object `on`
    CALL = 4  # makes a request
    TRY = 5  # a request only if a route of the repository answers it: the receiver is of unknown kind
    RUN = 6  # starts a program
    BIND = 7  # calls or declares a definition in another language, by name
    OFFER = 8  # can be called from another language by the name `text`; of `module`, where that is known
    SERVE = 9  # a type whose methods answer the procedures of the service `text`


class Mention(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """A name in the file: line from 1, column from 0, as for references and symbols."""

    name: str
    line: int
    col: int


class Boundary(msgspec.Struct, array_like=True, frozen=True, gc=False):
    """One place at which code leaves its language or process. `line` and `col` are those of the literal; `source` is
    the index of the symbol around it, or of the symbol that a mark stands on.

    `text`: a path template, a program's path, a name, `Service/Procedure`. `method`: the HTTP method; `ANY` where none
    is given. `module`: the host of an address, the module that a mount names by text, the kind of a group, the module
    that an offer belongs to.
    """

    role: int
    protocol: str
    method: str
    text: str
    line: int
    col: int
    source: int
    on: Mention | None = None
    to: Mention | None = None
    module: str = ""


HTTP: Final = "http"
GRPC: Final = "grpc"
COMMAND: Final = "command"
NATIVE: Final = "native"
ANY: Final = "ANY"
HOLE: Final = "{}"  # stands for a variable part of a template
ROOT: Final = "app"  # the kind of a group whose paths begin at the root

LONGEST: Final = 300  # characters of a path or name: longer ones are data
DEEPEST: Final = 20  # segments of a path
_ADDRESS: Final = re.compile(r"(?:https?|wss?)://([^/?#]*)(.*)", re.DOTALL | re.IGNORECASE)
# <int:id>, {id:int}, (?P<id>\d+), %s
_OPEN: Final = re.compile(r"<[^<>/]*>|\{[^{}/]*\}|\(\?P?[<(][^/]*\)|\[[^\[\]/]*\]|%[sdv]|\$\w+")
_PLAIN: Final = re.compile(r"[\w.~!$&'()*+,;=:@%{}-]*")
_SIMPLE: Final = re.compile(r"[\w/.-]*")
_VARIABLE: Final = re.compile(r"\{\}|[()|]")  # a hole, or the rest of a pattern
_LOCAL: Final = re.compile(
    r"(?:localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|testserver|[\w{}-]+|.*\.(?:local|localhost|internal|test"
    r"|example|svc))(?::[\w{}]*)?"
)


def template(path: str) -> str | None:
    """Return the form of `path` by which both sides are compared: `/users/<int:id>/` and `/users/:id` are `/users/{}`.

    None for a text that is no path.
    """
    if len(path) > LONGEST:
        return None
    if not _SIMPLE.fullmatch(path):
        path = _OPEN.sub(HOLE, path.strip("^$")).partition("?")[0].partition("#")[0]
    parts = [
        HOLE if part[0] in ":*" or (not _SIMPLE.fullmatch(part) and _VARIABLE.search(part)) else part
        for part in path.split("/")
        if part
    ]
    if len(parts) > DEEPEST or not all(map(_PLAIN.fullmatch, parts)):
        return None
    return "/" + "/".join(parts)


def address(text: str) -> tuple[str, str, bool] | None:
    """Return the parts of `text`, the address of a request: its host ('' for this machine, another machine of its
    network, or an unknown one), its template, and whether something unknown precedes the template. None for a text that
    is no address.
    """
    if len(text) > LONGEST:
        return None
    host, known = "", False
    if match := _ADDRESS.match(text):
        host, text, known = match[1].lower(), match[2] or "/", True
        host = "" if HOLE in host or _LOCAL.fullmatch(host) else host
    is_below = text.startswith(HOLE) and not known
    path = template(text[len(HOLE) :] if is_below else text)
    return None if path is None or (is_below and path == "/") else (host, path, is_below)


def joined(before: str, after: str) -> str:
    """Return the path template `after` as it is below the template `before`."""
    return before.rstrip("/") + after if after != "/" else before or "/"


_decoder = msgspec.msgpack.Decoder(list[Boundary])
_encoder = msgspec.msgpack.Encoder()


def pack(facts: list[Boundary]) -> bytes:
    """Return `facts` as the bytes that the table `boundaries` stores; b"" for none."""
    return _encoder.encode(facts) if facts else b""


def unpack(blob: bytes) -> list[Boundary]:
    """Return the boundaries that `blob` encodes: the inverse of `pack`."""
    return _decoder.decode(blob)
