"""The process that indexes on demand, from its start to the end of the first index."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.model.on_demand import Coverage, Question
from codeagentd.pipeline.on_demand import on_demand_index
from codeagentd.pipeline.on_demand.on_demand_index import has_few_files, is_whole
from codeagentd.store.connection import ReaderPool
from codeagentd.store.opening import open_disposable
from tests.harness.on_demand import on_demand, shops, write
from tests.harness.stored_rows import stored_rows
from tests.harness.waiting import comes, let_pass

PATIENCE_S = 60.0


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(on_demand_index, "FEW_FILES", 10)
    root = tmp_path / "repo"
    write(root, shops(4))
    return root


def ask(index: on_demand_index.OnDemandIndex, *names: str) -> Coverage:
    coverage = index.ask(Question(names), PATIENCE_S)
    assert coverage is not None
    return coverage


def test_a_question_is_answered_before_there_is_an_index(repo: Path, tmp_path: Path) -> None:
    with on_demand(repo, tmp_path / "index", tmp_path / "index" / "index.db") as (index, _):
        coverage = ask(index, "c_pay_1")
        assert coverage.is_whole
        assert coverage.files > 10
        with index.lent(coverage, ReaderPool(tmp_path / "none", 1)) as loan:
            assert loan is not None
            with loan.readers.read() as database:
                callers = stored_rows(database).callers("c_pay_1")
    assert {(source, path) for source, path, _ in callers} >= {("help", "c/shop0.c"), ("c_sell_1", "c/shop1.c")}


def test_a_process_that_nobody_needed_yet_starts_with_the_first_question(repo: Path, tmp_path: Path) -> None:
    whole = tmp_path / "index" / "index.db"
    with on_demand(repo, tmp_path / "index", whole, is_unasked=True) as (index, first_done):
        assert index.pid == 0
        assert ask(index, "c_pay_1").is_whole
        assert index.pid
        first_done.set()
        assert comes(lambda: index.pid == 0)


def test_without_a_question_no_process_is_started_any_more(repo: Path, tmp_path: Path) -> None:
    whole = tmp_path / "index" / "index.db"
    with on_demand(repo, tmp_path / "index", whole, is_unasked=True) as (index, first_done):
        first_done.set()
        assert index.ask(Question(("c_pay_1",)), PATIENCE_S) is None
        assert index.pid == 0


def test_two_questions_at_once_are_both_answered(repo: Path, tmp_path: Path) -> None:
    answers: dict[str, Coverage] = {}
    with on_demand(repo, tmp_path / "index", tmp_path / "index" / "index.db") as (index, _):
        threads = [
            threading.Thread(target=lambda name=name: answers.update({name: ask(index, name)}))  # type: ignore[misc]
            for name in ("c_pay_1", "py_pay_2", "tsOpen3")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {name: coverage.is_whole for name, coverage in answers.items()} == dict.fromkeys(answers, True)
    assert len(answers) == 3


def test_it_ends_with_the_first_index(repo: Path, tmp_path: Path) -> None:
    with on_demand(repo, tmp_path / "index", tmp_path / "index" / "index.db") as (index, first_done):
        coverage = ask(index, "c_pay_1")
        with index.lent(coverage, ReaderPool(tmp_path / "none", 1)) as loan:
            assert loan is not None
            first_done.set()
            assert comes(lambda: index.pid == 0)
            with loan.readers.read() as database:  # what was lent stays until the answer is made
                assert stored_rows(database).callers("c_pay_1")
        assert not [*(tmp_path / "index").glob("on-demand*")]
        assert index.ask(Question(("c_pay_1",)), PATIENCE_S) is None
        with index.lent(coverage, ReaderPool(tmp_path / "none", 1)) as loan:
            assert loan is None


def test_a_question_does_not_wait_past_the_first_index(repo: Path, tmp_path: Path) -> None:
    with on_demand(repo, tmp_path / "index", tmp_path / "index" / "index.db") as (index, first_done):
        threading.Timer(0.05, first_done.set).start()
        began = time.monotonic()
        index.ask(Question(("c_pay_1",)), PATIENCE_S)
        assert time.monotonic() - began < PATIENCE_S / 2


def test_a_budget_that_is_used_up_gives_what_is_known(repo: Path, tmp_path: Path) -> None:
    with on_demand(repo, tmp_path / "index", tmp_path / "index" / "index.db") as (index, _):
        coverage = index.ask(Question(("c_pay_1",)), 0.0)
        assert coverage is not None
        assert not coverage.is_whole


def test_what_a_daemon_has_left_is_removed(repo: Path, tmp_path: Path) -> None:
    whole = tmp_path / "index" / "index.db"
    database, _ = open_disposable(tmp_path / "index" / "on-demand.db", "index")
    database.close()
    _write_index(whole, bulk=0)
    with on_demand(repo, tmp_path / "index", whole) as (index, _):
        assert index.pid == 0
        assert not [*(tmp_path / "index").glob("on-demand*")]


def test_a_first_index_that_was_interrupted_is_not_whole(tmp_path: Path) -> None:
    assert not is_whole(tmp_path / "none.db")
    _write_index(tmp_path / "half.db", bulk=1)
    assert not is_whole(tmp_path / "half.db")
    _write_index(tmp_path / "whole.db", bulk=0)
    assert is_whole(tmp_path / "whole.db")


def _write_index(path: Path, *, bulk: int) -> None:
    database, _ = open_disposable(path, "index")
    with database.transaction():
        database.run("writer.put_meta", ("bulk", bulk))
        database.run(
            "writer.put_file",
            {
                "path": "a.py", "language": "python", "project": 1, "status": "full", "reason": "", "generated": 0,
                "size": 1, "mtime_ns": 1, "digest": b"", "module": "a", "import_name": "", "names": b"", "symbols": b"",
            },
        )  # fmt: skip
    database.close()


def test_a_small_repository_needs_none(tmp_path: Path) -> None:
    write(tmp_path / "small", {"a.py": "a = 1\n"})
    assert has_few_files(tmp_path / "small")
    with on_demand(tmp_path / "small", tmp_path / "index", tmp_path / "none") as (index, _):
        assert index.ask(Question(("a",)), PATIENCE_S) is None


def test_a_process_that_ends_is_started_again_without_the_file(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with on_demand(repo, tmp_path / "index", tmp_path / "index" / "index.db") as (index, _):
        ask(index, "c_pay_1")
        first = index.pid
        os.kill(first, signal.SIGPROF)
        assert comes(lambda: index.pid not in (0, first))
        assert ask(index, "c_pay_2").mentioning


@pytest.mark.skipif(os.name == "nt", reason="the process is stopped by a signal")
def test_the_first_index_waits_for_an_answer(repo: Path, tmp_path: Path) -> None:
    with on_demand(repo, tmp_path / "index", tmp_path / "index" / "index.db") as (index, _):
        ask(index, "c_pay_1")
        with _stopped(index):
            waiting = threading.Thread(target=index.give_way, daemon=True)
            waiting.start()
            let_pass(0.2, "no answer comes")
            assert waiting.is_alive()
        waiting.join(PATIENCE_S)
        assert not waiting.is_alive()


@pytest.mark.skipif(os.name == "nt", reason="the process is stopped by a signal")
def test_a_question_without_an_answer_holds_the_first_index_up_for_a_bounded_time(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(on_demand_index, "GIVE_WAY_S", 0.1)
    monkeypatch.setattr(on_demand_index, "GIVE_WAY_SHARE", 0.0)
    with on_demand(repo, tmp_path / "index", tmp_path / "index" / "index.db") as (index, _):
        ask(index, "c_pay_1")
        with _stopped(index) as asking:
            began = time.monotonic()
            for _ in range(1_000):
                index.give_way()
            assert time.monotonic() - began < PATIENCE_S / 2
            assert asking.is_alive()


@contextlib.contextmanager
def _stopped(index: on_demand_index.OnDemandIndex) -> Iterator[threading.Thread]:
    """Ask a question while the process is stopped."""
    asking = threading.Thread(target=ask, args=(index, "c_pay_2"), daemon=True)
    os.kill(index.pid, signal.SIGSTOP)
    asking.start()
    try:
        let_pass(0.3, "the question arrives")
        yield asking
    finally:
        os.kill(index.pid, signal.SIGCONT)
        asking.join(PATIENCE_S)
