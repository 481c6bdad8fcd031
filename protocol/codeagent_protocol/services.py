"""The service that keeps a repository's daemon running, and its start: a unit of systemd's user manager, or an agent of
launchd.

Windows check for a service before they start a daemon themselves: that reads one small file, and needs no import.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from . import dirs
from .endpoint import Endpoint

TEMPLATE: Final = "codeagentd@"
LABEL: Final = "io.codeagentd."  # prefix of the names of launchd agents; the endpoint's name follows
MAX_PLACE_BYTES: Final = 65_536  # maximum size of the file; ours have about 1 kB
_PLAIN: Final = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:_.")


def escaped(path: str) -> str:
    """Return `path`, an absolute path, as the instance name of a unit, as `systemd-escape --path` escapes it
    (systemd.unit(5)).
    """
    inner = "/".join(part for part in path.split("/") if part)
    text = "".join(_unit_character(byte, at) for at, byte in enumerate(os.fsencode(inner)))
    return text or "-"


def _unit_character(byte: int, at: int) -> str:
    if byte == ord("/"):
        return "-"
    return chr(byte) if byte in _PLAIN and (at or byte != ord(".")) else f"\\x{byte:02x}"


def unit(root: str, kind: str) -> str:
    """Return the name of the unit of the repository at `root`; `kind` is service or socket."""
    return f"{TEMPLATE}{escaped(root)}.{kind}"


def unit_dir() -> str:
    """Return the directory where systemd's user manager looks for the user's units."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(dirs.home(), ".config"), "systemd", "user")


def place_of(endpoint: Endpoint) -> str:
    """Return the path of the file that exists while a service is installed for the repository of `endpoint`."""
    if sys.platform == "darwin":
        return os.path.join(dirs.home(), "Library", "LaunchAgents", f"{LABEL}{endpoint.name}.plist")
    return os.path.join(unit_dir(), f"{unit(endpoint.root, 'socket')}.d", "place.conf")


def endpoint_line(endpoint: Endpoint) -> str:
    """Return the line in the service's file (`place_of`) by which the service belongs to this endpoint. Another runtime
    directory has other daemons.
    """
    runtime = endpoint.runtime.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return (
        f"<string>{runtime}</string>"
        if sys.platform == "darwin"
        else f"ListenStream={percent_escaped(endpoint.socket)}"
    )


def percent_escaped(text: str) -> str:
    """Return `text` with each `%` doubled, so that systemd finds no specifiers in it."""
    return text.replace("%", "%%")


def start_command(endpoint: Endpoint) -> list[str]:
    """Return the command that has the service manager start the daemon of this endpoint; empty where no service is
    installed for it.
    """
    try:
        with open(place_of(endpoint), "rb") as file:
            lines = file.read(MAX_PLACE_BYTES).decode(errors="replace").split("\n")
    except OSError:
        return []
    if endpoint_line(endpoint) not in (line.strip() for line in lines):
        return []
    if sys.platform == "darwin":
        return ["launchctl", "kickstart", f"gui/{os.getuid()}/{LABEL}{endpoint.name}"]
    return ["systemctl", "--user", "start", unit(endpoint.root, "service")]
