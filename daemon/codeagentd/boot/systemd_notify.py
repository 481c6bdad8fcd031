"""The protocol of a service manager: sd_listen_fds(3) and sd_notify(3), which use environment variables, a descriptor
and datagrams.

launchd passes no descriptor and receives no message: it is recognised by the name that it gives its agents.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import sys
from collections.abc import MutableMapping
from pathlib import Path
from typing import Final

from codeagent_protocol import version
from codeagent_protocol.services import LABEL

FIRST_FD: Final = 3
PULSES: Final = 3  # signs of life within the watchdog's time-out
VARIABLES: Final = (
    "NOTIFY_SOCKET",
    "LISTEN_PID",
    "LISTEN_FDS",
    "LISTEN_FDNAMES",
    "WATCHDOG_PID",
    "WATCHDOG_USEC",
    "XPC_SERVICE_NAME",
)


class Manager:
    """The service manager that started this process; `is_there` is False without one. `fd` is the listening socket that
    it passed, -1 without one; `pulse_s` is the interval in seconds at which it wants a sign of life, 0 for never.
    """

    def __init__(self, variables: MutableMapping[str, str]) -> None:
        """Read the manager's settings and remove them from `variables`, so that no child process takes them as its
        own.
        """
        values = {name: variables.pop(name, "") for name in VARIABLES}
        self._address = values["NOTIFY_SOCKET"]
        self.is_there = bool(self._address) or values["XPC_SERVICE_NAME"].startswith(LABEL)
        is_watched = values["WATCHDOG_PID"] in ("", str(os.getpid()))
        self.pulse_s = _number(values["WATCHDOG_USEC"]) / 1_000_000 / PULSES if self._address and is_watched else 0.0
        self.fd = FIRST_FD if values["LISTEN_PID"] == str(os.getpid()) and _number(values["LISTEN_FDS"]) == 1 else -1
        if self.fd >= 0:
            with contextlib.suppress(OSError):  # if it is not open, the code that listens on it gets the error
                os.set_inheritable(self.fd, False)

    def notify(self, *assignments: str) -> None:
        """Send `assignments` as a notification without waiting. If the manager does not receive it, the daemon
        goes on.
        """
        if not self._address or sys.platform == "win32":
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with (
            contextlib.suppress(OSError, ValueError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | getattr(socket, "SOCK_CLOEXEC", 0)) as out,
        ):
            out.setblocking(False)
            out.sendto("\n".join(assignments).encode(), address)


def installed_version() -> str:
    """Return the version that the service manager would start now: the package may have been replaced while the daemon
    runs.
    """
    try:
        match = re.search(r'__version__ = "([^"]*)"', Path(version.__file__).read_text())
    except OSError:
        return version.__version__
    return match[1] if match else version.__version__


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0
