"""An index by many machines goes on after whatever ended one of its steps, and is that of one machine."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.clustered import index_of, mapped, ran, single_index, sources
from tests.harness.contents import content
from tests.harness.disks import fill
from tests.harness.world import BIN, World

pytestmark = pytest.mark.limit(180)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[object, ...]]]:
    with World() as world:
        repo = world.repository("shop", sources())
        return content(single_index(repo, tmp_path_factory.mktemp("single")))


@pytest.fixture
def repo(world: World) -> Path:
    return world.repository("shop", sources())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def killed(world: World, repo: Path, store: Path, point: str, *options: str) -> None:
    """Run a step up to a point at which the process is killed."""
    argv = [str(BIN / "codeagentd"), "map", "--repo", str(repo), "--store", store.as_uri(), *options]
    done = subprocess.run(argv, env=world.environment | {"CODEAGENT_FAULT": point}, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done


@pytest.mark.parametrize(
    "point", ["index.facts_committed", "index.committed", "index.parts_merged", "index.indexes_built"]
)
def test_a_merge_that_was_killed_goes_on(world: World, repo: Path, store: Path, point: str, expected: object):
    mapped(world, repo, store, "--shard", "1/1")
    killed(world, repo, store, point, "--merge")
    snapshot = mapped(world, repo, store, "--merge")["snapshot"]
    mapped(world, repo, store, "--link-shard", "1/1", "--snapshot", snapshot)
    assert mapped(world, repo, store, "--finish")["linked_here"] == 0
    assert content(index_of(world)) == expected


def test_a_finish_that_was_killed_goes_on_with_the_references_that_are_there(
    world: World, repo: Path, store: Path, expected: object
):
    mapped(world, repo, store, "--shard", "1/1")
    snapshot = mapped(world, repo, store, "--merge")["snapshot"]
    assert mapped(world, repo, store, "--merge")["snapshot"] == snapshot, "a second merge publishes nothing else"
    mapped(world, repo, store, "--link-shard", "1/1", "--snapshot", snapshot)
    killed(world, repo, store, "index.resolved", "--finish")
    assert mapped(world, repo, store, "--finish")["linked_here"] == 0
    assert content(index_of(world)) == expected


def test_a_daemon_goes_on_where_the_coordinator_was_given_up(world: World, repo: Path, store: Path, expected: object):
    mapped(world, repo, store, "--shard", "1/1")
    mapped(world, repo, store, "--merge")
    world.index(repo)
    world.codeagentd("stop", "--repo", str(repo))
    assert content(index_of(world)) == expected
    assert mapped(world, repo, store, "--finish")["linked_here"] == 0, "the index is whole"


def test_a_store_that_is_gone_between_two_steps_costs_only_time(
    world: World, repo: Path, store: Path, expected: object
):
    mapped(world, repo, store, "--shard", "1/1")
    shutil.rmtree(store)
    merged = mapped(world, repo, store, "--merge")
    assert merged["extracted_here"] > 0
    mapped(world, repo, store, "--link-shard", "1/1", "--snapshot", merged["snapshot"])
    mapped(world, repo, store, "--finish")
    assert content(index_of(world)) == expected


def test_a_full_store_is_an_error_after_which_the_step_goes_on(world: World, repo: Path, full: Path):
    ballast = fill(full)
    done = ran(world, repo, full, "--shard", "1/1")
    assert done.code == 1
    error = json.loads(done.out)["error"]
    assert error["code"] == "db_error"
    assert "goes on where it was" in error["remedy"]
    ballast.unlink()
    assert mapped(world, repo, full, "--shard", "1/1")["files"] > 0


def test_a_store_that_is_read_only_is_an_error_with_a_remedy(world: World, repo: Path, full: Path):
    subprocess.run(["mount", "-o", "remount,ro", full], check=True)
    done = ran(world, repo, full, "--shard", "1/1")
    assert done.code == 1
    error = json.loads(done.out)["error"]
    assert error["code"] == "db_error"
    assert "Read-only" in error["message"]
    assert "goes on where it was" in error["remedy"]


@pytest.fixture
def full(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk of 8 MB."""
    place = tmp_path / "disk"
    place.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place], capture_output=True).returncode:
        pytest.skip("this user may not mount a disk")
    yield place
    subprocess.run(["umount", "-l", place], check=True)
