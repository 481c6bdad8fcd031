"""The standalone server of one window, connected over pipes, for a window that can reach no daemon. It speaks the
daemon's protocol, and is started again like a daemon.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, Final

from codeagent_protocol import frames
from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.launch import FAILED, STARTING, environment
from codeagent_protocol.pipe_writer import Outbox
from codeagent_protocol.pipes import LENGTH_BYTES, framed
from codeagent_protocol.stream import Stream
from codeagent_protocol.streams import reading

from .upstream import READABLE, WRITABLE

SERVER: Final = ("-P", "-m", "codeagentd.boot.alone")  # -P: never import from the current directory


class StandaloneServer:
    """The launch of a standalone server and the connection to it, in one object.

    `why` is a text for people: the reason why the window can reach no daemon.
    """

    def __init__(self, endpoint: Endpoint, why: str, command: Sequence[str] = ()) -> None:
        self.endpoint = endpoint
        self.trouble = "the server of this window ended by itself"
        self._command = [*(command or (sys.executable, *SERVER)), "--repo", endpoint.root, "--why", why]
        self._process: subprocess.Popen[bytes] | None = None
        self._outbox: Outbox | None = None
        self._reading: Stream | None = None
        self._received = bytearray()
        self._is_over = False

    # as a launch

    def step(self) -> str:
        """Return STARTING while the server runs, else FAILED. The server's greeting shows when it is ready."""
        return STARTING if self.is_up() else FAILED

    def is_up(self) -> bool:
        """Whether the server's process runs."""
        return self._process is not None and self._process.poll() is None

    def start_successor(self) -> None:
        """Do nothing: there is no predecessor to take over from."""

    def release(self) -> None:
        """Do nothing: there is no lock to release."""

    # as a connection

    @property
    def socket(self) -> int | None:
        """The descriptor to read from; None when there is no server."""
        return self._reading.fd if self._reading else None

    def has_moved(self) -> bool:
        """Return False: pipes have no address."""
        return False

    def open(self, hello: bytes) -> None:
        """Start the server again and send HELLO with the payload `hello` first."""
        self.close()
        try:
            process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment(os.environ), bufsize=0
            )
        except OSError as error:
            self.trouble = f"{self._command[0]} cannot be started: {error.strerror}"
            return
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._outbox, self._reading = (
            process,
            Outbox(process.stdin.fileno()),
            reading(process.stdout.fileno()),
        )
        self.send(frames.HELLO, hello)

    def close(self, _linger_ms: int = 0) -> None:
        """Close the pipes: the server ends at the end of its input. Messages that are not sent are lost."""
        process, self._process = self._process, None
        if process and process.stdin and process.stdout:
            if self._outbox and self._reading:
                self._outbox.restore()
                self._reading.end()
            process.stdin.close()
            process.stdout.close()
        self._outbox = self._reading = None
        self._received, self._is_over = bytearray(), False

    def end(self, linger_ms: int) -> None:
        """Close the connection for good; `linger_ms` has no effect."""
        self.close(linger_ms)

    def watched(self) -> list[tuple[Any, int]]:
        """Return the descriptors to poll, each with its events."""
        if not (self._reading and self._outbox):
            return []
        return [(self._reading.fd, READABLE), *([] if self._outbox.is_empty else [(self._outbox.fd, WRITABLE)])]

    def is_broken(self, ready: dict[Any, int]) -> bool:
        """Whether the server hung up, by the events in `ready`. Also sends the messages that had to wait."""
        if self._outbox and self._outbox.fd in ready:
            self._outbox.flush()
        if self._reading and self._reading.fd in ready:
            self._read()
        return self._is_over

    def send(self, kind: int, payload: bytes | None = None, flags: int = 0, seq: int = 0) -> None:
        """Send one message of this kind, at once or as soon as the server reads; without a server it is dropped."""
        if self._outbox:
            self._outbox.put(framed(frames.pack(kind, flags, seq) + (payload or b"")))

    def receive(self) -> list[bytes] | None:
        """Return the frames of one message; None when no message is complete."""
        self._read()
        if self._process is None or self._missing:
            return None
        message, self._received = bytes(self._received[LENGTH_BYTES:]), bytearray()
        return [message[: frames.HEADER_BYTES], message[frames.HEADER_BYTES :]]

    @property
    def _missing(self) -> int:
        """The number of bytes that are missing from the message that is arriving, or from its length field, which comes
        first.
        """
        length = int.from_bytes(self._received[:LENGTH_BYTES], "big") if len(self._received) >= LENGTH_BYTES else 0
        return LENGTH_BYTES + length - len(self._received)

    def _read(self) -> None:
        """Read the available bytes of one message and not more: unread bytes keep the pipe readable, so that the loop
        polls again.
        """
        try:
            while self._reading and self._missing and not self._is_over:
                chunk = self._reading.read(self._missing)
                self._received += chunk
                self._is_over = not chunk
        except BlockingIOError:
            return
