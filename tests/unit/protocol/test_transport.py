"""Where a daemon tells that it listens, and who believes it."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from codeagent_protocol import transport
from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.locks import FileLock
from codeagent_protocol.transport import Address
from codeagentd.serve.transport.endpoints import withdraw
from codeagentd.serve.transport.loopback import publish

KEYS = (b"s" * 40, b"p" * 40, b"x" * 40)


@pytest.fixture
def endpoint(tmp_path: Path) -> Endpoint:
    """One whose life lock this process has taken, as a daemon does."""
    endpoint = endpoint_of(tmp_path)
    life = FileLock(endpoint.life_lock)
    assert life.try_take()
    life.write(f"{os.getpid()} 1.2.3")
    life.release()
    return endpoint


def test_without_a_word_from_the_daemon_its_sockets_are_the_place(endpoint: Endpoint):
    assert transport.for_windows(endpoint) == Address(f"ipc://{endpoint.socket}")
    assert transport.for_operators(endpoint) == Address(f"ipc://{endpoint.control}")


def test_where_there_are_no_local_sockets_there_is_no_place_yet(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "platform", "win32")
    assert transport.for_windows(endpoint) is None
    publish(endpoint, 5, 6, *KEYS)
    assert transport.for_windows(endpoint) == Address("tcp://127.0.0.1:5", *KEYS)


def test_ports_and_keys_are_told_to_this_user_alone_and_withdrawn(endpoint: Endpoint):
    before = os.umask(0)
    try:
        publish(endpoint, 40_001, 40_002, *KEYS)
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(endpoint.ports).st_mode) == 0o600
    assert transport.for_windows(endpoint) == Address("tcp://127.0.0.1:40001", *KEYS)
    assert transport.for_operators(endpoint) == Address("tcp://127.0.0.1:40002", *KEYS)
    publish(endpoint, 40_003, 40_004, *KEYS)
    assert transport.for_windows(endpoint) == Address("tcp://127.0.0.1:40003", *KEYS)
    withdraw(endpoint)
    assert not any(os.path.exists(path) for path in (endpoint.ports, f"{endpoint.ports}~"))
    withdraw(endpoint)


def test_what_an_earlier_daemon_told_is_believed_no_more(endpoint: Endpoint):
    publish(endpoint, 5, 6, *KEYS)
    life = FileLock(endpoint.life_lock)
    assert life.try_take()
    life.write("1 1.2.3")
    assert transport.for_windows(endpoint) == Address(f"ipc://{endpoint.socket}")
    life.release()


@pytest.mark.parametrize(
    "text",
    ["", "\n", "1 2 3", "x 5 6 " + " ".join(["k" * 40] * 3), "PID 5 6 short short short", "\0" * 5_000, "9" * 2_000],
)
def test_a_damaged_file_counts_as_none(endpoint: Endpoint, text: str):
    Path(endpoint.ports).write_text(text.replace("PID", str(os.getpid())))
    assert transport.for_windows(endpoint) == Address(f"ipc://{endpoint.socket}")


def test_fields_that_a_later_version_adds_are_skipped(endpoint: Endpoint):
    publish(endpoint, 5, 6, *KEYS)
    Path(endpoint.ports).write_text(Path(endpoint.ports).read_text().replace("\n", " more\n"))
    assert transport.for_windows(endpoint) == Address("tcp://127.0.0.1:5", *KEYS)


def test_a_link_that_somebody_planted_is_neither_read_nor_written_through(endpoint: Endpoint, tmp_path: Path):
    publish(endpoint, 5, 6, *KEYS)
    target = tmp_path / "elsewhere"
    os.rename(endpoint.ports, target)
    for name in (endpoint.ports, f"{endpoint.ports}~"):
        os.symlink(target, name)
    assert transport.for_windows(endpoint) == Address(f"ipc://{endpoint.socket}")
    told = target.read_text()
    publish(endpoint, 7, 8, *KEYS)
    assert (target.read_text(), os.path.islink(endpoint.ports)) == (told, False)


def test_keys_are_never_shown():
    shown = f"{Address('tcp://127.0.0.1:1', *KEYS)!r} {Address('tcp://127.0.0.1:1', *KEYS)}"
    assert not any(key.decode() in shown for key in KEYS)


def test_a_file_that_a_reader_holds_open_is_replaced_when_it_lets_go(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
):
    held, replace = [True, True], os.replace

    def refuse(source: str, target: str) -> None:
        if held:
            held.pop()
            raise PermissionError(13, "open elsewhere")
        replace(source, target)

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        publish(endpoint, 5, 6, *KEYS)
    monkeypatch.setattr(sys, "platform", "win32")
    publish(endpoint, 5, 6, *KEYS)
    assert transport.for_windows(endpoint) == Address("tcp://127.0.0.1:5", *KEYS)


@pytest.mark.parametrize(
    ("platform", "variable", "transport_"),
    [("linux", "", "ipc"), ("linux", "tcp", "tcp"), ("darwin", "", "ipc"), ("win32", "ipc", "tcp")],
)
def test_ports_are_expected_where_the_system_or_the_user_says_so(
    monkeypatch: pytest.MonkeyPatch, platform: str, variable: str, transport_: str
):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("CODEAGENT_TRANSPORT", variable)
    assert transport.expected() == transport_
