"""Packs: immutable files of many entries, with an index at the end.

A pack is MAGIC, the entries one after the other, the index, and a trailer (the length of the index as 8 bytes, MAGIC).
Its name is the digest of its bytes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import msgspec

from codeagent_protocol.errors import StoreFailed

from .entries import ID_BYTES, MAX_CONTENT_BYTES
from .store import Store

MAGIC: Final = b"CAF1"
TRAILER_BYTES: Final = 8 + len(MAGIC)
CHECK_BYTES: Final = 16
NAME_BYTES: Final = 32
PACK_BYTES: Final = 16_000_000  # a pack that has more is ended: a request for a part of it is quick
MAX_PACK_BYTES: Final = PACK_BYTES + MAX_CONTENT_BYTES
MAX_ENTRY_INDEX_BYTES: Final = ID_BYTES + CHECK_BYTES + 9  # of MessagePack: the longest number has 9
_NAME: Final = re.compile("[0-9a-f]{64}")  # what is not trusted becomes a path


class PackRef(msgspec.Struct, frozen=True, array_like=True):
    """A pack as a manifest names it. `index`: the digest of its index, which has those of its entries; `index_at`:
    where the index begins; `unicode`: the version of Unicode that the maker's Python knows.
    """

    name: str
    size: int
    index_at: int
    index: bytes
    entries: int
    unicode: str = ""

    @property
    def key(self) -> str:
        """The name of the pack in a store."""
        return f"packs/{self.name[:2]}/{self.name}.pack"


class _Index(msgspec.Struct, frozen=True, array_like=True):
    """The index of a pack: ids, checks (digests of the sealed bytes) and lengths of its entries, in their order."""

    ids: bytes
    checks: bytes
    lengths: list[int]


class Place(NamedTuple):
    """Where an entry is: its pack, its first byte there, its length, and the digest of its bytes."""

    pack: PackRef
    start: int
    length: int
    check: bytes


def check_of(entry: bytes) -> bytes:
    """Return the digest of the bytes of an entry."""
    return hashlib.blake2b(entry, digest_size=CHECK_BYTES).digest()


def packed(entries: Iterable[tuple[bytes, bytes]], unicode: str) -> Iterator[tuple[PackRef, bytes]]:
    """Yield packs of `entries`, given as (id, sealed bytes): each as its reference and its bytes."""
    batch: list[tuple[bytes, bytes]] = []
    size = 0
    for entry in entries:
        batch.append(entry)
        size += len(entry[1])
        if size > PACK_BYTES:
            yield _pack(batch, unicode)
            batch, size = [], 0
    if batch:
        yield _pack(batch, unicode)


def _pack(entries: list[tuple[bytes, bytes]], unicode: str) -> tuple[PackRef, bytes]:
    entries.sort()
    ids, contents = zip(*entries, strict=True)
    index = msgspec.msgpack.encode(
        _Index(b"".join(ids), b"".join(map(check_of, contents)), [len(content) for content in contents])
    )
    data = b"".join((MAGIC, *contents))
    pack = b"".join((data, index, len(index).to_bytes(8, "big"), MAGIC))
    name = hashlib.blake2b(pack, digest_size=NAME_BYTES).hexdigest()
    return PackRef(name, len(pack), len(data), _digest(index), len(entries), unicode), pack


def _digest(index: bytes) -> bytes:
    return hashlib.blake2b(index, digest_size=CHECK_BYTES).digest()


def places(store: Store, pack: PackRef) -> dict[bytes, Place]:
    """Read the index of a pack: the place of each entry by its id. Errors: db_error for a damaged pack, or one that is
    not the one that was meant; those of the store.
    """
    length = pack.size - pack.index_at - TRAILER_BYTES
    is_possible = len(MAGIC) <= pack.index_at <= MAX_PACK_BYTES and 0 < length <= MAX_ENTRY_INDEX_BYTES * (
        pack.entries + 1
    )
    if not is_possible or not _NAME.fullmatch(pack.name):
        raise _broken(pack, "there can be no such pack")
    data = store.get(pack.key, pack.index_at, length)
    if _digest(data) != pack.index:
        raise _broken(pack, "its index is not the one that the manifest names")
    try:
        index = msgspec.msgpack.decode(data, type=_Index)
    except msgspec.MsgspecError:
        raise _broken(pack, "its index cannot be read") from None
    count = len(index.lengths)
    if len(index.ids) != count * ID_BYTES or len(index.checks) != count * CHECK_BYTES:
        raise _broken(pack, "its index is incomplete")
    if any(length < 0 for length in index.lengths) or len(MAGIC) + sum(index.lengths) != pack.index_at:
        raise _broken(pack, "its index does not fit its size")
    result, start = {}, len(MAGIC)
    for number, length in enumerate(index.lengths):
        own = slice(number * ID_BYTES, (number + 1) * ID_BYTES)
        check = index.checks[number * CHECK_BYTES : (number + 1) * CHECK_BYTES]
        result[index.ids[own]] = Place(pack, start, length, check)
        start += length
    return result


def _broken(pack: PackRef, why: str) -> StoreFailed:
    return StoreFailed(f"pack {pack.name[:12]} of the store is refused: {why}", remedy="tell whoever fills the store")


class Range(NamedTuple):
    """A part of a pack that is fetched at once, and the entries in it that are requested, as (id, place)."""

    pack: PackRef
    start: int
    length: int
    entries: list[tuple[bytes, Place]]


GAP_BYTES: Final = 65_536  # between two entries that are fetched at once: costs less than another request
RANGE_BYTES: Final = 4_000_000  # fetched at once


def ranges(requested: Iterable[tuple[bytes, Place]]) -> list[Range]:
    """Return the parts of packs to fetch for the `requested` entries, as few as is sensible."""
    result: list[Range] = []
    for entry in sorted(requested, key=lambda entry: (entry[1].pack.name, entry[1].start)):
        place = entry[1]
        last = result[-1] if result else None
        end = place.start + place.length
        if (
            last is not None
            and last.pack.name == place.pack.name
            and place.start - (last.start + last.length) <= GAP_BYTES
            and end - last.start <= RANGE_BYTES
        ):
            last.entries.append(entry)
            result[-1] = last._replace(length=end - last.start)
        else:
            result.append(Range(place.pack, place.start, place.length, [entry]))
    return result


def entries_of(part: Range, data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the requested entries of a part of a pack, as (id, sealed bytes). Errors: db_error where its bytes are not
    those that the index names.
    """
    view = memoryview(data)
    for id_, place in part.entries:
        start = place.start - part.start
        entry = bytes(view[start : start + place.length])
        if check_of(entry) != place.check:
            raise _broken(part.pack, "an entry was changed")
        yield id_, entry
