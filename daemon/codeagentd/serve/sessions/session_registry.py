"""The sessions of all connected windows, and the dispatch of their frames. Invalid frames are dropped and counted."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

import msgspec

from codeagent_protocol import frames
from codeagent_protocol.errors import CodedError, EngineUnavailable, InvalidParameter
from codeagent_protocol.messages import Hello, Refused, Welcome
from codeagent_protocol.status import WindowStatus
from codeagent_protocol.version import __version__, version_of
from codeagentd.base.clock import Clock
from codeagentd.base.log import EventLog
from codeagentd.serve.tool_calls import ToolSelection

from .client_process import ClientProcess, is_ours
from .session import RequestHandler, Send, Session

# chooses the tools of a session; raises a CodedError for invalid options
Choose = Callable[[Hello], ToolSelection]
# connects a session to the SDK; the callback is called if that fails
Attach = Callable[[Session, Callable[[Session], None]], None]
Equip = Callable[[Session], RequestHandler]  # creates the handler of a session's usual requests
# begins the session of an editor: its identity, its greeting, the time, and what puts a frame on the wire
BeginLsp = Callable[[bytes, Hello, float, Send], "ClientSession"]

MAX_SESSIONS: Final = 1_000  # no user has so many windows, only a faulty client
MAX_HELLO_BYTES: Final = 65_536

_log = EventLog(__name__)
_hello = msgspec.msgpack.Decoder(Hello)


class Wire(Protocol):
    """The transport, as sessions use it."""

    def send(self, peer: bytes, *frames: bytes) -> None:
        """Send one message of `frames` to `peer`, at once or when it reads."""

    def forget(self, peer: bytes) -> None:
        """Drop the messages that wait to be sent to `peer`."""


class ClientSession(Protocol):
    """The session of a window, of whichever protocol."""

    hello: Hello
    since: float
    client: str
    requests: int
    is_leaving: bool

    @property
    def in_flight(self) -> int:
        """The number of requests that wait for an answer."""

    @property
    def streams(self) -> int:
        """The number of requests in flight that are answered only at the end of the session."""

    def take(self, seq: int, flags: int, line: bytes) -> None:
        """Handle one line of the client, numbered `seq`; `flags`: of its frame."""

    def end(self) -> None:
        """End the session: the window is gone."""


class Entry(msgspec.Struct):
    """A session, and the watch on the process of its window."""

    session: ClientSession
    process: ClientProcess


class Sessions:
    """The sessions of all connected windows."""

    def __init__(
        self, wire: Wire, clock: Clock, choose: Choose, equip: Equip, attach: Attach, begin_lsp: BeginLsp,
        newer: Callable[[str], None],
    ) -> None:  # fmt: skip
        """Begin without sessions. `newer(version)` is called when a window is of a newer version than this daemon,
        which then hands over.
        """
        self._wire = wire
        self._clock = clock
        self._choose = choose
        self._equip = equip
        self._attach = attach
        self._begin_lsp = begin_lsp
        self._newer = newer
        self._entries: dict[bytes, Entry] = {}
        self._leaving_kind = (
            0  # the kind of the frame that answers new windows while the daemon leaves; 0 while it stays
        )
        self.dropped_frames = 0
        self.busy_at = clock.ticks()  # the time when a window was last connected

    @property
    def count(self) -> int:
        """The number of connected windows."""
        return len(self._entries)

    @property
    def in_flight(self) -> int:
        """The number of requests that wait for an answer. Streams of subscriptions are left out: they continue at the
        successor.
        """
        sessions = [entry.session for entry in self._entries.values()]
        return sum(
            session.in_flight - (session.streams if self._leaving_kind == frames.DRAINING else 0)
            for session in sessions
        )

    def windows(self) -> tuple[WindowStatus, ...]:
        """Return the status of every window. It copies the table first, since other threads call this."""
        now = self._clock.ticks()
        return tuple(
            WindowStatus(
                session.hello.pid,
                session.hello.cwd,
                session.client or session.hello.window,
                round(now - session.since, 1),
                session.requests,
            )
            for session in (entry.session for entry in list(self._entries.values()))
        )

    def receive(self, peer: bytes, parts: list[bytes]) -> None:
        """Handle the message `parts` that `peer` has sent. Never raises, whatever its content."""
        try:
            frame = frames.unpack(parts[0] if parts else b"")
        except ValueError:
            self._drop()
            return
        payload = parts[1] if len(parts) > 1 else b""
        if frame.kind == frames.HELLO:
            self._on_hello(peer, payload)
        elif frame.kind == frames.LINE:
            self._on_line(peer, frame, payload)
        elif frame.kind == frames.PING:
            self._on_ping(peer, frame)
        elif frame.kind == frames.BYE:
            self.end(peer)
        else:
            self._drop()

    def end(self, peer: bytes) -> None:
        """End the session of `peer`."""
        entry = self._entries.pop(peer, None)
        if entry is None:
            return
        entry.process.close()
        entry.session.end()
        self._wire.forget(peer)
        self.busy_at = self._clock.ticks()
        _log.info("window left", pid=entry.session.hello.pid, requests=entry.session.requests, windows=self.count)

    def overflow(self, peer: bytes) -> None:
        """Give up `peer`, a window that does not read while answers accumulate. It begins a new session if it ever
        sends again.
        """
        entry = self._entries.get(peer)
        if entry:
            _log.warning("window reads nothing and is given up", pid=entry.session.hello.pid)
        self.end(peer)

    def crashed(self, session: Session) -> None:
        """End `session` after the SDK has left it by itself: the window begins a new one, and stops if that
        fails too.
        """
        self.end(session.identity)
        self._wire.send(session.identity, frames.pack(frames.BYE))

    def drain(self, kind: int) -> None:
        """Begin to leave, and let windows know in the way that `kind` (a kind of message) stands for.

        DRAINING is sent at once: windows then wait for a successor. BYE is sent by `say_goodbye`. Lines that arrive now
        are left to the next daemon.
        """
        if self._leaving_kind:
            return
        self._leaving_kind = kind
        for entry in self._entries.values():
            entry.session.is_leaving = True
        if kind == frames.DRAINING:
            self._send_to_all(kind)

    def say_goodbye(self) -> None:
        """Send BYE, after the last answers: windows that were not notified yet start a daemon when they next need
        one.
        """
        if self._leaving_kind == frames.BYE:
            self._send_to_all(frames.BYE)

    def close(self) -> None:
        """End every session without a message to its window."""
        for peer in list(self._entries):
            self.end(peer)

    # frames

    def _on_hello(self, peer: bytes, payload: bytes) -> None:
        hello = self._decoded(payload)
        if hello is None:
            self._drop()
            return
        if not self._leaving_kind and version_of(hello.product) > version_of(__version__):
            self._newer(hello.product)  # the older daemon leaves in most cases
        if self._leaving_kind:
            self._wire.send(peer, frames.pack(frames.DRAINING))
            return
        was_known = peer in self._entries
        self.end(peer)  # a window that connects again sends its whole session again
        try:
            self._open(peer, hello, was_known)
        except CodedError as error:
            _log.info("window refused", pid=hello.pid, code=error.code)
            self._refuse(peer, error)

    def _open(self, peer: bytes, hello: Hello, was_known: bool) -> None:
        if len(self._entries) >= MAX_SESSIONS:
            raise EngineUnavailable(f"{MAX_SESSIONS} windows are connected already", remedy="close some")
        if not is_ours(hello.pid):
            raise InvalidParameter(
                f"no process {hello.pid} of this user is to be seen here",
                remedy="run client and daemon in one container",
            )
        begin = self._begin_lsp if hello.language_server else self._begin_mcp
        session = begin(peer, hello, self._clock.ticks(), partial(self._send, peer))
        self._entries[peer] = Entry(session, ClientProcess(hello.pid, partial(self.end, peer)))
        welcome = Welcome(pid=os.getpid(), resumed=was_known)
        self._wire.send(peer, frames.pack(frames.WELCOME), msgspec.msgpack.encode(welcome))
        _log.info("window came", pid=hello.pid, product=hello.product, lsp=hello.language_server, windows=self.count)

    def _begin_mcp(self, peer: bytes, hello: Hello, since: float, send: Send) -> Session:
        session = Session(peer, hello, self._choose(hello), since, send, self._summon)
        session.shortcut = self._equip(session)
        return session

    def _summon(self, session: Session) -> None:
        _log.info("the SDK is needed", pid=session.hello.pid)
        self._attach(session, self.crashed)

    def _on_line(self, peer: bytes, frame: frames.Frame, line: bytes) -> None:
        entry = self._entries.get(peer)
        if self._leaving_kind:
            return  # not acknowledged: the shim sends it to the successor
        if entry:
            entry.session.take(frame.seq, frame.flags, line)
        else:
            self._drop()
            self._wire.send(peer, frames.pack(frames.BYE))

    def _on_ping(self, peer: bytes, frame: frames.Frame) -> None:
        is_known = peer in self._entries
        self._wire.send(peer, frames.pack(frames.PONG, seq=frame.seq) if is_known else frames.pack(frames.BYE))

    def _send_to_all(self, kind: int) -> None:
        for peer in self._entries:
            self._wire.send(peer, frames.pack(kind))

    def _send(self, peer: bytes, kind: int, flags: int, ack: int, payload: bytes | None) -> None:
        header = frames.pack(kind, flags, 0, ack)
        if payload is None:
            self._wire.send(peer, header)
        else:
            self._wire.send(peer, header, payload)

    def _refuse(self, peer: bytes, error: CodedError) -> None:
        self._wire.send(
            peer, frames.pack(frames.REFUSED), msgspec.msgpack.encode(Refused(error.code, error.message, error.remedy))
        )

    def _decoded(self, payload: bytes) -> Hello | None:
        """The greeting in a frame; None for an invalid one."""
        if len(payload) > MAX_HELLO_BYTES:
            return None
        try:
            hello = _hello.decode(payload)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None
        return hello if hello.pid > 0 else None

    def _drop(self) -> None:
        self.dropped_frames += 1
