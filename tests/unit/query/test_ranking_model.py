"""The ranking model: a table of numbers that gives each candidate its chance."""

from __future__ import annotations

import math

import pytest

from codeagentd.query.retrieval.features import (
    Candidate,
    Described,
    Facts,
    File,
    OfFile,
    OfPiece,
    OfQuestion,
    described,
)
from codeagentd.query.retrieval.question import read
from codeagentd.query.retrieval.ranking_model import Kind, Model, Steps, models

RISING = Steps((0.0, 1.0), (-1.0, 0.0, 2.0), 0.5)


def found(question: str, *candidates: Candidate) -> Described:
    return described(Facts(read(question), {}, 100), candidates)


def candidate(number: int, text: float, path: str = "a.py") -> Candidate:
    return Candidate(number, number, path, "python", 1, 9, text=text)


def chances_by(steps: Steps, *values: float | None) -> list[float]:
    """The chances of pieces whose similarity has these values, if nothing else counts."""
    model = Model({"any": Kind({}, {"similarity": steps}, {})})
    pieces = [(candidate(number, 0.0), OfPiece(similarity=value)) for number, value in enumerate(values)]
    return model.chances(Described([File(pieces, OfFile())], OfQuestion()))


def test_a_step_holds_up_to_its_bound() -> None:
    below, on_bound, between, on_last, above = chances_by(RISING, -5.0, 0.0, 0.5, 1.0, 1.5)
    assert below == on_bound < between == on_last < above
    assert above / between == pytest.approx(math.exp(2.0))


def test_what_is_not_known_has_a_value_of_its_own() -> None:
    unknown, between = chances_by(RISING, None, 0.5)
    assert unknown / between == pytest.approx(math.exp(0.5))


def test_the_chances_of_all_candidates_are_one_together() -> None:
    whole = found("late books", *(candidate(number, number / 9, f"{number}.py") for number in range(1, 9)))
    assert math.isclose(sum(models().words.chances(whole)), 1.0)
    assert models().words.chances(found("late books")) == []


def test_the_kind_of_question_decides_whose_scores_count() -> None:
    by_text = Kind({"words": Steps((2.0,), (50.0, 0.0))}, {"text": Steps((0.5,), (0.0, 50.0))}, {})
    by_path = Kind({"words": Steps((2.0,), (0.0, 50.0))}, {}, {"depth": Steps((0.5,), (0.0, 50.0))})
    model = Model({"short": by_text, "long": by_path})
    several = candidate(1, 1.0), candidate(2, 0.1, "deep/b.py")
    assert model.chances(found("late books", *several)) == pytest.approx([1.0, 0.0])
    assert model.chances(found("late books that readers keep", *several)) == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("model", [models().meaning, models().words], ids=["meaning", "words"])
def test_the_table_of_this_package_names_features_that_exist(model: Model) -> None:
    for kind in model.kinds.values():
        assert kind.question.keys() <= set(OfQuestion.__struct_fields__)
        assert kind.piece.keys() <= set(OfPiece.__struct_fields__)
        assert kind.file.keys() <= set(OfFile.__struct_fields__)
        for steps in (*kind.question.values(), *kind.piece.values(), *kind.file.values()):
            assert list(steps.bounds) == sorted(steps.bounds)
            assert len(steps.values) == len(steps.bounds) + 1
            assert all(map(math.isfinite, (*steps.values, steps.unknown)))


def test_without_vectors_nothing_rests_on_meaning() -> None:
    of_meaning = {"meaning", "meanings", "similarity", "most_similar", "mean_similarity", "near"}
    for kind in models().words.kinds.values():
        assert of_meaning.isdisjoint({*kind.piece, *kind.file, *kind.question})
