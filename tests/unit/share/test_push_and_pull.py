"""What one machine has extracted, another one uses; what is not committed, changed or true is not shared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from codeagent_protocol.errors import InvalidParameter, StoreFailed
from codeagentd.base import zstd
from codeagentd.model.facts import pack, unpack
from codeagentd.share.entries import Key, sealed
from codeagentd.share.file_vectors import packed_vectors
from codeagentd.share.identity import vectors_key
from codeagentd.share.manifests import FORMAT, Manifest, decoded, encoded, new_key, private_key
from codeagentd.share.packs import packed, places
from codeagentd.store.connection import Database
from tests.harness import git_repositories as git
from tests.harness.stored_rows import stored_rows
from tests.unit.share.conftest import FILES, Team, facts_at  # type: ignore[import-not-found]  # importlib mode


def test_a_clone_gets_the_facts_of_every_file_to_the_byte(team: Team, tmp_path: Path) -> None:
    pushed = team.push()
    assert (pushed.files, pushed.facts, pushed.without_facts, pushed.packs) == (FILES, FILES, 0, 1)
    report = team.pull(tmp_path / "clone")
    assert (report.facts, report.had, report.distance, report.refused, report.trouble) == (FILES, 0, 0, "", "")
    assert report.audited >= 1
    assert facts_at(tmp_path / "clone") == facts_at(team.place)


def test_a_second_push_moves_nothing_and_writes_the_same_pack(team: Team) -> None:
    team.push()
    packs = team.packs()
    again = team.push()
    assert (again.facts, again.bytes, again.files) == (0, 0, FILES)
    assert team.packs() == packs
    for place in packs:
        place.unlink()
    for place in team.manifests():
        place.unlink()
    team.push()
    assert team.packs() == packs  # another machine would have written the same bytes


def test_a_later_commit_moves_only_what_is_new_and_a_clone_of_it_gets_everything(team: Team, tmp_path: Path) -> None:
    team.push()
    team.write("shop/part0.py", "def other():\n    return 1\n")
    team.commit()
    pushed = team.push()
    assert (pushed.facts, pushed.files, pushed.packs) == (1, FILES, 1)
    assert team.pull(tmp_path / "clone").facts == FILES


def test_where_head_was_not_pushed_the_nearest_ancestor_serves(team: Team, tmp_path: Path) -> None:
    team.push()
    for number in range(3):
        team.write(f"shop/part{number}.py", f"def new{number}(): pass\n")
        team.commit()
    report = team.pull(tmp_path / "clone")
    assert (report.distance, report.facts) == (3, FILES - 3)


def test_a_pull_takes_up_where_another_one_ended(team: Team, tmp_path: Path) -> None:
    team.push()
    team.pull(tmp_path / "clone")
    database = Database(tmp_path / "clone" / "blobs.db", writable=True)
    database.run_many("garbage.delete_facts", list(facts_at(tmp_path / "clone"))[:40])
    database.close()
    report = team.pull(tmp_path / "clone")
    assert (report.had, report.facts) == (FILES - 40, 40)


def test_only_what_is_committed_leaves_the_machine(team: Team, tmp_path: Path) -> None:
    team.write("shop/part1.py", "def not_committed(): pass\n")
    team.write("shop/new.py", "def new(): pass\n")
    pushed = team.push()
    assert (pushed.files, pushed.changed) == (FILES - 1, 2)
    git.run(team.root, "stash", "-q", "-u")
    assert team.pull(tmp_path / "clone").facts == FILES - 1


def test_a_repository_without_a_commit_is_refused(tmp_path: Path, team: Team) -> None:
    git.run(team.root, "checkout", "-q", "--orphan", "empty")
    with pytest.raises(InvalidParameter, match="no commit"):
        team.push()


def test_a_store_without_this_repository_gives_nothing(team: Team, tmp_path: Path) -> None:
    report = team.pull(tmp_path / "clone")
    assert (report.commit, report.facts, report.trouble) == ("", 0, "")


def test_the_limit_leaves_the_rest_and_says_so(team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    team.push()
    monkeypatch.setattr("codeagentd.share.packs.RANGE_BYTES", 2_000)
    report = team.pull(tmp_path / "clone", max_bytes=10_000)
    assert report.bytes <= 10_000
    assert (report.facts + report.left, report.facts > 0) == (FILES, True)
    again = team.pull(tmp_path / "clone")
    assert (again.had, again.facts) == (report.facts, report.left)


def test_a_push_beyond_the_limit_says_that_it_is_not_whole(team: Team, tmp_path: Path) -> None:
    pushed = team.push(max_bytes=10)
    assert (pushed.is_whole, pushed.files) == (False, 0)


def test_two_teams_in_one_bucket_do_not_see_each_other(team: Team, tmp_path: Path) -> None:
    team.push()
    other = Team(tmp_path / "other") if (tmp_path / "other").mkdir() is None else None
    assert other is not None
    for number in range(100):
        other.write(f"shop/part{number}.py", f"def secret{number}(): pass\n")
    other.commit()
    other.store = team.store
    assert other.push().facts >= 100
    report = team.pull(tmp_path / "clone")
    assert report.facts == FILES
    assert facts_at(tmp_path / "clone") == facts_at(team.place)


# -- signatures


def test_with_trusted_keys_only_signed_manifests_serve(team: Team, tmp_path: Path) -> None:
    private, public = new_key()
    team.push()
    report = team.pull(tmp_path / "clone", trusted=(public,))
    assert report.facts == 0
    assert "not signed by a key of share.trusted_keys" in report.trouble
    for place in team.manifests():
        place.unlink()
    team.push(private_key(private))
    assert team.pull(tmp_path / "clone", trusted=(public,)).facts == FILES


def test_a_manifest_that_is_refused_hides_no_older_one(team: Team, tmp_path: Path) -> None:
    private, public = new_key()
    team.push(private_key(private))
    team.write("shop/part0.py", "def other(): pass\n")
    team.commit()
    team.push()
    report = team.pull(tmp_path / "clone", trusted=(public,))
    assert (report.distance, report.facts, report.trouble) == (1, FILES - 1, "")


# -- hostile stores


def rewritten(team: Team, change: Callable[[list[tuple[Key, bytes]]], list[tuple[Key, bytes]]]) -> None:
    """Replace what the store has by what somebody who has the files may put there."""
    entries = change([(Key(*key), blob) for key, blob in facts_at(team.place).items()])
    (place,) = team.manifests()
    refs = []
    for ref, data in packed([(key.id, sealed(key, content)) for key, content in entries], "0"):
        team.store.put(ref.key, data)
        refs.append(ref)
    manifest = decoded(place.read_bytes(), f"trees/{place.name}", [])
    place.write_bytes(encoded(Manifest(FORMAT, manifest.tree, refs, len(entries), 0.0), None))


def lied(blob: bytes) -> bytes:
    facts = unpack(blob)
    assert facts is not None
    return zstd.compress(pack(msgspec.structs.replace(facts, status="partial")))


def test_facts_that_are_not_those_of_the_file_end_the_pull_and_leave_nothing(team: Team, tmp_path: Path) -> None:
    team.push()
    rewritten(team, lambda entries: [(key, lied(blob)) for key, blob in entries])
    report = team.pull(tmp_path / "clone")
    assert "are not those of the file" in report.refused
    assert "tell whoever fills the store" in report.remedy
    assert facts_at(tmp_path / "clone") == {}


def test_what_was_there_before_a_lying_store_stays(team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    team.push()
    team.pull(tmp_path / "clone")
    team.write("shop/part0.py", "def other(): pass\n")
    team.commit()
    for place in team.manifests():
        place.unlink()
    team.push()
    rewritten(team, lambda entries: [(key, lied(blob)) for key, blob in entries])
    report = team.pull(tmp_path / "clone")
    assert report.refused
    assert len(facts_at(tmp_path / "clone")) == FILES


def test_an_entry_that_holds_no_facts_is_refused(team: Team, tmp_path: Path) -> None:
    team.push()
    rewritten(team, lambda entries: [(key, b"no frame") for key, _ in entries])
    report = team.pull(tmp_path / "clone")
    assert "holds no facts" in report.trouble


def test_facts_that_fit_no_schema_are_extracted_instead(team: Team, tmp_path: Path) -> None:
    team.push()
    place = tmp_path / "clone"
    team.request(place)
    database = Database(place / "blobs.db", writable=True)
    for number, key in enumerate(facts_at(team.place)):
        blob = zstd.compress(b"\x93no facts") if number % 2 else b"\x80"
        database.run("blobs.put_facts", (*key, blob))
    database.close()
    team.index(place)
    assert facts_at(place) == facts_at(team.place)


def test_a_replayed_manifest_of_another_tree_is_refused(team: Team, tmp_path: Path) -> None:
    team.push()
    (old,) = team.manifests()
    team.write("shop/part0.py", "def other(): pass\n")
    team.commit()
    team.push()
    (new,) = set(team.manifests()) - {old}
    old.replace(new)
    assert "another tree" in team.pull(tmp_path / "clone").trouble


def test_a_store_that_is_gone_in_the_middle_leaves_what_came(
    team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeagentd.share.packs.PACK_BYTES", 5_000)
    team.push()
    packs = team.packs()
    assert len(packs) > 2
    store_get, reads = team.store.__class__.get, []

    def get(self: object, key: str, start: int, length: int) -> bytes:
        reads.append(key)
        if len(reads) > 2 * len(packs) - 2:
            raise StoreFailed("gone", remedy="come again")
        data: bytes = store_get(self, key, start, length)  # type: ignore[arg-type]
        return data

    monkeypatch.setattr(team.store.__class__, "get", get)
    report = team.pull(tmp_path / "clone")
    assert report.trouble == "gone"
    assert 0 < len(facts_at(tmp_path / "clone")) < FILES


# -- packs


def test_many_small_packs_become_one(team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeagentd.share.push.MOST_PACKS", 3)
    team.push()
    for number in range(4):
        team.write(f"shop/part{number}.py", f"def new{number}(): pass\n")
        team.commit()
        team.push()
    newest = max(team.manifests(), key=lambda place: place.stat().st_mtime_ns)
    manifest = decoded(newest.read_bytes(), f"trees/{newest.name}", [])
    assert len(manifest.packs) <= 3
    assert sum(len(places(team.store, ref)) for ref in manifest.packs) >= FILES
    assert team.pull(tmp_path / "clone").facts == FILES


def test_vectors_travel_with_the_files_whose_passages_they_are_of(team: Team, tmp_path: Path) -> None:
    index = team.index()
    database, blobs = Database(index, writable=True), Database(team.place / "blobs.db", writable=True)
    rows = stored_rows(database)
    file = rows.file("shop/part7.py")
    assert file is not None
    symbol, digest = rows.symbol("shop.part7.lend7").id, file.digest
    database.run("vectors.put", (symbol, b"b" * 8, digest, b"p" * 16))
    blobs.run("vectors.cache", (b"p" * 16, b"v" * 8))
    database.close()
    blobs.close()
    assert team.push(model="small").vectors == 1
    assert team.pull(tmp_path / "other", model="large").vectors == 0
    assert team.pull(tmp_path / "clone", model="small").vectors == 1
    clone = Database(tmp_path / "clone" / "blobs.db")
    assert clone.value("vectors.cached", (b"p" * 16,)) == b"v" * 8
    clone.close()


@pytest.mark.parametrize("rows", [[(b"short", b"v")], [(b"p" * 16, b"")]])
def test_vectors_that_are_none_are_refused(team: Team, tmp_path: Path, rows: list[tuple[bytes, bytes]]) -> None:
    team.push()

    def with_vectors(entries: list[tuple[Key, bytes]]) -> list[tuple[Key, bytes]]:
        key = vectors_key(entries[0][0].digest, "small")
        return [*entries, (key, zstd.compress(packed_vectors(rows)))]

    rewritten(team, with_vectors)
    report = team.pull(tmp_path / "clone", model="small")
    assert "holds no vectors" in report.trouble
    assert report.facts == FILES
