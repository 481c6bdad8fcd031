"""The listening endpoints for windows and operators, one each: sockets of this user, or ports with keys
(`loopback`).
"""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING, NamedTuple, Protocol

from codeagent_protocol.endpoint import Endpoint

from .listener import Listener, listener

if TYPE_CHECKING:
    import zmq


def withdraw(endpoint: Endpoint) -> None:
    """Remove the file in which a daemon published the ports of `endpoint`."""
    with contextlib.suppress(OSError):
        os.unlink(endpoint.ports)


class Opened(NamedTuple):
    """The opened sockets: a ROUTER for windows and one for operators."""

    windows: zmq.Socket[bytes]
    operators: zmq.Socket[bytes]


class Transport(Protocol):
    """The two listening endpoints of a daemon that holds the life lock."""

    def open(self, context: zmq.Context[zmq.Socket[bytes]]) -> Opened:
        """Begin to accept connections, and return the sockets of both endpoints. Errors: OSError, zmq.ZMQError."""

    def remove(self) -> None:
        """Remove the files that publish the endpoints."""


class LocalEndpoints:
    """Sockets in the runtime directory. They listen from their creation on: a client that connects waits until `open`
    is called. `fd`: a listening socket for windows that a service manager passed, -1 without one.
    """

    def __init__(self, endpoint: Endpoint, fd: int = -1) -> None:
        self._windows = listener(endpoint.socket, fd)
        self._operators = Listener(endpoint.control)

    def open(self, context: zmq.Context[zmq.Socket[bytes]]) -> Opened:
        """Pass the listening sockets to ZeroMQ, and return the ROUTER sockets over them."""
        from .router_socket import router

        return Opened(router(context, self._windows), router(context, self._operators))

    def remove(self) -> None:
        """Remove the socket files."""
        self._windows.unlink()
        self._operators.unlink()
