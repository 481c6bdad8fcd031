"""Vectors beside words: what a model adds, and what happens when it comes, goes or fails."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import msgspec
import pytest

from codeagentd.memory.maintenance import MaintenanceThread, fill
from tests.harness.stored_rows import count_rows
from tests.harness.vectors import WordVectors
from tests.unit.memory.notebook import Notebook

SYNONYMS = {"automobile": "car", "vehicle": "car", "auto": "car"}


def with_model(notebook: Notebook, embedder: WordVectors | None = None) -> Notebook:
    """The same notebook with a model."""
    memory_store = msgspec.structs.replace(notebook.ctx.memory, embedder=embedder or WordVectors(synonyms=SYNONYMS))
    return Notebook(msgspec.structs.replace(notebook.ctx, memory=memory_store), session=b"with a model")


def rows(notebook: Notebook, table: str) -> int:
    with notebook.ctx.memory.store.read() as db:
        return count_rows(db.connection, table)


def test_meaning_finds_what_words_do_not(notebook: Notebook) -> None:
    able = with_model(notebook)
    car = able.store("car rental prices rise")
    able.store("penguins swim south")
    answer = able.ok("search", query="automobile rental prices")
    assert (answer["mode"], answer["index"][0]["id"], answer.get("note", "")) == ("hybrid", car, "")
    assert able.hits("vehicle") == [car]
    assert notebook.hits("vehicle") == []  # a window of a daemon without a model


def test_both_lists_count(notebook: Notebook) -> None:
    able = with_model(notebook)
    both = able.store("vehicle tax")
    words_alone = able.store("tax " + " ".join(f"filler{letter}" for letter in "abcdefghijkl"))
    meaning_alone = able.store("automobile")
    found = able.ok("search", query="vehicle tax")
    assert found["index"][0]["id"] == both
    assert {hit["id"] for hit in found["index"]} == {both, words_alone, meaning_alone}
    assert found["total_count"] == 3


def test_filters_come_before_the_nearest_are_taken(notebook: Notebook) -> None:
    able = with_model(notebook)
    for number in range(30):
        able.store(f"car {number}", project="other", tags=["x"])
    wanted = able.store("automobile", project="shop", type="pattern", tags=["x", "y"])
    for filters in ({"project": "shop"}, {"type": "pattern"}, {"tags": ["y"]}, {"tags": ["y", "x"], "project": "shop"}):
        assert able.hits("vehicle", **filters) == [wanted]


def test_links_have_the_strength_of_the_cosine(notebook: Notebook) -> None:
    able = with_model(notebook)
    first = able.store("automobile rental prices")
    stored = able.ok("store", type="knowledge", content="vehicle rental prices")
    assert [(link["id"], link["strength"]) for link in stored["links"]] == [(first, 1.0)]
    assert [one["id"] for one in stored["near_duplicates"]] == [first]
    assert able.ok("store", type="knowledge", content="penguins swim south")["links"] == []


def test_an_update_has_its_new_vector(notebook: Notebook) -> None:
    able = with_model(notebook)
    memory = able.store("penguins swim")
    able.ok("update", id=memory, content="automobile")
    assert able.hits("vehicle") == [memory]
    able.ok("delete", id=memory)
    assert able.hits("vehicle") == []


def test_vectors_catch_up_when_a_model_appears(notebook: Notebook) -> None:
    memories = [notebook.store(f"automobile number {number}") for number in range(40)]
    same = notebook.store("automobile number 1")
    gone = notebook.store("automobile deleted")
    notebook.ok("delete", id=gone)
    able = with_model(notebook)
    assert able.hits("vehicle") == []
    fill(able.ctx.memory)
    assert able.ok("search", query="vehicle")["total_count"] == 41
    assert rows(able, "memory_bits") == 41
    if able.ctx.memory.store.file:
        assert rows(able, "memory_vectors") == 40  # of equal texts there is one vector
    assert set(able.hits("vehicle", max_results=100)) == {*memories, same}


def test_another_model_makes_vectors_of_its_own(notebook: Notebook) -> None:
    able = with_model(notebook)
    memory = able.store("automobile")
    newer = with_model(notebook, WordVectors("words-2", {"automobile": "wagon", "coach": "wagon"}))
    assert newer.hits("coach") == []
    fill(newer.ctx.memory)
    assert newer.hits("coach") == [memory]


class Failing(WordVectors):
    """A model in trouble."""

    def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
        raise RuntimeError("no memory left")


def test_a_model_that_fails_keeps_nobody_from_remembering(notebook: Notebook) -> None:
    able = with_model(notebook, Failing())
    memory = able.store("penguins swim")
    answer = able.ok("search", query="penguins")
    assert ([hit["id"] for hit in answer["index"]], answer["mode"]) == ([memory], "bm25")


def test_a_model_that_is_unloaded_is_done_without(notebook: Notebook) -> None:
    embedder = WordVectors(synonyms=SYNONYMS)
    able = with_model(notebook, embedder)
    memory = able.store("automobile tax")
    embedder.model = ""
    assert able.hits("vehicle") == []
    assert able.hits("tax") == [memory]
    fill(able.ctx.memory)


@pytest.mark.limit(30)
def test_upkeep_does_it_by_itself(notebook: Notebook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeagentd.memory.maintenance.LOOK_S", 0.01)
    notebook.store("automobile")
    able = with_model(notebook)
    done = threading.Event()

    class Telling(WordVectors):
        def embed(self, texts: Sequence[str], *, urgent: bool = False) -> list[bytes] | None:
            done.set()
            return super().embed(texts, urgent=urgent)

    upkeep = MaintenanceThread(
        msgspec.structs.replace(able.ctx.memory, embedder=Telling(synonyms=SYNONYMS)), able.ctx.code
    )
    upkeep.start()
    assert done.wait(20)
    upkeep.stop()
    assert len(able.hits("vehicle")) == 1
