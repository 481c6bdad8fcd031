"""The ZeroMQ side of a link: one identity, one socket at a time, and a monitor that reports when the daemon is gone."""

from __future__ import annotations

import os
from typing import Any

import zmq

from codeagent_protocol import frames, transport
from codeagent_protocol.endpoint import Endpoint

from . import limits
from .upstream import READABLE


class Connection:
    """A DEALER socket that is connected to the daemon of `endpoint`. Its identity, 16 random bytes, stays the same over
    all the sockets that this object opens.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._address: transport.Address | None = None
        self._identity = b"S" + os.urandom(15)  # ZeroMQ reserves names that start with a zero byte
        self._context = zmq.Context()
        self._socket: zmq.Socket[bytes] | None = None
        self._monitor: zmq.Socket[bytes] | None = None

    @property
    def socket(self) -> zmq.Socket[bytes] | None:
        """The open socket; None when there is none."""
        return self._socket

    def has_moved(self) -> bool:
        """Whether the daemon's address differs from the one that this connection uses."""
        return self._address != transport.for_windows(self._endpoint)

    def open(self, hello: bytes) -> None:
        """Connect again, if the daemon has an address, and send HELLO with the payload `hello` first.

        Each call makes a new socket: ZeroMQ would pass the messages in a predecessor's queue to a successor, ahead of
        HELLO.
        """
        self.close()
        self._address = transport.for_windows(self._endpoint)
        if self._address is None:
            return
        socket: zmq.Socket[bytes] = self._context.socket(zmq.DEALER)
        socket.setsockopt(zmq.ROUTING_ID, self._identity)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.SNDHWM, 0)  # bounded by the replay log
        socket.setsockopt(zmq.RCVHWM, limits.INBOX_MESSAGES)
        socket.setsockopt(zmq.RECONNECT_IVL, limits.RECONNECT_MS)
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, limits.RECONNECT_MOST_MS)
        self._monitor = socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        self._address.identify(socket)
        socket.connect(self._address.url)
        self._socket = socket
        self.send(frames.HELLO, hello)

    def close(self, linger_ms: int = 0) -> None:
        """Drop the socket; messages that are not sent within `linger_ms` milliseconds are lost."""
        if self._socket is not None:
            self._socket.disable_monitor()
            self._socket.close(linger_ms)
            self._socket = self._monitor = None

    def end(self, linger_ms: int) -> None:
        """Close the connection for good; messages that are not sent within `linger_ms` milliseconds are lost."""
        self.close(linger_ms)
        self._context.term()

    def watched(self) -> list[tuple[Any, int]]:
        """Return the descriptors to poll, each with its events."""
        return [] if self._socket is None else [(self._socket, READABLE), (self._monitor, READABLE)]

    def is_broken(self, ready: dict[Any, int]) -> bool:
        """Whether the daemon hung up, by the events in `ready`; messages that it sent before can still be received."""
        return self._monitor in ready

    def send(self, kind: int, payload: bytes | None = None, flags: int = 0, seq: int = 0) -> None:
        """Queue one message of this kind; without a socket it is dropped."""
        if self._socket is not None:
            header = frames.pack(kind, flags, seq)
            self._socket.send_multipart([header] if payload is None else [header, payload], zmq.NOBLOCK)

    def receive(self) -> list[bytes] | None:
        """Return the frames of one message; None when no message is waiting."""
        socket = self._socket
        # reading the events is cheaper than calling recv until it raises
        if socket is None or not int(socket.getsockopt(zmq.EVENTS)) & READABLE:
            return None
        return socket.recv_multipart(zmq.NOBLOCK)
