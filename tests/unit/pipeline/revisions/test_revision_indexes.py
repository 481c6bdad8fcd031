"""The indexes of commits on the disk: one build each, what failed, and which ones go when room is needed."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagentd.base.child_process import ChildProcess, python_command
from codeagentd.pipeline.revisions import revision_indexes
from codeagentd.pipeline.revisions.revision_indexes import RevisionIndexes
from tests.harness.waiting import eventually

ROOT = Path("/nowhere")
OLD = 1_000_000_000

# a build that writes some bytes; the first word says how it ends
BUILDER = """
import sys, time, msgspec
from pathlib import Path
from codeagent_protocol import pipes
from codeagentd.model.revision_build import *
order = msgspec.msgpack.decode(pipes.receive(sys.stdin.buffer), type=BuildOrder)
send = lambda message: pipes.send(1, msgspec.msgpack.encode(message))
send(BuildProgress("extract", 3, 10))
if sys.argv[1] == "slow":
    sys.stdin.buffer.read()
if sys.argv[1] == "fails":
    send(BuildFailed("it is odd", "mend it", lasts=True))
elif sys.argv[1] == "dies usable":
    send(BuildUsable())
elif sys.argv[1] == "works":
    (Path(order.place) / "data").write_bytes(bytes(100_000))
    Path(order.blobs).mkdir(exist_ok=True)
    send(BuildDone(1, 2, 3, 0.5))
"""


def builder(how: str, started: list[str] | None = None) -> Callable[[], ChildProcess]:
    def start() -> ChildProcess:
        if started is not None:
            started.append(how)
        return ChildProcess(python_command("-c", BUILDER, how))

    return start


def test_a_commit_is_built_once_however_many_ask(tmp_path: Path) -> None:
    started: list[str] = []
    indexes = RevisionIndexes(tmp_path, builder("works", started))
    with ThreadPoolExecutor(6) as pool:
        layouts = set(pool.map(lambda _: indexes.obtain("team/shop", "c1", ROOT, 20), range(6)))
    assert len(layouts) == len(started) == 1
    assert layouts.pop().tree == tmp_path / "repositories/team%shop/revisions/c1/files/shop"
    assert RevisionIndexes(tmp_path, builder("fails")).obtain("team/shop", "c1", ROOT, 0)
    assert indexes.indexed("team/shop") == ["c1"]


def test_whoever_does_not_wait_long_enough_is_told_how_far_it_is(tmp_path: Path) -> None:
    indexes = RevisionIndexes(tmp_path, builder("slow"))
    with pytest.raises(EngineUnavailable, match="c1 is being indexed") as early:
        indexes.obtain("shop", "c1", ROOT, 0.0)
    assert early.value.facts["retry_after"] > 0
    eventually(lambda: indexes.progress_of("shop", "c1").done == 3)
    assert [(build.name, build.commit) for build in indexes.builds()] == [("shop", "c1")]

    def wait_long() -> None:
        with pytest.raises(EngineUnavailable):
            indexes.obtain("shop", "c1", ROOT, 60.0)

    waiting = threading.Thread(target=wait_long)
    waiting.start()
    indexes.close()
    waiting.join(20)
    assert not waiting.is_alive()


def test_an_index_that_answers_does_so_although_its_build_has_died_since(tmp_path: Path) -> None:
    indexes = RevisionIndexes(tmp_path, builder("dies usable"))
    build = indexes._request("shop", "c1", ROOT)
    eventually(lambda: build.error is not None)
    assert build.usable.is_set()
    indexes._builds["shop", "c1"] = build  # as of one who waited and wakes up only now
    assert indexes.obtain("shop", "c1", ROOT, 0.0)


@pytest.mark.parametrize(("how", "what"), [("fails", "it is odd"), ("dies", "has ended")])
def test_a_build_that_failed_is_not_tried_again_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, what: str
) -> None:
    started: list[str] = []
    indexes = RevisionIndexes(tmp_path, builder(how, started))
    for _ in range(3):
        with pytest.raises(CodedError, match=what) as failed:
            indexes.obtain("shop", "c1", ROOT, 20)
        assert failed.value.code == "index_error"
    assert (len(started), indexes.failures) == (1, 1)
    now = time.monotonic()
    monkeypatch.setattr(revision_indexes.time, "monotonic", lambda: now + 3_600)
    with pytest.raises(CodedError):
        indexes.obtain("shop", "c1", ROOT, 20)
    assert len(started) == 2


def test_what_was_not_used_for_the_longest_time_goes_first(tmp_path: Path) -> None:
    indexes = RevisionIndexes(tmp_path, builder("works"))
    for age, commit in enumerate(("c1", "c2", "c3", "c4")):
        layout = indexes.obtain("shop", commit, ROOT, 20)
        os.utime(layout.place / "ready.json", (OLD + age, OLD + age))
    indexes.obtain("shop", "c1", ROOT, 0)  # used just now
    left = indexes.prune(250_000, lambda name, commit: commit == "c2")
    assert left <= 250_000
    assert indexes.indexed("shop") == ["c1", "c2"]


def test_nothing_is_left_of_a_repository_without_indexes(tmp_path: Path) -> None:
    indexes = RevisionIndexes(tmp_path, builder("works"))
    layout = indexes.obtain("shop", "c1", ROOT, 20)
    os.utime(layout.place / "ready.json", (OLD, OLD))
    assert indexes.prune(0, lambda name, commit: False) == 0
    assert list((tmp_path / "repositories").iterdir()) == []
    assert indexes.obtain("shop", "c1", ROOT, 20)


def test_files_with_several_names_count_once(tmp_path: Path) -> None:
    indexes = RevisionIndexes(tmp_path, builder("works"))
    first, second = (indexes.obtain("shop", commit, ROOT, 20) for commit in ("c1", "c2"))
    alone = indexes.prune(1 << 40, lambda name, commit: False)
    os.link(first.place / "data", second.place / "same")
    assert indexes.prune(1 << 40, lambda name, commit: False) == alone
