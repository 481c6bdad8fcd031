"""The progress of the index, for editors that show it: $/progress while it is being built.

Source: Language Server Protocol 3.17, "Server Initiated Progress".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from codeagentd.model.engine_status import Progress

TOKEN: Final = "codeagentd/index"
CREATE_ID: Final = "codeagentd/progress"  # id of the request that announces the token
PACE_S: Final = 0.5  # seconds between two reports
LOOKS: Final = 20  # for an index that is being built, after the session began
PATIENCE_S: Final = 0.3  # seconds after which an index that is still being built is worth a report

Tell = Callable[[dict[str, Any]], None]


class IndexProgress:
    """Reports the progress of one session, from its beginning until the index is built."""

    def __init__(self, tell: Tell, look: Callable[[], Progress]) -> None:
        self._tell = tell
        self._look = look
        self._is_begun = False
        self._is_over = False
        self._percentage = 0
        self._looks = 0  # without an index that is being built
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Announce the progress in a moment, if the index is still being built then."""
        self._schedule(PATIENCE_S, self._announce)

    def on_created(self, *, is_accepted: bool) -> None:
        """Begin to report, once the client has accepted the announcement."""
        if is_accepted and not self._is_over:
            self._is_begun = True
            self._report({"kind": "begin", "title": "Indexing", "percentage": 0})
            self._tick()

    def stop(self) -> None:
        """End without a further message: the client is gone."""
        self._is_over = True
        if self._timer:
            self._timer.cancel()

    def _announce(self) -> None:
        if not self._look().total:
            self._looks += 1
            if self._looks < LOOKS:  # the daemon may have just started
                self._schedule(PACE_S, self._announce)
        else:
            params = {"token": TOKEN}
            method = "window/workDoneProgress/create"
            self._tell({"jsonrpc": "2.0", "id": CREATE_ID, "method": method, "params": params})

    def _tick(self) -> None:
        progress = self._look()
        if not progress.total:
            self._report({"kind": "end"})
            self._is_over = True
            return
        self._percentage = max(self._percentage, min(99, 100 * progress.done // progress.total))
        message = f"{progress.phase}: {progress.done:,} of {progress.total:,}"
        self._report({"kind": "report", "message": message, "percentage": self._percentage})
        self._schedule(PACE_S, self._tick)

    def _report(self, value: dict[str, Any]) -> None:
        self._tell({"jsonrpc": "2.0", "method": "$/progress", "params": {"token": TOKEN, "value": value}})

    def _schedule(self, seconds: float, work: Callable[[], None]) -> None:
        if not self._is_over:
            self._timer = asyncio.get_running_loop().call_later(seconds, work)
