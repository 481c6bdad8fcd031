"""The address at which HTTP listens, and the access rule for it. Any address that is not loopback needs a key."""

from __future__ import annotations

import ipaddress
import socket
from typing import Final

import msgspec

from codeagent_protocol.errors import EngineUnavailable, InvalidParameter

LOOPBACK: Final = "127.0.0.1"
KEY_REMEDY: Final = "set CODEAGENT_API_KEY, listen on 127.0.0.1, or say --insecure"
BACKLOG: Final = 1_024  # connections that wait to be accepted; a client beyond that tries again a second later


class Address(msgspec.Struct, frozen=True):
    """An address to listen on: an IP address as written in URLs, and a port (0: any free port)."""

    host: str
    port: int

    @property
    def ip(self) -> str:
        """The host in the form that sockets take: an IPv6 address without brackets."""
        return self.host.strip("[]")

    @property
    def is_wildcard(self) -> bool:
        """Whether the host stands for every interface of the machine."""
        return ipaddress.ip_address(self.ip).is_unspecified

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach the host."""
        return ipaddress.ip_address(self.ip).is_loopback


def address(text: str) -> Address:
    """Return the address that `text` states, as `127.0.0.1:8765`, `[::1]:8765` or a port alone. Errors:
    invalid_parameter.
    """
    host, _, port = text.strip().rpartition(":")
    host = host or LOOPBACK
    host = LOOPBACK if host == "localhost" else host
    try:
        ip = ipaddress.ip_address(host.strip("[]"))
        number = int(port) if port.isascii() and port.isdigit() else -1
    except ValueError:
        number = -1
    if not 0 <= number < 65_536:
        raise InvalidParameter(
            f"{text[:100]!r} is no address to listen on",
            remedy="use 127.0.0.1:8765, [::1]:8765 or a port",
            parameter="http",
        )
    return Address(f"[{ip}]" if ip.version == 6 else str(ip), number)


def permitted(place: Address, api_key: str, *, insecure: bool, remedy: str = KEY_REMEDY) -> str:
    """Check that HTTP may listen at `place`: return a warning if others can send requests without a key, else ''.

    Errors: invalid_parameter, with `remedy`, if other machines could and the option `insecure` is not set.
    """
    if api_key.strip() or (place.is_loopback and not insecure):
        return ""
    if not insecure:
        raise InvalidParameter(
            f"{place.host} can be reached by others, who could read what is served here without a key",
            remedy=remedy,
            parameter="http",
        )
    return (
        f"warning: anybody who reaches {place.host} can read this repository, since no key is set (CODEAGENT_API_KEY)"
    )


def listening(place: Address) -> socket.socket:
    """Return a socket that listens at `place`. Errors: engine_unavailable when the address is taken or belongs to
    another machine.
    """
    family = socket.AF_INET6 if ":" in place.ip else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is passed explicitly
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((place.ip, place.port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise EngineUnavailable(
            f"cannot listen on {place.host}:{place.port}: {error.strerror}", remedy="choose another port"
        ) from error
    listener.setblocking(False)
    return listener
