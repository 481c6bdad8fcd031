"""The upstreams of a shim: what takes the client's lines. It is the link to a daemon, a refusal, or the negotiation of
the repository.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from codeagent_protocol.errors import CodedError
from codeagent_protocol.jsonrpc_errors import answer

READABLE: Final = 1  # ZeroMQ's event bits as plain integers: its enums cost a microsecond at every use
WRITABLE: Final = 2
BROKEN: Final = 4


class Sink(Protocol):
    """What takes the messages for the client."""

    @property
    def has_room(self) -> bool:
        """Whether more messages may be added."""

    def put(self, message: bytes) -> None:
        """Write a message to the client."""


class Upstream:
    """The side of the bridge that takes the client's lines. The methods that return an Upstream return the one that
    takes over: mostly the same object.
    """

    @property
    def is_over(self) -> bool:
        """Whether the client asked this process to exit."""
        return False

    @property
    def unanswered(self) -> int:
        """The number of lines for which the client may still expect an answer."""
        return 0

    @property
    def has_room(self) -> bool:
        """Whether another line may be taken from the client."""
        return True

    def patience_until(self, eof_at: float) -> float:
        """Return the time until which to wait for unanswered lines, after the client closed its end at `eof_at` (both
        in monotonic seconds).
        """
        return eof_at

    def offer(self, line: bytes) -> Upstream:
        """Take one line of the client. Returns the upstream that takes over."""
        return self

    def watched(self) -> list[tuple[Any, int]]:
        """Return the descriptors to poll: pairs of a ZeroMQ socket or file descriptor, and its events."""
        return []

    def on_ready(self, ready: dict[Any, int]) -> Upstream:
        """Handle the watched descriptors in `ready`, by descriptor with their events. Returns the upstream that takes
        over.
        """
        return self

    def tick(self) -> Upstream:
        """Do the work that is due by the clock. Returns the upstream that takes over."""
        return self

    def wait_s(self) -> float | None:
        """Return the seconds until `tick` has something to do; None when only events matter."""
        return None

    def end_input(self) -> Upstream:
        """Handle the end of the client's input. Returns the upstream that takes over."""
        return self

    def leave(self) -> None:
        """Send a good-bye and release all resources."""


class RefusingUpstream(Upstream):
    """Answers every request with the same error, which tells the client's user what to do."""

    def __init__(self, error: CodedError, outbox: Sink) -> None:
        self._error = error
        self._outbox = outbox

    @property
    def has_room(self) -> bool:
        """Whether another line may be taken: each may cause an answer, so none is taken from a client that does not
        read.
        """
        return self._outbox.has_room

    def offer(self, line: bytes) -> Upstream:
        """Refuse `line` if it is a request, ignore any other line, and return this upstream."""
        if response := answer(line, self._error):
            self._outbox.put(response)
        return self
