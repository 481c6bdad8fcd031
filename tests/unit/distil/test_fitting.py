"""The fit of a static model moves the tokens' vectors to where their sums are wanted."""

from __future__ import annotations

import numpy as np

from tests.distil.fitting import Bags, Table, bags, batches, directions, likeness_step, pair_step

CHANCE = np.random.default_rng(5)


def texts(*tokens: list[int]) -> Bags:
    return bags((np.array(ids), np.ones(len(ids), dtype=np.float32), np.array([0])) for ids in tokens)


TEXTS = texts(*([number, number + 10, number + 20] for number in range(10)))
START = 0.2 * CHANCE.normal(size=(30, 16))


def test_texts_come_near_to_the_vectors_of_the_teacher() -> None:
    wanted, _ = directions(CHANCE.normal(size=(10, 16)))
    table = Table(START, steps=400)
    before = likeness_step(table, TEXTS, wanted, 1.0)
    for _ in range(399):
        after = likeness_step(table, TEXTS, wanted, 1.0)
    assert before < 0.3
    assert after > 0.9


def test_a_question_comes_nearest_to_its_own_answer() -> None:
    asked = texts(*([number + 10] for number in range(10)))
    answers = texts(*([number] for number in range(10)))
    table = Table(START, steps=400)
    before = pair_step(table, asked, answers, 1.0, np.arange(10))
    for _ in range(399):
        after = pair_step(table, asked, answers, 1.0, np.arange(10))
    assert before < 0.5
    assert after == 1.0


def test_a_token_of_no_text_keeps_the_vector_that_it_began_with() -> None:
    table = Table(START, steps=10)
    likeness_step(table, TEXTS.take(np.arange(5)), directions(START[:5])[0], 1.0)
    changed = np.any(table.vectors != START.astype(np.float32), axis=1)
    assert np.flatnonzero(changed).tolist() == [*range(5), *range(10, 15), *range(20, 25)]


def test_texts_are_left_with_part_of_their_tokens_and_never_without() -> None:
    thinned = TEXTS.thinned(0.9, CHANCE)
    assert len(thinned.ids) < len(TEXTS.ids)
    assert np.diff(thinned.starts).min() >= 1


def test_passages_that_answer_nothing_are_kept_away_from_a_question() -> None:
    asked = texts(*([number + 10] for number in range(5)))
    answers = texts(*([number] for number in range(10)))
    table = Table(START, steps=400)
    table.vectors[5] = table.vectors[10]
    for _ in range(400):
        after = pair_step(table, asked, answers, 1.0, np.arange(5))
    assert after == 1.0


def test_a_question_that_is_there_twice_comes_near_to_both_answers() -> None:
    asked = texts([10], [10], [11])
    answers = texts([0], [1], [2])
    table = Table(START, steps=400)
    for _ in range(400):
        pair_step(table, asked, answers, 1.0, np.array([7, 7, 8]))
    unit, _ = directions(table.vectors[[10, 0, 1, 2]])
    assert min(unit[0] @ unit[1:3].T) > unit[0] @ unit[3] + 0.2


def test_batches_are_of_nearly_the_same_size() -> None:
    made = [*batches(23, CHANCE, size=10)]
    assert sorted(np.concatenate(made).tolist()) == [*range(23)]
    assert [len(numbers) for numbers in made] == [12, 11]
    assert [*batches(1, CHANCE)] == []
