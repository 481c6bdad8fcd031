"""Sockets by name."""

from __future__ import annotations

import os
import shutil
import socket
import stat
from collections.abc import Iterator

import pytest

from codeagentd.serve.transport.listener import Listener
from tests.harness.world import short_temp


@pytest.fixture
def place() -> Iterator[str]:
    folder = short_temp()
    yield os.path.join(folder, "x.sock")
    shutil.rmtree(folder)


def connects(path: str) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
        except OSError:
            return False
        return True


def test_a_socket_is_private_under_any_umask(place):
    before = os.umask(0)
    try:
        listener = Listener(place)
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(place).st_mode) == 0o600
    assert connects(place)
    listener.close()
    listener.unlink()


def test_a_stale_socket_is_replaced(place):
    Listener(place).close()
    assert not connects(place)
    listener = Listener(place)
    assert connects(place)
    listener.close()
    listener.unlink()
    assert not os.path.exists(place)


def test_a_successors_socket_is_never_removed(place):
    first = Listener(place)
    second = Listener(place)
    first.close()
    first.unlink()
    assert connects(place)
    second.close()
    second.unlink()
    second.unlink()
    assert not os.path.exists(place)


def test_a_file_that_cannot_be_bound_is_an_error(place):
    with pytest.raises(OSError):
        Listener(f"{place}/below/a/file")
