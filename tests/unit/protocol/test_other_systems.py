"""What stands in for flock, pidfds and fork on Windows: our side of it, against stand-ins for the modules that only Windows has."""

from __future__ import annotations

import errno
import fcntl
import importlib.util
import os
import struct
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from codeagent_protocol import locks, processes
from codeagent_protocol.dirs import make_private
from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.root import forbidden

LOCK_OF_A_BYTE = "hhqqi4x"  # struct flock of Linux


def locking(fd: int, mode: int, count: int) -> None:
    """msvcrt.locking by locks of open files: exclusive, from the position, not waiting."""
    is_written = (
        fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_RDWR
    )  # Linux gives others only locks that are shared, which a holder's excludes as well
    kind = fcntl.F_UNLCK if mode == 0 else fcntl.F_WRLCK if is_written else fcntl.F_RDLCK
    try:
        fcntl.fcntl(fd, 37, struct.pack(LOCK_OF_A_BYTE, kind, os.SEEK_CUR, 0, count, 0))  # F_OFD_SETLK
    except OSError as error:
        raise PermissionError(errno.EACCES, "Permission denied") from error


def as_on_windows(module: ModuleType, monkeypatch: pytest.MonkeyPatch, **modules: Any) -> Any:
    """A module as it is loaded there, with stand-ins for other modules."""
    for name, stand_in in modules.items():
        monkeypatch.setitem(sys.modules, name, stand_in)
    monkeypatch.setattr(sys, "platform", "win32")
    assert module.__file__
    spec = importlib.util.spec_from_file_location(f"{module.__package__}.as_on_windows", module.__file__)
    assert spec
    assert spec.loader
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


@pytest.fixture
def its_locks(monkeypatch: pytest.MonkeyPatch) -> Any:
    if sys.platform != "linux":
        pytest.skip("the stand-in needs Linux")
    return as_on_windows(locks, monkeypatch, msvcrt=SimpleNamespace(locking=locking, LK_NBLCK=2, LK_UNLCK=0))


def test_a_lock_of_windows_has_one_holder_and_its_line_can_be_read_meanwhile(its_locks: Any, tmp_path: Path):
    path = str(tmp_path / "name.life")
    first, second = its_locks.FileLock(path), its_locks.FileLock(path)
    assert first.try_take()
    first.write("4711 1.2.3")
    first.write("4712 1.2.3")
    assert not second.try_take()
    assert its_locks.is_held(path)
    assert its_locks.holder_line(path) == "4712 1.2.3"
    assert os.stat(path).st_size < 100  # the locked byte lies behind all that is written
    first.release()
    assert not its_locks.is_held(path)
    assert second.try_take()


def test_two_that_only_look_take_no_holder_for_one(its_locks: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = str(tmp_path / "name.life")
    other = its_locks.FileLock(path)
    assert other.try_take()
    monkeypatch.setattr(its_locks.time, "sleep", lambda _s: other.release())  # the other probe is over while we pause
    assert not its_locks.is_held(path)


class Processes:
    """The parts of _winapi that are used; `living` are the processes that there are."""

    SYNCHRONIZE, WAIT_OBJECT_0 = 0x100000, 0

    def __init__(self, *living: int) -> None:
        self.living = set(living)
        self.open: set[int] = set()

    def OpenProcess(self, access: int, inherit: bool, pid: int) -> int:  # noqa: N802 - Windows' own name
        assert access == self.SYNCHRONIZE
        assert not inherit
        if pid not in self.living:
            raise OSError(22, "The parameter is incorrect")
        self.open.add(pid)
        return pid

    def WaitForSingleObject(self, handle: int, milliseconds: int) -> int:  # noqa: N802 - Windows' own name
        assert not milliseconds
        return 258 if handle in self.living else self.WAIT_OBJECT_0

    def CloseHandle(self, handle: int) -> None:  # noqa: N802 - Windows' own name
        self.open.remove(handle)


def test_a_process_is_watched_by_its_handle_and_never_sent_a_signal(monkeypatch: pytest.MonkeyPatch):
    windows = Processes(5)
    monkeypatch.setattr(os, "kill", lambda pid, number: pytest.fail("signal 0 is Ctrl-C there"))
    its = as_on_windows(processes, monkeypatch, _winapi=windows)
    watched, nobody = its.WatchedProcess(5), its.WatchedProcess(6)
    assert (watched.fd, watched.has_ended(), watched.has_parent_ended(), nobody.has_ended()) == (
        -1,
        False,
        False,
        True,
    )
    windows.living.clear()
    assert watched.has_ended()
    assert watched.has_parent_ended()
    watched.close()
    watched.close()
    nobody.close()
    assert not windows.open


@pytest.mark.parametrize("job_lets_go", [True, False])
def test_a_daemon_is_started_outside_of_the_editors_job_where_that_is_allowed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, job_lets_go: bool
):
    started: list[dict[str, Any]] = []

    def popen(arguments: list[str], **how: Any) -> SimpleNamespace:
        if how["creationflags"] & 4 and not job_lets_go:
            raise PermissionError(13, "Access is denied")
        started.append({"arguments": arguments, **how})
        return SimpleNamespace(pid=4711, returncode=None)

    for name, flag in (("CREATE_NO_WINDOW", 1), ("CREATE_NEW_PROCESS_GROUP", 2), ("CREATE_BREAKAWAY_FROM_JOB", 4)):
        monkeypatch.setattr(subprocess, name, flag, raising=False)
    monkeypatch.setattr(subprocess, "Popen", popen)
    its = as_on_windows(processes, monkeypatch, _winapi=Processes())
    assert its.spawn_detached(["/python", "-P"], {"A": "1"}, str(tmp_path / "out")) == 4711
    (one,) = started
    assert (one["arguments"], one["env"], one["stdin"], one["creationflags"]) == (
        ["/python", "-P"],
        {"A": "1"},
        subprocess.DEVNULL,
        7 if job_lets_go else 3,
    )
    assert one["cwd"] == os.sep


def test_a_long_path_and_an_open_directory_are_no_trouble_without_sockets_and_modes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", str(tmp_path / ("x" * 120)))
    assert os.path.isdir(endpoint_of(tmp_path).runtime)
    make_private(str(tmp_path))


def test_the_directories_of_windows_itself_are_never_a_repository(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    programs = tmp_path / "Program Files"
    (programs / "project").mkdir(parents=True)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("PROGRAMFILES", str(programs))
    assert forbidden(str(programs)) == "a system directory"
    assert not forbidden(str(programs / "project"))
