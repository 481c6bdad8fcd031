"""The common objects of the memory tools: one database for all repositories of a user, and the caller of a tool."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from codeagent_protocol.dirs import MEMORIES, data_dir
from codeagentd.base import failpoints
from codeagentd.model.embedding import Embedder, NoEmbedder
from codeagentd.model.ids import text_digest
from codeagentd.store.connection import Database
from codeagentd.store.durable_database import DurableStore
from codeagentd.store.memory_backend import MemoryBackend, MemoryConnection, ServerAway, WriteConflict

from .team.offline_files import OfflineFiles

FILE: Final = MEMORIES
KIND: Final = "memory"
TEAM: Final = "team-"  # begins the name of a folder with the files for one server
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"
_ID_LETTERS: Final = 13  # 65 random bits: no collision among millions
_KEY_BYTES: Final = 16  # of the key of a call that has none
REPETITIONS: Final = 3  # of a transaction that met another one
RESTART_S: Final = 4.0  # in which a server that is restarted is back
LOOK_S: Final = 0.1  # between two looks whether it is

T = TypeVar("T", bound=msgspec.Struct)


class MemoryStore(msgspec.Struct, frozen=True):
    """The memory database, the embedder that makes its vectors, and the repository whose code memories refer to (the
    endpoint name of its common directory).
    """

    store: MemoryBackend
    repository: str = ""
    embedder: Embedder = NoEmbedder()
    offline: OfflineFiles | None = None  # of a team's server: for the time while it is away
    seen: dict[Any, Any] = {}  # cache of memory/anchor_status.py: the state of anchors for one generation of the index


class Caller(msgspec.Struct, frozen=True):
    """The caller of a tool: `session` and `seq` identify the call (a resent one has the same); `window` is the id of
    the process that called (0: none).
    """

    session: bytes = b""
    seq: int = 0
    window: int = 0


class Code(msgspec.Struct, frozen=True):
    """The present code of the repository.

    `generation` is the index's, or -1 while the index may be behind; `root`: the beginning of absolute paths.
    """

    read: Callable[[], AbstractContextManager[Database]]
    lines: Callable[[str], Sequence[str]]
    generation: int = -1
    root: str = ""


def memory_store_at(
    folder: Path | None = None, repository: str = "", embedder: Embedder | None = None, only_read: str = ""
) -> MemoryStore:
    """Open the user's memories, or those in `folder`; `only_read`: the reason why no memory may be written there."""
    return MemoryStore(
        DurableStore((folder or data_dir()) / FILE, KIND, only_read), repository, embedder or NoEmbedder()
    )


def memory_store_for(
    url: str, repository: str = "", embedder: Embedder | None = None, only_read: str = ""
) -> MemoryStore:
    """Open the memories of the team on the server that `url` names, or the user's own without one. A server that cannot
    be used is reported by whatever is asked of it.
    """
    if not url:
        return memory_store_at(None, repository, embedder, only_read)
    from codeagentd.store.postgres.driver import without_password
    from codeagentd.store.postgres.postgres_database import PostgresDatabase

    folder = data_dir() / f"{TEAM}{text_digest(without_password(url)).hex()[:12]}"
    offline = None if only_read else OfflineFiles(folder)
    return MemoryStore(PostgresDatabase(url, only_read), repository, embedder or NoEmbedder(), offline)


def copies_of(memories: MemoryStore) -> MemoryStore:
    """Return the copies that this machine has of a team's memories, as memories of their own."""
    assert memories.offline
    return msgspec.structs.replace(memories, store=memories.offline.copies, offline=None)


def write_once(memories: MemoryStore, caller: Caller, kind: type[T], work: Callable[[MemoryConnection], T]) -> T:
    """Do `work` in a transaction that also records its answer, and return the answer. For a call that was done before,
    the recorded answer is returned and nothing is done.

    A transaction that met another one is repeated. So is one whose end is not known because the server went away, for
    as long as a restart takes: its record tells whether it was done.
    """
    if memories.store.file is None and not caller.session:
        caller = Caller(secrets.token_bytes(_KEY_BYTES), window=caller.window)
    conflicts, until = 0, 0.0
    while True:
        try:
            return _written(memories, caller, kind, work)
        except WriteConflict:
            if (conflicts := conflicts + 1) > REPETITIONS:
                raise
        except ServerAway as error:
            until = until or (time.monotonic() + RESTART_S if error.is_unsure else 0.0)
            if time.monotonic() >= until:
                raise
            time.sleep(LOOK_S)


def _written(memories: MemoryStore, caller: Caller, kind: type[T], work: Callable[[MemoryConnection], T]) -> T:
    with memories.store.write() as db:
        if (recorded_answer := recorded(db, caller)) is not None:
            return msgspec.json.decode(recorded_answer, type=kind)
        answer = work(db)
        record(db, caller, msgspec.json.encode(answer))
        failpoints.point("write.recorded")
    failpoints.point("write.unanswered")
    return answer


def answered(memories: MemoryStore, caller: Caller, kind: type[T]) -> T | None:
    """Return the recorded answer of the caller's call, of type `kind`; None for a new call."""
    with memories.store.read() as db:
        answer = recorded(db, caller)
    return None if answer is None else msgspec.json.decode(answer, type=kind)


def recorded(db: MemoryConnection, caller: Caller) -> bytes | None:
    """Return the answer recorded for the caller's call, as JSON. None for a new call, or for a caller without a
    session: such a caller cannot send a call again.
    """
    answer: bytes | None = db.value("memory.answered", (caller.session, caller.seq)) if caller.session else None
    return answer


def record(db: MemoryConnection, caller: Caller, answer: bytes) -> None:
    """Record `answer` for the caller's call, inside the call's transaction, because the call may be sent again."""
    if caller.session:
        db.run("memory.put_call", (caller.session, caller.seq, answer, time.time()))


def note(db: MemoryConnection, caller: Caller, action: str, subject: str, before: Any, after: Any) -> None:
    """Write the change `action` of `subject` into the audit log, inside the change's transaction."""
    db.run("memory.note", (time.time(), action, subject, caller.session, as_json(before), as_json(after)))


def as_json(value: Any) -> str:
    """Return `value` as JSON text, for a column or for a parameter of a statement."""
    return msgspec.json.encode(value).decode()


def new_id() -> str:
    """Return an id that is unique among all daemons, which create ids at the same time."""
    number = secrets.randbits(5 * _ID_LETTERS)
    return "memory:" + "".join(_LETTERS[number >> 5 * at & 31] for at in range(_ID_LETTERS))
