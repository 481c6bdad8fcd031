"""A static model gives a text the sum of its tokens' vectors, at unit length."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from codeagentd.embed.model import Model, NoModel, load
from codeagentd.embed.stored_vectors import stored_vectors
from codeagentd.model.embedding import stored_vector
from tests.harness.models import wanted
from tests.harness.static_models import static_model

TOKENS = {"book": (3, 0), "lend": (0, 4), "##s": (0, 0)}


def loaded(folder: Path) -> Model:
    return load(wanted(folder, folder))


@pytest.fixture
def model(tmp_path: Path) -> Model:
    return loaded(static_model(tmp_path / "tiny", TOKENS))


def test_a_text_has_the_sum_of_its_words_at_unit_length(model: Model) -> None:
    assert model.dimensions == 8
    assert np.allclose(model.encode(["lend books"]), [[0.6, 0.8, *[0] * 6]])


def test_a_word_that_is_repeated_counts_less_than_so_often(model: Model) -> None:
    (vector,) = model.encode(["book book lend"])
    assert math.isclose(vector[0] / vector[1], 3 * math.sqrt(2) / 4, rel_tol=1e-6)


def test_names_in_camel_case_are_read_as_their_words(tmp_path: Path) -> None:
    model = loaded(static_model(tmp_path / "tiny", TOKENS, splits_names=True))
    assert np.allclose(model.encode(["lendBook"]), [[0.6, 0.8, *[0] * 6]])


def test_what_stands_at_the_beginning_of_a_text_counts_more(tmp_path: Path) -> None:
    model = loaded(static_model(tmp_path / "tiny", TOKENS, half_at=1))
    (vector,) = model.encode(["book lend"])
    assert math.isclose(vector[0] / vector[1], 3 / (4 * math.sqrt(0.5)), rel_tol=1e-6)


def test_only_so_many_tokens_count_as_the_model_says(tmp_path: Path) -> None:
    model = loaded(static_model(tmp_path / "tiny", TOKENS, tokens=2))
    assert np.allclose(model.encode(["book book lend"]), [[1, *[0] * 7]])


@pytest.mark.parametrize("text", ["", "本", "\x00"])
def test_a_text_without_a_known_word_has_a_vector_too(model: Model, text: str) -> None:
    assert np.allclose(model.encode([text]), [[*[0] * 7, 1]])


def test_a_vector_does_not_depend_on_the_texts_beside_it(model: Model) -> None:
    texts = [f"{'book ' * (number % 7)}{'lend ' * (number % 5)}" for number in range(300)]
    together = model.encode(texts)
    assert all(np.array_equal(one, *model.encode([text])) for one, text in zip(together, texts, strict=True))


def test_other_numbers_or_weights_are_another_version(tmp_path: Path) -> None:
    folder = static_model(tmp_path / "tiny", TOKENS)
    first = loaded(folder).version
    assert first.startswith("tiny@")
    assert loaded(folder).version == first
    static_model(folder, TOKENS | {"book": (3, 1)})
    second = loaded(folder).version
    static_model(folder, TOKENS | {"book": (3, 1)}, repeated=1.0)
    assert len({first, second, loaded(folder).version}) == 3


@pytest.mark.parametrize("damage", ["no table", "a short table", "objects", "no tokenizer", "no weights", "no numbers"])
def test_a_damaged_static_model_is_told_with_its_remedy(tmp_path: Path, damage: str) -> None:
    folder = static_model(tmp_path / "tiny", TOKENS)
    table = folder / "vectors.npy"
    if damage == "no table":
        table.unlink()
    elif damage == "a short table":
        np.save(table, np.load(table)[:2])
    elif damage == "objects":  # would be read by pickle, which runs what it reads
        np.save(table, np.array([{}] * 4), allow_pickle=True)
    elif damage == "no tokenizer":
        (folder / "tokenizer.json").write_text("{}")
    elif damage == "no weights":
        (folder / "config.json").write_text(json.dumps({"model_type": "static"}))
    else:
        np.save(table, np.zeros((4, 0), dtype=np.int8))
    with pytest.raises(NoModel) as error:
        loaded(folder)
    assert error.value.damaged
    assert str(folder) in error.value.reason
    assert "embedding.model_path" in error.value.remedy


def test_many_vectors_are_stored_as_one_by_one() -> None:
    vectors = np.random.default_rng(3).normal(size=(50, 64)).astype(np.float32)
    vectors[0] = 0
    assert stored_vectors([*vectors]) == [stored_vector(vector.tobytes()) for vector in vectors]
