"""Files that a parser does not finish: others do not wait for them, and they are not tried again as long as they stay
as they are.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagent_protocol.status import UnreadFile
from codeagentd.base.limits import LEAST_DEADLINE_S, MAX_NESTING
from codeagentd.pipeline.batch import batch_writer
from codeagentd.pipeline.workers import pool
from codeagentd.pipeline.workers.deadlines import Patience
from codeagentd.pipeline.workers.pool import Pool
from tests.harness.waiting import eventually, let_pass
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

DEADLINE_S = 1.0


def chain(calls: int) -> str:
    """A source that takes time by the square: 3,000 calls about .7 s of a core, 20,000 some 30 s."""
    return f"fn slow() {{ a{'.a()' * calls}; }}\n"


ENDLESS, LONG = chain(20_000), chain(3_000)


@pytest.fixture
def lost(caplog: pytest.LogCaptureFixture) -> Callable[[], int]:
    """How many workers have been lost."""
    caplog.set_level(logging.WARNING)
    return lambda: sum("worker was lost" in record.message or "given up" in record.message for record in caplog.records)


def state(bench: Bench, path: str) -> tuple[str, str] | None:
    """(status, reason) of a file."""
    file = bench.stored.file(path)
    return (file.status, file.reason) if file else None


@pytest.fixture
def make_strict(make_bench: Make) -> Callable[[dict[str, str]], Bench]:
    """A bench whose files get a second of a core."""

    def make(files: dict[str, str]) -> Bench:
        bench = make_bench({"a.py": "def first(): ...\n"})
        bench.engine.close(10)
        bench.start(extract_deadline_s=DEADLINE_S)
        for path, text in files.items():
            bench.write(path, text)
        return bench

    return make


@pytest.mark.parametrize("name", ["a.rs", "a.py", "a.json", "a.c", "a.html", "a.md"])
def test_what_nests_deeper_than_anybody_writes_is_not_parsed(
    make_bench: Make, lost: Callable[[], int], name: str
) -> None:
    bench = make_bench({name: "{\n" * 100_000 + "}\n" * 100_000, "ok.py": "def ok(): ...\n"})
    assert state(bench, name) == ("skipped", f"nested deeper than {MAX_NESTING}")
    assert bench.engine.status().unread_files == (UnreadFile(name, f"nested deeper than {MAX_NESTING}"),)
    assert len([symbol for symbol in bench.stored.symbols("ok") if not symbol.is_file]) == 1
    assert lost() == 0


def test_a_file_that_is_never_finished_is_told_with_its_reason_and_not_tried_again(
    make_strict: Make, lost: Callable[[], int]
) -> None:
    bench = make_strict({"a.rs": ENDLESS, "b.py": "def second(): ...\n"})
    bench.catch_up()
    assert state(bench, "a.rs") == ("failed", f"took longer than {DEADLINE_S:g} s")
    assert bench.engine.status().failed_files == ("a.rs",)
    assert bench.engine.status().unread_files == (UnreadFile("a.rs", f"took longer than {DEADLINE_S:g} s"),)
    assert lost() == 2  # once beside the others, once alone
    os.utime(bench.root / "a.rs")
    bench.catch_up()
    assert bench.engine.index_files(["a.rs"], b"", 0)["errors"] == [
        {"path": "a.rs", "code": "index_error", "message": f"failed: took longer than {DEADLINE_S:g} s"}
    ]
    bench.write("copy.rs", ENDLESS)
    bench.catch_up()
    bench.engine.close(10)
    bench.start(extract_deadline_s=DEADLINE_S)
    bench.catch_up()
    assert state(bench, "copy.rs") == state(bench, "a.rs") == ("failed", f"took longer than {DEADLINE_S:g} s")
    assert lost() == 2
    bench.write("a.rs", "fn quick() {}\n")
    bench.catch_up()
    assert state(bench, "a.rs") == ("full", "")


def test_what_is_saved_while_a_slow_file_is_read_is_found_at_once(make_strict: Make, lost: Callable[[], int]) -> None:
    bench = make_strict({})
    bench.engine.close(10)
    bench.start()  # twenty seconds for a file
    bench.write("a.rs", ENDLESS)
    bench.engine.request_scan()
    eventually(lost)
    eventually(lambda: bench.engine.watermark().pending_files == 1)
    assert not bench.engine.watermark().caught_up
    bench.write("b.py", "def second(): ...\n")
    bench.engine.request_scan()
    mark = bench.engine.sync(5.0)
    assert bench.stored.count_symbols("second") == 1
    assert (mark.caught_up, mark.pending_files) == (False, 1)
    bench.write("a.rs", "fn quick() {}\n")  # what is read then is not wanted any longer
    bench.catch_up()
    assert state(bench, "a.rs") == ("full", "")
    assert lost() == 1


def test_a_slow_file_that_is_finished_alone_is_as_any_other(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, lost: Callable[[], int], tmp_path: Path
) -> None:
    bench = make_bench({"main.rs": "mod slow;\nfn main() { slow::go(); }\n"})
    monkeypatch.setattr(batch_writer, "PROMPT_DEADLINE_S", 0.3)
    bench.write("slow.rs", "pub fn go() {}\n" + LONG)
    bench.catch_up()
    assert (state(bench, "slow.rs"), lost()) == (("full", ""), 1)
    bench.write("slow.rs", "\npub fn go() {}\n" + LONG)
    bench.engine.request_scan()
    eventually(lambda: lost() == 2)
    assert [symbol.line for symbol in bench.stored.symbols("go")] == [1]  # as it was, and the answers say so
    bench.catch_up()
    assert [symbol.line for symbol in bench.stored.symbols("go")] == [2]
    assert bench.is_as_fresh(tmp_path / "fresh")


def test_a_file_that_crashes_its_parser_is_remembered_too(make_strict: Make, lost: Callable[[], int]) -> None:
    bench = make_strict({"quotes.md": "> " * 2_000 + "a\n"})
    bench.catch_up()
    assert state(bench, "quotes.md") == ("failed", "the parser crashed")
    before = lost()
    os.utime(bench.root / "quotes.md")
    bench.catch_up()
    assert lost() == before


def test_what_was_read_is_committed_before_what_takes_long(
    make_strict: Make, monkeypatch: pytest.MonkeyPatch, lost: Callable[[], int]
) -> None:
    monkeypatch.setattr(batch_writer, "COMMIT_S", 0.1)
    monkeypatch.setattr(batch_writer, "PROMPT_DEADLINE_S", 20.0)
    bench = make_strict({})
    bench.engine.close(10)
    bench.start()
    for path, text in {
        "a.rs": ENDLESS,
        **{f"b{number}.py": f"def second{number}(): ...\n" for number in range(30)},
    }.items():
        bench.write(path, text)
    bench.engine.request_scan()
    eventually(lambda: sum(symbol.name.startswith("second") for symbol in bench.stored.symbols()) == 30)
    assert (lost(), state(bench, "a.rs")) == (0, None)  # it is still being read, beside the others
    bench.write("a.rs", "fn quick() {}\n")
    bench.catch_up()  # and not waited for once a file is saved
    assert (lost(), state(bench, "a.rs")) == (0, ("full", ""))


def test_index_files_says_that_a_slow_file_is_read_later(make_bench: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = make_bench({"a.py": "pass\n"})
    monkeypatch.setattr(batch_writer, "PROMPT_DEADLINE_S", 0.3)
    bench.write("a.rs", LONG)
    answer = bench.engine.index_files(["a.rs", "a.py"], b"", 0)
    assert answer["indexed"] == 1
    assert answer["errors"][0]["message"].startswith("postponed: took longer than 0.3 s; it is read again")
    assert bench.engine.wait_caught_up(30)
    assert state(bench, "a.rs") == ("full", "")


def test_deadlines_become_shorter_the_more_time_is_wasted_and_never_too_short() -> None:
    patience, deadlines = Patience(20.0, 80.0), []
    for _ in range(40):
        deadlines.append(patience.seconds)
        patience.waste(patience.seconds)
    assert deadlines[0] == 20.0
    assert deadlines == sorted(deadlines, reverse=True)
    assert deadlines[-1] == LEAST_DEADLINE_S
    patience.renew()
    assert patience.seconds == 20.0


def test_a_worker_whose_answers_wait_for_the_writer_is_not_blamed(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, lost: Callable[[], int]
) -> None:
    monkeypatch.setattr(pool, "STALL_S", 0.3)
    monkeypatch.setattr(batch_writer, "PROMPT_DEADLINE_S", 0.4)  # 1.2 s of silence are too many
    usual, slept = Pool.extract, []

    def extract(workers: Pool, jobs, *rest):  # type: ignore[no-untyped-def]
        for outcome in usual(workers, jobs, *rest):
            if outcome is not None and len(slept) < 3:
                slept.append(let_pass(1.5, "the writer is slow"))  # type: ignore[func-returns-value]
            yield outcome

    monkeypatch.setattr(Pool, "extract", extract)
    make_bench({f"a{number}.py": f"def a{number}(): ...\n" for number in range(120)})
    assert lost() == 0
