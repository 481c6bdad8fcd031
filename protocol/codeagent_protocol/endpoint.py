"""The paths of the files of a repository's daemon: sockets, locks, index.

The class uses plain strings: the shim computes its endpoint before it imports anything large.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from . import dirs
from .errors import EngineUnavailable

try:
    from _blake2 import blake2b  # hashlib would load OpenSSL: 2.4 MB in every window
except ImportError:
    from hashlib import blake2b

if TYPE_CHECKING:
    from pathlib import Path

MAX_SOCKET_PATH = 100  # bytes; sun_path holds 104 to 108 with its NUL, and ZeroMQ adds nothing

_BASE32: Final = "abcdefghijklmnopqrstuvwxyz234567"


class Endpoint:
    """The paths of one repository's daemon. `name` = base32(blake2b-10(real path of the worktree)), 16 characters."""

    __slots__ = ("name", "root", "runtime")

    def __init__(self, root: str, name: str, runtime: str) -> None:
        self.root = root
        self.name = name
        self.runtime = runtime

    def __repr__(self) -> str:
        return f"Endpoint({self.root!r}, {self.name!r}, {self.runtime!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Endpoint) and (self.root, self.runtime) == (other.root, other.runtime)

    def __hash__(self) -> int:
        return hash((self.root, self.runtime))

    @property
    def socket(self) -> str:
        """Path of the MCP socket."""
        return os.path.join(self.runtime, f"{self.name}.sock")

    @property
    def control(self) -> str:
        """Path of the control socket."""
        return os.path.join(self.runtime, f"{self.name}.ctl")

    @property
    def ports(self) -> str:
        """Path of the file in which a daemon that listens at ports publishes them, with their keys."""
        return os.path.join(self.runtime, f"{self.name}.tcp")

    @property
    def life_lock(self) -> str:
        """Path of the file that the daemon locks for as long as it lives; it holds the daemon's pid and version as one
        line of text.
        """
        return os.path.join(self.runtime, f"{self.name}.life")

    @property
    def launch_lock(self) -> str:
        """Path of the lock of the process that is starting the daemon."""
        return os.path.join(self.runtime, f"{self.name}.launch")

    @property
    def successor_lock(self) -> str:
        """Path of the lock of a daemon of a newer version that is about to take over."""
        return os.path.join(self.runtime, f"{self.name}.next")

    @property
    def exit_reason(self) -> str:
        """Path of the file in which the last daemon recorded, for the next one, why it left by itself."""
        return os.path.join(self.runtime, f"{self.name}.left")

    @property
    def start_log(self) -> str:
        """Path of the file with the stdout and stderr of the last daemon: the place to look when none starts."""
        return os.path.join(dirs.state_path(), f"{self.name}.start.log")

    @property
    def index(self) -> Path:
        """Directory of this worktree's index.db."""
        return dirs.cache_dir() / "worktrees" / self.name

    @property
    def log(self) -> Path:
        """The daemon's log file."""
        return dirs.state_dir() / f"{self.name}.log"


def endpoint_of(root: str | os.PathLike[str]) -> Endpoint:
    """Return the endpoint of the repository at `root` (any spelling of its path leads to the same one); creates the
    runtime directory.

    Errors: engine_unavailable when no private, short enough runtime directory can be had.
    """
    endpoint = endpoint_at(root)
    if sys.platform != "win32" and len(os.fsencode(endpoint.socket)) > MAX_SOCKET_PATH:
        raise EngineUnavailable(
            f"the socket path {endpoint.socket} is longer than {MAX_SOCKET_PATH} bytes",
            remedy="set CODEAGENT_RUNTIME_DIR to a short directory of your own",
        )
    dirs.make_private(endpoint.runtime)
    return endpoint


def endpoint_at(root: str | os.PathLike[str]) -> Endpoint:
    """Return the endpoint of the repository at `root` as `endpoint_of` does, whether or not a daemon can be reached
    there: no file is read or created.
    """
    real = os.path.realpath(root)
    return Endpoint(real, _name(real), dirs.runtime_path())


def _name(real: str) -> str:
    number = int.from_bytes(blake2b(os.fsencode(real), digest_size=10).digest(), "big")
    return "".join(_BASE32[number >> shift & 31] for shift in range(75, -5, -5))
