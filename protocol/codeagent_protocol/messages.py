"""The frames on the wire: one msgspec header, and for the traffic of clients the raw JSON-RPC line as a second frame.

The kinds, flags and limits are those of `frames`. Every field after the first release has a default, so that an old
peer can always be greeted, asked for its status and told to stop.
"""

from __future__ import annotations

import msgspec

from .frames import (
    ACK,
    BYE,
    DRAINING,
    HELLO,
    LINE,
    MAX_LINE_BYTES,
    PING,
    PONG,
    REFUSED,
    REPLACE,
    REPLAY,
    RESENT,
    STATE,
    WELCOME,
)
from .version import PROTOCOL, __version__

__all__ = [
    "ACK",
    "BYE",
    "DRAINING",
    "HELLO",
    "LINE",
    "MAX_LINE_BYTES",
    "PING",
    "PONG",
    "REFUSED",
    "REPLACE",
    "REPLAY",
    "RESENT",
    "STATE",
    "WELCOME",
    "ControlReply",
    "ControlRequest",
    "Header",
    "Hello",
    "Refused",
    "Welcome",
]


class Header(msgspec.Struct, array_like=True, frozen=True):
    """The first frame of every message. `seq` numbers the shim's lines from 1; `ack` is the number of the line that is
    answered.
    """

    kind: int
    version: int = PROTOCOL
    flags: int = 0
    seq: int = 0
    ack: int = 0


class Hello(msgspec.Struct, frozen=True):
    """The greeting of a shim, with its properties.

    `window` is a free label for status (client name, terminal); options choose the session's tools. `language_server`:
    the client speaks LSP, not MCP.
    """

    product: str = __version__
    pid: int = 0
    parent_pid: int = 0
    cwd: str = ""
    repo: str = ""
    toolsets: str = ""
    tools: str = ""
    exclude_tools: str = ""
    read_only: bool = False
    allow_exec: bool = False
    tool_names: str = ""
    rows: str = ""
    window: str = ""
    language_server: bool = False


class Welcome(msgspec.Struct, frozen=True):
    """The daemon's answer to HELLO. `resumed`: whether the daemon still knew the session."""

    product: str = __version__
    protocol: int = PROTOCOL
    pid: int = 0
    resumed: bool = False


class Refused(msgspec.Struct, frozen=True):
    """The refusal of a session, with the reason in words for the client's user."""

    code: str = ""
    message: str = ""
    remedy: str = ""


class ControlRequest(msgspec.Struct, frozen=True):
    """A question on the control socket; `arguments` is JSON of the verb's own shape.

    Verbs: ping, status, stop, restart, index, wait, call, tools, verify, graph.
    """

    verb: str
    arguments: bytes = b"{}"
    product: str = __version__
    protocol: int = PROTOCOL


class ControlReply(msgspec.Struct, frozen=True):
    """The answer to a ControlRequest: JSON in `payload` when ok, an error object {"code", "message", "remedy"?} else.

    `more` announces another reply (progress).
    """

    ok: bool
    payload: bytes = b"{}"
    more: bool = False
    product: str = __version__
    protocol: int = PROTOCOL
