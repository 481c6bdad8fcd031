"""Writes of memories as values: done at once, or kept in the outbox while the team's server is away and done later."""

from __future__ import annotations

import secrets
from typing import Any, Final, TypeVar

import msgspec

from codeagent_protocol.errors import CodedError, NotFound, StoreFailed
from codeagent_protocol.locks import FileLock
from codeagentd.base.log import EventLog
from codeagentd.memory import write
from codeagentd.memory.anchors import Anchor
from codeagentd.memory.memory_store import Caller, Code, MemoryStore, copies_of, new_id
from codeagentd.memory.write import Draft
from codeagentd.model.kept_texts import without_secrets
from codeagentd.model.memory import DeletedMemory, Edge, StoredMemory
from codeagentd.secrets.redaction import redacted
from codeagentd.store.memory_backend import ServerAway, WriteConflict

from .offline_files import SENDING, OfflineFiles, QueuedOperation

WAITS: Final = "kept on this machine: the team's server is away, and gets it when it is back"
_KEY_BYTES: Final = 16  # of the key of a call that has none

_log = EventLog(__name__)
Answer = TypeVar("Answer", StoredMemory, DeletedMemory, Edge)


class Operation(msgspec.Struct, frozen=True, tag_field="kind"):
    """A write, without secrets. `repository`: the one whose code it is about."""


class StoreOperation(Operation, frozen=True, tag="store", kw_only=True):
    """A new memory; its id is chosen before, so that it is one memory wherever it is stored."""

    id: str
    type: str
    project: str
    source_task: str
    repository: str
    title: str
    content: str
    metadata: dict[str, Any]
    tags: list[str]
    confidence: float
    notes: list[str]
    anchors: list[Anchor]
    is_behind: bool


class UpdateOperation(Operation, frozen=True, tag="update", kw_only=True):
    """A change of a memory; None leaves a field as it is."""

    id: str
    repository: str
    content: str | None = None
    title: str | None = None
    metadata: dict[str, Any] | None = None
    tags: list[str] | None = None
    confidence: float | None = None


class DeleteOperation(Operation, frozen=True, tag="delete"):
    """The end of a memory."""

    id: str


class LinkOperation(Operation, frozen=True, tag="link", kw_only=True):
    """A link between two memories."""

    source: str
    target: str
    reason: str
    strength: float


_decoder = msgspec.json.Decoder(StoreOperation | UpdateOperation | DeleteOperation | LinkOperation)


def store(
    memories: MemoryStore, caller: Caller, code: Code, kind: str, draft: Draft, project: str, source_task: str
) -> StoredMemory:
    """Store `draft` as a memory of type `kind`, and return the answer."""
    operation = StoreOperation(
        id=new_id(), type=kind, project=project, source_task=source_task, repository=memories.repository,
        title=draft.title, content=draft.content, metadata=draft.metadata, tags=draft.tags,
        confidence=draft.confidence, notes=list(draft.notes), anchors=list(draft.anchors),
        is_behind=draft.is_behind,
    )  # fmt: skip
    return carry_out(memories, caller, code, operation, StoredMemory)


def update(
    memories: MemoryStore, caller: Caller, code: Code, memory: str, *, content: str | None, title: str | None,
    metadata: dict[str, Any] | None, tags: list[str] | None, confidence: float | None,
) -> StoredMemory:  # fmt: skip
    """Change the memory with the id `memory`, and return the answer; None leaves a field as it is."""
    operation = UpdateOperation(
        id=memory, repository=memories.repository, content=content, title=title, metadata=metadata, tags=tags,
        confidence=confidence,
    )  # fmt: skip
    return carry_out(memories, caller, code, operation, StoredMemory)


def delete(memories: MemoryStore, caller: Caller, code: Code, memory: str) -> DeletedMemory:
    """Delete the memory with the id `memory`, and return the answer."""
    return carry_out(memories, caller, code, DeleteOperation(memory), DeletedMemory)


def link(
    memories: MemoryStore, caller: Caller, code: Code, source: str, target: str, reason: str, strength: float
) -> Edge:
    """Link the memory `source` to `target`, and return the link."""
    operation = LinkOperation(source=source, target=target, reason=redacted(reason), strength=strength)
    return carry_out(memories, caller, code, operation, Edge)


