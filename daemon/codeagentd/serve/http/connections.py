"""The connections of the HTTP server: accepted up to a limit, each with a deadline for what its client has to send
next.

The server of uvicorn accepts without a limit, and sets no deadline for a connection that never sends a whole request.
Each connection holds a descriptor, and ZeroMQ ends the process when none is left for a window or command. So this
module accepts, counts and closes the connections.
"""

from __future__ import annotations

import asyncio
import errno
import json
import socket
import sys
from typing import Any, Final, Protocol

import h11
from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from codeagentd.base.log import EventLog

# seconds for the first line and headers of a request: from the start of the connection, or from the first byte of a
# later request
HEAD_S: Final = 10.0
BODY_S: Final = 30.0  # seconds for a whole body; 4 MB take this long at 1 Mbit/s
MAX_CONNECTIONS: Final = 512  # at once, where the system allows enough descriptors
IDLE_S: Final = 30.0  # seconds between a response and the first byte of the next request
STALL_S: Final = 60.0  # seconds in which a client has to read some of the waiting response
SHARE: Final = 4  # the divisor of the process's descriptors that gives HTTP's share
# connections accepted before the loop's other work runs; so a client's request is read before many others are accepted
BATCH: Final = 32
PAUSE_S: Final = 1.0  # seconds without accepting after the system ran out of descriptors
ADMIT: Final = "admit"  # key in a request's scope for the function to call when the guard admits the request

_EXHAUSTED: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_INVALID: Final = "this is no HTTP request"
_INVALID_BODY: Final = json.dumps({"error": {"code": "invalid_parameter", "message": _INVALID}}).encode()

_log = EventLog(__name__)


def most_connections() -> int:
    """Return the maximum number of connections: a share of the descriptors that this process may have; the others are
    for windows and commands.
    """
    if sys.platform == "win32":
        return MAX_CONNECTIONS
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MAX_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MAX_CONNECTIONS, soft // SHARE)


class Table(Protocol):
    """The table of all connections, to which each connection reports its events."""

    def admitted(self, connection: Connection) -> None:
        """Note that the access check has admitted a request of `connection`."""

    def answered(self, connection: Connection) -> None:
        """Note that a response of `connection` is complete."""

    def lost(self, connection: Connection) -> None:
        """Note that `connection` is closed."""


