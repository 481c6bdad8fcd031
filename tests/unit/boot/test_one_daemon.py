"""One daemon per repository, whatever its predecessors left behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess

import pytest

from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.locks import FileLock, holder_line
from codeagent_protocol.version import __version__
from codeagentd.boot.control_client import NotAnswering, NotRunning, ask, follow
from codeagentd.boot.life_lock import LifeLock
from tests.harness.waiting import eventually
from tests.unit.serve.raw_window import RawWindow
from tests.unit.serve.stub_process import StubDaemon, wait_free


def test_a_second_daemon_leaves_quietly_and_the_first_stays(repo):
    with StubDaemon(repo) as first:
        first.wait_up()
        with StubDaemon(repo) as second:
            assert second.ended() == 0
            assert second.process.stderr.read() == b""
        assert first.ask("ping")["pid"] == first.process.pid


def test_of_many_at_once_one_remains(repo):
    daemons = [StubDaemon(repo) for _ in range(6)]
    try:
        codes = []
        while len(codes) < 5:
            codes = [daemon.process.poll() for daemon in daemons if daemon.process.poll() is not None]
        (left,) = [daemon for daemon in daemons if daemon.process.poll() is None]
        left.wait_up()
        assert codes == [0] * 5
    finally:
        for daemon in daemons:
            daemon.close()


def test_after_kill_9_the_next_one_starts_over_stale_files(repo):
    with StubDaemon(repo) as first:
        first.wait_up()
        first.process.send_signal(signal.SIGKILL)
        first.ended()
    assert os.path.exists(first.endpoint.socket)
    with StubDaemon(repo) as second, RawWindow(second.wait_up().endpoint) as window:
        window.initialize()
        assert window.call("echo", {"text": "hi"})["structuredContent"] == {"text": "hi"}
        assert holder_line(second.endpoint.life_lock) == f"{second.process.pid} {__version__}"


def test_a_probe_that_holds_the_lock_for_a_moment_stops_nobody(repo):
    endpoint = endpoint_of(repo)
    probe = FileLock(endpoint.life_lock)
    assert probe.try_take()
    with StubDaemon(repo) as daemon:
        probe.release()
        daemon.wait_up()
    wait_free(endpoint)


def test_a_lock_that_is_held_is_waited_for_a_moment_only(repo):
    holder = FileLock(endpoint_of(repo).life_lock)
    assert holder.try_take()
    assert not LifeLock(endpoint_of(repo)).take(0.05)
    holder.release()
    assert LifeLock(endpoint_of(repo)).take(0.05)


def test_a_daemon_whose_lock_was_swept_away_leaves_its_successors_sockets_alone(repo):
    with StubDaemon(repo) as first:
        first.wait_up()
        for path in (first.endpoint.life_lock, first.endpoint.socket, first.endpoint.control):
            os.unlink(path)
        with StubDaemon(repo) as second:
            second.wait_up()
            first.process.terminate()
            assert first.ended() == 0
            assert second.ask("ping")["pid"] == second.process.pid
            with RawWindow(second.endpoint) as window:
                window.initialize()


def test_a_daemon_with_ports_leaves_those_of_its_successor_alone_and_removes_its_own(repo):
    with StubDaemon(repo, CODEAGENT_TRANSPORT="tcp") as first:
        first.wait_up()
        os.unlink(first.endpoint.life_lock)
        with StubDaemon(repo, CODEAGENT_TRANSPORT="tcp") as second:
            second.wait_up()
            first.process.terminate()
            assert first.ended() == 0
            assert second.ask("ping")["pid"] == second.process.pid
            second.process.terminate()
            assert second.ended() == 0
            assert not os.path.exists(second.endpoint.ports)


def test_what_an_earlier_daemon_told_of_its_ports_is_gone_before_the_next_listens_elsewhere(repo):
    with StubDaemon(repo, CODEAGENT_TRANSPORT="tcp") as first:
        first.wait_up()
        first.process.send_signal(signal.SIGKILL)
        first.ended()
    assert os.path.exists(first.endpoint.ports)
    with StubDaemon(repo, CODEAGENT_TRANSPORT="ipc") as second:  # in a container its process id may be the same
        second.wait_up()
        assert not os.path.exists(second.endpoint.ports)


def test_sockets_and_log_are_private(repo):
    with StubDaemon(repo) as daemon:
        daemon.wait_up().wait_status(state="ready")
        eventually(lambda: os.path.exists(daemon.endpoint.log))  # with the first event that is told
        modes = {
            path: stat.S_IMODE(os.stat(path).st_mode)
            for path in (daemon.endpoint.socket, daemon.endpoint.control, daemon.endpoint.log)
        }
    assert set(modes.values()) == {0o600}, modes


def test_the_daemon_belongs_to_no_terminal_and_holds_no_directory(repo):
    with StubDaemon(repo) as daemon:
        daemon.wait_up()
        pid = daemon.process.pid
        assert os.getsid(pid) == pid
        assert os.readlink(f"/proc/{pid}/cwd") == "/"
        assert os.readlink(f"/proc/{pid}/fd/0") == os.devnull
        assert os.readlink(f"/proc/{pid}/fd/2") == daemon.endpoint.start_log


def test_in_the_foreground_it_stays_and_logs_to_the_terminal(repo):
    with StubDaemon(repo, "--foreground") as daemon:
        daemon.wait_up()
        assert os.getsid(daemon.process.pid) == os.getsid(0)
        daemon.ask("stop")
        assert daemon.ended() == 0
        assert b'"event":"leaving"' in daemon.process.stderr.read()


@pytest.mark.parametrize("place", ["/", "/etc", "/no/such/place"])
def test_a_place_that_is_no_repository_is_refused(place):
    done = subprocess.run(
        [*StubDaemon.COMMAND, "--repo", place],
        cwd=StubDaemon.CWD,
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )
    assert done.returncode == 2
    assert "--repo" in done.stderr


def test_asking_where_no_daemon_runs_says_so(repo):
    with pytest.raises(NotRunning):
        ask(endpoint_of(repo), "status", {}, 5)


def test_asking_a_daemon_that_says_nothing_says_so(repo):
    endpoint = endpoint_of(repo)
    life = FileLock(endpoint.life_lock)
    life.try_take()
    with pytest.raises(NotAnswering):
        ask(endpoint, "status", {}, 0.1)
    life.release()


def test_a_daemon_that_dies_under_a_question_is_not_waited_for(repo):
    with StubDaemon(repo, STUB_STATE="indexing") as daemon:
        replies = follow(daemon.wait_up().endpoint, "wait", {"timeout_s": 60}, 60)
        next(replies)
        daemon.process.kill()
        daemon.ended()
        with pytest.raises(NotRunning):
            list(replies)
