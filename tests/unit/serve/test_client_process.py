"""Watching a window's process."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest

from codeagent_protocol import processes
from codeagentd.serve.sessions import client_process
from codeagentd.serve.sessions.client_process import ClientProcess, is_ours


def sleeper() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)


def told_of_the_end(child: subprocess.Popen[bytes]) -> bool:
    async def main() -> bool:
        ended = asyncio.Event()
        ClientProcess(child.pid, ended.set)
        assert not ended.is_set()
        child.kill()
        child.wait()
        await asyncio.wait_for(ended.wait(), 10)
        return True

    return asyncio.run(main())


def test_the_end_of_a_process_is_told():
    assert told_of_the_end(sleeper())


def test_without_pidfds_the_process_is_asked_for(monkeypatch):
    monkeypatch.setattr(processes, "_pidfd", lambda pid: -1)
    monkeypatch.setattr(client_process, "LOOK_S", 0.01)
    assert told_of_the_end(sleeper())


def test_a_process_that_is_no_longer_watched_tells_nothing():
    child = sleeper()

    async def main() -> bool:
        ended = asyncio.Event()
        ClientProcess(child.pid, ended.set).close()
        child.kill()
        child.wait()
        second = asyncio.Event()
        ClientProcess(os.getpid(), second.set).close()
        await asyncio.sleep(0)
        return ended.is_set()

    assert not asyncio.run(main())


@pytest.mark.parametrize("pid", [0, -1, 2**22 + 1])
def test_what_is_no_process_is_not_ours(pid):
    assert not is_ours(pid)


def test_this_process_is_ours():
    assert is_ours(os.getpid())
