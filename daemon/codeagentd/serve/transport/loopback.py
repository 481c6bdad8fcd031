"""Loopback ports that only one user can use: fresh keys at each start, in a file that only the user can read. A
connection without these keys ends during its handshake.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from typing import Final

import zmq
from zmq.utils import z85

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.transport import HOST
from codeagentd.base.paths import CARE

from .endpoints import Opened, withdraw
from .listener import BACKLOG
from .router_socket import unbound_router

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | CARE
DOMAIN: Final = b"codeagentd"
# for a peer to authenticate; a connection without a handshake occupies a descriptor for this time
HANDSHAKE_MS: Final = 5_000
REPLACE_S: Final = 1.0  # seconds for readers to close the file: Windows cannot replace an open one
ZAP_ENDPOINT: Final = (
    "inproc://zeromq.zap.01"  # the endpoint at which ZeroMQ asks whether to admit a peer (ZAP, RFC 27)
)


def publish(endpoint: Endpoint, windows: int, operators: int, *keys: bytes) -> None:
    """Publish the ports for windows and for operators, and the keys (in the order of `Address`), to this user's other
    processes. This process holds the life lock. The file is written in full or not at all.

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


class KeyAuthenticator(threading.Thread):
    """Answers ZeroMQ's authentication requests (ZAP): peers with one public key may connect, and no others. The thread
    answers them also while everything else is busy. It ends with `context`.
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], public: bytes) -> None:
        super().__init__(name="key-authenticator", daemon=True)
        self._admitted = z85.decode(public)
        self._socket = context.socket(zmq.REP)
        self._socket.bind(ZAP_ENDPOINT)

    def run(self) -> None:
        """Answer authentication requests until the context ends."""
        try:
            while True:
                version, request, *_, mechanism, key = self._socket.recv_multipart()
                status = b"200" if (mechanism, key) == (b"CURVE", self._admitted) else b"400"
                self._socket.send_multipart([version, request, status, b"", b"", b""])
        except zmq.ContextTerminated:
            self._socket.close()


class LoopbackEndpoints:
    """Two loopback ports that the system chooses."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    def open(self, context: zmq.Context[zmq.Socket[bytes]]) -> Opened:
        """Listen with new keys, only then publish the ports, and return the sockets. Errors: OSError, zmq.ZMQError."""
        server, own_secret = zmq.curve_keypair()
        public, secret = zmq.curve_keypair()
        KeyAuthenticator(context, public).start()
        opened = Opened(_listening(context, own_secret), _listening(context, own_secret))
        publish(self._endpoint, _port(opened.windows), _port(opened.operators), server, public, secret)
        return opened

    def remove(self) -> None:
        """Remove the file with the ports."""
        withdraw(self._endpoint)


def _listening(context: zmq.Context[zmq.Socket[bytes]], secret: bytes) -> zmq.Socket[bytes]:
    socket = unbound_router(context)
    for option, value in (
        (zmq.CURVE_SERVER, 1),
        (zmq.CURVE_SECRETKEY, secret),
        (zmq.ZAP_DOMAIN, DOMAIN),
        (zmq.ZAP_ENFORCE_DOMAIN, 1),  # without an authenticator no peer is admitted
        (zmq.HANDSHAKE_IVL, HANDSHAKE_MS),
        (zmq.BACKLOG, BACKLOG),
    ):
        socket.setsockopt(option, value)
    socket.bind(f"tcp://{HOST}:*")
    return socket


def _port(socket: zmq.Socket[bytes]) -> int:
    return int(bytes(socket.getsockopt(zmq.LAST_ENDPOINT)).rpartition(b":")[2])
