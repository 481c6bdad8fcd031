"""Files in pieces for text search: where they are cut, that they follow the files, and what never gets in."""

from __future__ import annotations

import random
import re
import sys
import threading
import time
from collections.abc import Callable

import pytest

from codeagent_protocol.errors import EngineUnavailable
from codeagentd.model.kinds import SymbolKind
from codeagentd.pipeline.workers.chunker import FEW, LONGEST, MANY, SHORTEST, STEP_S, Chunker, _names, cut, next_share
from codeagentd.query.retrieval.retrieve import retrieve
from codeagentd.secrets.scanner import Detectors, detectors
from tests.harness.planted import blocks
from tests.harness.waiting import comes
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

ISSUED = "fig" + "d_FMzekVIV5GPy15VfiwfqGP6gGTahvKXifwkWbqzW"  # nothing but an issuer's rule knows it
Make = Callable[[dict[str, str]], Bench]


def search(bench: Bench, question: str) -> list[str]:
    assert bench.engine.text_ready(60.0)
    with bench.engine.readers.read() as database:
        return [chunk.path for chunk in retrieve(database, question, 10)[1]]


def test_chunks_cover_every_line_once_and_none_is_long() -> None:
    spans = cut(
        137,
        [(20, 40, "f", SymbolKind.FUNCTION), (22, 22, "x", SymbolKind.VARIABLE), (60, 130, "g", SymbolKind.FUNCTION)],
    )
    assert [line for first, last in spans for line in range(first, last + 1)] == list(range(1, 138))
    assert max(last - first + 1 for first, last in spans) <= LONGEST
    assert {20, 60} <= {first for first, _ in spans}
    assert 22 not in {first for first, _ in spans}


def test_short_definitions_stand_together() -> None:
    spans = cut(SHORTEST, [(line, line + 1, "f", SymbolKind.FUNCTION) for line in range(1, SHORTEST, 2)])
    assert spans == [(1, SHORTEST)]
    assert cut(0, []) == []


def test_a_step_takes_fewer_files_where_they_take_long_and_more_again_where_they_do_not() -> None:
    assert next_share(MANY, STEP_S) == next_share(MANY, STEP_S / 10) == MANY
    assert next_share(MANY, 3 * STEP_S) == MANY // 3
    assert next_share(MANY, 60.0) == FEW + 1
    assert next_share(FEW + 1, STEP_S / 2) == 2 * (FEW + 1)


