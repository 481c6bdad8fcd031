"""Copies of a team's memories that this machine has written or seen: what is searched while the server is away."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from codeagentd.memory.memory_rows import Row, rows_of
from codeagentd.memory.memory_store import MemoryStore, as_json
from codeagentd.memory.write import digest_of
from codeagentd.model.identifier_words import spelled
from codeagentd.model.memory import ReadMemory, SearchMemories
from codeagentd.store.memory_backend import MemoryConnection, ServerAway

AT_ONCE: Final = 100  # memories that are copied in one transaction

Noted = TypeVar("Noted", SearchMemories, ReadMemory)


def keep_copies(memories: MemoryStore) -> int:
    """Copy the memories that were seen since the last call, as they are on the server now. Returns how many."""
    offline = memories.offline
    if offline is None or not (ids := offline.take_seen(AT_ONCE)):
        return 0
    with memories.store.read() as db:
        numbers = [number for _, number in db.all("memory.numbers_of", (as_json(ids),))]
        rows = rows_of(db, numbers)
    with offline.copies.write() as db:
        for row in rows.values():
            _copy(db, row)
    return len(rows)


def _copy(db: MemoryConnection, row: Row) -> None:
    digest = digest_of(row.title, row.content)
    values = row._asdict() | {"digest": digest}
    number = db.value("memory.restored", values)
    if number is None:
        ((_, number),) = db.all("memory.numbers_of", (as_json([row.id]),))
        present = rows_of(db, [number]).get(number)
        if present and present.updated_at >= row.updated_at:
            return
        db.run("memory.change", values | {"number": number, "now": row.updated_at, "anchored": 1})
        db.run("memory.delete_words", (number,))
        db.run("recall.delete_bits", {"number": number})
    tags: list[Any] = msgspec.json.decode(row.tags)
    db.recall.put_words(number, spelled(row.title), spelled(row.content), " ".join(map(str, tags)))


def with_note(memories: MemoryStore, away: ServerAway, answer: Noted) -> Noted:
    """Return `answer`, from the copies, with a note that says so."""
    assert memories.offline
    waiting = memories.offline.waiting().operations
    note = f"{away.message}: these are copies of what this machine has seen; what else there is, is not known now"
    more = f"{waiting} writes wait for the server" if waiting else ""
    return msgspec.structs.replace(answer, note="; ".join(filter(None, (note, more, answer.note))))
