"""The index before its files are resolved, as an object of the store: every machine that resolves files reads it."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import FileLock
from codeagentd.languages.versions import version_of
from codeagentd.store.connection import Database
from codeagentd.store.link_copy import copy_to_link

from .build_identity import Build, check_build, this_build
from .directory_store import Store
from .file_listing import FactsKey

PART_BYTES: Final = 32 << 20  # of the index, compressed one by one
LEVEL: Final = 1  # of zlib: a third of the bytes; higher ones take twice the time for a tenth less
LOOK_S: Final = 0.1  # seconds between two looks whether another process has fetched the snapshot
_DIGEST_BYTES: Final = 16


class LinkFile(NamedTuple):
    """A file to resolve, by its id in the snapshot."""

    file: int
    path: str
    size: int
    digest: bytes
    language: str

    @property
    def key(self) -> FactsKey:
        """The key of its facts."""
        return self.digest, self.language, version_of(self.language)


class SnapshotHead(msgspec.Struct, array_like=True, frozen=True):
    """What a snapshot is: the build that wrote it, the encoded projects, its bytes, and the number of its parts."""

    build: Build
    projects: bytes
    size: int
    parts: int


def publish(database: Database, projects: bytes, store: Store) -> str:
    """Put the index `database`, before its references, into the store. Returns the snapshot's name, which stands for
    its content.
    """
    with tempfile.TemporaryDirectory(prefix="codeagentd-snapshot-") as folder:
        path = Path(folder) / "index.db"
        copy_to_link(database, path)
        digest = hashlib.blake2b(projects, digest_size=_DIGEST_BYTES)
        for part in _parts(path):
            digest.update(part)
        name = digest.hexdigest()
        if store.size(_head(name)) is None:
            count = 0
            for part in _parts(path):
                store.put(_part(name, count), zlib.compress(part, LEVEL))
                count += 1
            head = SnapshotHead(this_build(), projects, path.stat().st_size, count)
            store.put(_head(name), msgspec.msgpack.encode(head))  # the last: a snapshot with a head is whole
        return name


def head_of(store: Store, name: str) -> SnapshotHead:
    """Return what the snapshot is. Errors: engine_unavailable where the store has none, or another build wrote it."""
    if store.size(_head(name)) is None:
        raise EngineUnavailable(
            f"the store has no snapshot {name}", remedy="run `codeagentd map --merge` with this store first"
        )
    head = msgspec.msgpack.decode(store.get(_head(name)), type=SnapshotHead)
    check_build(head.build)
    return head


def fetch(store: Store, name: str, head: SnapshotHead, folder: Path) -> Path:
    """Return the snapshot as a file in `folder`, where all processes of a machine share it; the first of them fetches
    it.
    """
    path = folder / "index.db"
    lock = FileLock(str(folder / "lock"))
    while not path.exists():
        if lock.try_take():
            try:
                if not path.exists():
                    _write(store, name, head, path)
            finally:
                lock.release()
        else:
            time.sleep(LOOK_S)
    return path


def files_to_link(database: Database) -> list[LinkFile]:
    """Return the files of a snapshot that are to be resolved, in the order of their paths."""
    return [LinkFile(*row) for row in database.all("cluster.files_to_link")]


def _write(store: Store, name: str, head: SnapshotHead, path: Path) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            for number in range(head.parts):
                file.write(zlib.decompress(store.get(_part(name, number))))
        unfinished.replace(path)
    except OSError as error:
        raise EngineUnavailable(
            f"the snapshot of the index cannot be written to {path.parent}: {error.strerror or error}",
            remedy=f"make room for {head.size / 1e6:,.0f} MB there, or choose another CODEAGENT_CACHE_DIR",
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)


def remove_other(folder: Path) -> None:
    """Remove the snapshots beside `folder`: a machine works on one at a time."""
    for other in folder.parent.iterdir() if folder.parent.is_dir() else ():
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while part := file.read(PART_BYTES):
            yield part


def _head(name: str) -> str:
    return f"snapshots/{name}/head"


def _part(name: str, number: int) -> str:
    return f"snapshots/{name}/{number:05}"
