"""A daemon is started when there is none, by one of those who want it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from codeagent_protocol import launch as launch_module
from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.launch import FAILED, HEAP_SETTING, RUNNING, STARTING, Launch, environment, last_error_line
from codeagent_protocol.locks import FileLock, is_held
from codeagent_protocol.processes import WatchedProcess, spawn_detached
from tests.harness.waiting import comes

DAEMON = """
import signal, sys
from codeagent_protocol import launch as launch_module
from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.locks import FileLock
lock = FileLock(endpoint_of(sys.argv[sys.argv.index("--repo") + 1]).life_lock)
while not lock.try_take():
    pass
print("alive", flush=True)
signal.pause()
"""
PATIENCE_S = 20.0


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[Endpoint]:
    """An endpoint of its own; whatever was started for it is ended."""
    yield (found := endpoint_of(tmp_path))
    for process in psutil.process_iter(["cmdline"]):
        if found.root in (process.info["cmdline"] or ()):
            process.kill()


def test_a_missing_daemon_is_started_once_and_then_found(endpoint: Endpoint):
    launch, other = Launch(endpoint, [sys.executable, "-c", DAEMON]), Launch(endpoint, ["/nonexistent"])
    assert launch.step() == STARTING
    assert other.step() == STARTING  # another process starts it
    assert comes(lambda: is_held(endpoint.life_lock))
    assert launch.step() == STARTING  # until it greets, which only the caller can tell
    launch.release()
    assert other.step() == RUNNING
    assert launch.step() == RUNNING
    assert (launch.starts, other.starts) == (1, 0)
    assert comes(lambda: last_error_line(endpoint) == "alive")


def test_a_daemon_that_ends_at_once_is_a_failure_with_last_words(endpoint: Endpoint):
    launch = Launch(
        endpoint, [sys.executable, "-c", "import sys; print('first', flush=True); sys.exit('no luck\\n\\n')"]
    )
    assert comes(lambda: launch.step() == FAILED)
    assert launch.starts == 1
    assert last_error_line(endpoint) == "no luck"
    assert not FileLock(endpoint.launch_lock).is_held
    assert FileLock(endpoint.launch_lock).try_take()


def test_a_program_that_cannot_be_started_is_a_failure_with_the_systems_reason(endpoint: Endpoint):
    launch = Launch(endpoint, ["/nonexistent/python"])
    assert launch.step() == FAILED
    assert "No such file" in launch.trouble


def test_a_lock_that_cannot_be_had_is_a_failure_with_the_systems_reason(endpoint: Endpoint):
    os.mkdir(endpoint.launch_lock)
    launch = Launch(endpoint)
    assert launch.step() == FAILED
    assert "Is a directory" in launch.trouble
    assert launch.starts == 0


def test_a_started_daemon_that_finds_another_one_is_no_failure(endpoint: Endpoint):
    launch, life = Launch(endpoint, [sys.executable, "-c", "pass"]), FileLock(endpoint.life_lock)
    assert launch.step() == STARTING
    assert life.try_take()
    assert comes(lambda: launch.step() == RUNNING)
    life.release()


def test_a_daemon_that_takes_too_long_is_left_to_the_next_who_looks(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(launch_module, "LIFE_S", 0.0)
    launch = Launch(endpoint, [sys.executable, "-c", "import signal; signal.pause()"])
    assert launch.step() == STARTING
    assert launch.step() == STARTING
    assert FileLock(endpoint.launch_lock).try_take()


def test_the_default_command_never_imports_from_the_current_directory():
    assert launch_module.DAEMON == ("-P", "-m", "codeagentd.boot.daemon")


def test_a_daemon_gets_no_options_of_a_window_and_absolute_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    own = {
        "PATH": "bin",
        "CODEAGENT_TOOLS": "x",
        "GIT_DIR": ".git",
        "GIT_SSH_COMMAND": "ssh",
        "CODEAGENT_DATA_DIR": "d",
        "CODEAGENT_MODEL_PATH": "/m",
    }
    kept = {
        "PATH": "bin",
        "GIT_SSH_COMMAND": "ssh",
        "CODEAGENT_DATA_DIR": str(tmp_path / "d"),
        "CODEAGENT_MODEL_PATH": "/m",
    }
    setting = dict([HEAP_SETTING]) if sys.platform == "linux" else {}
    assert environment(own) == kept | setting
    assert environment(own | {"GLIBC_TUNABLES": "mine"})["GLIBC_TUNABLES"] == "mine"


def test_a_detached_process_is_a_session_leader_of_nobody_with_its_output_in_a_file(tmp_path: Path):
    program = f"import os, sys; print(os.getsid(0) == {os.getsid(0)}, os.getcwd(), sys.stdin.read() == '', flush=True); print('err', file=sys.stderr)"
    (tmp_path / "out").write_text("of an earlier one")
    pid = spawn_detached([sys.executable, "-c", program], os.environ, str(tmp_path / "out"))
    assert comes(lambda: "err" in (tmp_path / "out").read_text())
    assert (tmp_path / "out").read_text() == "False / True\nerr\n"
    assert pid not in {child.pid for child in psutil.Process().children()}


def test_the_end_of_a_watched_process_is_noticed_even_without_pidfds(monkeypatch: pytest.MonkeyPatch):
    for has_pidfds in (True, False):
        if not has_pidfds:
            monkeypatch.setattr(os, "pidfd_open", refuse, raising=False)
        with subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"]) as process:
            watched = WatchedProcess(process.pid)
            assert (watched.fd >= 0) == (has_pidfds and sys.platform == "linux")
            assert not watched.has_ended()
            process.send_signal(signal.SIGKILL)
            process.wait()
            assert comes(watched.has_ended)
            watched.close()


def refuse(pid: int) -> int:
    raise OSError("not here")
