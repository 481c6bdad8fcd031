"""The hosts and origins from which requests are accepted. A page of another site whose name was made to point to this
machine (DNS rebinding) is refused.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Final
from urllib.parse import urlsplit

from .address import LOOPBACK, Address

# host names by which a browser or client on this machine connects, page 002
NAMES: Final = ("localhost", LOOPBACK, "[::1]")


class AllowedHosts:
    """The hosts that requests to one listening address may name.

    `place` has the bound port; `listed` are the hosts that the user allows, each with one port or with any.
    """

    def __init__(self, place: Address, listed: tuple[str, ...] = ()) -> None:
        self._port = str(place.port)
        self._is_wildcard = place.is_wildcard
        self._listed = frozenset(host.lower() for host in listed)
        self._names = {*NAMES, place.host, *(machine_names() if place.is_wildcard else ())}

    def allows(self, host: str) -> bool:
        """Whether `host`, a Host header, names this server: with the bound port or none, or as the user lists it."""
        name, port = _split(host)
        return self._is_listed(host, name) or (
            port in ("", self._port) and (name in self._names or (self._is_wildcard and _is_literal(name)))
        )

    def allows_origin(self, origin: str, host: str) -> bool:
        """Whether pages of `origin` may send requests. Those of this machine may, those of `host` (the host of the
        request, which is allowed already), and those of hosts that the user lists.
        """
        try:
            parts = urlsplit(origin)
        except ValueError:
            return False
        named = parts.netloc.lower()
        if parts.scheme not in ("http", "https") or not named:
            return False
        name, _ = _split(named)
        return name in self._names or named == host.lower() or self._is_listed(named, name)

    def _is_listed(self, host: str, name: str) -> bool:
        return host.lower() in self._listed or name in self._listed


def machine_names() -> tuple[str, ...]:
    """Return the names that this machine has by its own configuration. No name server is asked, since its answer cannot
    be trusted.
    """
    name = socket.gethostname().lower()
    short = name.partition(".")[0]
    return tuple(dict.fromkeys(host for host in (name, short, f"{short}.local") if short))


def _split(host: str) -> tuple[str, str]:
    """The name and the port of a host, in lower case; '' for no port.

    A malformed host gives a name that no machine has.
    """
    name, colon, port = host.lower().rpartition(":")
    return (name, port) if colon and (not port or port.isdecimal()) and not host.endswith("]") else (host.lower(), "")


def _is_literal(name: str) -> bool:
    """Whether a name is an IP address as URLs have it. No name server decides where such a host leads."""
    inner = name[1:-1] if name.startswith("[") and name.endswith("]") else ""
    try:
        return ipaddress.ip_address(inner or name).version == (6 if inner else 4)
    except ValueError:
        return False
