"""The replay log: the unanswered lines, and the lines that made the session's state. Together they are what a new
daemon has to receive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from codeagent_protocol.frames import MAX_LINE_BYTES, REPLAY, RESENT

from . import limits
from .limits import LINE_BYTES


class Entry:
    """A line without an answer.

    `since` is the time when it came, by the caller's clock; `sent`: whether it was sent to a daemon; `losses` counts
    the daemons that it outlived.
    """

    __slots__ = ("line", "losses", "sent", "since")

    def __init__(self, line: bytes, since: float, sent: bool) -> None:
        self.line = line
        self.since = since
        self.sent = sent
        self.losses = 0


class ReplayLog:
    """The lines of one session by their number `seq`, from 1 in the client's order.

    Each unanswered line is removed exactly once: when it is settled or given up. Lines of state beyond the bound are
    forgotten from the oldest one, except for the handshake. A document is opened before it is changed: so the text of a
    forgotten one is that of the disk, while the text of a document that was forgotten from its end would be wrong.
    """

    def __init__(self) -> None:
        self._pending: dict[int, Entry] = {}
        self._state: dict[int, bytes] = {}
        self._last = 0
        self._state_bytes = 0
        self.bytes = 0

    @property
    def pending(self) -> int:
        """The number of unanswered lines."""
        return len(self._pending)

    @property
    def has_state(self) -> bool:
        """Whether the session has state that a new daemon has to receive."""
        return bool(self._state)

    def enter(self, line: bytes, now: float, sent: bool) -> int:
        """Store a new line until it is settled; `sent`: whether it goes to a daemon at once. Returns its number."""
        self._last += 1
        self._pending[self._last] = Entry(line, now, sent)
        self.bytes += len(line) + LINE_BYTES
        return self._last

    def add_state(self, line: bytes) -> None:
        """Store a line that was already answered, as part of the session's state."""
        self._last += 1
        self._keep(self._last, line)

    def settle(self, seq: int, keep: bool) -> bool:
        """Remove the line with the number `seq`, which was answered or acknowledged; `keep` stores it as part of the
        session's state.

        Returns whether the line was waiting for an answer: only then does the client get the answer.
        """
        entry = self._pending.pop(seq, None)
        if entry is None:
            return False
        self.bytes -= len(entry.line) + LINE_BYTES
        if keep:
            self._keep(seq, entry.line)
        return True

    def replace(self, seqs: Sequence[int], line: bytes) -> None:
        """Replace the lines of state with these numbers by `line`, which takes the highest of the numbers; an empty
        line only removes them.

        A line that is too long for a frame is not stored: it would end each connection.
        """
        for seq in seqs:
            self._forget(seq)
        if line and len(line) <= MAX_LINE_BYTES and 0 < max(seqs, default=0) <= self._last:
            self._keep(max(seqs), line)

    def forget(self, is_obsolete: Callable[[bytes], bool]) -> None:
        """Remove the lines of state for which `is_obsolete` is true."""
        for seq in [seq for seq, line in self._state.items() if is_obsolete(line)]:
            self._forget(seq)

    def lose(self) -> None:
        """Note that the daemon is gone, and that every line sent to it is lost."""
        for entry in self._pending.values():
            entry.losses += 1

    def give_up(self, hopeless: Callable[[Entry], bool]) -> list[bytes]:
        """Remove the unanswered lines for which `hopeless` is true. Returns these lines in order."""
        seqs = [seq for seq, entry in self._pending.items() if hopeless(entry)]
        lines = [self._pending[seq].line for seq in seqs]
        for seq in seqs:
            self.settle(seq, keep=False)
        return lines

    def lines(self) -> list[bytes]:
        """Return the lines of state and those without an answer, in the client's order."""
        lines = self._state | {seq: entry.line for seq, entry in self._pending.items()}
        return [lines[seq] for seq in sorted(lines)]

    def lines_to_send(self) -> list[tuple[int, int, bytes]]:
        """Return the lines to send to a new daemon, in the client's order: (number, flags, line).

        REPLAY marks lines that made state, RESENT unanswered lines that were sent to an earlier daemon.
        """
        replayed = [(seq, REPLAY, line) for seq, line in self._state.items()]
        for seq, entry in self._pending.items():
            replayed.append((seq, RESENT if entry.sent else 0, entry.line))
            entry.sent = True
        return sorted(replayed)

    def _keep(self, seq: int, line: bytes) -> None:
        self._state[seq] = line
        self._state_bytes += len(line) + LINE_BYTES
        if self._state_bytes > limits.STATE_BYTES:
            for oldest in sorted(self._state)[limits.HANDSHAKE_LINES :]:
                if self._state_bytes <= limits.STATE_BYTES - limits.STATE_SPARE_BYTES:
                    break
                self._forget(oldest)

    def _forget(self, seq: int) -> None:
        line = self._state.pop(seq, None)
        if line is not None:
            self._state_bytes -= len(line) + LINE_BYTES
