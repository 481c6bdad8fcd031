"""However many windows open, there is one daemon; and it hands over when it wants to leave."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from codeagent_protocol import dirs
from codeagent_protocol.endpoint import endpoint_of
from codeagent_protocol.frames import RESENT
from codeagent_protocol.locks import FileLock, holder_line, is_held
from tests.harness import processes
from tests.harness.window import Window
from tests.unit.shim.stage import Stage, ended


def test_ten_windows_at_the_same_instant_start_one_daemon(make_stage: Callable[..., Stage]):
    stage = make_stage("slow")
    windows = [stage.window() for _ in range(10)]
    wanted = [window.begin("initialize") for window in windows]
    assert all(window.finish(number).result for window, number in zip(windows, wanted, strict=True))
    assert len(stage.daemons()) == 1
    assert not stage.journal("lost the race")


def test_windows_below_the_top_level_share_its_daemon(stage: Stage):
    below = stage.repo / "deep" / "er"
    below.mkdir(parents=True)
    for window in (
        stage.window("--repo", str(below)),
        stage.window("--repo", ".", cwd=below),
        stage.window("--read-only", cwd=below),
    ):
        window.initialize()
    assert len(stage.daemons()) == 1
    assert {note["hello"]["repo"] for note in stage.journal("hello")} == {str(stage.repo)}


def test_the_daemon_is_nobodys_child_and_outlives_its_window(stage: Stage):
    window = stage.connected()
    pid = stage.daemons()[0]
    assert os.getsid(pid) != os.getsid(window.pid)
    assert pid not in {process.pid for process in processes.family(window.pid)}
    assert os.readlink(f"/proc/{pid}/cwd") == "/"
    window.close()
    assert processes.alive(pid)
    assert stage.connected().request("echo").result["pid"] == pid


def test_the_daemon_inherits_no_file_of_the_client(stage: Stage):
    fifo = stage.base / "fifo"
    os.mkfifo(fifo)
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    window = Window(
        ["sh", "-c", 'exec "$0" "$@" 7>"$FIFO"', *stage.argv("--repo", str(stage.repo))],
        stage.environment | {"FIFO": str(fifo)},
        None,
        stage.errors,
    )
    stage.windows.append(window)
    window.initialize()
    with pytest.raises(BlockingIOError):
        os.read(reading, 1)  # the window holds it
    window.close()
    assert processes.alive(stage.daemons()[0])
    assert os.read(reading, 1) == b""  # the end of the pipe: no process holds it any more
    os.close(reading)


def test_the_daemon_is_not_given_the_options_of_the_window_that_started_it(stage: Stage):
    window = stage.window(
        "--repo",
        str(stage.repo),
        CODEAGENT_ALLOW_EXEC="1",
        CODEAGENT_REPO="/nowhere",
        GIT_DIR="/nowhere/.git",
        CODEAGENT_CACHE_DIR="relative",
    )
    window.initialize()
    with open(f"/proc/{stage.daemons()[0]}/environ", "rb") as file:
        names = dict(item.split(b"=", 1) for item in file.read().split(b"\0") if item)
    assert not {b"CODEAGENT_ALLOW_EXEC", b"CODEAGENT_REPO", b"GIT_DIR"} & names.keys()
    assert names[b"CODEAGENT_CACHE_DIR"] == os.fsencode(stage.repo / "relative")


def test_a_stopped_window_that_holds_the_launch_lock_does_not_block_those_that_find_a_daemon(stage: Stage, monkeypatch):
    stage.connected()
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", stage.environment["CODEAGENT_RUNTIME_DIR"])
    lock = FileLock(endpoint_of(stage.repo).launch_lock)
    assert lock.try_take()
    assert stage.connected().request("echo").result
    lock.release()


def test_a_draining_daemon_answers_what_it_began_and_its_successor_the_rest(stage: Stage):
    first, second = stage.connected(), stage.connected()
    begun = first.begin("hang")
    stage.noted(lambda notes: any(note.get("method") == "hang" for note in notes))
    drain, after = first.begin("drain"), first.begin("echo", {"word": "after"})
    assert first.finish(begun).result["drained"]
    answer = first.finish(after)
    old, new = stage.daemons()
    assert answer.result == {"pid": new, "params": {"word": "after"}}
    assert ended(old)
    assert second.request("echo").result["pid"] == new
    assert first.finish(drain).result["pid"] == new
    assert (4, RESENT, "drain") in stage.lines(new)


def test_after_a_stop_windows_stay_and_the_next_request_brings_a_daemon_back(stage: Stage, monkeypatch):
    window = stage.connected()
    pid = window.request("stop").result["pid"]
    assert ended(pid)
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", stage.environment["CODEAGENT_RUNTIME_DIR"])
    assert not is_held(endpoint_of(stage.repo).life_lock)
    assert window.request("echo").result["pid"] == stage.daemons()[1]
    assert window.process.poll() is None


def test_a_refusal_answers_this_and_every_later_request_with_what_to_do(make_stage: Callable[..., Stage]):
    stage = make_stage("refuse")
    window = stage.window("--repo", str(stage.repo), "--toolsets", "nonsense")
    for method in ("initialize", "tools/list"):
        error = window.request(method).message["error"]
        assert error["code"] == -32602
        assert error["data"] == {
            "code": "invalid_parameter",
            "message": "no toolset is called nonsense",
            "remedy": "choose from `codeagentd tools`",
        }
    window.send({"jsonrpc": "2.0", "method": "notifications/cancelled"})
    window.drain(0.05)
    assert window.surplus == 0


def test_the_runtime_directory_is_private_under_any_umask(stage: Stage, monkeypatch):
    before = os.umask(0)
    try:
        stage.connected()
    finally:
        os.umask(before)
    monkeypatch.setenv("CODEAGENT_RUNTIME_DIR", stage.environment["CODEAGENT_RUNTIME_DIR"])
    assert dirs.runtime_dir().stat().st_mode & 0o777 == 0o700
    assert holder_line(endpoint_of(stage.repo).life_lock) == f"{stage.daemons()[0]} stub"


def test_a_window_killed_while_it_starts_the_daemon_leaves_the_launch_to_the_next(make_stage: Callable[..., Stage]):
    stage = make_stage("slow")
    first, second = stage.window(), stage.window()
    os.kill(first.pid, signal.SIGKILL)
    second.initialize()
    assert second.request("echo").result
