"""What the tests of serving start from: repositories, and daemons that index nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.serve.raw_window import RawWindow
from tests.unit.serve.stub_process import StubDaemon


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """An empty repository."""
    return tmp_path


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StubDaemon]:
    """A daemon that the tests of one module share."""
    with StubDaemon(tmp_path_factory.mktemp("repo")) as daemon:
        yield daemon.wait_up()


@pytest.fixture
def window(daemon: StubDaemon) -> Iterator[RawWindow]:
    """An initialized window on the shared daemon."""
    with RawWindow(daemon.endpoint) as window:
        window.initialize()
        yield window
