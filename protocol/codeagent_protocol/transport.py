"""The addresses of a repository's daemon: two sockets in the runtime directory, or two ports of this machine, which a
file there publishes with their keys.

Ports are for systems on which Python has no local sockets. Every process on the machine can connect to a port: ZeroMQ's
CURVE admits the clients that have the one key in the file, and proves to a window that it has reached the daemon that
wrote the file, and no other program that has the port by now.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Final, NamedTuple

from .endpoint import Endpoint
from .locks import CARE, holder_line

IPC: Final = "ipc"
TCP: Final = "tcp"
HOST: Final = "127.0.0.1"
VARIABLE: Final = "CODEAGENT_TRANSPORT"

MAX_PLACE_BYTES: Final = 1_024  # maximum size of the file; ours has about 150
KEY_CHARACTERS: Final = 40  # length of a CURVE key in ZeroMQ's text form, Z85


class Address(NamedTuple):
    """An address to connect to, with its keys.

    A port has keys (Z85), which are never shown: the daemon's public one, and the pair of the one peer that it lets in.
    """

    url: str
    server: bytes = b""
    public: bytes = b""
    secret: bytes = b""

    def __repr__(self) -> str:
        return f"Address({self.url!r})"

    @property
    def port(self) -> int:
        """The port; 0 for a socket in the file system."""
        return int(self.url.rpartition(":")[2]) if self.server else 0

    @property
    def path(self) -> str:
        """The path of the socket in the file system; "" for a port."""
        return "" if self.server else self.url.removeprefix("ipc://")

    def identify(self, socket: Any) -> None:
        """Set the keys of this address on `socket`, a ZeroMQ socket, before it connects."""
        if self.server:
            socket.curve_serverkey, socket.curve_publickey, socket.curve_secretkey = (
                self.server,
                self.public,
                self.secret,
            )


def default() -> str:
    """Return the default transport of this operating system."""
    return TCP if sys.platform == "win32" else IPC


def expected() -> str:
    """Return the transport of the daemon that this process would start, by the variables of its environment."""
    return TCP if default() == TCP or os.environ.get(VARIABLE, "").strip() == TCP else IPC


def for_windows(endpoint: Endpoint) -> Address | None:
    """Return the address at which the daemon listens for windows; None when none is published yet.

    An address does not prove that a daemon runs: only its life lock does.
    """
    return _address(endpoint, endpoint.socket, 0)


def for_operators(endpoint: Endpoint) -> Address | None:
    """Return the address at which the daemon listens for commands; None when none is published yet."""
    return _address(endpoint, endpoint.control, 1)


def _address(endpoint: Endpoint, path: str, which: int) -> Address | None:
    published = _published(endpoint)
    if published:
        return Address(f"tcp://{HOST}:{int(published[1 + which])}", *published[3:6])
    return None if default() == TCP else Address(f"ipc://{path}")


def _published(endpoint: Endpoint) -> list[bytes]:
    """The fields of the file with the ports, if the current holder of the life lock wrote it. The file of an earlier
    daemon names a port without a listener, or one of another program.
    """
    try:
        fd = os.open(endpoint.ports, os.O_RDONLY | CARE)
    except OSError:
        return []
    try:
        fields = os.read(fd, MAX_PLACE_BYTES).split()
    except OSError:
        return []
    finally:
        os.close(fd)
    if (
        len(fields) < 6
        or not all(field.isdigit() and len(field) < 20 for field in fields[:3])
        or any(len(field) != KEY_CHARACTERS for field in fields[3:6])
    ):
        return []
    return fields if holder_line(endpoint.life_lock).partition(" ")[0].encode() == fields[0] else []
