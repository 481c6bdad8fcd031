"""Every limit of the shim (times, sizes and counts), with its unit and its reason."""

from __future__ import annotations

from typing import Final

# connection
LOOK_S: Final = 0.02  # first pause between looks at the life lock while no daemon has greeted us
LOOK_MOST_S: Final = 0.25  # the pauses grow to this, so that thirty waiting windows cost little
# looks, a second, after which a daemon that has not greeted us is connected to once more, to see whether that is
# refused
LOOKS: Final = 8
RECONNECT_MS: Final = 20  # ZeroMQ's own pause between connection attempts: a daemon binds soon after it starts
RECONNECT_MOST_MS: Final = 200
LOSSES: Final = 6  # lost daemons after which a request is answered with an error: it may be what kills them
PAUSES_S: Final = (0.0, 0.1, 0.3, 1.0, 2.0)  # before the next start after that many failures in a row
PATIENCE_S: Final = 30.0  # how long a request waits for a daemon that lives but does not greet
PULSE_S: Final = 5.0  # silence after which a daemon that owes an answer is pinged, and again until it is looked at
PULSES: Final = (
    12  # pulses without a word after which requests are answered with an error: the loop of a busy daemon answers each
)
BYE_MS: Final = 200  # for the farewell to leave the socket

# leaving, after the client closed its end
# for the answers still owed by a living daemon, which may wait 10 for a first index; who reads no more has closed
# stdout too
EOF_S: Final = 15.0
EOF_START_S: Final = 10.0  # the same while the daemon is still starting
PARENT_S: Final = 1.0  # between looks at the parent, where the system cannot tell of its end

# amounts
READ_BYTES: Final = 64 * 1024  # what a pipe holds
PENDING_BYTES: Final = 64 * 1024 * 1024  # unanswered lines kept; beyond that the client's next lines wait in its pipe
LINE_BYTES: Final = 256  # what keeping a line costs besides its text
INBOX_MESSAGES: Final = 64  # messages that ZeroMQ may hold for a client that does not read
STATE_LINES: Final = 1024  # lines kept for replay: two of the handshake, then subscriptions and the like
BATCH: Final = 64  # messages taken from the daemon before stdin has its turn
EDGE_BYTES: Final = 1024  # kept from either end of an oversize line, to find its id
ROOTS_S: Final = 3.0  # for the client to name its roots; then the current directory counts
