"""What every test gets: directories that are not the user's, a git identity, a time limit, and no process left behind."""

from __future__ import annotations

import faulthandler
import os
import shutil
import signal
import sys
from collections.abc import Iterator
from types import FrameType

import hypothesis
import pytest

from tests.harness import processes
from tests.harness.world import World, isolated, short_temp

DEFAULT_LIMIT_S = 60.0
LONGEST_FIRST = (  # files and folders; the rest follows as it is collected
    "tests/properties/test_real_history.py", "tests/languages/", "tests/e2e/", "tests/faults/", "tests/transcripts/",
    "tests/properties/", "tests/unit/pipeline/", "tests/unit/extract/", "tests/unit/tools/", "tests/architecture/",
)  # fmt: skip
OF_POSIX = (  # what they are about, terminals, signals, owners, inotify, is not on Windows
    "e2e/test_source_and_open.py", "e2e/test_terminal.py", "faults", "unit/boot/test_leaving.py", "unit/clients/test_client_files.py",
    "unit/protocol/test_other_systems.py", "unit/scan/test_watcher.py", "unit/shim/test_shim_leaving.py",
)  # fmt: skip
collect_ignore = OF_POSIX if sys.platform == "win32" else ()
_world = pytest.StashKey[str]()


def pytest_configure(config: pytest.Config) -> None:
    """Move every directory of codeagentd away from the user's before any product module is imported."""
    base = short_temp()
    environment = isolated(os.environ, base)
    os.environ.clear()
    os.environ.update(environment)
    config.stash[_world] = base
    hypothesis.settings.register_profile(
        "busy", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
    )  # the machine may be busy: what a test finds does not depend on it
    hypothesis.settings.load_profile("busy")
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        # a shell has what it runs in the background ignore Ctrl-C, and so would all that the tests start there
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.dont_write_bytecode = False  # of this process alone: pytest keeps the tests that it rewrote, for the next one


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest where several processes share the work: none is left alone with it at the end."""
    if hasattr(config, "workerinput"):
        items.sort(
            key=lambda item: next((n for n, start in enumerate(LONGEST_FIRST) if item.nodeid.startswith(start)), 99)
        )


def pytest_unconfigure(config: pytest.Config) -> None:
    """End what tests left running, and remove their world."""
    if base := config.stash.get(_world, None):
        processes.end(processes.Roster(os.environ["CODEAGENT_RUNTIME_DIR"]).present())
        shutil.rmtree(base, ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Fail a test that runs past its limit instead of hanging the run; on Windows the run ends there."""
    marker = item.get_closest_marker("limit")
    limit_s = float(marker.args[0]) if marker else DEFAULT_LIMIT_S

    if sys.platform == "win32":
        faulthandler.dump_traceback_later(limit_s, exit=True)
        try:
            return (yield)
        finally:
            faulthandler.cancel_dump_traceback_later()

    def out_of_time(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"the test ran past its limit of {limit_s:.0f} s")

    before = signal.signal(signal.SIGALRM, out_of_time)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        return (yield)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.fixture(autouse=True, scope="session")
def forked_workers() -> Iterator[None]:
    """Engines of the test process get workers that need not be started from nothing."""
    with pytest.MonkeyPatch.context() as patch:
        if sys.platform == "linux":
            from tests.harness import nursery

            patch.setattr("codeagentd.pipeline.workers.pool.start_worker", nursery.started)
        yield


@pytest.fixture
def anyio_backend() -> str:
    """Tests marked anyio run on asyncio, as the daemon does."""
    return "asyncio"


@pytest.fixture
def world() -> Iterator[World]:
    """A world that ends with the test."""
    with World() as world:
        yield world
