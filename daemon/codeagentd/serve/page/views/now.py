"""The first page: what is happening in the daemon now."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Final

from codeagent_protocol.status import Status, percent
from codeagentd.serve.page.chart import line_chart
from codeagentd.serve.page.questions import Json, PageRequest, Shown

CALLS: Final = 30
LOG_LINES: Final = 15
LOG_BYTES: Final = 16_000
LONGEST_LINE: Final = 400  # characters


def now(request: PageRequest) -> Shown:
    """Show the state, the index, the clients, the last questions and the log."""
    status, journal = request.daemon.status(), request.daemon.journal
    clients = {window.pid: window.client or "client" for window in status.windows}
    return Shown(
        "now",
        "Now",
        {
            "status": status,
            "coverage": [_coverage(language) for language in status.languages],
            "calls": [_call(request, entry, clients) for entry in journal.last(CALLS)],
            "latencies": journal.latencies(),
            "memory": line_chart(request.daemon.memory.values),
            "log": log_tail(request.daemon.log),
        },
    )


def _coverage(language: object) -> Json:
    references = language.references  # type: ignore[attr-defined]
    return {
        "language": language,
        "settled": percent(references.settled),
        "open": references.total - references.resolved - references.external,
    }


def _call(request: PageRequest, entry: object, clients: dict[int, str]) -> Json:
    text = entry.text  # type: ignore[attr-defined]
    return {
        "entry": entry,
        "client": clients.get(entry.window, ""),  # type: ignore[attr-defined]
        "tokens": request.ctx.tokens(text) if text else None,
    }


def log_tail(log: Path) -> list[str]:
    """Return the last lines of the log; none where it cannot be read."""
    with suppress(OSError), log.open("rb") as file:
        file.seek(0, 2)
        file.seek(max(0, file.tell() - LOG_BYTES))
        lines = file.read().decode("utf-8", "replace").splitlines()
        return [line[:LONGEST_LINE] for line in deque(lines, LOG_LINES)]
    return []


__all__ = ["Status", "log_tail", "now"]
