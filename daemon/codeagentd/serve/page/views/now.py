"""The first page: what is happening in the daemon now."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from codeagent_protocol.status import LanguageStatus, percent
from codeagentd.secrets.redaction import without_doubts
from codeagentd.serve.call_journal import JournalEntry
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


def _coverage(language: LanguageStatus) -> Json:
    references = language.references
    return {"language": language, "settled": percent(references.settled) if references.total else None}


def _call(request: PageRequest, entry: JournalEntry, clients: dict[int, str]) -> Json:
    tokens = request.ctx.tokens(entry.text) if entry.text else None
    # clients ask with what they have read; the scanner would start anew with each call
    arguments = without_doubts(entry.arguments, is_code=False)
    return {"entry": entry._replace(arguments=arguments), "client": clients.get(entry.window, ""), "tokens": tokens}


def log_tail(log: Path) -> list[Json]:
    """Return the last lines of the log as {time, level, event, facts}; none where it cannot be read."""
    with suppress(OSError), log.open("rb") as file:
        file.seek(0, 2)
        file.seek(max(0, file.tell() - LOG_BYTES))
        lines = file.read().decode("utf-8", "replace").splitlines()
        return [_log_line(line) for line in deque(lines, LOG_LINES)]
    return []


def _log_line(line: str) -> Json:
    with suppress(msgspec.MsgspecError):
        entry = msgspec.json.decode(line, type=dict[str, Any])
        facts = ", ".join(
            f"{name} {value}" for name, value in entry.items() if name not in ("time", "level", "event", "logger")
        )
        return {name: str(entry.get(name, "")) for name in ("time", "level", "event")} | {"facts": facts[:LONGEST_LINE]}
    return {"time": "", "level": "", "event": line[:LONGEST_LINE], "facts": ""}
