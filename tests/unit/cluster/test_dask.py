"""An index by Dask is that of one machine, also when workers die; machines that differ are refused."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.errors import CodedError
from codeagentd.boot.index_ownership import blobs_of
from codeagentd.cluster import build_identity, steps
from codeagentd.cluster.engines import ClusterReport
from codeagentd.model.engine_status import Progress
from tests.harness.clustered import facts_in
from tests.harness.contents import content
from tests.harness.stored_rows import facts_by_key

pytestmark = pytest.mark.limit(180)


def index(repo: Path, store: Path, scheduler: str, worker_repo: Path | None = None) -> ClusterReport:
    """Index with Dask."""
    repository = steps.Repository(endpoint_of(str(repo)), store.as_uri(), 2, shown.append)
    return repository.run("dask", scheduler, str(worker_repo or repo), store.as_uri())


shown: list[Progress] = []


def index_path(repo: Path) -> Path:
    return endpoint_of(str(repo)).index / "index.db"


def begun(notes: Path) -> list[str]:
    """The tasks in the order in which they began."""
    return (notes / "begun").read_text().split()


def working(notes: Path) -> list[str]:
    """The tasks that had something to do, in the order of their ends."""
    lines = [line.split() for line in (notes / "done").read_text().splitlines()]
    return [name for name, work in lines if work != "0"]


def test_two_workers_make_the_index_of_one_machine(
    repo: Path, tmp_path: Path, scheduler: str, expected: Path, notes: Path
):
    report = index(repo, tmp_path / "store", scheduler)
    assert (report.merged.extracted_here, report.merged.linked_here) == (0, 0)
    assert facts_in(repo, tmp_path / "store") == facts_by_key(expected.with_name("blobs.db"))
    assert content(index_path(repo)) == content(expected)
    assert len(begun(notes)) == len({*begun(notes)}), "each task ran once"
    assert {progress.phase for progress in shown} >= {"extract", "resolve"}


@pytest.mark.parametrize("number", [2, 24], ids=["extracting", "resolving"])
def test_a_killed_worker_costs_only_its_task(
    repo: Path, tmp_path: Path, scheduler: str, expected: Path, notes: Path, number: int
):
    (notes / f"kill-{number}").touch()
    report = index(repo, tmp_path / "store", scheduler)
    assert (report.merged.extracted_here, report.merged.linked_here) == (0, 0)
    assert content(index_path(repo)) == content(expected)
    (killed,) = notes.glob("killed-*")
    name = killed.name.removeprefix("killed-")
    assert begun(notes).count(name) == 2
    # Dask asks again for answers that the worker had not handed over: the store has what they report
    assert all(count == 1 for count in Counter(working(notes)).values())
    assert name in working(notes)


def test_a_second_index_with_the_same_store_extracts_nothing(repo: Path, tmp_path: Path, scheduler: str):
    index(repo, tmp_path / "store", scheduler)
    index_path(repo).unlink()
    (blobs_of(endpoint_of(str(repo))) / "blobs.db").unlink()
    assert index(repo, tmp_path / "store", scheduler).extracted.extracted == 0


def test_a_worker_with_another_commit_is_refused(repo: Path, tmp_path: Path, scheduler: str):
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", str(repo), str(other)], check=True)
    subprocess.run(["git", "-C", str(other), "commit", "-q", "--allow-empty", "-m", "more"], check=True)
    with pytest.raises(CodedError) as refused:
        index(repo, tmp_path / "store", scheduler, other)
    assert "is at commit" in refused.value.message
    assert "checkout --detach" in refused.value.remedy


def test_a_worker_whose_files_differ_is_refused(repo: Path, tmp_path: Path, scheduler: str):
    other = tmp_path / "other"
    subprocess.run(["git", "clone", "-q", str(repo), str(other)], check=True)
    (other / "shop/part1/item1.py").write_text("changed = 1\n")
    with pytest.raises(CodedError) as refused:
        index(repo, tmp_path / "store", scheduler, other)
    assert "shop/part1/item1.py differs" in refused.value.message


def test_a_worker_with_another_build_is_refused_with_both_named(
    repo: Path, tmp_path: Path, scheduler: str, monkeypatch: pytest.MonkeyPatch
):
    other = msgspec.structs.replace(build_identity.this_build(), version="9.9.9")
    monkeypatch.setattr("codeagentd.cluster.engines.this_build", lambda: other)
    with pytest.raises(CodedError) as refused:
        index(repo, tmp_path / "store", scheduler)
    assert "codeagentd 9.9.9" in refused.value.message
    assert str(build_identity.this_build()) in refused.value.message


def test_a_scheduler_that_does_not_answer_is_an_error_with_the_commands_to_start_one(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("distributed")
    monkeypatch.setattr("codeagentd.cluster.dask_engine.CONNECT_S", 1.0)
    with pytest.raises(CodedError) as refused:
        index(repo, tmp_path / "store", "tcp://127.0.0.1:9")
    assert "dask worker" in refused.value.remedy
