"""An index by Dask on two hosts, network namespaces of this machine: the same as that of one, also when one of them dies."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest

from tests.harness.clustered import facts_in, facts_of, index_of, objects, single_index, sources
from tests.harness.contents import content
from tests.harness.namespaces import Host, dask_on, two_hosts, why_impossible
from tests.harness.stored_rows import facts_by_key
from tests.harness.waiting import eventually
from tests.harness.world import BIN, World

pytestmark = [pytest.mark.long, pytest.mark.limit(240)]


@pytest.fixture(autouse=True)
def needs_namespaces() -> None:
    pytest.importorskip("distributed")
    if why := why_impossible():
        pytest.skip(why)


def command(world: World, host: Host, repo: Path, store: Path, scheduler: str) -> subprocess.Popen[str]:
    """`codeagentd map`, on a host."""
    argv = [
        str(BIN / "codeagentd"), "map", "--engine", "dask", "--scheduler", scheduler, "--store", store.as_uri(),
        "--repo", str(repo), "--json",
    ]  # fmt: skip
    return subprocess.Popen(
        host.command(*argv), env=world.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=repo
    )


def test_two_hosts_make_the_facts_and_the_index_of_one(world: World, tmp_path: Path):
    repo, store = world.repository("shop", sources()), tmp_path / "store"
    expected = single_index(repo, tmp_path / "single")
    with two_hosts() as hosts, dask_on(hosts[0], hosts, tmp_path / "dask", world.environment) as (scheduler, _):
        with command(world, hosts[0], repo, store, scheduler) as running:
            out, err = running.communicate(timeout=200)
        assert running.returncode == 0, err
        report = json.loads(out)
        assert report["merged"]["extracted_here"] == report["merged"]["linked_here"] == 0
        left = [*(tmp_path / "dask").glob("cache*/cluster/snapshots/*/index.db")]
        assert left == [], "each host has removed its copy"
    assert facts_in(repo, store) == facts_by_key(expected.with_name("blobs.db")) == facts_by_key(facts_of(world))
    assert content(index_of(world)) == content(expected)


def test_a_host_that_dies_costs_its_tasks_alone(world: World, tmp_path: Path):
    files = {**sources(), **{f"more/{path}": text for path, text in sources().items()}}
    repo, store = world.repository("shop", files), tmp_path / "store"
    expected = single_index(repo, tmp_path / "single")
    with two_hosts() as hosts, dask_on(hosts[0], hosts, tmp_path / "dask", world.environment) as (scheduler, processes):
        with command(world, hosts[0], repo, store, scheduler) as running:
            eventually(lambda: objects(store), 60)  # the first portions are there
            processes[-1].kill()  # the nanny of the second host, which would start its worker again
            for pid in subprocess.run(
                ["ip", "netns", "pids", hosts[1].name], check=True, capture_output=True, text=True
            ).stdout.split():
                subprocess.run(["kill", "-9", pid], check=False)
            out, err = running.communicate(timeout=200)
        assert running.returncode == 0, err
        merged = json.loads(out)["merged"]
        assert merged["extracted_here"] == merged["linked_here"] == 0
    assert content(index_of(world)) == content(expected)


def test_a_coordinator_that_dies_is_started_again_and_goes_on(world: World, tmp_path: Path):
    repo, store = world.repository("shop", sources()), tmp_path / "store"
    expected = single_index(repo, tmp_path / "single")
    with two_hosts() as hosts, dask_on(hosts[0], hosts, tmp_path / "dask", world.environment) as (scheduler, _):
        for point in ("index.committed", "index.resolved"):
            world.environment["CODEAGENT_FAULT"] = point
            with command(world, hosts[0], repo, store, scheduler) as running:
                running.communicate(timeout=100)
            assert running.returncode == -signal.SIGKILL
        del world.environment["CODEAGENT_FAULT"]
        with command(world, hosts[0], repo, store, scheduler) as running:
            out, err = running.communicate(timeout=100)
        assert running.returncode == 0, err
        report = json.loads(out)
        assert report["merged"]["extracted_here"] == report["merged"]["linked_here"] == 0
    assert content(index_of(world)) == content(expected)
