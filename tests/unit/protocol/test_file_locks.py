"""A lock file has one holder, who loses it with its life."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagent_protocol.locks import FileLock, holder_line, is_held

HOLD = """
import sys
from codeagent_protocol.locks import FileLock
lock = FileLock(sys.argv[1])
taken = lock.try_take()
lock.write("4711 holder")
print(taken, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "name.life")


@pytest.fixture
def holder(path: str) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the lock."""
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"True\n"
        yield process
        process.kill()


def test_only_one_process_gets_the_lock(path: str, holder: subprocess.Popen[bytes]):
    lock = FileLock(path)
    assert not lock.try_take()
    assert not lock.is_held
    assert is_held(path)
    assert holder_line(path) == "4711 holder"


def test_the_lock_ends_with_its_holder_even_by_kill(path: str, holder: subprocess.Popen[bytes]):
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert not is_held(path)
    assert FileLock(path).try_take()


def test_looking_at_a_free_lock_takes_nothing_and_makes_nothing(path: str):
    assert not is_held(path)
    assert holder_line(path) == ""
    assert not os.path.exists(path)
    lock = FileLock(path)
    assert lock.try_take()
    assert lock.try_take()
    assert is_held(path)
    lock.release()
    lock.release()
    assert not is_held(path)
    assert os.path.exists(path)


def test_the_holders_line_replaces_the_last_one(path: str):
    lock = FileLock(path)
    lock.try_take()
    lock.write("a much longer line")
    lock.write("short")
    assert holder_line(path) == "short"
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_a_lock_whose_file_was_swept_away_is_noticed(path: str):
    lock = FileLock(path)
    lock.try_take()
    assert lock.is_in_place()
    os.unlink(path)
    assert not lock.is_in_place()
    assert FileLock(path).try_take()
    assert not lock.is_in_place()


def test_a_link_planted_in_place_of_the_file_is_not_followed(path: str, tmp_path: Path):
    os.symlink(tmp_path / "target", path)
    with pytest.raises(OSError, match="symbolic links"):
        FileLock(path).try_take()
    assert not (tmp_path / "target").exists()
