"""Entries are read by who has the file, and packs are what their manifest names."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from codeagent_protocol.errors import InvalidParameter, StoreFailed
from codeagentd.base import zstd
from codeagentd.share.entries import Key, sealed, unpacked, unsealed
from codeagentd.share.folder_store import FolderStore
from codeagentd.share.manifests import (
    FORMAT,
    Manifest,
    Refused,
    decoded,
    encoded,
    manifest_key,
    new_key,
    private_key,
    public_key,
)
from codeagentd.share.packs import PackRef, entries_of, packed, places, ranges

KEY = Key(b"d" * 16, "python", 7)


def test_who_has_the_file_reads_its_entry() -> None:
    assert unsealed(KEY, sealed(KEY, b"facts")) == b"facts"


@pytest.mark.parametrize(
    "stranger", [Key(b"e" * 16, "python", 7), Key(b"d" * 16, "go", 7), Key(b"d" * 16, "python", 8)]
)
def test_who_has_another_file_reads_nothing_and_does_not_even_know_its_name(stranger: Key) -> None:
    assert stranger.id != KEY.id
    with pytest.raises(StoreFailed, match="not made for this file"):
        unsealed(stranger, sealed(KEY, b"facts"))


def test_the_same_facts_are_the_same_bytes_whoever_seals_them() -> None:
    assert sealed(KEY, b"facts") == sealed(KEY, b"facts") != sealed(KEY, b"other")


@pytest.mark.parametrize("entry", [b"", b"short", sealed(KEY, b"facts")[:-1], b"\0" * 40])
def test_a_damaged_entry_is_refused(entry: bytes) -> None:
    with pytest.raises(StoreFailed):
        unsealed(KEY, entry)


def test_a_frame_that_holds_more_than_it_may_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeagentd.share.entries.MAX_CONTENT_BYTES", 1000)
    assert unpacked(zstd.compress(b"x" * 999)) == b"x" * 999
    for bomb in (zstd.compress(b"x" * 1001), zstd.compress(b"x") + zstd.compress(b"x" * 10_000), b"no frame"):
        with pytest.raises(StoreFailed, match="holds no facts"):
            unpacked(bomb)


# -- packs

ENTRIES = [(bytes([number]) * 16, bytes([number]) * 50) for number in range(9)]


def stored(tmp_path: Path) -> tuple[FolderStore, PackRef]:
    store = FolderStore(tmp_path)
    ((ref, data),) = packed(ENTRIES, "15.0.0")
    store.put(ref.key, data)
    return store, ref


def test_entries_are_found_again_in_the_parts_that_are_fetched(tmp_path: Path) -> None:
    store, ref = stored(tmp_path)
    index = places(store, ref)
    assert index.keys() == {id_ for id_, _ in ENTRIES}
    for chosen in (ENTRIES, ENTRIES[2:3], [ENTRIES[0], ENTRIES[8]]):
        read = []
        for part in ranges((id_, index[id_]) for id_, _ in chosen):
            read += entries_of(part, store.get(ref.key, part.start, part.length))
        assert read == chosen


def test_entries_that_are_far_apart_are_fetched_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, ref = stored(tmp_path)
    monkeypatch.setattr("codeagentd.share.packs.GAP_BYTES", 60)
    index = places(store, ref)
    parts = ranges((ENTRIES[number][0], index[ENTRIES[number][0]]) for number in (0, 2, 8))
    assert [len(part.entries) for part in parts] == [2, 1]


@pytest.mark.parametrize("at", [0, 10, 200, 460, 500, 700])
def test_no_changed_byte_of_a_pack_is_used(tmp_path: Path, at: int) -> None:
    store, ref = stored(tmp_path)
    data = bytearray((tmp_path / ref.key).read_bytes())
    data[at] ^= 1
    store.put(ref.key, bytes(data))

    def read() -> list[tuple[bytes, bytes]]:
        return [
            entry
            for part in ranges(places(store, ref).items())
            for entry in entries_of(part, store.get(ref.key, part.start, part.length))
        ]

    if at < 4:  # the first bytes say what kind of file it is, and nothing reads them
        assert read() == ENTRIES
    else:
        with pytest.raises(StoreFailed, match="refused"):
            read()


def test_a_truncated_pack_is_refused(tmp_path: Path) -> None:
    store, ref = stored(tmp_path)
    store.put(ref.key, (tmp_path / ref.key).read_bytes()[:-30])
    with pytest.raises(StoreFailed, match="shorter"):
        places(store, ref)


@pytest.mark.parametrize(
    "lie",
    [
        {"index_at": 10**12},
        {"index_at": -5},
        {"size": 3},
        {"size": 10**15},
        {"index": b"x" * 16},
        {"name": "../../secrets"},
    ],
)
def test_a_manifest_that_lies_about_a_pack_is_refused(tmp_path: Path, lie: dict[str, object]) -> None:
    store, ref = stored(tmp_path)
    with pytest.raises(StoreFailed):
        places(store, msgspec.structs.replace(ref, **lie))


# -- manifests

NAME = manifest_key("a" * 40, "")


def manifest(key: str = NAME, version: int = FORMAT) -> Manifest:
    return Manifest(version, key, [], 3, 1.0)


def test_a_manifest_is_read_as_it_was_written() -> None:
    assert decoded(encoded(manifest(), None), NAME, []) == manifest()


def test_a_tree_has_another_name_for_each_folder_of_it() -> None:
    assert len({manifest_key("a" * 40, ""), manifest_key("a" * 40, "lib/"), manifest_key("b" * 40, "")}) == 3


def test_the_manifest_of_another_tree_is_refused() -> None:
    with pytest.raises(StoreFailed, match="another tree"):
        decoded(encoded(manifest(manifest_key("b" * 40, "")), None), NAME, [])


def test_a_manifest_of_a_later_version_says_so() -> None:
    with pytest.raises(StoreFailed, match="later version"):
        decoded(encoded(manifest(version=FORMAT + 1), None), NAME, [])


@pytest.mark.parametrize(
    "data", [b"", b"\x93", b"<html>", encoded(manifest(), None)[:-2], msgspec.msgpack.encode([b"x", []])]
)
def test_a_damaged_manifest_is_refused(data: bytes) -> None:
    with pytest.raises(StoreFailed, match="damaged"):
        decoded(data, NAME, [])


def test_with_trusted_keys_only_what_such_a_key_has_signed_is_read() -> None:
    private, public = new_key()
    other, _ = new_key()
    trusted = [public_key(public)]
    assert decoded(encoded(manifest(), private_key(private)), NAME, trusted) == manifest()
    for signer in (None, private_key(other)):
        with pytest.raises(Refused):
            decoded(encoded(manifest(), signer), NAME, trusted)


def test_a_signature_of_another_manifest_is_none() -> None:
    private, public = new_key()
    signed = msgspec.msgpack.decode(encoded(manifest(), private_key(private)))
    signed[0] = msgspec.msgpack.encode(msgspec.structs.replace(manifest(), files=4))
    with pytest.raises(Refused):
        decoded(msgspec.msgpack.encode(signed), NAME, [public_key(public)])


@pytest.mark.parametrize("text", ["", "ed25519:", "ed25519:!!", "ed25519:AAAA", "rsa:AAAA"])
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(InvalidParameter, match="no key"):
        public_key(text)
