"""A daemon under a service manager: the socket that it is given, and what it tells."""

from __future__ import annotations

import os
import signal
import socket
import time

import pytest

from codeagent_protocol import frames
from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.locks import FileLock
from codeagentd.boot import life_lock
from codeagentd.boot.daemon import main
from codeagentd.boot.systemd_notify import Manager
from tests.harness.managers import Notified, launched, listening
from tests.unit.serve.raw_window import RawWindow
from tests.unit.serve.stub_process import StubDaemon


class Managed(StubDaemon):
    """A stub daemon that is started as systemd starts it."""

    def __init__(self, repo, given, offset=0, **variables):
        self.endpoint = endpoint_of(repo)
        command = [*self.COMMAND, "--repo", str(repo), "--foreground"]
        self.process = launched(command, given, variables, offset=offset, cwd=self.CWD)


@pytest.fixture
def given(repo):
    with listening(endpoint_of(repo).socket) as listener:
        yield listener
        os.path.exists(endpoint_of(repo).socket) and os.unlink(endpoint_of(repo).socket)


@pytest.fixture
def notified(tmp_path_factory):
    notified = Notified(tmp_path_factory.mktemp("n") / "notify")
    yield notified
    notified.close()


def test_a_window_that_came_before_the_daemon_is_served_on_the_managers_socket_which_outlives_it(repo, given):
    path = endpoint_of(repo).socket
    place = os.stat(path).st_ino
    with Managed(repo, given) as first, RawWindow(first.endpoint) as window:
        window.initialize()
        first.wait_up().ask("stop")
        assert first.ended() == 0
    assert os.stat(path).st_ino == place
    with RawWindow(first.endpoint) as early, Managed(repo, given):
        early.initialize()
        assert early.call("echo", {"text": "hi"})["structuredContent"] == {"text": "hi"}


def test_the_manager_hears_of_readiness_of_life_and_of_the_end(repo, given, notified):
    with Managed(repo, given, NOTIFY_SOCKET=notified.path, WATCHDOG_USEC="300000") as daemon:
        assert notified.hear() == ["READY=1", f"STATUS=serving {os.path.realpath(repo)}"]
        daemon.wait_up()
        for _ in range(3):
            assert notified.hear() == ["WATCHDOG=1"]
        daemon.process.send_signal(signal.SIGTERM)
        notified.wait("STOPPING=1")
        assert daemon.ended() == 0


def test_a_daemon_that_hangs_gives_no_sign_of_life(repo, given, notified):
    with Managed(repo, given, NOTIFY_SOCKET=notified.path, WATCHDOG_USEC="300000") as daemon:
        notified.wait("WATCHDOG=1")
        daemon.process.send_signal(signal.SIGSTOP)
        with pytest.raises(TimeoutError):
            notified.wait("never", patience_s=0.5)


def test_a_manager_that_does_not_listen_is_no_reason_to_stop(repo, given):
    with (
        Managed(repo, given, NOTIFY_SOCKET="/no/such/socket", WATCHDOG_USEC="300000") as daemon,
        RawWindow(daemon.endpoint) as window,
    ):
        window.initialize()
        assert daemon.wait_up().status()["state"] == "ready"


def test_a_managers_socket_comes_before_ports(repo, given):
    with Managed(repo, given, CODEAGENT_TRANSPORT="tcp") as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        assert not os.path.exists(daemon.endpoint.ports)


def test_a_socket_that_was_given_to_somebody_else_is_left_alone(repo, given):
    place = os.stat(endpoint_of(repo).socket).st_ino
    with Managed(repo, given, offset=1) as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        assert os.stat(daemon.endpoint.socket).st_ino != place


def test_a_descriptor_that_is_no_listening_socket_of_ours_is_not_used(repo):
    left, right = socket.socketpair()
    with left, right, Managed(repo, left) as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        assert daemon.status()["state"] == "ready"


def test_a_managers_socket_whose_name_a_dead_daemon_has_taken_is_not_waited_on(repo, given):
    path = endpoint_of(repo).socket
    os.unlink(path)
    listening(path).close()  # as after kill -9: the file of a socket that no process holds
    with Managed(repo, given) as daemon, RawWindow(daemon.wait_up().endpoint) as window:
        window.initialize()
        assert daemon.status()["state"] == "ready"


def test_a_daemon_that_a_window_started_makes_way_for_the_managers(repo, notified):
    with StubDaemon(repo) as first, RawWindow(first.wait_up().endpoint) as window:
        window.initialize()
        with listening(first.endpoint.socket) as given, Managed(repo, given, NOTIFY_SOCKET=notified.path) as second:
            assert window.hear()[0].kind == frames.DRAINING
            notified.wait("READY=1")
            assert first.ended() == 0
            with RawWindow(second.wait_up().endpoint) as later:
                later.initialize()


def test_a_manager_is_told_of_a_daemon_that_does_not_make_way(repo, notified, monkeypatch):
    holder = FileLock(endpoint_of(repo).life_lock)
    assert holder.try_take()
    monkeypatch.setenv("NOTIFY_SOCKET", notified.path)
    monkeypatch.setattr(life_lock, "ASK_S", 0.05)
    monkeypatch.setattr(life_lock, "LEAVING_S", 0.05)
    monkeypatch.setattr(os, "umask", lambda mask: 0o022)
    assert main(["--repo", str(repo), "--foreground"]) == 0
    assert notified.hear() == ["READY=1", "STATUS=another daemon serves this repository", "STOPPING=1"]
    holder.release()


def test_a_newer_window_is_served_by_an_older_service_which_says_so(repo, given, notified):
    with (
        Managed(repo, given, NOTIFY_SOCKET=notified.path) as daemon,
        RawWindow(daemon.wait_up().endpoint, product="99.0.0") as window,
    ):
        window.initialize()
        status = daemon.wait_status(state="degraded")
        assert "99.0.0" in status["reason"]
        assert "service install" in status["remedy"]


def test_nothing_that_the_daemon_starts_is_told_of_the_manager(monkeypatch):
    own = {
        "NOTIFY_SOCKET": "@abstract",
        "LISTEN_PID": "1",
        "LISTEN_FDS": "1",
        "WATCHDOG_USEC": "9000000",
        "WATCHDOG_PID": str(os.getpid()),
        "PATH": "x",
    }
    manager = Manager(own)
    assert own == {"PATH": "x"}
    assert (manager.is_there, manager.fd, manager.pulse_s) == (True, -1, 3.0)
    manager.notify("READY=1")  # no process listens


@pytest.mark.parametrize(
    "variables", [{}, {"WATCHDOG_USEC": "1000000"}, {"LISTEN_PID": "x", "LISTEN_FDS": "²"}, {"XPC_SERVICE_NAME": "0"}]
)
def test_without_a_manager_nothing_is_expected(variables):
    manager = Manager(dict(variables))
    assert (manager.is_there, manager.fd, manager.pulse_s) == (False, -1, 0.0)


def test_an_agent_of_launchd_knows_what_it_is():
    assert Manager({"XPC_SERVICE_NAME": "io.codeagentd.abc"}).is_there


def test_a_manager_whose_queue_is_full_is_not_waited_for(notified):
    manager = Manager({"NOTIFY_SOCKET": notified.path})
    started = time.monotonic()
    for _ in range(2_000):
        manager.notify("WATCHDOG=1")
    assert time.monotonic() - started < 10
