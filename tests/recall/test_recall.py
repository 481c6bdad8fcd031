"""Memories are found by the words of another author about the same subject."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.recall import lines_of, measured, measured_in, model
from tests.harness.models import needs_model
from tests.harness.team import needs_postgres, team_memories


def test_the_set_is_large_enough_to_say_something() -> None:
    memories, questions = lines_of("memories"), lines_of("questions")
    assert (len(memories), len(questions)) >= (2_000, 200)
    assert all(questions_of["answers"] and max(questions_of["answers"]) < len(memories) for questions_of in questions)
    notice = (Path(__file__).parent / "NOTICE").read_text()
    assert all(f"{package} " in notice for package in {line["package"] for line in memories})


@pytest.mark.limit(120)
def test_words_alone_find_three_of_four(tmp_path: Path) -> None:
    share, rank = measured(tmp_path)["words"]
    assert (share > 0.75, rank > 0.68) == (True, True), (share, rank)


@needs_postgres
@pytest.mark.limit(240)
def test_words_find_as_much_on_a_server(tmp_path: Path) -> None:
    with team_memories("shop") as memories:
        share, rank = measured_in(memories)["words"]
    assert (share > 0.75, rank > 0.68) == (True, True), (share, rank)


@needs_model
@pytest.mark.limit(300)
def test_words_and_vectors_find_more_than_either(tmp_path: Path) -> None:
    found = measured(tmp_path, model(tmp_path))
    for way in ("words", "vectors"):
        assert found["both"][0] > found[way][0], found
        assert found["both"][1] > found[way][1], found
