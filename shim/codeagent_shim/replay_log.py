"""The replay log: the lines that are unanswered, and those that made the session what it is: all that a new daemon has
to receive.
"""

from __future__ import annotations

from collections.abc import Callable

from codeagent_protocol.frames import REPLAY, RESENT

from .limits import LINE_BYTES, STATE_LINES


class Entry:
    """An unanswered line.

    `since` is when it came, by the caller's clock; `sent` whether a daemon was told; `losses` counts the daemons it
    outlived.
    """

    __slots__ = ("line", "losses", "sent", "since")

    def __init__(self, line: bytes, since: float, sent: bool) -> None:
        self.line = line
        self.since = since
        self.sent = sent
        self.losses = 0


class Ledger:
    """The lines of one session by their number, from 1 in the client's order.

    Each leaves exactly once: settled or given up.
    """

    def __init__(self) -> None:
        self._pending: dict[int, Entry] = {}
        self._state: dict[int, bytes] = {}
        self._last = 0
        self.bytes = 0

    @property
    def pending(self) -> int:
        """The number of unanswered lines."""
        return len(self._pending)

    @property
    def has_state(self) -> bool:
        """Whether there is a session that a new daemon should know of."""
        return bool(self._state)

    def enter(self, line: bytes, now: float, sent: bool) -> int:
        """Keep a new line until it is settled; `sent` when it goes to a daemon right away. Returns its number."""
        self._last += 1
        self._pending[self._last] = Entry(line, now, sent)
        self.bytes += len(line) + LINE_BYTES
        return self._last

    def adopt(self, line: bytes) -> None:
        """Keep a line that was already answered as part of the session's state."""
        self._last += 1
        self._state[self._last] = line

    def settle(self, seq: int, keep: bool) -> bool:
        """Remove a line that is answered or dealt with; `keep` it as state.

        Returns whether it was owed: only then does the client get the answer.
        """
        entry = self._pending.pop(seq, None)
        if entry is None:
            return False
        self.bytes -= len(entry.line) + LINE_BYTES
        if keep and len(self._state) < STATE_LINES:
            self._state[seq] = entry.line
        return True

    def lose(self) -> None:
        """The daemon is gone, with all it was asked."""
        for entry in self._pending.values():
            entry.losses += 1

    def give_up(self, hopeless: Callable[[Entry], bool]) -> list[bytes]:
        """Take out the unanswered lines that are hopeless; returns them in order."""
        seqs = [seq for seq, entry in self._pending.items() if hopeless(entry)]
        lines = [self._pending[seq].line for seq in seqs]
        for seq in seqs:
            self.settle(seq, keep=False)
        return lines

    def retold(self) -> list[tuple[int, int, bytes]]:
        """What a new daemon is sent now, in the client's order: (number, flags, line).

        REPLAY marks state, RESENT what is unanswered and was sent to a daemon before.
        """
        replayed = [(seq, REPLAY, line) for seq, line in self._state.items()]
        for seq, entry in self._pending.items():
            replayed.append((seq, RESENT if entry.sent else 0, entry.line))
            entry.sent = True
        return sorted(replayed)
