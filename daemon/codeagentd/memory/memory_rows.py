"""The row of a memory in the database, and its view in answers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import msgspec

from codeagent_protocol.errors import NotFound
from codeagentd.store.memory_backend import MemoryConnection

from .memory_store import as_json

SNIPPET: Final = 160  # characters


class Row(NamedTuple):
    """The row of a memory: the columns of the statement memory.by_id."""

    number: int
    id: str
    type: str
    title: str
    content: str
    metadata: str
    tags: str
    project: str
    confidence: float
    source_task: str
    repository: str
    access_count: int
    last_accessed: float
    created_at: float
    updated_at: float

    def view(self) -> dict[str, Any]:
        """The fields of model.memory.MemoryView that come from the row itself."""
        return {
            "id": self.id,
            "type": self.type,
            "title": self.title,
            "content": self.content,
            "metadata": msgspec.json.decode(self.metadata),
            "tags": msgspec.json.decode(self.tags),
            "project": self.project,
            "confidence": self.confidence,
            "access_count": self.access_count,
            "created_at": iso(self.created_at),
            "updated_at": iso(self.updated_at),
            "last_accessed": iso(self.last_accessed),
            "source_task": self.source_task,
        }


def iso(seconds: float) -> str:
    """Return unix seconds as ISO 8601 in UTC; '' for 0, which means never."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds") if seconds else ""


def memory_by_id(db: MemoryConnection, memory: str, parameter: str = "id") -> Row:
    """Return the row of the memory with the id `memory`, unless it is deleted; `parameter` names the tool's parameter
    in errors. Errors: not_found.
    """
    row = db.row("memory.by_id", (memory,))
    if row is None:
        raise NotFound(f"no memory has the {parameter} {memory[:60]!r}", remedy="search finds ids", parameter=parameter)
    return Row(*row)


def rows_of(db: MemoryConnection, numbers: Iterable[int]) -> dict[int, Row]:
    """Return the rows of the memories `numbers` that are not deleted, by number."""
    chosen = list(numbers)
    rows = db.all("memory.by_numbers", (as_json(chosen),)) if chosen else ()
    return {row[0]: Row(*row) for row in rows}


def snippet(text: str, at: int = 0) -> str:
    """Return a part of `text` around the position `at`, on one line."""
    start = max(0, at - SNIPPET // 3) if at > SNIPPET // 2 else 0
    piece = " ".join(text[start : start + SNIPPET].split())
    return f"{'…' if start else ''}{piece}{'…' if start + SNIPPET < len(text) else ''}"
