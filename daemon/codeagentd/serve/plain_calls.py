"""Which tool calls need nothing of the SDK? Those of a client that has shaken hands, in the form that every client sends: nearly all.

The SDK's way from request to answer costs several times what most questions cost. A test holds both ways to the same values.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Final

from .calls import META_FRESH, Answered, Calls
from .lanes import Lanes
from .lines import RequestId
from .session import CALLS_AT_ONCE, Asked, Session

CALL: Final = "tools/call"
_PARAMETERS: Final = frozenset({"name", "arguments", "_meta"})
_TOKEN: Final = "progressToken"
_RESERVED: Final = "io.modelcontextprotocol/"  # the other era's envelope: refused by the SDK, which knows why


class PlainCalls:
    """Answers the plain tool calls of one session, a few at once, in the order they came."""

    def __init__(self, session: Session, calls: Calls, lanes: Lanes) -> None:
        self._session = session
        self._calls = calls
        self._lanes = lanes
        self._loop = asyncio.get_running_loop()
        self._wanted: dict[tuple[type, RequestId], Asked] = {}
        self._waiting: deque[Asked] = deque()
        self._running = 0

    def take(self, asked: Asked) -> bool:
        """Answer a request if it is a plain call. Returns whether it is."""
        if asked.request.method != CALL or not is_plain(asked.request.params):
            return False
        self._wanted[_key(asked.request.id)] = asked
        self._waiting.append(asked)
        self._start_next()
        return True

    def cancel(self, request_id: object) -> bool:
        """The client no longer wants an answer. Returns whether it was to come from here; work that runs goes on, and nobody hears of it."""
        if not isinstance(request_id, str | int) or self._wanted.pop(_key(request_id), None) is None:
            return False
        self._session.settle(request_id)
        return True

    def _start_next(self) -> None:
        while self._waiting and self._running < CALLS_AT_ONCE:
            asked = self._waiting.popleft()
            if self._is_wanted(asked):
                self._running += 1
                self._lanes.submit(lambda asked=asked: self._work(asked))  # type: ignore[misc]  # a lambda's default has no type

    def _work(self, asked: Asked) -> None:
        """In a lane."""
        params = asked.request.params or {}
        meta = params.get("_meta") or {}
        answered = self._calls.answer(
            self._session.offer, params["name"], params.get("arguments"), self._session.identity, asked.seq, fresh=meta.get(META_FRESH)
        )
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._done, asked, answered)

    def _done(self, asked: Asked, answered: Answered) -> None:
        self._running -= 1
        self._start_next()
        if self._is_wanted(asked):
            del self._wanted[_key(asked.request.id)]
            asked.answered = answered
            self._session.respond(asked.request.id, {"isError": answered.answer.is_error, "_meta": answered.meta})

    def _is_wanted(self, asked: Asked) -> bool:
        return self._wanted.get(_key(asked.request.id)) is asked and not self._session.is_over


def is_plain(params: dict[str, Any] | None) -> bool:
    """Whether these parameters of a tool call are what the SDK would pass on as they are."""
    if params is None or not params.keys() <= _PARAMETERS or not isinstance(params.get("name"), str):
        return False
    return isinstance(params.get("arguments", {}), dict) and _is_plain_meta(params.get("_meta", {}))


def _is_plain_meta(meta: object) -> bool:
    if not isinstance(meta, dict):
        return False
    token = meta.get(_TOKEN, "")
    return isinstance(token, str | int) and not isinstance(token, bool) and not any(name.startswith(_RESERVED) for name in meta)


def _key(request_id: RequestId) -> tuple[type, RequestId]:
    return type(request_id), request_id
