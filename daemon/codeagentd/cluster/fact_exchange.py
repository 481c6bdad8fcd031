"""The exchange of facts between machines, through a store."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from .directory_store import Store
from .file_listing import FactsKey

FactsEntry = tuple[bytes, str, int, bytes]  # digest, language, version, facts as blobs.db keeps them

_FOLDER: Final = "facts"
_encoder: Final = msgspec.msgpack.Encoder()
_decoder: Final = msgspec.msgpack.Decoder(list[FactsEntry])


def put_facts(store: Store, entries: Sequence[FactsEntry]) -> None:
    """Add facts to the store, in one object."""
    data = _encoder.encode(sorted(entries))
    store.put(f"{_FOLDER}/{hashlib.blake2b(data, digest_size=16).hexdigest()}", data)


def known_keys(store: Store) -> set[FactsKey]:
    """Return the keys of all facts in the store."""
    return {entry[:3] for entry in _entries(store)}


def get_facts(store: Store, keys: set[FactsKey]) -> Iterator[FactsEntry]:
    """Yield those facts that the store has for `keys`, in any order."""
    return (entry for entry in _entries(store) if entry[:3] in keys)


def _entries(store: Store) -> Iterator[FactsEntry]:
    for name in store.names(_FOLDER):
        yield from _decoder.decode(store.get(name))
