"""What a store has for a repository: the manifest of its tree or the nearest ancestor's, and the places of entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.vcs import history

from .manifests import MAX_MANIFEST_BYTES, Manifest, Refused, Verifier, decoded, manifest_key
from .packs import PackRef, Place, entries_of, places, ranges
from .store import Store

ANCESTORS: Final = 512  # commits whose trees are looked for
AT_ONCE: Final = 8  # requests


class Published(NamedTuple):
    """A manifest that a store has. `distance`: commits from HEAD to the one whose tree it is of."""

    manifest: Manifest
    commit: str
    distance: int


def nearest(store: Store, root: Path, trusted: Sequence[Verifier]) -> Published | None:
    """Return the manifest of the tree of HEAD, or of the nearest ancestor that has one to be used; None where none has
    any.

    Errors: those of the store; that of the nearest manifest, where all are damaged or not trusted.
    """
    refusal: Refused | None = None
    below = history.prefix(root)
    revisions = history.ancestors(root, ANCESTORS)
    keys = [manifest_key(revision.tree, below) for revision in revisions]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for first in range(0, len(keys), AT_ONCE):
            few = keys[first : first + AT_ONCE]
            for number, data in enumerate(pool.map(lambda key: store.whole(key, MAX_MANIFEST_BYTES), few), first):
                try:
                    if data is not None:
                        return Published(decoded(data, keys[number], trusted), revisions[number].commit, number)
                except Refused as error:
                    refusal = refusal or error
    if refusal is not None:
        raise refusal
    return None


def catalogue(
    store: Store, packs: Sequence[PackRef], on_progress: Callable[[], None] = lambda: None
) -> dict[bytes, Place]:
    """Return the place of every entry of `packs`, by its id. Errors: those of the store; db_error for a
    damaged pack.
    """
    result: dict[bytes, Place] = {}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for part in pool.map(lambda pack: places(store, pack), packs):
            result |= part
            on_progress()
    return result


def fetched(store: Store, requested: Iterable[tuple[bytes, Place]]) -> Iterator[tuple[bytes, bytes]]:
    """Yield the `requested` entries, given as (id, place), as (id, sealed bytes). Errors: as of `catalogue`."""
    parts = ranges(requested)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        contents = pool.map(lambda part: store.get(part.pack.key, part.start, part.length), parts)
        for part, data in zip(parts, contents, strict=True):
            yield from entries_of(part, data)


def put_pack(store: Store, pack: PackRef, data: bytes) -> int:
    """Put a pack into the store, unless that has it. Returns the bytes that were moved. Errors: those of the store."""
    if store.size(pack.key) == pack.size:
        return 0
    store.put(pack.key, data)
    return pack.size
