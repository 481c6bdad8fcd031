"""Whether anything forbids a process to reach a daemon: real refusals of the kernel, where it can be had to refuse."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from codeagent_protocol.endpoint import endpoint_at, endpoint_of
from codeagent_protocol.launch import RUNNING, Launch
from codeagent_protocol.locks import FileLock
from codeagent_protocol.sandbox import barrier

REFUSING = Path(__file__).parents[2] / "harness" / "refusing.py"
ASK = "import sys; from codeagent_protocol.endpoint import endpoint_at; from codeagent_protocol.sandbox import barrier; print(barrier(endpoint_at(sys.argv[1])))"


def test_nothing_forbids_it_where_nobody_listens_or_somebody_does(tmp_path: Path):
    endpoint = endpoint_of(tmp_path)
    assert barrier(endpoint) == ""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(endpoint.socket)
        assert barrier(endpoint) == ""  # left behind
        listening.listen()
        assert barrier(endpoint) == ""


@pytest.mark.parametrize("call", ["socket", "connect"])
def test_a_refusal_of_the_kernel_is_told_in_words(tmp_path: Path, call: str):
    done = subprocess.run(
        [sys.executable, REFUSING, call, sys.executable, "-c", ASK, tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    if "not to be had" in done.stderr:
        pytest.skip("nobody may have calls refused here")
    assert done.stdout.strip() == "local sockets are refused (Operation not permitted)"


@pytest.mark.parametrize(("place", "word"), [("file/run", "File exists"), ("x" * 120, "longer than 100 bytes")])
def test_a_directory_that_cannot_be_had_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str, word: str
):
    short = Path(os.environ["CODEAGENT_RUNTIME_DIR"]).parent  # a socket's path may not be long
    (short / "file").touch()
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", str(short / place))
    assert word in barrier(endpoint_at(tmp_path))


def test_a_directory_that_cannot_be_written_forbids_it_unless_a_daemon_lives_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    endpoint = endpoint_of(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert barrier(endpoint) == f"{endpoint.runtime} cannot be written"
    life = FileLock(endpoint.life_lock)
    assert life.try_take()
    assert barrier(endpoint) == ""
    life.release()


def test_a_daemon_that_lives_is_found_although_its_directory_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    endpoint = endpoint_of(tmp_path)
    life = FileLock(endpoint.life_lock)
    assert life.try_take()
    launch = Launch(endpoint, ["/nonexistent"])

    def refuse(_lock: FileLock) -> bool:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(FileLock, "try_take", refuse)
    assert launch.step() == RUNNING
    life.release()
