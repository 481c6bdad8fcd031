"""The resolution of a shard: files of a snapshot of the index become references in the store, unit by unit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from codeagentd.base import zstd
from codeagentd.pipeline.workers.messages import Linked, LinkJob
from codeagentd.pipeline.workers.pool import Pool
from codeagentd.share.packs import PackRef
from codeagentd.share.store import Store
from codeagentd.store.connection import Database

from .extract_shard import Progress
from .file_listing import FactsKey
from .link_snapshot import LinkFile, SnapshotHead
from .portions import AT_ONCE, facts_from
from .shards import divided

UNIT_BYTES: Final = 250_000  # of source, whose references are one object: half a second of a core
LEAST_UNITS: Final = 16  # of a snapshot that has so many times LEAST_FILES
LEAST_FILES: Final = 16
MOST_UNITS: Final = 10_000  # of a snapshot
MAX_UNIT_BYTES: Final = 1_000_000_000  # of one such object, unpacked
FACTS_AT_ONCE: Final = 1_000  # rows of one transaction

Unit = tuple[int, list[LinkFile]]  # its place among the units of the snapshot, and its files
MakePool = Callable[[], Pool]
_decoder: Final = msgspec.msgpack.Decoder(list[Linked])


class LinkReport(msgspec.Struct, frozen=True, tag="linked"):
    """The result of one shard: the numbers of its files, of those whose references the store had already, and of those
    that could not be resolved here; and the bytes of new references.
    """

    files: int = 0
    known: int = 0
    unresolved: int = 0
    bytes: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the store has the references of all files, or knows that the coordinator has to resolve them."""
        return True


def units_of(files: Sequence[LinkFile]) -> list[Unit]:
    """Return the units of the files of a snapshot."""
    count = max(sum(file.size for file in files) // UNIT_BYTES, min(LEAST_UNITS, len(files) // LEAST_FILES), 1)
    return list(enumerate(divided(files, min(count, MOST_UNITS), lambda file: file.path, lambda file: file.size)))


def link_units(
    units: Sequence[Unit], name: str, head: SnapshotHead, blobs: Path, make_pool: MakePool, store: Store,
    progress: Progress = lambda done, total: None,
) -> LinkReport:  # fmt: skip
    """Resolve units of the snapshot `name`, and put their references into the store, as far as it lacks them.

    Errors: those of the store.
    """
    there = units_there(store, name, [place for place, _ in units])
    due = [(place, files) for place, files in units if place not in there]
    total = sum(len(files) for _, files in units)
    done = known = total - sum(len(files) for _, files in due)
    unresolved = written = 0
    pool = make_pool() if due else None
    unit_of = {file.file: place for place, files in due for file in files}
    waiting = {place: len(files) for place, files in due}
    results: dict[int, list[Linked]] = {place: [] for place, _ in due}
    if pool is not None:
        for _, files in due:
            _take_facts(store, head, files, blobs)
        jobs = [LinkJob(file.file, file.path) for _, files in due for file in files]
        # a pool of this snapshot resolves nothing else
        for linked in pool.link(jobs, head.projects, goes_on=True):
            place = unit_of[linked.file]
            results[place].append(linked)
            waiting[place] -= 1
            if not waiting[place]:
                written += _put(store, name, place, results[place])
                unresolved += sum(not is_known(one_file) for one_file in results.pop(place))
            done += 1
            progress(done, total)
    return LinkReport(total, known, unresolved, written)


def units_there(store: Store, name: str, places: Sequence[int]) -> set[int]:
    """Return those units of the snapshot `name` whose references the store has."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        sizes = pool.map(lambda place: store.size(_key(name, place)), places)
        return {place for place, size in zip(places, sizes, strict=True) if size is not None}


def links_of(store: Store, name: str, place: int) -> list[Linked] | None:
    """Return the references of a unit, file by file; None where the store has none."""
    data = store.whole(_key(name, place), MAX_UNIT_BYTES)
    return None if data is None else _decoder.decode(zstd.decompressed_up_to(data, MAX_UNIT_BYTES))


def is_known(linked: Linked) -> bool:
    """Whether the references of a file were resolved: its facts were there, and it did not end its worker."""
    return not linked.missing and not linked.failure and linked.member_dependencies is not None


def add_facts(database: Database, store: Store, packs: Sequence[PackRef], keys: Collection[FactsKey]) -> None:
    """Add the facts in `packs` for `keys` to `database`, a blobs.db, as far as it lacks them."""
    missing = {key for key in keys if not database.value("blobs.has_facts", key)}
    entries = facts_from(store, packs, missing) if missing else iter(())
    while several := list(islice(entries, FACTS_AT_ONCE)):
        with database.transaction():
            database.run_many("blobs.put_facts", several)


def _take_facts(store: Store, head: SnapshotHead, files: Sequence[LinkFile], blobs: Path) -> None:
    """Have the facts of `files`, which are sorted by path, in the database at the path `blobs`."""
    with closing(Database(blobs, writable=True)) as database:
        packs = head.facts.of_paths(files[0].path, files[-1].path)
        add_facts(database, store, packs, {file.key for file in files})


def _put(store: Store, name: str, place: int, results: Sequence[Linked]) -> int:
    """Put the references of a unit into the store, in the order of files, so that the same unit gives the same bytes.
    Returns how many.
    """
    data = zstd.compress(msgspec.msgpack.encode(sorted(results, key=lambda linked: linked.file)))
    store.put(_key(name, place), data)
    return len(data)


def _key(name: str, place: int) -> str:
    return f"links/{name}/{place:05}"
