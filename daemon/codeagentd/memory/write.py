"""Storing, changing, linking and deleting memories: one short transaction each, with its entry in the audit feed."""

from __future__ import annotations

import time
from typing import Any, Final, NamedTuple

import msgspec

from codeagent_protocol.errors import InvalidParameter, StoreFailed
from codeagentd.model.identifier_words import spelled
from codeagentd.model.ids import text_digest
from codeagentd.model.kept_texts import NOTE, without_secrets
from codeagentd.model.memory import DeletedMemory, Edge, LinkView, StoredMemory
from codeagentd.secrets.redaction import redacted
from codeagentd.store.memory_backend import MemoryConnection

from . import metadata as fields
from .anchor_status import AnchorStates, views
from .anchors import LATER, Anchor, anchors_of, put_anchors
from .candidates import embedded
from .memory_rows import Row, iso, memory_by_id, rows_of
from .memory_store import Caller, Code, MemoryStore, as_json, new_id, note, record, recorded, write_once
from .similar_links import duplicates, relink, similar_memories
from .vectors import put, vector_of

KEPT_DAYS: Final = 90  # page 004: deleted memories, and every change

SHOWN: Final = 50  # links listed for a memory that was just written


class Draft(NamedTuple):
    """The content of a memory to be written, without secrets, and its anchors."""

    title: str
    content: str
    metadata: dict[str, Any]
    tags: list[str]
    confidence: float
    notes: tuple[str, ...]
    anchors: tuple[Anchor, ...]
    is_behind: bool  # the index was behind: there may be more anchors

    @property
    def speaks_of_code(self) -> bool:
        """Whether the memory has anchors, or may get some."""
        return bool(self.anchors) or self.is_behind

    @property
    def digest(self) -> bytes:
        """The digest of the text that is embedded."""
        return digest_of(self.title, self.content)

    @property
    def text(self) -> str:
        """The text that is embedded: title and content."""
        return f"{self.title}\n{self.content}"

    def columns(self) -> dict[str, Any]:
        """Return the columns of the memory as parameters for the statements."""
        return {
            "title": self.title,
            "content": self.content,
            "metadata": as_json(self.metadata),
            "tags": as_json(self.tags),
            "confidence": self.confidence,
            "digest": self.digest,
            "anchored": not self.is_behind,
            "now": time.time(),
        }


def digest_of(title: str, content: str) -> bytes:
    """Return the digest of the text that is embedded for a memory: its title and content."""
    return text_digest(f"{title}\n{content}")


def draft(
    memories: MemoryStore,
    code: Code,
    kind: str,
    title: str,
    content: str,
    metadata: dict[str, Any],
    tags: list[str],
    confidence: float,
) -> Draft:
    """Return the content of a memory of type `kind` after checking it, with its anchors. Errors: invalid_parameter."""
    if not content.strip():
        raise InvalidParameter("content is empty", remedy="say what is to be remembered", parameter="content")
    clean = (redacted(title), redacted(content), without_secrets(fields.checked(kind, metadata)))
    notes = (NOTE,) if clean != (title, content, metadata) else ()
    anchors, more = anchors_of(memories.repository, code, f"{clean[0]}\n{clean[1]}", clean[2])
    return Draft(
        *clean,
        list(dict.fromkeys(redacted(tag) for tag in tags)),
        confidence,
        (*notes, *more),
        tuple(anchors),
        LATER in more,
    )


def store(
    memories: MemoryStore, caller: Caller, code: Code, kind: str, new_draft: Draft, project: str, source_task: str,
    memory: str = "",
) -> StoredMemory:  # fmt: skip
    """Store `new_draft` as a memory of type `kind` with the id `memory` (a new one unless given), and return the
    answer.
    """
    embedding = embedded(memories.embedder, new_draft.text)

    def work(db: MemoryConnection) -> StoredMemory:
        identity = {
            "id": memory or new_id(),
            "type": kind,
            "project": project,
            "source_task": source_task,
            "repository": memories.repository if new_draft.speaks_of_code else "",
        }
        db.run("memory.open_project", (project,))
        stored = db.row("memory.put", new_draft.columns() | identity)
        assert stored is not None
        row = Row(*stored)
        note(db, caller, "store", row.id, None, row.view())
        return _settle(
            memories,
            db,
            code,
            row,
            new_draft._replace(notes=(*new_draft.notes, *_unknown_task(db, source_task))),
            embedding,
            is_new=True,
        )

    return write_once(memories, caller, StoredMemory, work)


def _unknown_task(db: MemoryConnection, task: str) -> list[str]:
    """A note in words if no board has the named task."""
    return (
        [f"there is no task {task}: source_task is kept as it is"]
        if task and not db.row("tasks.by_id", (task,))
        else []
    )


def update(
    memories: MemoryStore, caller: Caller, code: Code, memory: str, *, content: str | None, title: str | None,
    metadata: dict[str, Any] | None, tags: list[str] | None, confidence: float | None,
) -> StoredMemory:  # fmt: skip
    """Change the memory with the id `memory`, and return the answer; arguments that are None leave their fields
    unchanged.

    Of two changes at once the last one counts, and both are in the audit feed.
    """
    with memories.store.read() as db:
        known = memory_by_id(db, memory)
    new_draft = _changed(memories, code, known, content, title, metadata, tags, confidence)
    embedding = embedded(memories.embedder, new_draft.text)

    def work(db: MemoryConnection) -> StoredMemory:
        old = locked(db, memory)
        new, vector = new_draft, embedding
        if old[3:9] != known[3:9]:  # another call changed it meanwhile: this change is applied to the new state
            new, vector = _changed(memories, code, old, content, title, metadata, tags, confidence), ("", b"")
        db.run(
            "memory.change",
            new.columns()
            | {"number": old.number, "repository": memories.repository if new.speaks_of_code else old.repository},
        )
        db.run("memory.delete_words", (old.number,))
        row = rows_of(db, [old.number])[old.number]
        note(db, caller, "update", row.id, old.view(), row.view())
        return _settle(memories, db, code, row, new, vector)

    return write_once(memories, caller, StoredMemory, work)