def test_text_search_follows_edits_moves_and_deletions(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def lend():\n    '''hand a novel over the counter'''\n", "b.py": "x = 1\n"})
    assert search(bench, "novel counter") == ["a.py"]
    bench.write("b.py", "# the counter for novels\n")
    bench.catch_up()
    assert set(search(bench, "novel counter")) == {"a.py", "b.py"}
    (bench.root / "a.py").rename(bench.root / "c.py")
    bench.catch_up()
    assert set(search(bench, "novel counter")) == {"b.py", "c.py"}
    (bench.root / "c.py").unlink()
    (bench.root / "b.py").unlink()
    bench.catch_up()
    assert search(bench, "novel counter") == []
    assert bench.stored.chunks() == []


def test_the_words_inside_of_names_are_found_and_so_are_whole_names(make_bench: Make) -> None:
    bench = make_bench({"a.py": "def openReadingRoom(): ...\n", "b.py": "def close_reading_room(): ...\n"})
    assert search(bench, "open reading rooms")[0] == "a.py"
    assert search(bench, "close_reading_room")[0] == "b.py"


@pytest.mark.parametrize("question", ['"', "a AND OR (", "*", "{path} : x", "NEAR(", "ünïcode", "x" * 900, "(" * 300])
def test_no_question_is_an_error_of_the_full_text_search(make_bench: Make, question: str) -> None:
    bench = make_bench({"a.py": "x = 1\n"})
    assert isinstance(search(bench, question), list)


def test_a_key_that_goes_on_in_the_next_chunk_is_left_out_of_both(make_bench: Make) -> None:
    text, body = blocks()["RSA"]
    bench = make_bench({"a.py": "x = 1\n" * (LONGEST - 4) + f'KEY = """\n{text}"""\n\n\ndef open_vault(): ...\n'})
    assert search(bench, "open_vault") == ["a.py"]
    words = [word for line in body.split("\n") for word in re.findall(r"[A-Za-z0-9]{12,}", line)]
    assert words
    assert not [word for word in words if bench.stored.count_chunks_with(word)]
    assert len(bench.stored.chunks()) > 1


def clean_files(bench: Bench) -> list[str]:
    """The files that were searched for secrets, and have none."""
    return [file.path for file in bench.stored.files() if file.is_clean]


def test_a_file_that_cannot_be_searched_for_keys_is_indexed_without_its_text(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(data: bytes) -> list[tuple[int, int]]:
        raise EngineUnavailable("died")

    monkeypatch.setattr(detectors, "detected", unavailable)
    bench = make_bench(
        {
            "shelf.py": f"def lend():\n    '''hand a novel over'''\n    return '{ISSUED}'\n",
            "other.py": "'''hand a novel over'''\n",
        }
    )
    assert search(bench, "novel") == ["other.py"]
    assert search(bench, "lend") == ["shelf.py"]
    assert [(file.path, file.chunked) for file in bench.stored.files()] == [("other.py", 1), ("shelf.py", 3)]
    assert clean_files(bench) == []


def test_texts_that_are_withheld_are_counted_until_they_change_or_are_gone(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unavailable(data: bytes) -> list[tuple[int, int]]:
        raise EngineUnavailable("died")

    def withheld(bench: Bench) -> int:
        bench.catch_up()
        assert bench.engine.text_ready(30)
        return bench.engine.status().withheld_files

    with monkeypatch.context() as broken:
        broken.setattr(detectors, "detected", unavailable)
        bench = make_bench({f"{name}.py": f"key = '{ISSUED}'\n" for name in "abc"})
        assert withheld(bench) == 3
    bench.engine.close(10)
    bench.start()
    assert withheld(bench) == 3, "of an index that lay there"
    bench.write("a.py", f"def lend(): return '{ISSUED}'\n")
    assert withheld(bench) == 2
    assert search(bench, "lend") == ["a.py"]
    (bench.root / "b.py").unlink()
    assert withheld(bench) == 1


def test_it_is_kept_which_texts_hold_no_key_until_they_change(make_bench: Make) -> None:
    doubtful = "bcrypt = 'a1b2c3d4e5f6g7h8'\n"
    bench = make_bench({"a.py": doubtful, "b.py": "x = 1\n", "c.py": f"key = '{ISSUED}'\n"})
    assert search(bench, "bcrypt") == ["a.py"]
    assert clean_files(bench) == ["a.py"], "not of one that nobody doubted, nor of one with a key"
    bench.write("a.py", f"key = '{ISSUED}'\n")
    bench.catch_up()
    assert set(search(bench, "key")) == {"a.py", "c.py"}
    assert clean_files(bench) == []


def test_text_that_is_long_in_coming_is_waited_for_once_and_counted_meanwhile(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = threading.Event()
    write = Chunker.work
    monkeypatch.setattr(Chunker, "work", lambda self: gate.wait(20) and write(self))
    bench = make_bench({f"{name}.py": "def lend(): ...\n" for name in "abc"})
    started = time.monotonic()
    assert not bench.engine.text_ready(2.0)
    first = time.monotonic() - started
    assert not bench.engine.text_ready(2.0)
    assert time.monotonic() - started - first < first / 2, "the second question did not wait as long"
    assert bench.engine.status().text_pending == 3
    gate.set()
    assert bench.engine.text_ready(30)
    assert bench.engine.status().text_pending == 0


def test_the_text_of_code_comes_before_that_of_data(make_bench: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    write, seen = Chunker._write, list[str]()
    monkeypatch.setattr(
        Chunker, "_write", lambda self, file, path, *rest: (seen.append(path), write(self, file, path, *rest))
    )
    data = {f"data/{at:02}.json": '{"title": "shelf"}\n' for at in range(40)}
    bench = make_bench({**data, "shop/lend.py": "from shelf import lend\nlend()\n"})
    assert bench.engine.text_ready(30)
    assert seen[0] == "shop/lend.py"
    assert len(seen) == 41


def test_a_save_is_not_kept_waiting_while_the_issuers_rules_are_loaded(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Detectors((sys.executable, "-c", "import time; time.sleep(600)"))
    monkeypatch.setattr("codeagentd.pipeline.background.text_indexer.detectors", slow)
    monkeypatch.setattr("codeagentd.pipeline.engine.background_work.detectors", slow)
    try:
        bench = make_bench({"shelf.py": f"key = '{ISSUED}'\n"})
        assert not bench.engine.text_ready(1.0)
        assert comes(lambda: slow.is_loading)
        bench.write("other.py", "def lend(): ...\n")
        bench.catch_up()
        assert bench.stored.count_symbols("lend") == 1
        assert slow.is_loading, "and that took no end of it"
    finally:
        slow.end()


def test_a_piece_has_the_names_of_what_begins_in_it_and_of_what_encloses_its_begin() -> None:
    chance = random.Random(11)
    for _ in range(200):
        lines = chance.randrange(1, 400)
        begins = sorted(chance.randrange(1, lines + 1) for _ in range(chance.randrange(60)))
        definitions = [
            (first, chance.randrange(first, lines + 1), f"name{number}", 1) for number, first in enumerate(begins)
        ]
        spans = cut(lines, definitions)
        assert list(_names(definitions, spans)) == [
            " ".join(name for first, last, name, _ in definitions if start <= first <= end or first < start <= last)
            for start, end in spans
        ]


def test_a_file_of_a_hundred_thousand_definitions_is_cut_in_the_time_of_its_length() -> None:
    definitions = [(line, line, f"REG_{line}", 1) for line in range(1, 100_001)]
    began = time.process_time()
    pieces = list(_names(definitions, cut(len(definitions), definitions)))
    assert sum(len(piece.split()) for piece in pieces) == len(definitions)
    assert time.process_time() - began < 10  # it was minutes
