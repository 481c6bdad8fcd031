"""Only a worker's own work counts against its file: not waiting, not a stopped or busy machine, not a busy daemon."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

import pytest

from codeagentd.pipeline.batch import batch_writer
from codeagentd.pipeline.workers import pool
from codeagentd.pipeline.workers.messages import ChunkJob
from codeagentd.pipeline.workers.pool import STALLED, Pool
from tests.harness.waiting import let_pass
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

SILENCE_S = 2.0  # seconds after which a worker is given up, in these tests
SLOW = f"fn slow() {{ a{'.a()' * 2_000}; }}\n"  # .3 s of a core
MANY = "".join(f"fn function_{number}() {{ call_{number}(); }}\n" for number in range(2_000))
FILES = {"a.py": "def first(): ...\n", "b.rs": SLOW}


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The daemon gives up workers soon, and files have time."""
    monkeypatch.setattr(pool, "longest_silence", lambda _: SILENCE_S)
    monkeypatch.setattr(batch_writer, "PROMPT_DEADLINE_S", 30.0)


@pytest.fixture
def lost(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """Why workers were lost."""
    caplog.set_level(logging.WARNING)
    return lambda: [
        getattr(record, "facts", {}).get("reason", "")
        for record in caplog.records
        if "was lost" in record.message or "given up" in record.message
    ]


def when_the_first_answer_comes(
    monkeypatch: pytest.MonkeyPatch, act: Callable[[Pool], contextlib.AbstractContextManager[None]]
) -> None:
    """Have `act` begin with the first answer of the workers, in the daemon's own time, and end with the last."""
    usual = Pool.extract

    def extract(workers: Pool, jobs, *rest):  # type: ignore[no-untyped-def]
        with contextlib.ExitStack() as stack:
            has_begun = False
            for outcome in usual(workers, jobs, *rest):
                if outcome is not None and not has_begun:
                    has_begun = True
                    stack.enter_context(act(workers))
                yield outcome

    monkeypatch.setattr(Pool, "extract", extract)


def test_a_machine_that_was_stopped_with_all_its_processes_costs_no_worker(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, lost: Callable[[], list[str]]
) -> None:
    @contextlib.contextmanager
    def stopped(workers: Pool) -> Iterator[None]:
        for pid in workers.pids:
            os.kill(pid, signal.SIGSTOP)
        let_pass(2 * SILENCE_S, "nothing runs, the daemon neither")
        for pid in workers.pids:
            os.kill(pid, signal.SIGCONT)
        yield

    when_the_first_answer_comes(monkeypatch, stopped)
    bench = make_bench(FILES)
    assert lost() == []
    assert bench.stored.file("b.rs").status == "full"


def test_a_machine_that_is_busy_with_other_things_costs_no_worker(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, lost: Callable[[], list[str]]
) -> None:
    @contextlib.contextmanager
    def starved(workers: Pool) -> Iterator[None]:
        done, pids = threading.Event(), workers.pids

        def stop_and_go() -> None:
            while not done.is_set():
                for sent, seconds in ((signal.SIGSTOP, 0.09), (signal.SIGCONT, 0.01)):
                    for pid in pids:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(pid, sent)
                    done.wait(seconds)
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

        thread = threading.Thread(target=stop_and_go)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()

    when_the_first_answer_comes(monkeypatch, starved)
    bench = make_bench(FILES)
    assert lost() == []
    assert bench.stored.file("b.rs").status == "full"


def test_a_worker_that_does_nothing_is_given_up(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, lost: Callable[[], list[str]]
) -> None:
    @contextlib.contextmanager
    def one_stopped(workers: Pool) -> Iterator[None]:
        for pid in workers.pids:
            os.kill(pid, signal.SIGSTOP)
        yield

    when_the_first_answer_comes(monkeypatch, one_stopped)
    bench = make_bench(FILES)
    assert lost() == [STALLED]
    assert bench.stored.file("b.rs").status == "full"  # it was read again, alone


def test_a_long_answer_that_comes_in_parts_is_no_silence(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, lost: Callable[[], list[str]]
) -> None:
    monkeypatch.setattr(pool, "PIPE_BYTES", 4_096)
    monkeypatch.setattr(pool, "READ_BYTES", 4_096)
    monkeypatch.setattr(pool, "longest_silence", lambda _: 0.3)
    monkeypatch.setattr(batch_writer, "PROMPT_DEADLINE_S", 0.2)  # the file is read alone, a part in each step
    bench = make_bench({"a.py": "def first(): ...\n", "b.rs": SLOW + MANY})
    assert bench.stored.file("b.rs").status == "full"
    assert lost() == ["took longer than 0.2 s"]


@pytest.mark.skipif(sys.platform == "win32", reason="no timer of processor time")
def test_compiling_a_query_does_not_count_against_the_file_that_needs_it_first() -> None:
    code = (
        "from codeagentd.base.processor_time import at_most\n"
        "from codeagentd.languages.grammar import query\n"
        "from codeagentd.languages.language import languages\n"
        "languages()\n"
        "with at_most(0.1):\n"
        "    query('cpp')\n"
        "print('done')\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stdout) == (0, "done\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no timer of processor time")
def test_work_after_a_query_was_compiled_counts_again() -> None:
    code = (
        "from codeagentd.base.processor_time import at_most\n"
        "from codeagentd.languages.grammar import query\n"
        "with at_most(0.3):\n"
        "    query('cpp')\n"
        "    while True: pass\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert run.returncode == -signal.SIGPROF


@pytest.mark.skipif(sys.platform == "win32", reason="no timer of processor time")
def test_text_that_takes_too_long_to_cut_costs_its_worker_and_no_other_file(
    make_bench: Make, lost: Callable[[], list[str]]
) -> None:
    bench = make_bench(dict.fromkeys(("a.py", "b.py"), "def first(): ...\n" * 40_000))
    strict = Pool(bench.root, bench.engine.index_path, bench.place / "blobs.db", 1, deadline_s=0.01)
    jobs = [ChunkJob(file.id, file.path) for file in bench.stored.files()]
    chunked = list(strict.chunk(jobs))
    strict.reap()
    assert [answer.pieces for answer in chunked] == [[]] * len(jobs)
    assert lost().count("took longer than 0.01 s") == len(jobs)  # a slow machine loses others over so large files
