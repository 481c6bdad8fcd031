"""What the memory tools work with: one database for all repositories of a user, and the caller of a tool."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from codeagent_protocol.dirs import data_dir
from codeagentd.base import failpoints
from codeagentd.model.embedding import Embedder, NoEmbedder
from codeagentd.store.connection import Database
from codeagentd.store.durable_database import DurableStore

FILE: Final = "memory.db"
KIND: Final = "memory"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"
_ID_LETTERS: Final = 13  # 65 random bits: no collision among millions

T = TypeVar("T", bound=msgspec.Struct)


class Keeper(msgspec.Struct, frozen=True):
    """The memory database; the repository whose code memories speak of (endpoint name of its common directory); and the
    embedder that makes vectors.
    """

    store: DurableStore
    repository: str = ""
    embedder: Embedder = NoEmbedder()
    seen: dict[Any, Any] = {}  # what memory/anchor_status.py knows of anchors, each for one generation of the index


class Caller(msgspec.Struct, frozen=True):
    """The caller of a tool: `session` and `seq` name the call (a resent one has the same), `window` is the process id
    behind it (0: none).
    """

    session: bytes = b""
    seq: int = 0
    window: int = 0


class Code(msgspec.Struct, frozen=True):
    """The repository's code as it is now.

    `generation` is that of the index, -1 while this may be behind; `root`: what absolute paths begin with.
    """

    read: Callable[[], AbstractContextManager[Database]]
    lines: Callable[[str], Sequence[str]]
    generation: int = -1
    root: str = ""


def keeper_at(
    folder: Path | None = None, repository: str = "", embedder: Embedder | None = None, only_read: str = ""
) -> Keeper:
    """The user's memories, or those in another folder; `only_read`: why nothing is to be kept there."""
    return Keeper(DurableStore((folder or data_dir()) / FILE, KIND, only_read), repository, embedder or NoEmbedder())


def once(keeper: Keeper, caller: Caller, kind: type[T], work: Callable[[Database], T]) -> T:
    """Do a write and remember its answer in one transaction; a call that was done before is
    answered from the record.
    """
    with keeper.store.write() as db:
        if (recorded_answer := recorded(db, caller)) is not None:
            return msgspec.json.decode(recorded_answer, type=kind)
        answer = work(db)
        record(db, caller, msgspec.json.encode(answer))
        failpoints.point("write.recorded")
    failpoints.point("write.unanswered")
    return answer


def answered(keeper: Keeper, caller: Caller, kind: type[T]) -> T | None:
    """The recorded answer to a call that was done before."""
    with keeper.store.read() as db:
        answer = recorded(db, caller)
    return None if answer is None else msgspec.json.decode(answer, type=kind)


def recorded(db: Database, caller: Caller) -> bytes | None:
    """Return the answer recorded for this call, as JSON; None for a new call, or for a caller without a session, which
    cannot send it again.
    """
    answer: bytes | None = db.value("memory.answered", (caller.session, caller.seq)) if caller.session else None
    return answer


def record(db: Database, caller: Caller, answer: bytes) -> None:
    """Remember the answer to a call that may be sent again, inside its transaction."""
    if caller.session:
        db.run("memory.put_call", (caller.session, caller.seq, answer, time.time()))


def note(db: Database, caller: Caller, action: str, subject: str, before: Any, after: Any) -> None:
    """Write a change into the audit feed, inside its transaction."""
    db.run("memory.note", (time.time(), action, subject, caller.session, as_json(before), as_json(after)))


def as_json(value: Any) -> str:
    """A value as a JSON column, or a list as a statement's parameter."""
    return msgspec.json.encode(value).decode()


def new_id() -> str:
    """Return an id that no other daemon makes: several make ids at once."""
    number = secrets.randbits(5 * _ID_LETTERS)
    return "memory:" + "".join(_LETTERS[number >> 5 * at & 31] for at in range(_ID_LETTERS))
