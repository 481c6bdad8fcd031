"""The log of edits, from which each edit can be undone to the byte: `clients.json` in the data directory, and a lock
for all editing processes.

A lost or damaged record never costs a file: without a record, an entry is removed by its name, not to the byte.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol import dirs
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import FileLock

from .safe_files import Original, original, remove_folders, replace

PATIENCE_S: Final = 10.0  # seconds; an edit takes milliseconds, so a process that holds the lock this long is stuck
LOOK_S: Final = 0.02


class Record(msgspec.Struct, frozen=True):
    """The record of one edited file: the clients that use it, whether the installation created it, and the digest of
    the written content (`after`).

    `before` is the digest of the content before the installation and `backup` the path of its copy; "" and "" for no
    file, None when it is unknown. `made` are the keys of the tables that were added around the entry, the outermost
    first; `folders` those that were created, the deepest first.
    """

    clients: tuple[str, ...] = ()
    created: bool = False
    before: str | None = None
    backup: str = ""
    after: str = ""
    made: tuple[tuple[str, ...], ...] = ()
    folders: tuple[str, ...] = ()


Records = dict[str, Record]


def digest(content: bytes | None) -> str:
    """Return the digest by which contents are compared; "" for None, which stands for no file."""
    return "" if content is None else hashlib.blake2b(content, digest_size=20).hexdigest()


def load() -> Records:
    """Return the records of all files, by the file's real path; empty when they cannot be read."""
    try:
        return msgspec.json.decode(_path().read_bytes(), type=Records)
    except (OSError, msgspec.DecodeError):
        return {}


def save(records: Records) -> None:
    """Write all records. Errors: OSError."""
    path = str(_path())
    replace(original(path), msgspec.json.format(msgspec.json.encode(records), indent=2) + b"\n")


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Return a context that locks out other processes of this user that edit clients' files. Errors: engine_unavailable
    when the lock cannot be taken in time.
    """
    lock = FileLock(str(_path().with_suffix(".lock")))
    deadline = time.monotonic() + PATIENCE_S
    while not _try_take(lock):
        if time.monotonic() > deadline:
            raise EngineUnavailable("another `codeagentd install` is still at work", remedy="try again when it is done")
        time.sleep(LOOK_S)
    try:
        yield
    finally:
        lock.release()


def _try_take(lock: FileLock) -> bool:
    try:
        dirs.private(dirs.data_dir())
        return lock.try_take()
    except (OSError, EngineUnavailable) as error:
        remedy = "make room there, or set CODEAGENT_DATA_DIR to a directory of your own"
        raise EngineUnavailable(f"nothing can be remembered in {dirs.data_dir()}: {error}", remedy=remedy) from None


def unchanged_record(record: Record | None, current: Original) -> Record | None:
    """Return `record`, if the file has not changed since it was written; else None."""
    return record if record and record.after == digest(current.content) else None


def without(known: Records, real: str) -> Records:
    """Return the records without that of one file. Folders that its installation created, and that contain other
    recorded files, move to the records of those files.
    """
    rest = {path: record for path, record in known.items() if path != real}
    for folder in known[real].folders if real in known else ():
        heir = next((path for path in rest if path.startswith(folder + os.sep)), "")
        if heir and os.path.isdir(folder):
            rest[heir] = msgspec.structs.replace(rest[heir], folders=(*rest[heir].folders, folder))
    return rest


def forget_unmade(current: Original) -> None:
    """Forget an edit that left no trace in the file: its process was killed before it wrote, or somebody undid it.

    Errors: OSError.
    """
    known = load()
    record = known.get(current.real)
    if not record or record.before != digest(current.content):
        return
    if record.backup:
        with contextlib.suppress(OSError):
            os.unlink(record.backup)
    remove_folders(record.folders)
    save(without(known, current.real))


def _path() -> Path:
    return dirs.data_dir() / "clients.json"
