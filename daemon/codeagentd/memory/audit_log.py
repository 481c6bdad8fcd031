"""The log of changes to memories: what was changed, when, and by whom."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import msgspec

from codeagentd.model.memory import AnswerValue

from .memory_rows import Row, iso
from .memory_store import MemoryStore


class Change(AnswerValue, frozen=True):
    """One logged change. `before` and `after` are texts about the changed object; `session` identifies the window, in
    hexadecimal.
    """

    number: int
    at: str
    action: str
    subject: str
    session: str
    before: Any
    after: Any


def changes(memories: MemoryStore, subject: str | None, days: float, limit: int) -> Iterator[Change]:
    """Yield the changes to `subject` (an id; None: to all) of the last `days` days, the newest first."""
    parameters = {"subject": subject, "since": time.time() - days * 86_400}
    with memories.store.read() as db:
        rows = db.all("memory.history", parameters | {"limit": limit})
    for number, at, action, about, session, before, after in rows:
        yield Change(
            number, iso(at), action, about, session.hex(), msgspec.json.decode(before), msgspec.json.decode(after)
        )


def latest(memories: MemoryStore, project: str | None, kind: str | None, limit: int) -> list[Row]:
    """Return the newest memories of this project and kind (None: of all), newest first, at most `limit`."""
    with memories.store.read() as db:
        return [Row(*row) for row in db.all("memory.listed", {"project": project, "type": kind, "limit": limit})]