def _changed(
    memories: MemoryStore, code: Code, old: Row, content: str | None, title: str | None,
    metadata: dict[str, Any] | None, tags: list[str] | None, confidence: float | None,
) -> Draft:  # fmt: skip
    return draft(
        memories,
        code,
        old.type,
        old.title if title is None else title,
        old.content if content is None else content,
        fields.merged(msgspec.json.decode(old.metadata), metadata or {}),
        msgspec.json.decode(old.tags) if tags is None else tags,
        old.confidence if confidence is None else confidence,
    )


def _settle(
    memories: MemoryStore, db: MemoryConnection, code: Code, row: Row, new_draft: Draft, embedding: tuple[str, bytes],
    *, is_new: bool = False,
) -> StoredMemory:  # fmt: skip
    """Update everything that depends on a memory's content: words, vector, links, anchors. One that `is_new` has no
    links but those to the memories like it.
    """
    db.recall.put_words(row.number, spelled(new_draft.title), spelled(new_draft.content), " ".join(new_draft.tags))
    vector = vector_of(db, *embedding)
    near = similar_memories(db, row, vector)
    put(db, row.number, new_draft.digest, vector)
    links = relink(db, row, near, "similar" if vector.is_there else "similar words")
    put_anchors(db, memories.repository, row.number, new_draft.anchors)
    same = duplicates(row, near)
    offer = f"{len(same)} nearly the same: update one and delete the other, if both say one thing" if same else ""
    standing = AnchorStates("current" if new_draft.anchors else "", views(new_draft.anchors))
    return StoredMemory(
        **row.view(),
        status=standing.status,
        anchors=standing.anchors,
        links=links if is_new else links_of(db, row.number),
        near_duplicates=same,
        note="; ".join(filter(None, (*new_draft.notes, offer))),
    )


def links_of(db: MemoryConnection, number: int) -> list[LinkView]:
    """Return the strongest links of the memory `number`."""
    ends = db.all("memory.neighbours", {"numbers": as_json([number]), "limit": SHOWN})
    rows = rows_of(db, {end[1] for end in ends})
    return [LinkView(rows[end[1]].id, end[3], rows[end[1]].title, end[4], "out" if end[2] else "in") for end in ends]


def delete(memories: MemoryStore, caller: Caller, memory: str) -> DeletedMemory:
    """Remove the memory with the id `memory` from every answer; it stays in the audit log for some time."""

    def work(db: MemoryConnection) -> DeletedMemory:
        row = locked(db, memory)
        retire(db, caller, row)
        return DeletedMemory(row.id, True, f"`codeagentd memory log` shows it for {KEPT_DAYS} days")

    return write_once(memories, caller, DeletedMemory, work)


def locked(db: MemoryConnection, memory: str, parameter: str = "id") -> Row:
    """Return the row of the memory with the id `memory`, which nobody else changes until the transaction ends. Errors:
    not_found; db_error where the caller may read the memory but not change it.
    """
    may_change = db.value("memory.lock", (memory,)) is not None
    row = memory_by_id(db, memory, parameter)
    if not may_change:
        raise StoreFailed(
            f"memories of the project {row.project!r} are only read by this user",
            remedy="ask the database's owner for `codeagentd memory grant`",
        )
    return row


def retire(db: MemoryConnection, caller: Caller, row: Row) -> None:
    """Delete the memory `row` inside a transaction."""
    db.run("memory.set_deleted", (time.time(), row.number))
    db.run("memory.delete_words", (row.number,))
    db.run("recall.delete_bits", {"number": row.number})
    db.run("code_chunks.drop", (row.number,))
    note(db, caller, "delete", row.id, row.view(), None)


def link(memories: MemoryStore, caller: Caller, source: str, target: str, reason: str, strength: float) -> Edge:
    """Link the memory `source` to `target` (ids), and return the link. Errors: not_found, invalid_parameter for a link
    from a memory to itself.
    """
    if source == target:
        raise InvalidParameter(
            "from_id and to_id are the same memory", remedy="link two different ones", parameter="to_id"
        )

    def work(db: MemoryConnection) -> Edge:
        start, end = locked(db, source, "from_id"), memory_by_id(db, target, "to_id")
        now = time.time()
        clean = redacted(reason)
        db.run(
            "memory.put_link",
            {
                "source": start.number,
                "target": end.number,
                "reason": clean,
                "strength": strength,
                "automatic": 0,
                "now": now,
            },
        )
        edge = Edge(start.id, end.id, strength, clean, iso(now))
        note(db, caller, "link", start.id, None, edge)
        return edge

    return write_once(memories, caller, Edge, work)


def count_access(memories: MemoryStore, caller: Caller, row: Row) -> Row:
    """Record that the memory `row` was read, once for each call, and return its row after that. A failure to record
    does not prevent the read.
    """
    now = time.time()
    with memories.store.write() as db:
        if recorded(db, caller) is not None:
            return rows_of(db, [row.number]).get(row.number, row)
        db.run("memory.count_access", (now, row.number))
        record(db, caller, b"{}")
    return row._replace(access_count=row.access_count + 1, last_accessed=now)
