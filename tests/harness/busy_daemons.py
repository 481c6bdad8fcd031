"""Situations of daemons that run: what they are doing, what keeps them from it, and what surrounds them."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from codeagent_protocol.locks import FileLock
from codeagentd.base.limits import BACKGROUND_DAEMONS
from tests.harness.processes import Gone
from tests.harness.staging import DEGRADED, FILES, Situations, foreground, halted, indexed, places, stop
from tests.harness.world import World

SITUATIONS = Situations()
MANY = {f"pkg/mod{number}.py": f"def step{number}(value):\n    return value\n" * 40 for number in range(400)}
ANOTHER_VERSION = "import sys, codeagent_protocol.version as v; v.__version__ = {!r}; from codeagentd.boot.daemon import main; sys.exit(main(sys.argv[1:]))"
LIMITED = ("unshare", "--map-root-user", "sh", "-c", 'echo {} > /proc/sys/user/{} && exec "$@"', "sh")


@SITUATIONS.add(
    "everything is indexed",
    "ready",
    fields={"caught_up": "true", "indexed_files": "^2$", "pending_files": "^0$"},
    shown="caught up",
)
def caught_up(world: World) -> Iterator[Path]:
    yield indexed(world)


@SITUATIONS.add(
    "the first index is being made",
    "indexing",
    fields={"caught_up": "false", "progress": '"total": [1-9]'},
    comes_s=10.0,
    shown="extract .* of ",
)
def first_index(world: World) -> Iterator[Path]:
    repo = world.repository("large", MANY)
    assert world.codeagentd("start", "--repo", str(repo), CODEAGENT_EXTRACT_DEADLINE_S="60").code == 0
    with halted(*workers(world.daemon(repo))):
        yield repo


def workers(daemon: int) -> list[int]:
    """Those that are there first."""
    deadline = time.monotonic() + 10
    result: list[int] = []
    while not result:
        assert time.monotonic() < deadline
        for child in psutil.Process(daemon).children():
            with contextlib.suppress(*Gone):  # a git that has just ended
                result += [child.pid] * ("codeagentd.pipeline.workers.worker" in child.cmdline())
    return result


@SITUATIONS.add(
    "a worktree was removed and made again",
    "ready",
    fields={"caught_up": "true", "indexed_files": "^3$"},
    comes_s=20.0,
    is_long=True,
)
def made_again(world: World) -> Iterator[Path]:
    repo, tree = world.repository("shop", FILES), world.base / "tree"
    world.git(repo, "worktree", "add", "-q", "-b", "side", str(tree))
    world.index(tree)
    world.git(repo, "worktree", "remove", "--force", str(tree))
    (repo / "pkg/late.py").write_text("def came_late():\n    return 1\n")
    world.commit(repo)
    world.git(repo, "worktree", "add", "-q", "-B", "side", str(tree), "main")
    yield tree


@SITUATIONS.add(
    "the daemon is older than the command",
    "ready",
    reason="the daemon is version 0.0.9, this command ",
    remedy="codeagentd upgrade --daemons",
    comes_s=10.0,
)
def older(world: World) -> Iterator[Path]:
    yield from of_version(world, "0.0.9")


@SITUATIONS.add(
    "the daemon is newer than the command",
    "ready",
    reason="the daemon is version 99.0.0",
    remedy="use the command of that",
    comes_s=10.0,
    is_long=True,
)
def newer(world: World) -> Iterator[Path]:
    yield from of_version(world, "99.0.0")


def of_version(world: World, version: str) -> Iterator[Path]:
    repo = world.repository("shop", FILES)
    with foreground(world, repo, program=("-c", ANOTHER_VERSION.format(version))):
        yield repo


@SITUATIONS.add(
    "the one before left for its memory",
    "ready",
    fields={"previous": "1200 MB for a minute"},
    shown="before +its process had 1200 MB",
    comes_s=10.0,
    is_long=True,
)
def successor(world: World) -> Iterator[Path]:
    repo = indexed(world)
    stop(world, repo)
    Path(places(world, repo).exit_reason).write_text("its process had 1200 MB for a minute")
    world.index(repo)
    yield repo


@SITUATIONS.add(
    "other daemons are at work",
    "ready",
    fields={"background": "other daemons|is busy|on battery"},
    shown="background +paused: ",
    comes_s=20.0,
    is_long=True,
)
def in_turn(world: World) -> Iterator[Path]:
    runtime = Path(world.environment["CODEAGENT_RUNTIME_DIR"])
    runtime.mkdir(mode=0o700)
    others = [FileLock(str(runtime / f"background.{number}")) for number in range(BACKGROUND_DAEMONS)]
    assert all(other.try_take() for other in others)
    yield indexed(world, CODEAGENT_BACKGROUND="considerate")
    for other in others:
        other.release()


@SITUATIONS.add(
    "HTTP is served too",
    "ready",
    fields={"http": "http://127.0.0.1:[1-9][0-9]*/mcp"},
    shown="http +http://127.0.0.1:",
    comes_s=10.0,
)
def over_http(world: World) -> Iterator[Path]:
    yield indexed(world, CODEAGENT_HTTP="127.0.0.1:0")


@SITUATIONS.add(
    "HTTP cannot be served",
    "degraded",
    DEGRADED,
    reason="HTTP is off: cannot listen",
    remedy="choose another port",
    comes_s=10.0,
    is_long=True,
)
def port_taken(world: World) -> Iterator[Path]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield indexed(world, CODEAGENT_HTTP=f"127.0.0.1:{other.getsockname()[1]}")


@SITUATIONS.add(
    "the settings cannot be read",
    "degraded",
    DEGRADED,
    reason="config.json is left out: line 1",
    remedy="correct the JSON.*codeagentd restart",
)
def broken_settings(world: World) -> Iterator[Path]:
    config = Path(world.environment["CODEAGENT_CONFIG_DIR"]) / "config.json"
    config.parent.mkdir(parents=True)
    config.write_text("{ not json")
    yield indexed(world)


@SITUATIONS.add(
    "the settings name toolsets that are not there",
    "degraded",
    DEGRADED,
    reason="toolsets that are not there",
    remedy="use one of: ",
    is_long=True,
)
def unknown_toolsets(world: World) -> Iterator[Path]:
    repo = world.repository("shop", FILES | {".codeagent/config.json": json.dumps({"toolsets": "no-such-set"})})
    world.index(repo)
    window = world.connect(repo)
    window.must("get_status")
    yield repo


@SITUATIONS.add(
    "the model is switched off",
    "ready",
    fields={"embeddings": '"state": "off"'},
    shown=r"embeddings +off \(embedding.enabled\)",
    is_long=True,
)
def without_model(world: World) -> Iterator[Path]:
    yield indexed(world, CODEAGENT_EMBEDDING="false")


@SITUATIONS.add(
    "the sentence model that was chosen is not here, and may not be fetched", "ready", comes_s=20.0,
    shown="embeddings +static-minilm: .*in place of a sentence model: sentence-transformers/all-MiniLM-L6-v2 is not here",
    fields={"embeddings": '"model": "static-minilm"'},
)  # fmt: skip
def offline(world: World) -> Iterator[Path]:
    chosen = "sentence-transformers/all-MiniLM-L6-v2"
    yield indexed(world, CODEAGENT_EMBEDDING="true", CODEAGENT_OFFLINE="true", CODEAGENT_MODEL=chosen)


@SITUATIONS.add(
    "no model was chosen", "ready", comes_s=20.0, shown=r"embeddings +static-minilm: [\d,]+\s*\n",
    fields={"embeddings": '"model": "static-minilm"'},
)  # fmt: skip
def included_model(world: World) -> Iterator[Path]:
    yield indexed(world, CODEAGENT_EMBEDDING="true")


@SITUATIONS.add(
    "the model is being loaded",
    "ready",
    comes_s=20.0,
    fields={"embeddings": '"state": "loading"'},
    shown="embeddings +the model is being loaded",
    is_long=True,
)
def loading(world: World) -> Iterator[Path]:
    pipe = world.base / "model" / "config.json"
    pipe.parent.mkdir()
    (pipe.parent / "model.onnx").write_bytes(b"")
    repo = indexed(world, CODEAGENT_EMBEDDING="true", CODEAGENT_MODEL_PATH=str(pipe.parent))
    daemon = psutil.Process(world.daemon(repo))
    yield from held_while_loading(daemon, repo)


def held_while_loading(daemon: psutil.Process, repo: Path) -> Iterator[Path]:
    """Stop the process that loads the model as soon as it is there."""
    deadline = time.monotonic() + 20
    while not (
        found := [
            child.pid
            for child in daemon.children()
            if "codeagentd.pipeline.embedding.embedding_process" in child.cmdline()
        ]
    ):
        assert time.monotonic() < deadline
    with halted(*found):
        yield repo


@SITUATIONS.add(
    "the model cannot be used",
    "degraded",
    DEGRADED,
    reason="no search by meaning",
    remedy="embedding.model_path",
    comes_s=30.0,
    is_long=True,
)
def broken_model(world: World) -> Iterator[Path]:
    folder = world.base / "model"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"not a model")
    yield indexed(world, CODEAGENT_EMBEDDING="true", CODEAGENT_MODEL_PATH=str(folder))


@SITUATIONS.add("members of the workspace are missing", "ready", fields={"caught_up": "true"}, is_long=True)
def members_missing(world: World) -> Iterator[Path]:
    repo = world.repository("shop", FILES | {".codeagent/workspace.json": json.dumps({"members": ["../nowhere"]})})
    world.index(repo)
    told = world.codeagentd("call", "list_repos", "--repo", str(repo)).out
    assert "nowhere" in told, told
    yield repo


@SITUATIONS.add(
    "the system gives no watches",
    "ready",
    fields={"watcher": "polling", "watcher_reason": "max_user_instances"},
    comes_s=20.0,
    is_long=True,
)
def no_inotify(world: World) -> Iterator[Path]:
    yield from limited(world, "max_inotify_instances", 0)


@SITUATIONS.add(
    "there are too few watches", "ready", comes_s=20.0, is_long=True, shown="watcher +polling: .*max_user_watches",
    fields={"watcher": "polling", "watcher_reason": "max_user_watches"},
)  # fmt: skip
def few_watches(world: World) -> Iterator[Path]:
    yield from limited(world, "max_inotify_watches", 2)


def limited(world: World, name: str, most: int) -> Iterator[Path]:
    """A daemon with a limit of its own: other processes keep theirs."""
    alone = [word.format(most, name) for word in LIMITED]
    if subprocess.run([*alone, "true"], capture_output=True).returncode:
        pytest.skip("this user may not have a name space of its own")
    repo = world.repository("shop", FILES | {f"folder{number}/a.py": "x = 1\n" for number in range(8)})
    with foreground(world, repo, *alone):
        yield repo


@SITUATIONS.add(
    "windows are open", "ready", fields={"clients": "^2$", "windows": "harness"}, shown="harness", is_long=True
)
def with_windows(world: World) -> Iterator[Path]:
    repo = indexed(world)
    for _ in range(2):
        world.connect(repo).must("get_status")
    yield repo
