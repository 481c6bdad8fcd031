"""An index at rest: what is put together, folded and given back, and what becomes of a disk that fails meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import apsw
import pytest

from codeagentd.pipeline.engine import background_work
from codeagentd.store.connection import Database
from codeagentd.store.fts_merge import WHOLE
from tests.harness.waiting import comes, eventually
from tests.unit.pipeline.conftest import Bench

Make = Callable[[dict[str, str]], Bench]
MODULES = 260  # more than are a batch of few


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_work, "IDLE_S", 0.05)
    monkeypatch.setattr(background_work, "CHECKPOINT_IDLE_S", 0.1)


def pages(bench: Bench, table: str) -> list[int]:
    """Of each segment of a full-text index."""
    return bench.stored.segment_pages(table)


def is_whole(counts: list[int]) -> bool:
    return max(counts, default=0) >= WHOLE * sum(counts)


@pytest.mark.parametrize("error", [apsw.FullError, apsw.IOError])
def test_an_index_that_cannot_be_folded_goes_on_following(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    tried = []

    def fails(self: Database, *, truncate: bool = False) -> bool:
        tried.append(truncate)
        raise error("disk")

    bench = make_bench({"a.py": "def one(): pass\n"})
    with monkeypatch.context() as patched:
        patched.setattr(Database, "fold", fails)
        eventually(lambda: tried)
    bench.write("a.py", "def two(): pass\n")
    bench.catch_up()
    assert bench.stored.count_symbols("two") == 1


def test_a_first_index_is_searched_in_one_piece(make_bench: Make) -> None:
    bench = make_bench(
        {
            f"mod{number}.py": "".join(f"def take{number}x{step}(value): return value\n" for step in range(40))
            for number in range(MODULES)
        }
    )
    assert is_whole(pages(bench, "symbols_fts"))
    assert is_whole(pages(bench, "names_trigram"))
    assert bench.stored.count_symbols_with("take7x3") == 1


def test_text_is_put_together_when_nothing_else_is_to_be_done(make_bench: Make) -> None:
    bench = make_bench(
        {
            f"mod{number}.py": f"def take{number}(value): return 'word{number} {number * 7919}'\n" * 30
            for number in range(MODULES)
        }
    )
    assert bench.engine.text_ready()
    assert comes(lambda: is_whole(pages(bench, "chunks_fts")))
