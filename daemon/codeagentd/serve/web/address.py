"""Where does HTTP listen, and who may ask there? What is not loopback needs a key."""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit

import msgspec

from codeagent_protocol.errors import InvalidParameter

LOOPBACK: Final = "127.0.0.1"
NAMES: Final = ("localhost", LOOPBACK, "[::1]")  # by which a browser or client on this machine reaches us, page 002


class Address(msgspec.Struct, frozen=True):
    """A place to listen: an IP address as written in URLs, and a port (0: any that is free)."""

    host: str
    port: int

    @property
    def ip(self) -> str:
        """The address as sockets take it."""
        return self.host.strip("[]")

    @property
    def is_wildcard(self) -> bool:
        """Whether every interface of the machine is meant."""
        return ipaddress.ip_address(self.ip).is_unspecified

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return ipaddress.ip_address(self.ip).is_loopback

    def allows(self, host: str) -> bool:
        """Whether a Host header, with or without a port, names us. A page of elsewhere whose name points to this machine does not."""
        return self.is_wildcard or _without_port(host) in (*NAMES, self.host)

    def allows_origin(self, origin: str, host: str) -> bool:
        """Whether a page of this origin may ask: one from here, or from the host that it asks."""
        try:
            place = urlsplit(origin)
        except ValueError:
            return False
        named = place.netloc.lower()
        if place.scheme not in ("http", "https") or not named:
            return False
        return _without_port(named) in (*NAMES, self.host) or (self.is_wildcard and named == host.lower())


def address(text: str) -> Address:
    """`127.0.0.1:8765`, `[::1]:8765` or a port alone. Errors: invalid_parameter."""
    host, _, port = text.strip().rpartition(":")
    host = host or LOOPBACK
    host = LOOPBACK if host == "localhost" else host
    try:
        ip = ipaddress.ip_address(host.strip("[]"))
        number = int(port) if port.isascii() and port.isdigit() else -1
    except ValueError:
        number = -1
    if not 0 <= number < 65_536:
        raise InvalidParameter(f"{text[:100]!r} is no address to listen on", remedy="use 127.0.0.1:8765, [::1]:8765 or a port", parameter="http")
    return Address(f"[{ip}]" if ip.version == 6 else str(ip), number)


def permitted(place: Address, api_key: str, *, insecure: bool) -> None:
    """Errors: invalid_parameter for an address that others can reach, without a key."""
    if not (place.is_loopback or api_key.strip() or insecure):
        raise InvalidParameter(
            f"{place.host} can be reached by others, who could read this repository without a key",
            remedy="set CODEAGENT_API_KEY, listen on 127.0.0.1, or say --insecure",
            parameter="http",
        )


def _without_port(host: str) -> str:
    name, colon, port = host.lower().rpartition(":")
    return name if colon and (not port or port.isdigit()) and not host.endswith("]") else host.lower()
