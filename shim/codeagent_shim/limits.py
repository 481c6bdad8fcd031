"""Every limit of the shim (times, sizes and counts), with its unit and its reason."""

from __future__ import annotations

from typing import Final

# connection
LOOK_S: Final = 0.02  # first pause between checks of the life lock while no daemon has sent its greeting
LOOK_MOST_S: Final = 0.25  # the pauses grow to this, so that thirty waiting windows cost little
# number of checks, lasting a second, after which the shim connects again to a daemon that has not sent its greeting, to
# find out whether the connection is refused
LOOKS: Final = 8
RECONNECT_MS: Final = 20  # ZeroMQ's own pause between connection attempts: a daemon binds soon after it starts
RECONNECT_MOST_MS: Final = 200
LOSSES: Final = 6  # lost daemons after which a request is answered with an error: it may be what kills them
# pauses in seconds before the next start, by the number of failures in a row
PAUSES_S: Final = (0.0, 0.1, 0.3, 1.0, 2.0)
PATIENCE_S: Final = 30.0  # seconds that a request waits for a daemon that runs but does not send its greeting
PULSE_S: Final = 5.0  # seconds of silence after which a daemon that owes an answer is pinged, and between further pings
PULSES: Final = (
    # pings without any message after which requests are answered with an error: the loop of a busy daemon answers each
    12
)
BYE_MS: Final = 200  # for the good-bye to leave the socket

# when leaving, after the client closed its end: for the answers that a running daemon still owes, which may wait 10
# seconds for a first index; a client that does not read any more has closed stdout too
EOF_S: Final = 15.0
EOF_START_S: Final = 10.0  # the same while the daemon is still starting
PARENT_S: Final = 1.0  # between checks of the parent, where the system does not report its end

# amounts
READ_BYTES: Final = 64 * 1024  # the capacity of a pipe
PENDING_BYTES: Final = 64 * 1024 * 1024  # unanswered lines kept; beyond that the client's next lines wait in its pipe
HELD_BYTES: Final = 16 * 1024 * 1024  # of them, while no daemon can be had; then notifications are given up as well
LINE_BYTES: Final = 256  # memory that storing a line takes besides its text
INBOX_MESSAGES: Final = 64  # messages that ZeroMQ may hold for a client that does not read
STATE_BYTES: Final = 64 * 1024 * 1024  # lines kept for replay: handshake, subscriptions, texts of open documents
STATE_SPARE_BYTES: Final = STATE_BYTES // 16  # room that is made at once where they take more
HANDSHAKE_LINES: Final = 2  # the first of these, which a session cannot do without: initialize and initialized
BATCH: Final = 64  # messages taken from the daemon before stdin is read
HEADER_BYTES: Final = 4096  # a header of LSP; those of clients take less than a hundred bytes
FOLDER_LINKS: Final = 16  # repositories of one editor window, each with a daemon; the rest are left to the main one
JOIN_S: Final = 2.0  # seconds that an answer which others have given waits for those of further repositories
JOINED_ENTRIES: Final = 1000  # symbols of all repositories together: nobody reads as many
EDGE_BYTES: Final = 1024  # bytes kept from either end of an oversize line, to find its id
ROOTS_S: Final = 3.0  # seconds for the client to name its roots; then the current directory counts
