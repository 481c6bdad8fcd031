"""Where there are more symbols than the budget has vectors for, the most referenced ones have them, and status says so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from codeagentd.pipeline.embedding.messages import Rank
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.store.connection import Database
from tests.harness.filling import Filling
from tests.harness.models import embedded, needs_model, wanted
from tests.harness.served import served
from tests.harness.waiting import comes

FILES = {
    "lib.py": "def often():\n    return 1\n\n\ndef seldom():\n    return 2\n\n\ndef never():\n    return 3\n",
    "a.py": "from lib import often, seldom\n\n\ndef first():\n    return often() + often() + seldom()\n",
    "b.py": "from lib import often\n\n\ndef second():\n    return often()\n",
}
ELIGIBLE = 8  # three modules and five functions


@contextmanager
def filling(place: Path, budget: int, files: Mapping[str, str] = FILES) -> Iterator[tuple[IndexingEngine, Filling]]:
    with served(place, files) as engine:
        yield engine, Filling(Database(engine.index_path, writable=True), budget)


def edit(engine: IndexingEngine, path: str, text: str) -> None:
    (engine.root / path).write_text(text)
    engine.request_scan()
    assert engine.wait_caught_up(30)


def test_the_symbols_that_most_places_refer_to_come_first(tmp_path: Path) -> None:
    with filling(tmp_path, 3) as (_, work):
        assert work.fill()[0] == "lib.often"
        assert work.symbols() == {"lib", "lib.often", "lib.seldom"}  # two imports are references to the module
        assert work.ranking.eligible == ELIGIBLE


def test_sections_of_documents_have_the_places_that_code_leaves(tmp_path: Path) -> None:
    files = FILES | {
        "a.rst": "Lending\n=======\n\nDesk\n----\n\nShelf\n-----\n",
        "LICENSE": "Take it.\n",
        "a.lending": "a = 1\n",
    }
    with filling(tmp_path, ELIGIBLE + 1, files) as (_, work):
        work.fill()
        assert len({name for name in work.symbols() if ".rst" in name or "LICENSE" in name}) == 1
        assert work.ranking.eligible == ELIGIBLE + 5  # the file of settings has nothing to say


def test_below_the_budget_every_symbol_is_chosen_and_nothing_is_limited(tmp_path: Path) -> None:
    with filling(tmp_path, ELIGIBLE) as (_, work):
        assert len(work.fill()) == ELIGIBLE
        assert work.ranking.eligible == 0
        assert work.fill() == []


def test_after_a_save_the_chosen_symbols_of_the_file_are_looked_at_and_no_others(tmp_path: Path) -> None:
    with filling(tmp_path, 3) as (engine, work):
        work.fill()
        edit(engine, "lib.py", FILES["lib.py"].replace("return 1", "return 10"))
        assert sorted(work.fill()) == ["lib", "lib.often", "lib.seldom"]
        edit(engine, "b.py", FILES["b.py"] + "\n# a comment\n")
        assert work.fill() == []
        assert work.rankings <= 3  # of three files one is more than a tenth


def test_a_save_below_the_budget_gives_new_symbols_a_vector_without_another_ranking(tmp_path: Path) -> None:
    with filling(tmp_path, 100) as (engine, work):
        work.fill()
        edit(engine, "b.py", FILES["b.py"] + "\n\ndef third():\n    return 3\n")
        assert sorted(work.fill()) == ["b", "b.second", "b.third"]
        assert work.rankings == 1


def test_an_index_that_outgrows_the_budget_is_ranked_again(tmp_path: Path) -> None:
    with filling(tmp_path, ELIGIBLE) as (engine, work):
        work.fill()
        edit(engine, "b.py", FILES["b.py"] + "\n\ndef third():\n    return often()\n\n\nthird()\nthird()\n")
        work.fill()
        assert work.ranking.eligible == ELIGIBLE + 1
        assert len(work.symbols()) == ELIGIBLE
        assert "b.third" in work.symbols()


def test_a_file_that_changes_while_symbols_are_ranked_is_not_forgotten(tmp_path: Path) -> None:
    with filling(tmp_path, 100) as (engine, work):
        request = work.ranking.next_request(work.database)
        assert isinstance(request, Rank)
        work.queue.rank(work.database, request.budget)
        edit(engine, "lib.py", FILES["lib.py"].replace("never", "later"))
        while ranks := work.queue.next_ranks():
            work.ranking.write_ranks(work.database, ranks)
        work.fill()
        assert "lib.later" in work.symbols()


def test_a_ranking_that_its_process_has_not_finished_begins_again(tmp_path: Path) -> None:
    with filling(tmp_path, 3) as (_, work):
        assert isinstance(work.ranking.next_request(work.database), Rank)
        work.ranking.interrupt()
        assert work.fill()
        assert len(work.symbols()) == 3


def test_a_larger_budget_keeps_what_is_there_and_a_smaller_one_drops_the_rest(tmp_path: Path) -> None:
    with filling(tmp_path, 3) as (_, work):
        work.fill()
        work.ranking.set_budget(work.database, 5)
        assert len(work.fill()) == 2
        assert len(work.symbols()) == 5
        assert Filling(work.database, 3).ranking.budget == 5  # the index keeps it
        work.ranking.set_budget(work.database, None)
        assert work.fill() == []
        assert len(work.symbols()) == 3
        work.ranking.set_budget(work.database, 0)
        work.fill()
        assert (len(work.symbols()), work.ranking.eligible) == (ELIGIBLE, 0)


def test_a_file_with_more_symbols_than_a_batch_is_done_in_parts(tmp_path: Path) -> None:
    many = "".join(f"def f{number}():\n    return {number}\n\n\n" for number in range(150))
    with filling(tmp_path, 1_000, {"many.py": "x = 1\n"}) as (engine, work):
        work.fill()
        edit(engine, "many.py", many)
        assert len(work.fill()) == 151
        assert work.database.value("vectors.changed_files", (1,)) is None


@needs_model
def test_status_says_how_many_symbols_have_no_vector_and_more_come_when_the_limit_is_raised(tmp_path: Path) -> None:
    with served(tmp_path, FILES, wanted(tmp_path), max_embedded_symbols=3) as engine:
        assert embedded(engine)
        state = engine.status().embeddings
        assert (state.count, state.budget, state.eligible, state.is_limited) == (3, 3, ELIGIBLE, True)
        assert state.share == round(3 / ELIGIBLE, 3)
        engine.limit_embeddings(0)
        assert comes(lambda: engine.embeddings.pending == 0)
        state = engine.embeddings
        assert (state.count, state.budget, state.eligible, state.is_limited) == (ELIGIBLE, 0, ELIGIBLE, False)
