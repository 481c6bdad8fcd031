"""The choice of the repository when neither flag nor variable names it: the client is asked for its roots, else the
current directory counts.

Only after the handshake may a server ask. So the shim answers `initialize` itself; the daemon receives that line later,
and its answer is dropped.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any, Final

from codeagent_protocol.errors import CodedError
from codeagent_protocol.file_uris import local_path
from codeagent_protocol.initialize import initialize_result
from codeagent_protocol.jsonrpc_errors import answer, is_request, parsed
from codeagent_protocol.pipe_writer import Outbox
from codeagent_protocol.root import allowed_roots, find_root

from . import limits
from .upstream import Upstream

QUESTION: Final = "codeagent-roots"  # id of the only request that the shim sends


class RootNegotiation(Upstream):
    """Takes the client's lines until the repository is known. `connect` makes the upstream that serves the repository,
    from its root and the lines so far.

    A client without roots gets the repository of the current directory with its first line. When there is none, each
    request is answered with what to do, and a later `initialize` may still bring roots: some clients try another
    request first.
    """

    def __init__(self, connect: Callable[[str, list[bytes], list[bytes]], Upstream], outbox: Outbox) -> None:
        self._connect = connect
        self._outbox = outbox
        self._handshake: list[bytes] = []  # initialize and the lines after it: state for the daemon
        self._waiting: list[bytes] = []  # other lines that came before the repository was known
        self._requested_at = 0.0

    @property
    def unanswered(self) -> int:
        """The number of lines that wait until the repository is known."""
        return len(self._waiting)

    @property
    def has_room(self) -> bool:
        """Whether another line may be stored or answered here: both have a bound."""
        return self._outbox.has_room and sum(map(len, self._waiting)) < limits.PENDING_BYTES

    def offer(self, line: bytes) -> Upstream:
        """Take one line of the client: the handshake is answered here, other lines wait. Returns the upstream that
        takes over.
        """
        message = parsed(line)
        if not self._handshake:
            return self._first(line, message)
        if (
            self._requested_at
            and isinstance(message, dict)
            and message.get("id") == QUESTION
            and "method" not in message
        ):
            return self._decide(_paths(message))
        is_initialized = isinstance(message, dict) and message.get("method") == "notifications/initialized"
        (self._handshake if is_initialized else self._waiting).append(line)
        if not self._requested_at:
            self._ask()
        return self

    def end_input(self) -> Upstream:
        """Handle the end of the client's input, and return the upstream that takes over. The client can name no roots
        any more, but may still read its answers.
        """
        return self._decide([]) if self._waiting else self

    def tick(self) -> Upstream:
        """Go on without roots when the client has not answered the question for some time. Returns the upstream that
        takes over.
        """
        if self._requested_at and self.wait_s() == 0.0:
            return self._decide([])
        return self

    def wait_s(self) -> float | None:
        """Return the seconds until the question for the roots is given up; None when it is not open."""
        return max(0.0, self._requested_at + limits.ROOTS_S - time.monotonic()) if self._requested_at else None

    def _first(self, line: bytes, message: Any) -> Upstream:
        if not _has_roots(message):
            return self._serve(find_root, [], [line])
        self._handshake = [line]
        result = initialize_result(message["params"].get("protocolVersion"))
        self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        return self

    def _ask(self) -> None:
        self._requested_at = time.monotonic()
        self._send({"jsonrpc": "2.0", "id": QUESTION, "method": "roots/list"})

    def _decide(self, paths: list[str]) -> Upstream:
        """Serve the first root that may be a repository, else the repository of the current directory."""
        self._requested_at = 0.0
        return self._serve(lambda: next(allowed_roots(paths), "") or find_root(), self._handshake, self._waiting)

    def _serve(self, find: Callable[[], str], handshake: list[bytes], lines: list[bytes]) -> Upstream:
        try:
            return self._connect(find(), handshake, lines)
        except CodedError as error:
            for line in lines:
                if response := answer(line, error):
                    self._outbox.put(response)
            self._waiting = []
            return self

    def _send(self, message: dict[str, Any]) -> None:
        self._outbox.put(json.dumps(message, separators=(",", ":")).encode())


def _has_roots(message: Any) -> bool:
    """Whether this is an `initialize` request of a client that can be asked for its roots."""
    if not is_request(message) or message["method"] != "initialize" or not isinstance(message.get("params"), dict):
        return False
    capabilities = message["params"].get("capabilities")
    return isinstance(capabilities, dict) and "roots" in capabilities


def _paths(response: dict[str, Any]) -> list[str]:
    """The local paths among the client's roots, in its order."""
    result = response.get("result")
    roots = result.get("roots") if isinstance(result, dict) else None
    uris = [root.get("uri") for root in roots if isinstance(root, dict)] if isinstance(roots, list) else []
    return [path for path in map(local_path, uris) if path]
