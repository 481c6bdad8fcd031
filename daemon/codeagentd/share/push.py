"""Pushing: the facts and vectors of a commit's files go from blobs.db into a store, with a manifest of its tree.

Only what is committed leaves the machine. What the store has of an ancestor is named again, not moved again.
"""

from __future__ import annotations

import contextlib
import time
import unicodedata
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from codeagent_protocol.errors import InvalidParameter, StoreFailed
from codeagentd.base import zstd
from codeagentd.languages.versions import version_of
from codeagentd.model.facts import LEVEL
from codeagentd.store.connection import Database
from codeagentd.store.foreign_index import ForeignIndex
from codeagentd.vcs import history

from .entries import Key, sealed
from .file_vectors import packed_vectors
from .identity import vectors_key
from .manifests import FORMAT, Manifest, Refused, Signer, encoded, manifest_key
from .packs import PACK_BYTES, PackRef, Place, packed
from .published import catalogue, fetched, nearest, put_pack
from .store import Store

MOST_PACKS: Final = 64  # of a manifest: with more, the small ones become one
SMALL_BYTES: Final = PACK_BYTES // 4


class PushReport(msgspec.Struct, frozen=True):
    """The outcome of a push. `files` of the commit have facts in the store now; `without_facts`: of its files that the
    index parses, none could be taken; `changed`: files that differ from the commit, and were left out; `facts`,
    `vectors` (files with vectors): new in the store; `packs`: written; `bytes`: moved; `is_whole`: whether everything
    was moved, and not only as much as max_bytes allows.
    """

    url: str
    commit: str
    files: int = 0
    without_facts: int = 0
    changed: int = 0
    facts: int = 0
    vectors: int = 0
    packs: int = 0
    bytes: int = 0
    seconds: float = 0.0
    is_whole: bool = True


class _Commit(msgspec.Struct, frozen=True):
    """The commit that is pushed: the keys of the facts of its files, and those of its files that were changed since."""

    commit: str
    tree: str
    facts: dict[bytes, Key]
    digests: list[bytes]
    changed: int


def push(
    store: Store, root: Path, index: Path, blobs: Path, *, model: str = "", signer: Signer | None = None,
    max_bytes: int, on_progress: Callable[[str, int, int], None] = lambda phase, done, total: None,
) -> PushReport:  # fmt: skip
    """Push what `blobs` has for the files of HEAD, as `index` (caught up) has them, to `store`. `model`: the name of
    the model whose vectors are pushed too, '' for none.

    Errors: those of the store; invalid_parameter without a commit.
    """
    began = time.monotonic()
    commit = _commit(root, index)
    trusted = [signer.public_key()] if signer else []
    previous = None
    with contextlib.suppress(Refused):  # what may not be used is not named again
        previous = nearest(store, root, trusted)
    known = catalogue(store, previous.manifest.packs) if previous else {}
    writer = _PackWriter(store, max_bytes, on_progress)
    database = Database(blobs)
    try:
        absent = [key for id_, key in sorted(commit.facts.items()) if id_ not in known]
        moved_facts = writer.write(_sealed_facts(database, absent), len(absent))
        vectors = _vectors(database, index, commit, model, known) if model else {}
        moved_vectors = writer.write(((key.id, sealed(key, content)) for key, content in vectors.items()), len(vectors))
    finally:
        database.close()
    ids = set(commit.facts) | {vectors_key(digest, model).id for digest in commit.digests if model}
    used = {id_: place for id_, place in known.items() if id_ in ids}
    packs = [*_merged_if_many(store, used, writer), *writer.packs]
    there = len(used.keys() & commit.facts.keys()) + moved_facts
    _put_manifest(store, root, commit.tree, packs, there, signer)
    return PushReport(
        store.url, commit.commit, there, len(commit.facts) - there, commit.changed, moved_facts, moved_vectors,
        len(writer.packs), writer.bytes, round(time.monotonic() - began, 3), not writer.is_full,
    )  # fmt: skip


def publish(store: Store, root: Path, packs: Sequence[PackRef], files: int, signer: Signer | None = None) -> bool:
    """Put a manifest of HEAD's tree into `store`, where `packs` have the facts of `files` of its files already. Returns
    whether that was possible: it is not where files differ from the commit. Errors: those of the store.
    """
    revisions = history.ancestors(root, 1)
    if not revisions or history.changed_since(root, revisions[0].commit) != []:
        return False
    _put_manifest(store, root, revisions[0].tree, packs, files, signer)
    return True


