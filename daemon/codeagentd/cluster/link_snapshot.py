"""The index before its files are resolved, as an object of the store: every machine that resolves files reads it."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
import time
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import FileLock
from codeagentd.base import zstd
from codeagentd.languages.versions import version_of
from codeagentd.share.packs import PackRef
from codeagentd.share.store import Store
from codeagentd.store.connection import Database
from codeagentd.store.link_copy import copy_to_link

from .build_identity import Build, check_build, this_build
from .file_listing import FactsKey

MAX_HEAD_BYTES: Final = 256_000_000  # that of a repository of a billion lines has some 10
PART_BYTES: Final = 32 << 20  # of the index, compressed one by one
UNUSED_S: Final = 6 * 3600.0  # seconds: a unit takes one, but the machine may have been asleep
LOOK_S: Final = 0.05  # seconds between two looks whether another process is done
_DIGEST_BYTES: Final = 16
_NAME: Final = re.compile(r"[0-9a-f]{32}")


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


class FactPacks(msgspec.Struct, array_like=True, frozen=True):
    """Where the facts of an index are: the packs of each portion, with the path at which it begins, in the order of
    paths; and packs of facts that only the coordinator has.
    """

    portions: list[tuple[str, list[PackRef]]] = []
    others: list[PackRef] = []

    def of_paths(self, first: str, last: str) -> list[PackRef]:
        """Return the packs that have the facts of the files from path `first` to path `last`."""
        begin = max(0, bisect_right(self.portions, first, key=lambda portion: portion[0]) - 1)
        end = bisect_right(self.portions, last, key=lambda portion: portion[0])
        return [*{pack: None for _, packs in self.portions[begin:end] for pack in packs}, *self.others]


class SnapshotHead(msgspec.Struct, array_like=True, frozen=True):
    """What a snapshot is: the build that wrote it, the encoded projects, where the facts of its files are, its bytes,
    and the sizes of its compressed parts.
    """

    build: Build
    projects: bytes
    facts: FactPacks
    size: int
    parts: list[int]


def publish(database: Database, projects: bytes, facts: FactPacks, store: Store) -> str:
    """Put the index `database`, before its references, into the store. Returns the snapshot's name, which stands for
    its content. Errors: those of the store.
    """
    with tempfile.TemporaryDirectory(prefix="codeagentd-snapshot-") as folder:
        path = Path(folder) / "index.db"
        copy_to_link(database, path)
        digest = hashlib.blake2b(projects, digest_size=_DIGEST_BYTES)
        for part in _parts(path):
            digest.update(part)
        name = digest.hexdigest()
        sizes = []
        for number, part in enumerate(_parts(path)):
            data = zstd.compress(part)
            if store.size(_part(name, number)) != len(data):
                store.put(_part(name, number), data)
            sizes.append(len(data))
        head = SnapshotHead(this_build(), projects, facts, path.stat().st_size, sizes)
        store.put(_head(name), msgspec.msgpack.encode(head))  # the last: a snapshot with a head is whole
        return name


def head_of(store: Store, name: str) -> SnapshotHead:
    """Return what the snapshot is. Errors: engine_unavailable where the store has none, or another build wrote it;
    those of the store.
    """
    data = store.whole(_head(name), MAX_HEAD_BYTES) if _NAME.fullmatch(name) else None
    if data is None:
        raise EngineUnavailable(
            f"the store has no snapshot {name!r}", remedy="run `codeagentd map --merge` with this store first"
        )
    head = msgspec.msgpack.decode(data, type=SnapshotHead)
    check_build(head.build)
    return head


def fetch(store: Store, name: str, head: SnapshotHead, folder: Path) -> Path:
    """Return the snapshot as a file in `folder`, where all processes of a machine share it; the first of them fetches
    it. Errors: engine_unavailable without room for it; those of the store.
    """
    path = folder / "index.db"
    with alone(folder):
        if not path.exists():
            _write(store, name, head, path)
    return path


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Return a context that one process of this machine at a time is in."""
    lock = FileLock(str(folder / "lock"))
    while not lock.try_take():
        time.sleep(LOOK_S)
    try:
        yield
    finally:
        lock.release()


def files_to_link(database: Database) -> list[LinkFile]:
    """Return the files of a first index that are to be resolved, or were, in the order of their paths."""
    return [LinkFile(*row) for row in database.all("cluster.files_to_link")]


def _write(store: Store, name: str, head: SnapshotHead, path: Path) -> None:
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with unfinished.open("wb") as file:
            for number, size in enumerate(head.parts):
                file.write(zstd.decompressed_up_to(store.get(_part(name, number), 0, size), PART_BYTES))
        unfinished.replace(path)
    except OSError as error:
        raise EngineUnavailable(
            f"the snapshot of the index cannot be written to {path.parent}: {error.strerror or error}",
            remedy=f"make room for {head.size / 1e6:,.0f} MB there, or choose another CODEAGENT_CACHE_DIR",
        ) from None
    finally:
        unfinished.unlink(missing_ok=True)


def remove_unused(folder: Path) -> None:
    """Remove the snapshots in `folder` that runs which have failed left there: those unused for UNUSED_S."""
    for snapshot in folder.iterdir():
        if time.time() - snapshot.stat().st_mtime > UNUSED_S:
            shutil.rmtree(snapshot, ignore_errors=True)


def _parts(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while part := file.read(PART_BYTES):
            yield part


def _head(name: str) -> str:
    return f"snapshots/{name}/head"


def _part(name: str, number: int) -> str:
    return f"snapshots/{name}/{number:05}"
