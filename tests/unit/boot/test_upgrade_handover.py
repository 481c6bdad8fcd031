"""The files that a successor prepares are its own: they are removed afterwards, and the take-over works without them too."""

from __future__ import annotations

import os
from pathlib import Path

import apsw
import pytest

from codeagent_protocol.endpoint import Endpoint, endpoint_of
from codeagent_protocol.launch import RUNNING, STARTING, Launch
from codeagent_protocol.locks import FileLock
from codeagentd.boot import control_client, upgrade_handover
from codeagentd.boot.life_lock import LifeLock
from codeagentd.store.migrations import schema_version
from codeagentd.store.opening import open_disposable
from tests.unit.serve.stub_process import StubDaemon


@pytest.fixture
def endpoint(repo: Path) -> Endpoint:
    """The repository's, with an index of the last schema."""
    endpoint = endpoint_of(repo)
    database, _ = open_disposable(endpoint.index / "index.db", "index")
    database.connection.pragma("user_version", schema_version("index") - 1)
    database.close()
    return endpoint


def version(endpoint: Endpoint) -> int:
    connection = apsw.Connection(str(endpoint.index / "index.db"))
    found = int(connection.pragma("user_version"))
    connection.close()
    return found


def test_what_cannot_be_prepared_keeps_nobody_from_taking_over(repo: Path, endpoint: Endpoint) -> None:
    (endpoint.index / "next").write_text("in the way")
    with StubDaemon(repo) as older:
        older.wait_up().seem_older()
        with StubDaemon(repo, "--succeed") as newer:
            assert older.ended() == 0
            newer.wait_up()
            assert newer.process.stderr
            assert b"the index cannot be prepared" in os.read(newer.process.stderr.fileno(), 4096)
    assert version(endpoint) == schema_version("index") - 1


def test_what_was_prepared_takes_the_place_when_the_older_daemon_has_left(repo: Path, endpoint: Endpoint) -> None:
    with StubDaemon(repo) as older:
        older.wait_up().seem_older()
        with StubDaemon(repo, "--succeed") as newer:
            assert older.ended() == 0
            newer.wait_up()
    assert version(endpoint) == schema_version("index")
    assert [path.name for path in endpoint.index.iterdir()] == ["index.db"]


def test_what_a_dead_successor_has_left_is_cleared_away_and_what_a_living_one_makes_is_not(endpoint: Endpoint) -> None:
    left = endpoint.index / "next"
    left.mkdir()
    (left / "index.db").write_bytes(b"half")
    turn = FileLock(endpoint.successor_lock)
    assert turn.try_take()
    upgrade_handover.remove_leftovers(endpoint)
    assert left.exists()
    turn.release()
    upgrade_handover.remove_leftovers(endpoint)
    assert not left.exists()
    upgrade_handover.remove_leftovers(endpoint)


def test_while_a_daemon_takes_over_no_window_starts_another(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = FileLock(endpoint.life_lock)
    assert older.try_take()

    def make_way(*_: object) -> None:
        older.release()
        assert Launch(endpoint, ["false"]).step() == STARTING

    monkeypatch.setattr(control_client, "ask", make_way)
    life = LifeLock(endpoint)
    assert life.take_over()
    assert Launch(endpoint, ["false"]).step() == RUNNING
    life.release()


def test_a_daemon_that_does_not_make_way_is_left_alone(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("codeagentd.boot.life_lock.ASK_S", 0.05)
    monkeypatch.setattr("codeagentd.boot.life_lock.LEAVING_S", 0.05)
    older = FileLock(endpoint.life_lock)
    assert older.try_take()
    older.write(f"{os.getpid()} 0.0.1")
    assert not upgrade_handover.take_over_from_older(endpoint, LifeLock(endpoint))
    assert "does not make way" in capfd.readouterr().err
    assert version(endpoint) == schema_version("index") - 1
    older.release()
