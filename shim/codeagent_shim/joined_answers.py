"""The answers of several servers to one request, joined to one answer."""

from __future__ import annotations

from typing import Any

from . import limits
from .message_subjects import line_of

RequestId = str | int | float


class _Join:
    """The answers to one request so far. `servers` are in the order of the result."""

    def __init__(self, servers: list[int], deadline: float) -> None:
        self.servers = servers
        self.deadline = deadline
        self.answers: dict[int, dict[str, Any]] = {}

    @property
    def has_result(self) -> bool:
        return any("result" in answer for answer in self.answers.values())

    def joined(self) -> dict[str, Any]:
        """The answer for the client: the lists of all results one after the other, else the first error."""
        answers = [self.answers[server] for server in self.servers if server in self.answers]
        if not self.has_result:
            return answers[0]
        results = [answer["result"] for answer in answers if isinstance(answer.get("result"), list)]
        entries = [entry for result in results for entry in result]
        return {"jsonrpc": "2.0", "id": answers[0]["id"], "result": entries[: limits.JOINED_ENTRIES]}


class JoinedAnswers:
    """The requests that several servers answer.

    A server that fails adds nothing; one that is late is not waited for once another one has answered.
    """

    def __init__(self) -> None:
        self._joins: dict[RequestId, _Join] = {}
        self._late: set[tuple[int, RequestId]] = set()  # answers that are still to come, for nobody

    @property
    def is_waiting(self) -> bool:
        """Whether any answer of this kind is still to come."""
        return bool(self._joins or self._late)

    def begin(self, request_id: RequestId, servers: list[int], now: float) -> None:
        """Join the answers of `servers` to this request, which they receive now."""
        self._joins[request_id] = _Join(servers, now + limits.JOIN_S)

    def takes(self, server: int, request_id: Any) -> bool:
        """Whether the answer of `server` with this id is for `take`."""
        if not isinstance(request_id, str | int | float):
            return False
        join = self._joins.get(request_id)
        return (server, request_id) in self._late or bool(join and server in join.servers)

    def take(self, server: int, answer: dict[str, Any]) -> bytes | None:
        """Take an answer. Returns the line for the client if it was the last one."""
        request_id = answer["id"]
        if (server, request_id) in self._late:
            self._late.remove((server, request_id))
            return None
        join = self._joins[request_id]
        join.answers[server] = answer
        return self._finish(request_id) if len(join.answers) == len(join.servers) else None

    def due(self, now: float) -> list[bytes]:
        """Return the lines for the client that wait for late servers only."""
        late = [request_id for request_id, join in self._joins.items() if now >= join.deadline and join.has_result]
        return [self._finish(request_id) for request_id in late]

    def wait_s(self, now: float) -> float | None:
        """Return the seconds until a line is due; None when none will be by the clock alone."""
        deadlines = [join.deadline for join in self._joins.values() if join.has_result]
        return max(0.0, min(deadlines) - now) if deadlines else None

    def _finish(self, request_id: RequestId) -> bytes:
        join = self._joins.pop(request_id)
        self._late.update((server, request_id) for server in join.servers if server not in join.answers)
        return line_of(join.joined())
