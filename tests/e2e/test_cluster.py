"""One repository, indexed by the steps of several machines: the facts and the index are those of a single one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.clustered import facts_in, facts_of, index_of, mapped, objects, ran, sources
from tests.harness.contents import content
from tests.harness.stored_rows import facts_by_key
from tests.harness.world import World


@pytest.fixture(scope="module")
def single() -> Iterator[World]:
    """A world in which one machine has indexed the repository."""
    with World() as world:
        repo = world.repository("shop", sources())
        world.index(repo)
        world.codeagentd("stop", "--repo", str(repo))
        yield world


@pytest.fixture
def repo(world: World) -> Path:
    return world.repository("shop", sources())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


@pytest.mark.parametrize("parts", [1, 3])
def test_facts_are_the_same_bytes_whichever_number_of_shards_there_is(
    world: World, repo: Path, store: Path, single: World, parts: int
):
    reports = [
        mapped(world, repo, store, "--shard", f"{number}/{parts}", PYTHONHASHSEED=str(number))
        for number in range(1, parts + 1)
    ]
    assert sum(report["files"] for report in reports) == len([*sources()]) - 1  # all but the binary one
    assert {path for report in reports for path in report["reasons"]} == {"web/min.js"}
    assert facts_in(repo, store) == facts_by_key(facts_of(single))
    whole = store.with_name("whole")
    mapped(world, repo, whole, "--shard", "1/1")
    assert objects(store) == objects(whole)


def test_a_shard_that_is_run_again_extracts_nothing(world: World, repo: Path, store: Path):
    first = mapped(world, repo, store, "--shard", "1/2")
    again = mapped(world, repo, store, "--shard", "1/2")
    assert again["extracted"] == 0
    assert again["known"] == again["files"] == first["files"]


@pytest.mark.limit(120)
def test_three_machines_make_the_index_of_one(world: World, repo: Path, store: Path, single: World):
    for number in (1, 2, 3):
        mapped(world, repo, store, "--shard", f"{number}/3")
    merged = mapped(world, repo, store, "--merge")
    assert merged["extracted_here"] == 0
    missing = ran(world, repo, store, "--finish")
    assert missing.code == 1
    assert "--link-shard" in json.loads(missing.out)["error"]["remedy"]
    for number in (1, 2, 3):
        assert mapped(world, repo, store, "--link-shard", f"{number}/3", "--snapshot", merged["snapshot"])["files"]
        if number == 2:
            assert " are missing" in ran(world, repo, store, "--finish").err
    finished = mapped(world, repo, store, "--finish")
    assert (finished["extracted_here"], finished["linked_here"], finished["snapshot"]) == (0, 0, "")
    expected, made = content(index_of(single)), content(index_of(world))
    for table, rows in expected.items():
        assert made[table] == rows, table
    assert expected["refs"]
    world.index(repo)
    world.codeagentd("stop", "--repo", str(repo))
    assert facts_by_key(facts_of(world)) == facts_by_key(facts_of(single)), "the daemon has extracted nothing"
    with World() as clone:
        pulled = clone.codeagentd("share", "pull", "--repo", str(repo), "--store", store.as_uri(), "--json").json
        assert (pulled["facts"], pulled["distance"]) == (len(facts_by_key(facts_of(single))), 0)


def test_the_coordinator_extracts_and_resolves_what_nobody_has(world: World, repo: Path, store: Path, single: World):
    mapped(world, repo, store, "--shard", "1/2")
    merged = mapped(world, repo, store, "--merge")
    assert merged["extracted_here"] > 0
    mapped(world, repo, store, "--link-shard", "1/1", "--snapshot", merged["snapshot"])
    assert mapped(world, repo, store, "--finish")["linked_here"] == 0
    assert content(index_of(world)) == content(index_of(single))


def test_a_shard_that_is_none_is_refused(world: World, repo: Path, store: Path):
    for text in ("4/3", "0/3", "x"):
        done = ran(world, repo, store, "--shard", text)
        assert done.code == 2
        error = json.loads(done.out)["error"]
        assert error["code"] == "invalid_parameter"
        assert text in error["message"]


def test_a_merge_is_refused_while_a_daemon_writes_the_index(world: World, repo: Path, store: Path):
    world.index(repo)
    done = ran(world, repo, store, "--merge")
    assert done.code == 1
    error = json.loads(done.out)["error"]
    assert error["code"] == "engine_unavailable"
    assert "codeagentd stop" in error["remedy"]


def test_a_store_that_cannot_be_written_is_an_error_with_a_remedy(world: World, repo: Path, tmp_path: Path):
    (tmp_path / "file").write_text("in the way")
    done = ran(world, repo, tmp_path / "file", "--shard", "1/1")
    assert done.code == 1
    error = json.loads(done.out)["error"]
    assert error["code"] == "db_error"
    assert "goes on where it was" in error["remedy"]
