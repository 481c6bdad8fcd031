"""Portions: runs of files whose facts are in the store together, under a name that follows from their contents.

They are the same however many machines there are, and most of the next commit's are those of this one.
"""

from __future__ import annotations

import hashlib
import heapq
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Final

import msgspec

from codeagentd.model.ids import text_digest
from codeagentd.share.entries import Key, sealed, unsealed
from codeagentd.share.packs import PackRef, packed
from codeagentd.share.published import catalogue, fetched, put_pack
from codeagentd.share.store import Store

from .file_listing import FactsKey, ListedFile

FactsEntry = tuple[bytes, str, int, bytes]  # digest, language, version, facts as blobs.db stores them

# files of a portion, on average, by the number of all files: few enough for machines to share them evenly, and many
# enough for the requests that each costs
FILES: Final = ((2_000, 16), (200_000, 64), (1 << 62, 256))
MOST_BYTES: Final = 8_000_000  # of source in one portion, unless one file has more
MAX_RECORD_BYTES: Final = 16_000_000
AT_ONCE: Final = 8  # requests to the store
_NAME_BYTES: Final = 16


class PortionRecord(msgspec.Struct, array_like=True, frozen=True):
    """What the store has of a portion: packs with the facts, and why contents (by digest) have none."""

    packs: list[PackRef]
    reasons: dict[bytes, str] = {}


class Portion:
    """One run of files."""

    def __init__(self, files: Sequence[ListedFile]) -> None:
        self.files = files
        self.size = sum(file.size for file in files)  # bytes of source

    @cached_property
    def name(self) -> str:
        """The name of its record in a store."""
        digest = hashlib.blake2b(digest_size=_NAME_BYTES)
        for key in sorted({file.key for file in self.files}):
            digest.update(msgspec.msgpack.encode(key))
        return digest.hexdigest()

    @property
    def store_key(self) -> str:
        """The key of its record in a store."""
        return f"portions/{self.name[:2]}/{self.name}"


def portions_of(files: Iterable[ListedFile]) -> list[Portion]:
    """Return the portions of `files`, which are sorted by path. Where one ends depends on its own paths alone (and on
    whether the repository is large), so that a change moves no other.
    """
    files = list(files)
    average = next(average for most, average in FILES if len(files) < most)
    result: list[Portion] = []
    run: list[ListedFile] = []
    size = 0
    for file in files:
        run.append(file)
        size += file.size
        if size > MOST_BYTES or int.from_bytes(text_digest(file.path)[:4], "big") % average == 0:
            result.append(Portion(run))
            run, size = [], 0
    return [*result, Portion(run)] if run else result


def dealt(portions: Iterable[Portion], count: int) -> list[list[Portion]]:
    """Deal `portions` into `count` hands with about the same bytes, the largest first, each to the smallest hand."""
    hands: list[list[Portion]] = [[] for _ in range(count)]
    sizes = [(0, number) for number in range(count)]  # a heap
    for portion in sorted(portions, key=lambda portion: (-portion.size, portion.files[0].path)):
        size, number = sizes[0]
        hands[number].append(portion)
        heapq.heapreplace(sizes, (size + portion.size, number))
    return hands


def records_of(store: Store, portions: Sequence[Portion]) -> list[PortionRecord | None]:
    """Return the record of each portion; None where the store has none. Errors: those of the store."""

    def read(portion: Portion) -> PortionRecord | None:
        data = store.whole(portion.store_key, MAX_RECORD_BYTES)
        return None if data is None else msgspec.msgpack.decode(data, type=PortionRecord)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(read, portions))


def put_portion(store: Store, portion: Portion, entries: Collection[FactsEntry], reasons: dict[bytes, str]) -> None:
    """Put the facts of a portion into the store, then its record. Errors: those of the store."""
    record = PortionRecord(put_entries(store, entries), dict(sorted(reasons.items())))
    store.put(portion.store_key, msgspec.msgpack.encode(record))


def put_entries(store: Store, entries: Collection[FactsEntry]) -> list[PackRef]:
    """Put facts into the store, and return their packs. Equal facts give equal packs."""
    contents = sorted((Key(*entry[:3]), entry[3]) for entry in entries)
    packs = []
    for ref, data in packed(((key.id, sealed(key, blob)) for key, blob in contents), unicodedata.unidata_version):
        put_pack(store, ref, data)
        packs.append(ref)
    return packs


def facts_from(store: Store, packs: Sequence[PackRef], keys: Collection[FactsKey]) -> Iterator[FactsEntry]:
    """Yield those facts that `packs` have for `keys`, in any order. Errors: those of the store, and of its contents."""
    requested = {(key := Key(*fields)).id: key for fields in keys}
    present = ((id_, place) for id_, place in catalogue(store, packs).items() if id_ in requested)
    for id_, entry in fetched(store, present):
        key = requested[id_]
        yield (*key, unsealed(key, entry))
