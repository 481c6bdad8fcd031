"""Situations in which no daemon runs, or none answers."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

from codeagent_protocol.locks import FileLock
from tests.harness.managers import Systemctl
from tests.harness.processes import ended
from tests.harness.staging import (
    DEGRADED,
    FILES,
    NOT_ANSWERING,
    NOT_RUNNING,
    Situations,
    dated,
    halted,
    indexed,
    places,
    stop,
)
from tests.harness.world import World

SITUATIONS = Situations()
LONG_AGO_S = 3_600.0
START = "codeagentd start"
RESTART = "codeagentd restart"
GONE = "root directory is gone"


@SITUATIONS.add("nothing was ever indexed", "not_running", NOT_RUNNING, reason="there is no index yet", remedy=START)
def nothing_yet(world: World) -> Iterator[Path]:
    yield world.repository("shop", FILES)


@SITUATIONS.add(
    "a folder that is no git repository is named",
    "not_running",
    NOT_RUNNING,
    reason="there is no index yet",
    remedy=START,
    is_long=True,
)
def plain_folder(world: World) -> Iterator[Path]:
    yield world.repository("plain", FILES, git=False)


@SITUATIONS.add(
    "the daemon was told to stop",
    "not_running",
    NOT_RUNNING,
    reason="its index was written .* ago",
    remedy=START,
    is_long=True,
)
def stopped(world: World) -> Iterator[Path]:
    repo = indexed(world)
    stop(world, repo)
    yield repo


@SITUATIONS.add(
    "nobody was there, and the daemon left",
    "not_running",
    NOT_RUNNING,
    reason="its index was written",
    remedy=START,
    comes_s=20.0,
)
def left_idle(world: World) -> Iterator[Path]:
    yield indexed(world, CODEAGENT_IDLE_EXIT_S="0.5")


@SITUATIONS.add(
    "the daemon was killed",
    "not_running",
    NOT_RUNNING,
    reason="ended without a word",
    remedy=f"codeagentd logs.*{START}",
)
def killed(world: World) -> Iterator[Path]:
    repo = indexed(world)
    kill(world.daemon(repo))
    yield repo


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    assert ended(pid)


@SITUATIONS.add(
    "another process has the number of the dead one",
    "not_running",
    NOT_RUNNING,
    reason="ended without a word",
    remedy=START,
    is_long=True,
)
def number_given_away(world: World) -> Iterator[Path]:
    repo = indexed(world)
    kill(world.daemon(repo))
    stranger = subprocess.Popen(["sleep", "60"])
    Path(places(world, repo).life_lock).write_text(f"{stranger.pid} 0.1.0\n")
    yield repo
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


@SITUATIONS.add(
    "a service is installed and does not run", "not_running", NOT_RUNNING, reason="there is no index yet", remedy=START
)
def service_at_rest(world: World) -> Iterator[Path]:
    repo = world.repository("shop", FILES)
    world.environment |= {"PATH": Systemctl(world.base / "bin").path, "HOME": str(world.base / "home")}
    assert world.codeagentd("service", "install", "--repo", str(repo)).code == 0
    yield repo


@SITUATIONS.add("the daemon has just taken its lock", "starting", reason="just taken its lock")
def just_begun(world: World) -> Iterator[Path]:
    repo = indexed(world)
    pid = world.daemon(repo)
    dated(places(world, repo).life_lock, 0)
    with halted(pid):
        yield repo


@SITUATIONS.add(
    "the daemon's process is stopped",
    "not_answering",
    NOT_ANSWERING,
    reason="gave no answer",
    remedy=RESTART,
    fields={"pid": "[1-9]"},
)
def halted_long_ago(world: World) -> Iterator[Path]:
    repo = indexed(world)
    dated(places(world, repo).life_lock, LONG_AGO_S)
    with halted(world.daemon(repo)):
        yield repo


@SITUATIONS.add(
    "the daemon is stopped, and the clock was set back",
    "not_answering",
    NOT_ANSWERING,
    reason="gave no answer",
    remedy=RESTART,
    is_long=True,
)
def halted_in_the_future(world: World) -> Iterator[Path]:
    repo = indexed(world)
    dated(places(world, repo).life_lock, -LONG_AGO_S)
    with halted(world.daemon(repo)):
        yield repo


@SITUATIONS.add(
    "somebody else listens in the daemon's place",
    "not_answering",
    NOT_ANSWERING,
    reason="gave no answer",
    remedy=RESTART,
    is_long=True,
)
def stolen_socket(world: World) -> Iterator[Path]:
    repo = indexed(world)
    at = places(world, repo)
    dated(at.life_lock, LONG_AGO_S)
    os.unlink(at.control)
    with socket.socket(socket.AF_UNIX) as thief:
        thief.bind(at.control)
        thief.listen()
        yield repo


@SITUATIONS.add(
    "something that is no daemon holds the lock",
    "not_answering",
    NOT_ANSWERING,
    reason="gave no answer",
    remedy=RESTART,
    fields={"pid": "^0$"},
    is_long=True,
)
def lock_of_a_stranger(world: World) -> Iterator[Path]:
    repo = indexed(world)
    stop(world, repo)
    life = FileLock(places(world, repo).life_lock)
    assert life.try_take()
    life.write("not a number")
    dated(life.path, LONG_AGO_S)
    yield repo
    life.release()


@SITUATIONS.add(
    "of several daemons one says nothing", "not_answering", NOT_ANSWERING, reason="gave no answer", remedy=RESTART,
    flags=("--all",), shown="/silent: not answering\n  why: .*gave no answer", fields={"repo": "/silent"},
)  # fmt: skip
def one_of_several(world: World) -> Iterator[Path]:
    silent = indexed(world, "silent")
    dated(places(world, silent).life_lock, LONG_AGO_S)
    others = [indexed(world, name) for name in ("first", "second")]
    assert all(world.status(other)["state"] == "ready" for other in others)
    with halted(world.daemon(silent)):
        yield silent


@SITUATIONS.add(
    "the repository is gone while it is served",
    "degraded",
    DEGRADED,
    reason=GONE,
    remedy="bring it back.*codeagentd stop",
    comes_s=20.0,
)
def vanished(world: World) -> Iterator[Path]:
    repo = indexed(world)
    shutil.move(repo, world.base / "elsewhere")
    yield repo
    assert world.codeagentd("stop", "--repo", str(repo)).out.startswith("stopped")


@SITUATIONS.add(
    "the repository is gone, as seen among all", "degraded", DEGRADED, reason=GONE, remedy="bring it back", comes_s=20.0, is_long=True,
    flags=("--all",), shown=f"why: .*{GONE}",
)  # fmt: skip
def vanished_among_all(world: World) -> Iterator[Path]:
    repo = indexed(world)
    shutil.rmtree(repo)
    yield repo


@SITUATIONS.add(
    "the repository went and came back",
    "ready",
    comes_s=20.0,
    fields={"caught_up": "true", "indexed_files": "^2$"},
    is_long=True,
)
def came_back(world: World) -> Iterator[Path]:
    repo = indexed(world)
    shutil.move(repo, world.base / "elsewhere")
    world.codeagentd("index", "--repo", str(repo))
    shutil.move(world.base / "elsewhere", repo)
    yield repo
