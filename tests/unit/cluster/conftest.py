"""A repository in git, and a cluster of Dask on this machine."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.cluster import dask_engine
from tests.harness.clustered import NOTES, noted, single_index, sources


@pytest.fixture(scope="session")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of `repo` by a single machine."""
    folder = tmp_path_factory.mktemp("single")
    return single_index(written(folder / "shop"), folder / "index")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return written(tmp_path / "shop")


@pytest.fixture(scope="package")
def cluster_with_notes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of a Dask scheduler with two workers, processes of one thread each, and where they note tasks."""
    distributed = pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("notes")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(NOTES, str(folder))
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as cluster:
            yield str(cluster.scheduler_address), folder


@pytest.fixture
def notes(cluster_with_notes: tuple[str, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which tasks are noted: `begun` has a line for each."""
    folder = cluster_with_notes[1]
    for path in folder.iterdir():
        path.unlink()
    monkeypatch.setattr(dask_engine, "perform", noted)
    return folder


@pytest.fixture
def scheduler(cluster_with_notes: tuple[str, Path], notes: Path) -> str:
    """The address of the scheduler."""
    return cluster_with_notes[0]


def written(root: Path) -> Path:
    """The repository, written to `root` and committed."""
    for path, text in sources().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "all"]):
        subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)
    return root
