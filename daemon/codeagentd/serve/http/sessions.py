"""The sessions over HTTP. Each is a `Session` as a window has: its lines arrive in requests, and its answers leave in
their responses.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Final, NamedTuple

from codeagent_protocol import frames
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.messages import Hello
from codeagent_protocol.status import WindowStatus
from codeagentd.base.clock import Clock
from codeagentd.base.log import EventLog
from codeagentd.serve.sessions.session import Session
from codeagentd.serve.sessions.session_registry import Attach, Choose, Equip

IDLE_S: Final = 3_600.0  # page 002
REAP_S: Final = 60.0  # between two checks for idle sessions
MAX_HTTP_SESSIONS: Final = 256  # sessions at once, both kept ones and those of a single request
KEPT_MESSAGES: Final = 256  # maximum number of messages that wait for a stream, the newest
NO_FACTS: Final[Mapping[str, str]] = MappingProxyType({})

_log = EventLog(__name__)


class Backend(NamedTuple):
    """What answers the sessions of one address. `scope`: whose they are and what they are about; a session is found by
    requests of the same scope alone. `facts` about them are for the access log.
    """

    choose: Choose
    equip: Equip
    attach: Attach
    scope: str = ""
    facts: Mapping[str, str] = NO_FACTS


class HttpSession:
    """One client's connection over HTTP: its `session`, as a window has one, and the answers and messages of that until
    a response or a stream takes them.
    """

    def __init__(self, hello: Hello, now: float, backend: Backend) -> None:
        self.name = secrets.token_hex(16)
        self.hello = hello
        self.scope = backend.scope
        self.facts = backend.facts
        self.used_at = now
        self.session: Session
        self.has_stream = False
        self._answers: dict[int, asyncio.Future[bytes | None]] = {}
        self._messages: deque[bytes] = deque(maxlen=KEPT_MESSAGES)
        self._arrived = asyncio.Event()
        self._seq = 0

    @property
    def is_busy(self) -> bool:
        """Whether the session has an open stream or waits for an answer."""
        return self.has_stream or bool(self._answers)

    def put(self, line: bytes) -> asyncio.Future[bytes | None]:
        """Pass `line` of the client to the session. The result is the line that answers it, or None when it gets no
        answer.
        """
        self._seq += 1
        answer = self._answers[self._seq] = asyncio.get_running_loop().create_future()
        self.session.take(self._seq, 0, line)
        return answer

    def on_message(self, kind: int, _flags: int, ack: int, payload: bytes | None) -> None:
        """Receive a message that the session sends. With `ack`, the number of a line, it is the answer to that; with 0
        it answers no request, and waits for `message`.
        """
        answer = self._answers.pop(ack, None)
        if answer and not answer.done():
            answer.set_result(payload if kind == frames.LINE else None)
        elif ack == 0 and payload is not None:
            self._messages.append(payload)
            self._arrived.set()

    async def message(self, patience_s: float) -> bytes | None:
        """Return the oldest message that answers no request; wait for one, at most `patience_s`, else return None."""
        if not self._messages:
            self._arrived.clear()
            try:
                await asyncio.wait_for(self._arrived.wait(), patience_s)
            except TimeoutError:
                return None
        return self._messages.popleft() if self._messages else None

    def wake(self) -> None:
        """Let `message` return at once."""
        self._arrived.set()

    def end(self) -> None:
        """End the session; requests that still wait get no answer."""
        self.session.end()
        self._arrived.set()
        answers, self._answers = self._answers, {}
        for answer in answers.values():
            answer.cancel()


class HttpSessions:
    """The sessions of all clients over HTTP. To be used on the event loop only."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._established: dict[str, HttpSession] = {}
        self._passing: set[HttpSession] = set()

    @property
    def count(self) -> int:
        """The number of sessions."""
        return len(self._established) + len(self._passing)

    def begin(self, hello: Hello, backend: Backend) -> HttpSession:
        """Begin a session as `hello` describes it, which `backend` answers. It ends with its request unless `keep` is
        called.

        Errors: engine_unavailable, invalid_parameter.
        """
        if self.count >= MAX_HTTP_SESSIONS and not self._make_room():
            raise EngineUnavailable(
                f"{MAX_HTTP_SESSIONS} sessions are open already", remedy="end some with DELETE, or wait"
            )
        http_session = HttpSession(hello, self._clock.ticks(), backend)
        identity = b"H" + secrets.token_bytes(15)
        http_session.session = Session(
            identity,
            hello,
            backend.choose(hello),
            self._clock.ticks(),
            http_session.on_message,
            partial(self._summon, http_session, backend.attach),
        )
        http_session.session.shortcut = backend.equip(http_session.session)
        self._passing.add(http_session)
        return http_session

    def _make_room(self) -> bool:
        """End the session that was not used for the longest time. Returns whether one could be ended.

        Sessions that have a stream or wait for an answer are kept.
        """
        idle = min(
            (http_session for http_session in self._established.values() if not http_session.is_busy),
            key=lambda http_session: http_session.used_at,
            default=None,
        )
        if idle is None:
            return False
        _log.info("HTTP session ended: another needs its place", requests=idle.session.requests)
        self.leave(idle)
        return True

    def keep(self, http_session: HttpSession) -> None:
        """Keep `http_session` after its request, to be found by its name."""
        self._passing.discard(http_session)
        self._established[http_session.name] = http_session

    def find(self, name: str, scope: str = "") -> HttpSession | None:
        """Return the session of this name, and mark it as used; None for one that has ended, or of another scope."""
        http_session = self._established.get(name)
        if http_session and http_session.scope != scope:
            return None
        if http_session:
            http_session.used_at = self._clock.ticks()
        return http_session

    def leave(self, http_session: HttpSession) -> None:
        """End `http_session`, and forget it."""
        self._established.pop(http_session.name, None)
        self._passing.discard(http_session)
        http_session.end()

    def reap(self) -> None:
        """End sessions that were not used for too long."""
        now = self._clock.ticks()
        for http_session in [
            candidate for candidate in self._established.values() if now - candidate.used_at >= IDLE_S
        ]:
            _log.info("HTTP session ended: nobody used it", requests=http_session.session.requests)
            self.leave(http_session)

    def end_where(self, is_over: Callable[[str], bool]) -> int:
        """End the sessions for whose scope `is_over` holds. Returns how many."""
        ending = [each for each in (*self._established.values(), *self._passing) if is_over(each.scope)]
        for http_session in ending:
            self.leave(http_session)
        return len(ending)

    def close(self) -> None:
        """End every session."""
        for http_session in (*self._established.values(), *self._passing):
            self.leave(http_session)

    def windows(self) -> tuple[WindowStatus, ...]:
        """Return the status of every kept session. It copies the table first, since other threads call this."""
        now = self._clock.ticks()
        sessions = [http_session.session for http_session in list(self._established.values())]
        return tuple(
            WindowStatus(0, "", session.client or "HTTP", round(now - session.since, 1), session.requests)
            for session in sessions
        )

    def _summon(self, http_session: HttpSession, attach: Attach, session: Session) -> None:
        attach(session, lambda _: self.leave(http_session))
