"""The resolution of a shard: files of a snapshot of the index become references, as one object of the store."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.pipeline.workers.messages import Linked, LinkJob
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.store.connection import Database
from codeagentd.store.opening import open_disposable

from .directory_store import Store
from .extract_shard import Progress
from .fact_exchange import get_facts
from .link_snapshot import LinkFile, SnapshotHead, files_to_link
from .shards import Shard, divided

LEVEL: Final = 1  # of zlib, for rows of numbers: a tenth of the bytes
FACTS_AT_ONCE: Final = 1_000  # rows of one transaction

MakePool = Callable[[Path, Path], Pool]  # from the paths of index.db and blobs.db
_decoder: Final = msgspec.msgpack.Decoder(list[Linked])


class LinkReport(msgspec.Struct, frozen=True, tag="linked"):
    """The result of one shard: the numbers of its files and of those whose references are known, and the bytes of its
    object; `is_known`: the store had it already.
    """

    files: int = 0
    linked: int = 0
    bytes: int = 0
    is_known: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the references of all files are known."""
        return self.is_known or self.linked == self.files


def link_files(
    shard: Shard, name: str, head: SnapshotHead, folder: Path, make_pool: MakePool, store: Store,
    progress: Progress = lambda done, total: None,
) -> LinkReport:  # fmt: skip
    """Resolve the files of a shard of the snapshot `name`, which is in `folder`, and put the result into the store."""
    if (size := store.size(links_key(name, shard))) is not None:
        return LinkReport(bytes=size, is_known=True)
    index, blobs = folder / "index.db", folder / "blobs.db"
    files = shard_of_snapshot(index, shard)
    _take_facts(store, files, blobs)
    pool, order = make_pool(index, blobs), {file.file: number for number, file in enumerate(files)}
    results: list[Linked] = []
    # a pool of this snapshot resolves nothing else
    for linked in pool.link([LinkJob(file.file, file.path) for file in files], head.projects, goes_on=True):
        results.append(linked)
        progress(len(results), len(files))
    # in the order of files, so that the same shard gives the same bytes
    results.sort(key=lambda linked: order[linked.file])
    data = zlib.compress(msgspec.msgpack.encode(results), LEVEL)
    store.put(links_key(name, shard), data)
    return LinkReport(len(files), sum(map(is_known, results)), len(data))


def shard_of_snapshot(index: Path, shard: Shard) -> list[LinkFile]:
    """Return the files of a shard of the snapshot at the path `index`."""
    with closing(Database(index)) as database:
        files = files_to_link(database)
    return divided(files, shard.parts, lambda file: file.path, lambda file: file.size)[shard.number - 1]


def links_key(name: str, shard: Shard) -> str:
    """Return the key of the references of a shard of the snapshot `name`."""
    return f"links/{name}/{shard.parts}/{shard.number:07}"


def links_of(store: Store, key: str) -> Iterator[Linked]:
    """Yield the references in an object of the store, file by file."""
    yield from _decoder.decode(zlib.decompress(store.get(key)))


def is_known(linked: Linked) -> bool:
    """Whether the references of a file were resolved: its facts were there, and it did not end its worker."""
    return not linked.missing and not linked.failure and linked.member_dependencies is not None


def _take_facts(store: Store, files: list[LinkFile], blobs: Path) -> None:
    """Have the facts of `files` in the database at the path `blobs`."""
    with closing(open_disposable(blobs, "blobs")[0]) as database:
        add_facts(database, store, {file.key for file in files})


def add_facts(database: Database, store: Store, keys: set[tuple[bytes, str, int]]) -> int:
    """Add those facts for `keys` to `database`, a blobs.db, that it lacks and the store has. Returns the number that
    the store lacks too.
    """
    missing = {key for key in keys if not database.value("blobs.has_facts", key)}
    added = []
    lacking = len(missing)
    for entry in get_facts(store, missing) if missing else ():
        added.append(entry)
        lacking -= 1
        if len(added) == FACTS_AT_ONCE:
            _add(database, added)
            added = []
    _add(database, added)
    return lacking


def _add(database: Database, entries: list[tuple[bytes, str, int, bytes]]) -> None:
    with database.transaction():
        database.run_many("blobs.put_facts", entries)
