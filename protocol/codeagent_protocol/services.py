"""The service that keeps the daemon of a repository, and its start: a unit of systemd's user manager, or an agent of
launchd.

Windows ask before they start a daemon themselves: it takes one small file, and no import.
"""

from __future__ import annotations

import os
import sys
from typing import Final

from . import dirs
from .endpoint import Endpoint

TEMPLATE: Final = "codeagentd@"
LABEL: Final = "io.codeagentd."  # of launchd's agents; the endpoint's name follows
MAX_PLACE_BYTES: Final = 65_536  # of the file that is looked at; ours have about 1 kB
_PLAIN: Final = frozenset(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz:_.")


def escaped(path: str) -> str:
    """An absolute path as the instance of a unit, as `systemd-escape --path` has it (systemd.unit(5))."""
    inner = "/".join(part for part in path.split("/") if part)
    text = "".join(_unit_character(byte, at) for at, byte in enumerate(os.fsencode(inner)))
    return text or "-"


def _unit_character(byte: int, at: int) -> str:
    if byte == ord("/"):
        return "-"
    return chr(byte) if byte in _PLAIN and (at or byte != ord(".")) else f"\\x{byte:02x}"


def unit(root: str, kind: str) -> str:
    """The unit of a repository; `kind` is service or socket."""
    return f"{TEMPLATE}{escaped(root)}.{kind}"


def unit_dir() -> str:
    """Where systemd's user manager looks for the user's units."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(dirs.home(), ".config"), "systemd", "user")


def place_of(endpoint: Endpoint) -> str:
    """The file that is there while a service is installed for the repository."""
    if sys.platform == "darwin":
        return os.path.join(dirs.home(), "Library", "LaunchAgents", f"{LABEL}{endpoint.name}.plist")
    return os.path.join(unit_dir(), f"{unit(endpoint.root, 'socket')}.d", "place.conf")


def mention(endpoint: Endpoint) -> str:
    """The line of that file which says that the service is this endpoint's: another runtime directory has daemons of
    its own.
    """
    runtime = endpoint.runtime.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<string>{runtime}</string>" if sys.platform == "darwin" else f"ListenStream={doubled(endpoint.socket)}"


def doubled(text: str) -> str:
    """A text in which systemd finds no specifiers."""
    return text.replace("%", "%%")


def start_command(endpoint: Endpoint) -> list[str]:
    """What has the service manager start the daemon of this endpoint; nothing where no service is installed for it."""
    try:
        with open(place_of(endpoint), "rb") as file:
            lines = file.read(MAX_PLACE_BYTES).decode(errors="replace").split("\n")
    except OSError:
        return []
    if mention(endpoint) not in (line.strip() for line in lines):
        return []
    if sys.platform == "darwin":
        return ["launchctl", "kickstart", f"gui/{os.getuid()}/{LABEL}{endpoint.name}"]
    return ["systemctl", "--user", "start", unit(endpoint.root, "service")]
