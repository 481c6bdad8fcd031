"""Where does a repository's daemon listen? At two sockets in the runtime directory, or at two ports of this machine, which a file there tells with their keys.

Ports are for systems on which Python has no local sockets. Anybody on the machine can connect to a port: ZeroMQ's CURVE lets in who has the one key
that the file holds, and shows a window that it has reached the daemon that wrote the file, and no other program that has the port by now.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Any, Final, NamedTuple

from .endpoint import Endpoint
from .locks import holder_line

IPC: Final = "ipc"
TCP: Final = "tcp"
HOST: Final = "127.0.0.1"
VARIABLE: Final = "CODEAGENT_TRANSPORT"

MAX_PLACE_BYTES: Final = 1_024  # of the file; ours has about 150
KEY_CHARACTERS: Final = 40  # of a CURVE key in ZeroMQ's text form, Z85
REPLACE_S: Final = 1.0  # for readers to let go of the file: Windows replaces none that is open
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


class Keys(NamedTuple):
    """What a peer has to know, in Z85: the daemon's public key, and the one pair of keys that it lets in. Never shown."""

    server: bytes
    public: bytes
    secret: bytes

    def __repr__(self) -> str:
        return "Keys(…)"


class Address(NamedTuple):
    """Where to connect; `keys` only for a port."""

    url: str
    keys: Keys | None = None

    @property
    def port(self) -> int:
        """The port; 0 for a socket in the file system."""
        return int(self.url.rpartition(":")[2]) if self.keys else 0

    @property
    def path(self) -> str:
        """The path of such a socket; "" for a port."""
        return "" if self.keys else self.url.removeprefix("ipc://")

    def identify(self, socket: Any) -> None:
        """Give a ZeroMQ socket the keys, before it connects."""
        if self.keys:
            socket.curve_serverkey, socket.curve_publickey, socket.curve_secretkey = self.keys


def default() -> str:
    """The transport of this system."""
    return TCP if sys.platform == "win32" else IPC


def expected() -> str:
    """The transport of the daemon that this process would start, as far as its environment says."""
    return TCP if default() == TCP or os.environ.get(VARIABLE, "").strip() == TCP else IPC


def for_windows(endpoint: Endpoint) -> Address | None:
    """Where the daemon talks with windows; None when there is no such place yet. That one is told proves no daemon: its life lock does."""
    return _address(endpoint, endpoint.socket, 0)


def for_operators(endpoint: Endpoint) -> Address | None:
    """The same for commands."""
    return _address(endpoint, endpoint.control, 1)


def publish(endpoint: Endpoint, windows: int, operators: int, keys: Keys) -> None:
    """Tell the ports and keys of this process, which holds the life lock, to this user's others; all of it or nothing.

    Errors: OSError.
    """
    fields = [str(os.getpid()), str(windows), str(operators), *(key.decode() for key in keys)]
    temporary = f"{endpoint.ports}~"
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary)
    fd = os.open(temporary, _NEW, 0o600)
    try:
        os.write(fd, (" ".join(fields) + "\n").encode())
    finally:
        os.close(fd)
    _replace(temporary, endpoint.ports)


def withdraw(endpoint: Endpoint) -> None:
    """Remove what was told."""
    with contextlib.suppress(OSError):
        os.unlink(endpoint.ports)


def _address(endpoint: Endpoint, path: str, which: int) -> Address | None:
    if told := _told(endpoint):
        ports, keys = told
        return Address(f"tcp://{HOST}:{ports[which]}", keys)
    return None if default() == TCP else Address(f"ipc://{path}")


def _told(endpoint: Endpoint) -> tuple[tuple[int, int], Keys] | None:
    """What the file says, if whoever took the life lock last wrote it: that of an earlier daemon says where nobody listens, or another program."""
    try:
        fd = os.open(endpoint.ports, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    except OSError:
        return None
    try:
        fields = os.read(fd, MAX_PLACE_BYTES).split()
    except OSError:
        return None
    finally:
        os.close(fd)
    if len(fields) < 6 or not all(field.isdigit() and len(field) < 20 for field in fields[:3]) or any(len(field) != KEY_CHARACTERS for field in fields[3:6]):
        return None
    if holder_line(endpoint.life_lock).partition(" ")[0].encode() != fields[0]:
        return None
    return (int(fields[1]), int(fields[2])), Keys(*fields[3:6])


def _replace(temporary: str, path: str) -> None:
    deadline = time.monotonic() + REPLACE_S
    while True:
        try:
            os.replace(temporary, path)
            return
        except PermissionError:
            if sys.platform != "win32" or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