class Connection(H11Protocol):
    """One connection of uvicorn's HTTP protocol, with deadlines for its client to send heads and bodies."""

    def __init__(self, config: Config, state: ServerState, table: Table) -> None:
        super().__init__(config, state, {ADMIT: self._admit})
        self._table = table
        self.is_connected = False
        self._deadline: asyncio.TimerHandle | None = None
        self._awaits: tuple[float, RequestResponseCycle | None] = (0.0, None)
        self._stalled: asyncio.TimerHandle | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a response is being sent."""
        return self._request is not None and not self._request.response_complete

    @property
    def _request(self) -> RequestResponseCycle | None:
        """The last request; None before the first."""
        return self.cycle

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Begin the connection over `transport`: wait for the head of a request."""
        super().connection_made(transport)
        self.is_connected = True
        self._watch()

    def data_received(self, data: bytes) -> None:
        """Parse `data`, the bytes received, and begin the requests in it."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Note that a response is complete."""
        super().on_response_complete()
        self._table.answered(self)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the connection is closed; `exc` is the reason, None for a regular end."""
        self._stop()
        self.resume_writing()
        self._table.lost(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Note that the client reads more slowly than the response is written."""
        super().pause_writing()
        self._stalled = self.loop.call_later(STALL_S, self.close)

    def resume_writing(self) -> None:
        """Note that the client reads again."""
        if self._stalled:
            self._stalled.cancel()
            self._stalled = None
        super().resume_writing()

    def close(self) -> None:
        """Close the connection without a response."""
        self.transport.abort()

    def send_400_response(self, msg: str) -> None:
        """Answer invalid HTTP with a coded error that states `msg`."""
        headers = [
            ("content-type", "application/json"),
            ("connection", "close"),
            ("content-length", str(len(_INVALID_BODY))),
            ("x-content-type-options", "nosniff"),
        ]
        response = h11.Response(status_code=400, headers=headers, reason=b"Bad Request")
        for event in (response, h11.Data(data=_INVALID_BODY), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _admit(self) -> None:
        self._table.admitted(self)

    def _watch(self) -> None:
        """Set a deadline for the bytes that are expected now; an existing deadline for the same part stays, however
        many bytes arrive.
        """
        awaits = self._awaited_s(), self._request
        if awaits == self._awaits:
            return
        self._stop()
        self._awaits = awaits
        if awaits[0]:
            self._deadline = self.loop.call_later(awaits[0], self.close)

    def _awaited_s(self) -> float:
        """The time in seconds within which the client has to send: the rest of a body or of a head, or a next request;
        0 while the client waits for a response.
        """
        if self.conn.their_state is h11.SEND_BODY:
            return BODY_S
        if self.conn.their_state is not h11.IDLE:
            return 0.0
        return HEAD_S if self._request is None or self.conn.trailing_data[0] else IDLE_S

    def _stop(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None


class Connections:
    """Every connection of one listening socket. To be used on the event loop only.

    When there are `limit` connections, a new one replaces the oldest one without an admitted request; if there is none,
    the one whose last response is the oldest. So a client that only connects loses to one that has the key, and a new
    client can send its request until `limit` other connections have come.
    """

    def __init__(self, listener: socket.socket, limit: int, config: Config, state: ServerState) -> None:
        self._listener = listener
        self._limit = limit
        self._config = config
        self._state = state
        self._unadmitted: dict[Connection, None] = {}  # connections without an admitted request, the oldest first
        self._admitted: dict[Connection, None] = {}  # connections with one, the longest idle first
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self.closed_for_room = 0

    def __len__(self) -> int:
        return len(self._unadmitted) + len(self._admitted)

    def listen(self) -> None:
        """Begin to accept connections."""
        self._loop.add_reader(self._listener, self._accept)

    def close(self) -> None:
        """Stop accepting connections."""
        if self._pause:
            self._pause.cancel()
        self._loop.remove_reader(self._listener)

    def admitted(self, connection: Connection) -> None:
        """Note that the access check has admitted a request of `connection`."""
        if self._unadmitted.pop(connection, self) is None:
            self._admitted[connection] = None

    def answered(self, connection: Connection) -> None:
        """Note that a response of `connection` is complete: from now on it idles."""
        if self._admitted.pop(connection, self) is None:
            self._admitted[connection] = None

    def lost(self, connection: Connection) -> None:
        """Note that the descriptor of `connection` is about to be closed."""
        self._unadmitted.pop(connection, None)
        self._admitted.pop(connection, None)

    def _accept(self) -> None:
        for _ in range(BATCH):
            try:
                accepted, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _EXHAUSTED:
                    raise
                self._pause_accepting(error)
                return
            if len(self) < self._limit or self._make_room():
                self._begin(accepted)
            else:
                accepted.close()

    def _begin(self, accepted: socket.socket) -> None:
        accepted.setblocking(False)
        connection = Connection(self._config, self._state, self)
        self._unadmitted[connection] = None
        task = self._loop.create_task(self._connect(connection, accepted))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, connection: Connection, accepted: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(lambda: connection, accepted)
        except OSError:  # its client is gone already
            self.lost(connection)
            accepted.close()

    def _make_room(self) -> bool:
        """Close a connection to make room for another. Returns whether one could be closed."""
        connection = next((connection for connection in self._unadmitted if connection.is_connected), None) or next(
            (connection for connection in self._admitted if not connection.is_busy), None
        )
        if connection is None:
            return False
        self.closed_for_room += 1
        self.lost(connection)
        connection.close()
        return True

    def _pause_accepting(self, error: OSError) -> None:
        """Stop accepting for a moment after an error: the listening socket stays readable, and the loop would do
        nothing else.
        """
        _log.warning("HTTP accepts nothing for a moment", why=str(error.strerror))
        self.close()
        self._pause = self._loop.call_later(PAUSE_S, self.listen)
