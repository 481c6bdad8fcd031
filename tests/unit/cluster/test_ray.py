"""An index by Ray is that of one machine. Ray is large, and no test installs it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.errors import CodedError
from codeagentd.cluster import ray_engine, steps
from tests.harness.clustered import NOTES, facts_in, noted
from tests.harness.contents import content
from tests.harness.stored_rows import facts_by_key
from tests.harness.waiting import eventually


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a Ray cluster of this machine, with two cores."""
    pytest.importorskip("ray", reason="the extra ray (79 MB) is not installed")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # else it writes a token into the home directory
    monkeypatch.setenv(NOTES, str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    start = ["start", "--head", "--block", "--num-cpus=2", f"--port={port}", "--node-ip-address=127.0.0.1"]
    with (tmp_path / "ray.log").open("wb") as log, subprocess.Popen(
        [sys.executable, "-m", "ray.scripts.scripts", *start, "--include-dashboard=false"],
        stdout=log, stderr=log, stdin=subprocess.DEVNULL,
    ) as head:  # fmt: skip
        try:
            eventually(lambda: "Ray runtime started" in (tmp_path / "ray.log").read_text(), 90)
            yield f"127.0.0.1:{port}"
        finally:
            head.terminate()


@pytest.mark.limit(300)
def test_ray_makes_the_index_of_one_machine(repo: Path, tmp_path: Path, address: str, expected: Path):
    repository = steps.Repository(endpoint_of(str(repo)), (tmp_path / "store").as_uri(), 2, lambda progress: None)
    report = repository.run("ray", address, str(repo), (tmp_path / "store").as_uri())
    assert (report.merged.extracted_here, report.merged.linked_here) == (0, 0)
    assert facts_in(repo, tmp_path / "store") == facts_by_key(expected.with_name("blobs.db"))
    assert content(endpoint_of(str(repo)).index / "index.db") == content(expected)


@pytest.mark.limit(300)
def test_a_killed_process_costs_only_its_task(
    repo: Path, tmp_path: Path, address: str, expected: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ray_engine, "perform", noted)
    (tmp_path / "kill-2").touch()
    repository = steps.Repository(endpoint_of(str(repo)), (tmp_path / "store").as_uri(), 2, lambda progress: None)
    report = repository.run("ray", address, str(repo), (tmp_path / "store").as_uri())
    assert (report.merged.extracted_here, report.merged.linked_here) == (0, 0)
    assert content(endpoint_of(str(repo)).index / "index.db") == content(expected)
    begun = (tmp_path / "begun").read_text().split()
    (killed,) = tmp_path.glob("killed-*")
    assert len(begun) - len({*begun}) == 1
    assert begun.count(killed.name.removeprefix("killed-")) == 2


@pytest.mark.parametrize("package", ["distributed", "ray"])
def test_an_engine_that_is_not_installed_is_an_error_that_names_the_extra(
    repo: Path, tmp_path: Path, package: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, package, None)
    repository = steps.Repository(endpoint_of(str(repo)), (tmp_path / "store").as_uri(), 2, lambda progress: None)
    name = {"distributed": "dask", "ray": "ray"}[package]
    with pytest.raises(CodedError) as refused:
        repository.run(name, "tcp://127.0.0.1:9", str(repo), (tmp_path / "store").as_uri())
    assert refused.value.code == "engine_unavailable"
    assert f"codeagentd[{name}]" in refused.value.remedy
