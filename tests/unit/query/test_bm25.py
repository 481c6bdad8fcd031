"""The best pieces by the words of a question: the same as if every piece had been looked at."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Sequence

import pytest

from codeagentd.query.retrieval import bm25
from codeagentd.query.retrieval.bm25 import having, ranked_pieces
from codeagentd.query.retrieval.fts_expression import quoted
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex

WORDS = [first + second for first, second in itertools.product("bdfglmnprt", ("aka", "evo", "ila", "omu", "uro"))]
LIMIT = 10


@pytest.fixture
def texts(index: SampleIndex, db: Database) -> Database:
    """400 pieces of words as common as those of a language: the n-th in one of n."""
    chance = random.Random(7)
    frequencies = [1 / rank for rank in range(1, len(WORDS) + 1)]
    with contextlib.closing(Database(index.path, writable=True)) as writer, writer.transaction():
        for chunk in range(400):
            path, names, text = (
                " ".join(chance.choices(WORDS, frequencies, k=length)) for length in (2, 3, chance.randint(5, 60))
            )
            writer.run("chunks.put", (chunk, 1, 2))
            writer.run("chunks.put_words", (chunk, path, names, text))
    return db


def all_looked_at(db: Database, words: Sequence[str]) -> dict[int, float]:
    return dict(db.all("chunks.ranked", (" OR ".join(map(quoted, words)), LIMIT)))


@pytest.mark.parametrize("share", [0.3, 1.0, 3.0])
def test_leaving_common_words_aside_changes_no_answer(
    texts: Database, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bm25, "COMMON", share)
    chance = random.Random(11)
    for _ in range(200):
        words = chance.sample(WORDS, chance.randint(1, 6))
        assert ranked_pieces(texts, having(texts, words), LIMIT) == pytest.approx(all_looked_at(texts, words))


def test_a_word_that_is_nowhere_or_no_word_at_all_takes_nothing_away(texts: Database) -> None:
    assert ranked_pieces(texts, having(texts, ["taka", "xyzzy", "_", WORDS[0]]), LIMIT) == pytest.approx(
        all_looked_at(texts, ["taka", WORDS[0]])
    )
    assert ranked_pieces(texts, having(texts, ["xyzzy"]), LIMIT) == {}
    assert ranked_pieces(texts, {}, LIMIT) == {}


def test_a_common_word_beside_a_rare_one_is_not_looked_up_by_itself(
    texts: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    every = Database.all

    def noted(self: Database, name: str, parameters: Sequence[object] = ()) -> list[tuple[object, ...]]:
        asked.append(str(parameters[0]))
        return every(self, name, parameters)  # type: ignore[arg-type]

    monkeypatch.setattr(Database, "all", noted)
    ranked_pieces(texts, having(texts, [WORDS[0], WORDS[12]]), LIMIT)
    assert asked == [quoted(WORDS[12]), f"({quoted(WORDS[12])}) AND ({quoted(WORDS[0])})"]
