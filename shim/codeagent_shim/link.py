"""The link to the daemon. It greets the daemon, sends each line once, and, when the daemon ends, sends its successor
the lines that the successor needs.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from codeagent_protocol import frames
from codeagent_protocol.errors import ENGINE_UNAVAILABLE, CodedError, EngineUnavailable
from codeagent_protocol.jsonrpc_errors import answer, is_request, parsed
from codeagent_protocol.launch import FAILED, Launch, last_error_line

from . import limits
from .connection import Connection
from .replay_log import Entry, ReplayLog
from .upstream import RefusingUpstream, Sink, Upstream

if TYPE_CHECKING:
    from .standalone_server import StandaloneServer

IDLE: Final = "idle"  # no daemon, and no lines to send: the next line starts one
GREETING: Final = "greeting"  # HELLO was sent; lines wait for the greeting
OPEN: Final = "open"  # lines are sent as they come
PARTING: Final = "parting"  # the daemon makes way for its successor: it finishes its requests, new lines wait


class Link(Upstream):
    """One window's session with whichever daemon serves its repository, or with a server of its own.

    `hello` is the payload of HELLO. `holds_notifications`: a notification is not given up with the requests, since the
    texts of documents are made of them.
    """

    def __init__(
        self, launch: Launch | StandaloneServer, hello: bytes, outbox: Sink, *, holds_notifications: bool = False
    ) -> None:
        self.replay_log = ReplayLog()
        self._endpoint = launch.endpoint
        self._hello = hello
        self._launch = launch
        self._outbox = outbox
        self._holds_notifications = holds_notifications
        self._connection = Connection(launch.endpoint) if isinstance(launch, Launch) else launch
        self._failures = 0  # daemons lost, or not started, since the last one that answered a line
        self._state = IDLE
        self._since = self._heard = self._next_look = time.monotonic()
        self._look_s = limits.LOOK_S
        self._looks = 0  # checks of a daemon that has not sent its greeting
        self._pulses = 0  # pings since the daemon's last message
        self._connect(0.0)

    # called by the bridge

    @property
    def unanswered(self) -> int:
        """The number of lines that no daemon has answered or acknowledged; none while no daemon is to answer them."""
        return 0 if self._state == IDLE else self.replay_log.pending

    @property
    def has_room(self) -> bool:
        """Whether another line may be stored."""
        return self.replay_log.bytes < limits.PENDING_BYTES

    def patience_until(self, eof_at: float) -> float:
        """Return the monotonic time (seconds) until which to wait for answers after the client closed its end at
        `eof_at`: soon for a daemon that runs, later for one that starts.
        """
        return max(eof_at, self._since) + limits.EOF_S if self._state == OPEN else eof_at + limits.EOF_START_S

    def offer(self, line: bytes) -> Upstream:
        """Send `line` to the daemon, at once or as soon as a daemon runs. Returns the upstream that takes over."""
        seq = self.replay_log.enter(line, time.monotonic(), sent=self._state == OPEN)
        if self._state == OPEN:
            if self.replay_log.pending == 1:
                self._heard = time.monotonic()  # the time of silence begins here
            self._connection.send(frames.LINE, line, seq=seq)
        elif self._state == IDLE:
            self._connect(0.0)
        return self

    def watched(self) -> list[tuple[Any, int]]:
        """Return the daemon's socket and its monitor to poll; nothing while the client has not read the messages that
        are waiting for it.
        """
        return self._connection.watched() if self._outbox.has_room else []

    def on_ready(self, ready: dict[Any, int]) -> Upstream:
        """Handle the messages that the daemon sent; then, if the connection is gone, find the next daemon. Returns the
        upstream that takes over.
        """
        socket, is_broken = self._connection.socket, self._connection.is_broken(ready)
        if socket is None or not (is_broken or socket in ready):
            return self
        for _ in range(limits.BATCH):
            message = self._connection.receive()
            if message is None:
                if is_broken:
                    self._on_disconnect()
                return self
            successor = self._take(message)
            if successor is not self or socket is not self._connection.socket or not self._outbox.has_room:
                return successor
        return self

    def tick(self) -> Upstream:
        """Check a daemon that has not sent its greeting, or that owes an answer and is silent. Returns the upstream
        that takes over.
        """
        now = time.monotonic()
        if self._state == GREETING and now >= self._next_look:
            self._look(now)
        elif self._state == OPEN and self.replay_log.pending and now >= self._heard + limits.PULSE_S:
            self._check_pulse(now)
        elif self._state == PARTING and now >= self._since + limits.PATIENCE_S:
            self._connect(0.0)
        return self

    def wait_s(self) -> float | None:
        """Return the seconds until the next check, the next pulse or the end of the waiting time; None when nothing is
        due.
        """
        if self._state == GREETING:
            due = self._next_look
        elif self._state == PARTING:
            due = self._since + limits.PATIENCE_S
        elif self._state == OPEN and self.replay_log.pending:
            due = self._heard + limits.PULSE_S
        else:
            return None
        return max(0.0, due - time.monotonic())

    def leave(self) -> None:
        """Send BYE if a daemon can receive it."""
        if self._state == OPEN:
            self._connection.send(frames.BYE)
        self._launch.release()
        self._connection.end(limits.BYE_MS if self._state == OPEN else 0)

    def give_up(self, error: CodedError) -> None:
        """Answer all requests with `error`, and leave."""
        self._answer_all(lambda: error)
        self.leave()

    # messages

    def _take(self, message: list[bytes]) -> Upstream:
        try:
            frame = frames.unpack(message[0])
        except ValueError:
            return self
        payload = message[1] if len(message) > 1 else b""
        self._heard, self._pulses = time.monotonic(), 0
        if frame.kind == frames.LINE:
            if frame.ack == 0 or self._settle(frame):
                self._outbox.put(payload)
        elif frame.kind == frames.ACK:
            self._settle(frame)
        elif frame.kind == frames.WELCOME:
            self._on_welcome()
        elif frame.kind == frames.REPLACE:
            self._on_replace(payload)
        elif frame.kind == frames.DRAINING:
            self._enter(PARTING)
        elif frame.kind == frames.BYE:
            self._on_bye()
        elif frame.kind == frames.REFUSED:
            return self._on_refused(payload)
        return self

    def _settle(self, frame: frames.Frame) -> bool:
        owed = self.replay_log.settle(frame.ack, keep=bool(frame.flags & frames.STATE))
        if owed:
            self._failures = 0
        return owed

    def _on_replace(self, payload: bytes) -> None:
        try:
            self.replay_log.replace(*frames.unpack_replacement(payload))
        except ValueError:
            return

    def _on_welcome(self) -> None:
        if self._state != GREETING:
            return
        self._launch.release()
        self._enter(OPEN)
        for seq, flags, line in self.replay_log.lines_to_send():
            self._connection.send(frames.LINE, line, flags=flags, seq=seq)
        self._launch.start_successor()

    def _on_bye(self) -> None:
        """Handle a daemon's message that it does not know this session any more.

        A daemon is started again when it is needed: at once if answers are due, else with the next line.
        """
        if self.replay_log.pending:
            self._on_lost_daemon()
            return
        self._launch.release()
        self._connection.close()
        self._enter(IDLE)

    def _on_refused(self, payload: bytes) -> Upstream:
        error = _refusal(payload)
        self.give_up(error)
        return RefusingUpstream(error, self._outbox)

    # connections

    def _connect(self, pause_s: float) -> None:
        """Connect to the next daemon, and after a pause make sure that one runs."""
        self._enter(GREETING)
        self._look_s, self._looks = limits.LOOK_S, 0
        self._next_look = self._since + pause_s
        self._connection.open(self._hello)

    def _enter(self, state: str) -> None:
        self._state = state
        self._since = self._heard = time.monotonic()
        self._pulses = 0

    def _on_disconnect(self) -> None:
        # the last message of a daemon that died while we connected to it: not counted as a loss
        if self._state == GREETING:
            self._connection.close()
            self._next_look = time.monotonic() + limits.LOOK_S
        elif self._state == PARTING:
            self._connect(0.0)
        else:
            self._on_lost_daemon()

    def _on_lost_daemon(self) -> None:
        """Handle a daemon that died or could not be started: try the next one, up to a limit of attempts."""
        self._failures += 1
        self.replay_log.lose()
        is_hopeless = self._failures >= limits.LOSSES
        self._answer_all(self._repeated_loss_error, least=0 if is_hopeless else limits.LOSSES)
        if is_hopeless or not (self.replay_log.pending or self.replay_log.has_state):
            self._connection.close()
            self._enter(IDLE)
        else:
            self._connect(limits.PAUSES_S[self._failures - 1])

    def _look(self, now: float) -> None:
        state = self._launch.step()
        is_telling = state == FAILED or self._looks == limits.LOOKS
        if (
            isinstance(self._launch, Launch)
            and (is_telling or self._looks == 1)
            and self._is_barred(self._launch, connecting=is_telling)
        ):
            return
        if state == FAILED:
            self._on_lost_daemon()
            return
        self._looks += 1
        if self._connection.socket is None or self._connection.has_moved():
            self._connection.open(self._hello)
        self._next_look = now + self._look_s
        self._look_s = min(self._look_s * 1.5, limits.LOOK_MOST_S)
        if now - self._since > limits.PATIENCE_S:
            self._answer_all(lambda: self._silent_daemon_error(limits.PATIENCE_S), waited_s=limits.PATIENCE_S)

    def _is_barred(self, launch: Launch, *, connecting: bool) -> bool:
        """Whether a sandbox keeps this process from reaching any daemon; the session then goes on with a standalone
        server.

        Called when a daemon is late.
        """
        from codeagent_protocol.sandbox import barrier

        from .standalone_server import StandaloneServer

        if why := barrier(self._endpoint, connecting=connecting):
            launch.release()
            self._connection.end(0)
            self._launch = self._connection = StandaloneServer(self._endpoint, why)
            self._connect(0.0)
        return bool(why)

    def _check_pulse(self, now: float) -> None:
        """Check a daemon that owes an answer and is silent: it may be busy, and only a free life lock proves that it is
        dead.

        A busy daemon answers pulses, a stopped one does not.
        """
        if not self._launch.is_up():
            self._on_lost_daemon()
            return
        self._heard = now
        self._pulses += self._outbox.has_room  # else the client does not read, and this shim takes no messages
        if self._pulses > limits.PULSES:
            self._answer_all(lambda: self._silent_daemon_error(limits.PULSES * limits.PULSE_S), waited_s=limits.PULSE_S)
        self._connection.send(frames.PING)

    # errors

    def _answer_all(self, explain: Callable[[], CodedError], least: int = 0, waited_s: float = 0.0) -> None:
        """Answer with an error the lines that have outlived at least `least` daemons and have waited at least
        `waited_s` seconds.
        """
        now = time.monotonic()
        lines = self.replay_log.give_up(
            lambda entry: entry.losses >= least and now - entry.since >= waited_s and not self._is_held(entry)
        )
        error = explain() if lines else None
        for line in lines:
            if error and (response := answer(line, error)):
                self._outbox.put(response)
        if self._holds_notifications and lines:
            self._forget_documents(lines)

    def _forget_documents(self, lines: list[bytes]) -> None:
        """Forget the documents whose changes are among the lines that were given up: for the next daemon such a
        document is as on the disk, instead of wrong.
        """
        from .message_subjects import changed_document  # windows of MCP have no documents

        if changed := {changed_document(parsed(line)) for line in lines} - {None}:
            self.replay_log.forget(lambda line: changed_document(parsed(line)) in changed)

    def _is_held(self, entry: Entry) -> bool:
        """Whether a line is a notification that is not given up: one that does not seem to be what kills daemons."""
        if not self._holds_notifications or self.replay_log.bytes > limits.HELD_BYTES:
            return False
        is_suspect = entry.sent and entry.losses >= limits.LOSSES
        return not is_suspect and not is_request(parsed(entry.line))

    def _repeated_loss_error(self) -> CodedError:
        reason = self._launch.trouble or last_error_line(self._endpoint)
        message = f"the daemon ended {limits.LOSSES} times before it could answer" + (f": {reason}" if reason else "")
        remedy = (
            f"see {self._endpoint.start_log} and {self._endpoint.log}, or run `codeagentd doctor`; the next "
            "request tries again"
        )
        return EngineUnavailable(message, remedy=remedy)

    def _silent_daemon_error(self, seconds: float) -> CodedError:
        message = f"the daemon of {self._endpoint.root} is there but does not answer, not within {seconds:.0f} seconds"
        return EngineUnavailable(
            message, remedy="ask `codeagentd status`, or run `codeagentd restart`; the next request tries again"
        )


def _refusal(payload: bytes) -> CodedError:
    import msgspec  # this import is expensive, and a refusal is rare

    from codeagent_protocol.messages import Refused

    try:
        refused = msgspec.msgpack.decode(payload, type=Refused)
    except msgspec.MsgspecError:
        refused = Refused(message="the daemon refused this session without a reason")
    return CodedError(refused.message, code=refused.code or ENGINE_UNAVAILABLE, remedy=refused.remedy)