def perform(memories: MemoryStore, caller: Caller, code: Code, operation: Operation) -> Any:
    """Do `operation` now, once for each call. Errors: those of the functions in `write`; ServerAway."""
    match operation:
        case StoreOperation() as new:
            draft = Draft(
                new.title, new.content, new.metadata, new.tags, new.confidence, tuple(new.notes),
                tuple(new.anchors), new.is_behind,
            )  # fmt: skip
            there = msgspec.structs.replace(memories, repository=new.repository)
            return write.store(there, caller, code, new.type, draft, new.project, new.source_task, new.id)
        case UpdateOperation() as change:
            # the anchors of another repository's code cannot be looked up here: they stay as they are
            there = memories if change.repository == memories.repository else _without_code(memories)
            fields = {name: getattr(change, name) for name in ("content", "title", "metadata", "tags", "confidence")}
            return write.update(there, caller, code, change.id, **fields)
        case DeleteOperation() as end:
            return write.delete(memories, caller, end.id)
        case LinkOperation() as edge:
            return write.link(memories, caller, edge.source, edge.target, edge.reason, edge.strength)
    raise AssertionError(operation)


def _without_code(memories: MemoryStore) -> MemoryStore:
    return msgspec.structs.replace(memories, repository="")


def carry_out(memories: MemoryStore, caller: Caller, code: Code, operation: Operation, kind: type[Answer]) -> Answer:
    """Do `operation`, or keep it while the server is away or earlier ones still wait, and return the answer, which is
    of type `kind`. Errors: those of `perform`; db_error where neither is possible.
    """
    offline = memories.offline
    if offline is None:
        return msgspec.convert(perform(memories, caller, code, operation), kind)
    if not caller.session:
        caller = msgspec.structs.replace(caller, session=secrets.token_bytes(_KEY_BYTES))
    if not offline.waiting().operations:
        try:
            answer = msgspec.convert(perform(memories, caller, code, operation), kind)
            if isinstance(answer, StoredMemory):
                offline.note_seen([answer.id])
            return answer
        except ServerAway as away:
            _log.warning("a write waits for the team's server", why=away.message)
    return _queued(memories, offline, caller, code, operation, kind)


def _queued(
    memories: MemoryStore, offline: OfflineFiles, caller: Caller, code: Code, operation: Operation, kind: type[Answer]
) -> Answer:
    """Do `operation` on this machine's copies, and keep it for the server."""
    try:
        answer = msgspec.convert(perform(copies_of(memories), caller, code, operation), kind)
    except NotFound as unknown:
        raise StoreFailed(
            f"the team's memories are away, and this machine has no copy: {unknown.message}",
            remedy="try again when `codeagentd memory status` says that the server is back",
        ) from None
    offline.put(caller.session, caller.seq, msgspec.json.encode(_clean(operation)))
    if isinstance(answer, Edge):
        return answer
    return msgspec.structs.replace(answer, note="; ".join(filter(None, (answer.note, WAITS))))


def _clean(operation: Operation) -> Operation:
    """The operation as it may be written to a disk."""
    if not isinstance(operation, UpdateOperation):
        return operation  # made of texts that are clean
    return msgspec.structs.replace(
        operation,
        content=operation.content and redacted(operation.content),
        title=operation.title and redacted(operation.title),
        metadata=operation.metadata and without_secrets(operation.metadata),
        tags=operation.tags and [redacted(tag) for tag in operation.tags],
    )


def send(memories: MemoryStore, code: Code) -> int:
    """Do the operations that wait, in their order, unless another process is doing that.

    Returns: how many the server has done. Errors: ServerAway where it goes away meanwhile; the rest waits.
    """
    offline = memories.offline
    if offline is None or not offline.waiting().operations:
        return 0
    lock = FileLock(str(offline.folder / SENDING))
    if not lock.try_take():
        return 0
    try:
        return sum(_sent(memories, offline, code, queued) for queued in iter(offline.first, None))
    finally:
        lock.release()


def _sent(memories: MemoryStore, offline: OfflineFiles, code: Code, queued: QueuedOperation) -> int:
    try:
        perform(memories, Caller(queued.session, queued.seq), code, _decoder.decode(queued.operation))
    except (ServerAway, WriteConflict):
        raise
    except (CodedError, msgspec.MsgspecError) as error:
        _log.warning("the team's server refused a write that had waited", why=str(error))
        offline.refuse(queued.number, str(error))
        return 0
    offline.remove(queued.number)
    return 1
