"""Processes of a daemon that hang (SIGSTOP): every question still ends in time, with an answer or an error with a code."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import psutil
import pytest

from codeagentd.secrets.scanner import LOAD_PATIENCE_S, RETRY_S
from tests.harness.language_window import editor_window
from tests.harness.waiting import eventually
from tests.harness.world import World

pytestmark = pytest.mark.long
MODULES = "codeagentd."
LONGEST_S = 25.0  # of one answer: a question waits 15 s for an analysis
LOOK_S = 0.02
ISSUED = "fig" + "d_FMzekVIV5GPy15VfiwfqGP6gGTahvKXifwkWbqzW"  # nothing but an issuer's rule knows it
CALLS: tuple[tuple[str, dict[str, str]], ...] = (
    ("search_symbols", {"query": "step7"}), ("search_code", {"query": "returns the value"}), ("god_nodes", {}), ("graph_stats", {}),
    ("impact_of", {"target": "step7"}), ("store", {"type": "decision", "content": "step7 returns its value"}), ("search", {"query": "step7"}),
)  # fmt: skip


@contextlib.contextmanager
def hanging(module: str, processes: Callable[[], Iterable[int]]) -> Iterator[set[int]]:
    """Stop every one of `processes` that runs this module, as soon as it is there; yields their ids."""
    stopped: set[int] = set()
    over = threading.Event()

    def look() -> None:
        while not over.wait(LOOK_S):
            for pid in processes():
                with contextlib.suppress(psutil.Error, ProcessLookupError):
                    if pid not in stopped and MODULES + module in psutil.Process(pid).cmdline():
                        os.kill(pid, signal.SIGSTOP)
                        stopped.add(pid)

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield stopped
    finally:
        over.set()
        thread.join()


@pytest.fixture
def repo(world: World) -> Path:
    world.environment["CODEAGENT_EMBEDDING"] = "true"
    files = {f"pkg/mod{n}.py": f"def step{n}(value):\n    return step{n + 1}(value)\n" for n in range(40)}
    repo = world.repository("repo", files)
    world.index(repo)
    return repo


@pytest.mark.limit(240)
@pytest.mark.parametrize("module", ["pipeline.embedding.embedding_process", "pipeline.graph.analysis_process"])
def test_every_question_ends_in_time_while_a_process_hangs(world: World, repo: Path, module: str) -> None:
    window = world.connect(repo, "--toolsets", "all")
    with hanging(module, world.processes) as stopped:
        for number in range(3):
            (repo / f"pkg/late{number}.py").write_text(f"def late{number}():\n    return step7(1)\n")
            for tool, arguments in CALLS:
                begun = time.monotonic()
                answer = window.call(tool, arguments, LONGEST_S)
                assert answer.data or answer.error_code, (tool, answer.message)
                assert time.monotonic() - begun < LONGEST_S, tool
    assert stopped
    window.close()


@pytest.mark.limit(120)
def test_an_editor_is_answered_while_its_documents_cannot_be_analysed(world: World, repo: Path) -> None:
    editor = editor_window(world, repo)
    with hanging("pipeline.documents.document_process", world.processes) as stopped:
        editor.open_file("pkg/mod7.py")
        for method in ("hover", "completion", "definition", "references"):
            more = {"context": {"includeDeclaration": True}} if method == "references" else {}
            message = editor.at(method, "pkg/mod7.py", 1, 13, LONGEST_S, **more).message
            assert "result" in message or message["error"]["code"], method
    assert stopped
    editor.leave()


@pytest.mark.limit(240)
def test_nothing_in_doubt_is_shown_or_kept_while_the_scanner_hangs(world: World) -> None:
    repo = world.repository("repo", {"a.py": f"def step(value):\n    return value  # {ISSUED}\n"})
    world.index(repo)
    window = world.connect(repo, "--toolsets", "all")
    with hanging("secrets.scanner_process", world.processes) as stopped:
        begun = time.monotonic()
        (repo / "b.py").write_text(f"def later(value):\n    return value  # {ISSUED}\n")
        for tool, arguments in (
            ("store", {"type": "decision", "content": f"step uses {ISSUED}"}), ("search_code", {"query": "later returns the value"}),
            ("describe_symbol", {"symbol": "step"}), ("search_symbols", {"query": "later"}), ("plan_rename", {"name": "step", "to": "step2"}),
        ):  # fmt: skip
            answer = window.call(tool, arguments, LOAD_PATIENCE_S + LONGEST_S)
            assert ISSUED not in str(answer.message), tool
            assert answer.data or answer.error_code, (tool, answer.message)
        assert time.monotonic() - begun < LOAD_PATIENCE_S + LONGEST_S, "one of the questions waits for the scanner"
    assert stopped
    store = ("store", {"type": "decision", "content": f"step uses {ISSUED} as before"})
    kept = eventually(lambda: (answer := window.call(*store)).data.get("id") and answer, RETRY_S + LONGEST_S)
    assert "[redacted]" in window.must("read", {"id": kept.data["id"]}).data["content"]
    assert not {pid for pid in stopped if psutil.pid_exists(pid)}
    window.close()


@pytest.mark.limit(240)
def test_an_index_is_made_without_a_store_while_the_pull_hangs(world: World) -> None:
    files = {f"pkg/mod{n}.py": f"def step{n}(value):\n    return step{n + 1}(value)\n" for n in range(120)}
    repo, store = world.repository("repo", files), world.base / "store"
    world.index(repo)
    assert world.codeagentd("share", "push", "--repo", str(repo), "--store", str(store)).code == 0
    assert world.codeagentd("stop", "--repo", str(repo)).code == 0
    with World() as elsewhere:
        clone = elsewhere.base / "clone"
        elsewhere.git(repo, "clone", "-q", str(repo), str(clone))
        elsewhere.environment["CODEAGENT_SHARE_URL"] = str(store)
        with hanging("share.pull_process", elsewhere.processes) as stopped:
            window = elsewhere.connect(clone, "--toolsets", "all")
            begun = time.monotonic()
            answer = window.call("search_symbols", {"query": "step7"}, LONGEST_S)
            assert answer.data, answer.message
            assert time.monotonic() - begun < LONGEST_S
            elsewhere.index(clone)
        assert stopped
        assert window.must("search_symbols", {"query": "step7"}).data["results"]
        assert "did not answer in time" in elsewhere.codeagentd("share", "status", "--repo", str(clone)).out
        assert not {pid for pid in stopped if psutil.pid_exists(pid)}
        window.close()