def _put_manifest(
    store: Store, root: Path, tree: str, packs: Sequence[PackRef], files: int, signer: Signer | None
) -> None:
    key = manifest_key(tree, history.prefix(root))
    store.put(key, encoded(Manifest(FORMAT, key, list(packs), files, time.time()), signer))


def _commit(root: Path, index: Path) -> _Commit:
    """Return HEAD as the index has its files. Errors: invalid_parameter where there is no commit."""
    revisions = history.ancestors(root, 1)
    changed = history.changed_since(root, revisions[0].commit) if revisions else None
    files = history.tree(root, revisions[0].commit) if revisions else None
    if changed is None or files is None:
        raise InvalidParameter(
            f"{root} has no commit that git can read: only what is committed is shared",
            remedy="commit first",
            parameter="repo",
        )
    database = ForeignIndex(index)
    try:
        rows = database.all("share.files")
    finally:
        database.close()
    left_out = set(changed)
    keys = [
        Key(digest, language, version_of(language))
        for path, digest, language in rows
        if path in files and path not in left_out
    ]
    return _Commit(
        revisions[0].commit, revisions[0].tree, {key.id: key for key in keys}, sorted({key.digest for key in keys}),
        sum(1 for path, *_ in rows if path in left_out),
    )  # fmt: skip


def _sealed_facts(database: Database, keys: Sequence[Key]) -> Iterator[tuple[bytes, bytes]]:
    for key in keys:
        blob = database.value("blobs.facts", key)
        if blob is not None:
            yield key.id, sealed(key, _as_frame(blob))


def _as_frame(blob: bytes) -> bytes:
    """Return facts as a frame of zstd: older builds stored them otherwise."""
    if blob.startswith(zstd.MAGIC):
        return blob
    return zstd.compress(zlib.decompress(blob) if blob.startswith(b"x") else blob, LEVEL)


def _vectors(
    database: Database, index: Path, commit: _Commit, model: str, known: dict[bytes, Place]
) -> dict[Key, bytes]:
    """Return the vectors of each file of the commit that the store has none of."""
    passages: dict[bytes, set[bytes]] = defaultdict(set)
    opened = ForeignIndex(index)
    try:
        for digest, passage in opened.all("share.passages"):
            passages[digest].add(passage)
    finally:
        opened.close()
    result = {}
    for digest in commit.digests:
        key = vectors_key(digest, model)
        rows = [
            (passage, numbers)
            for passage in (passages.get(digest, ()) if key.id not in known else ())
            if (numbers := database.value("vectors.cached", (passage,)))
        ]
        if rows:
            result[key] = zstd.compress(packed_vectors(rows), LEVEL)
    return result


class _PackWriter:
    """Writes packs into a store, up to `max_bytes` of them; a pack that the store has already is not moved."""

    def __init__(self, store: Store, max_bytes: int, on_progress: Callable[[str, int, int], None]) -> None:
        self._store = store
        self._max_bytes = max_bytes
        self._on_progress = on_progress
        self.packs: list[PackRef] = []
        self.bytes = 0
        self.is_full = False

    def write(self, entries: Iterable[tuple[bytes, bytes]], total: int) -> int:
        """Write `entries`, given as (id, sealed bytes), of which there are about `total`. Returns how many."""
        done = 0
        for ref, data in packed(entries, unicodedata.unidata_version):
            if self.bytes + ref.size > self._max_bytes:
                self.is_full = True
                break
            self.bytes += put_pack(self._store, ref, data)
            self.packs.append(ref)
            done += ref.entries
            self._on_progress("push", done, total)
        return done


def _merged_if_many(store: Store, used: dict[bytes, Place], writer: _PackWriter) -> list[PackRef]:
    """Return the packs of `used`; where they are many, the entries of the small ones are written as one pack first."""
    packs = {place.pack.name: place.pack for place in used.values()}
    small = {name for name, pack in packs.items() if pack.size < SMALL_BYTES}
    if len(packs) <= MOST_PACKS or len(small) < 2:
        return list(packs.values())
    requested = [(id_, place) for id_, place in used.items() if place.pack.name in small]
    if writer.write(fetched(store, requested), len(requested)) < len(requested):
        raise StoreFailed(
            "share.max_bytes leaves no room to merge the small packs of the store",
            remedy="allow more by share.max_bytes",
        )
    return [pack for name, pack in packs.items() if name not in small]
