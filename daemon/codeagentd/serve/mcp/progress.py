"""Progress notifications for calls that wait while the index is built, to clients that requested them.

The values only rise, as MCP requires: the steps after reading the files are added to the number of files. The last
notification comes before the answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from codeagentd.model.engine_status import Progress
from codeagentd.serve.sessions.session import PendingRequest, Session

PACE_S: Final = 0.25  # seconds between two checks, and before the first: most calls are answered long before
TOKEN: Final = "progressToken"


def report(session: Session, pending: PendingRequest, look: Callable[[], Progress]) -> None:
    """Send progress for the request `pending`, as `look` returns it, until it is answered. Only if its client requested
    that; to be called on the event loop.
    """
    meta = (pending.request.params or {}).get("_meta")
    token = meta.get(TOKEN) if isinstance(meta, dict) else None
    if isinstance(token, str | int) and not isinstance(token, bool):
        _Reporter(session, pending, look, token).wait()


class _Reporter:
    """Checks the progress at intervals, and sends a notification when it has advanced."""

    def __init__(
        self, session: Session, pending: PendingRequest, look: Callable[[], Progress], token: str | int
    ) -> None:
        self._session = session
        self._pending = pending
        self._look = look
        self._token = token
        self._last = Progress()
        self._before = 0  # the values of the phases before this one
        self._reported = -1

    def wait(self) -> None:
        """Schedule the next check."""
        asyncio.get_running_loop().call_later(PACE_S, self._tick)

    def _tick(self) -> None:
        if not self._session.is_pending(self._pending):
            return
        progress = self._look()
        if progress.phase != self._last.phase:
            self._before += self._last.done
        self._last = progress
        done = self._before + progress.done
        if progress.total and done > self._reported:
            self._reported = done
            self._session.tell(self._message(done, self._before + progress.total, progress.phase))
        self.wait()

    def _message(self, done: int, total: int, phase: str) -> dict[str, Any]:
        params = {"progressToken": self._token, "progress": done, "total": total, "message": phase}
        return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
