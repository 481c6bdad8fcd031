"""Processes of a daemon that hang (SIGSTOP): every question still ends in time, with an answer or an error with a code."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tests.harness.language_window import editor_window
from tests.harness.world import World

pytestmark = pytest.mark.long
MODULES = "codeagentd.pipeline."
LONGEST_S = 25.0  # of one answer: a question waits 15 s for an analysis
LOOK_S = 0.02
CALLS: tuple[tuple[str, dict[str, str]], ...] = (
    ("search_symbols", {"query": "step7"}), ("search_code", {"query": "returns the value"}), ("god_nodes", {}), ("graph_stats", {}),
    ("impact_of", {"target": "step7"}), ("store", {"type": "decision", "content": "step7 returns its value"}), ("search", {"query": "step7"}),
)  # fmt: skip


@contextlib.contextmanager
def hanging(daemon: int, module: str) -> Iterator[set[int]]:
    """Stop every process of the daemon that runs this module, as soon as it is there; yields their ids."""
    stopped: set[int] = set()
    over = threading.Event()

    def look() -> None:
        while not over.wait(LOOK_S):
            for child in psutil.Process(daemon).children():
                with contextlib.suppress(psutil.Error, ProcessLookupError):
                    if MODULES + module in child.cmdline() and child.pid not in stopped:
                        os.kill(child.pid, signal.SIGSTOP)
                        stopped.add(child.pid)

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
@pytest.mark.parametrize("module", ["embedding.embedding_process", "graph.analysis_process"])
def test_every_question_ends_in_time_while_a_process_hangs(world: World, repo: Path, module: str) -> None:
    window = world.connect(repo, "--toolsets", "all")
    with hanging(world.daemon(repo), module) as stopped:
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
    with hanging(world.daemon(repo), "documents.document_process") as stopped:
        editor.open_file("pkg/mod7.py")
        for method in ("hover", "completion", "definition", "references"):
            more = {"context": {"includeDeclaration": True}} if method == "references" else {}
            message = editor.at(method, "pkg/mod7.py", 1, 13, LONGEST_S, **more).message
            assert "result" in message or message["error"]["code"], method
    assert stopped
    editor.leave()
