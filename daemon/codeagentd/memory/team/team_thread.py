"""The thread of a daemon that shares memories with others: it hears what they change, sends what has waited for the
server, keeps copies of what was seen, and renews the leases of this machine's windows.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.base.log import EventLog
from codeagentd.memory.leases import release_ended, renew
from codeagentd.memory.memory_store import Code, MemoryStore
from codeagentd.store.memory_backend import ChangeListener

from .copies import keep_copies
from .memory_operations import send

LOOK_S: Final = 2.0  # between two looks whether something waits to be sent
RENEW_S: Final = 30.0  # a quarter of the time after which the server ends a lease that nobody renews
PAUSE_S: Final = (1.0, 15.0)  # before another attempt to reach the server: the first pause, doubled up to the last

_log = EventLog(__name__)


class TeamThread:
    """The thread. It never keeps the process alive."""

    def __init__(self, memories: MemoryStore, code: Callable[[], Code], changed: Callable[[], None]) -> None:
        """Prepare the thread. `code` returns the repository's present code; `changed` is called after a change by any
        daemon.
        """
        self._memories = memories
        self._code = code
        self._changed = changed
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memory-team", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current step."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        pause_s, last_warning = PAUSE_S[0], ""
        while not self._stopping.is_set():
            try:
                with self._memories.store.listen() as listener:
                    pause_s, last_warning = PAUSE_S[0], ""
                    self._follow(listener)
            except CodedError as error:
                if last_warning != error.message:
                    _log.warning("the team's memories are away", why=error.message)
                last_warning = error.message
            except Exception as error:  # noqa: BLE001 - the next attempt meets it again
                _log.error("following the team's memories failed", error)
            self._stopping.wait(pause_s)
            pause_s = min(PAUSE_S[1], pause_s * 2)

    def _follow(self, listener: ChangeListener) -> None:
        """Do what is due for as long as the server is there. Errors: ServerAway."""
        due = 0.0
        while not self._stopping.is_set():
            if time.monotonic() >= due:
                release_ended(self._memories)
                renew(self._memories)
                due = time.monotonic() + RENEW_S
            send(self._memories, self._code())
            keep_copies(self._memories)
            if listener.wait(LOOK_S):
                self._changed()
