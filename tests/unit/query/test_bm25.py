"""The best pieces by the words of a question: the same as if every piece had been looked at."""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest

from codeagentd.query.retrieval import bm25
from codeagentd.query.retrieval.bm25 import having, ranked_pieces, total_pieces
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

    def noted(self: Database, name: str, parameters: Any = ()) -> list[tuple[Any, ...]]:
        asked.append(parameters["match"] if isinstance(parameters, dict) else parameters[0])
        return every(self, name, parameters)

    monkeypatch.setattr(Database, "all", noted)
    ranked_pieces(texts, having(texts, [WORDS[0], WORDS[12]]), LIMIT)
    assert asked == [quoted(WORDS[12]), f"({quoted(WORDS[12])}) AND ({quoted(WORDS[0])})"]


def test_of_too_many_pieces_those_with_the_rarer_words_are_ranked(
    texts: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bm25, "WHOLE", 0)
    monkeypatch.setattr(bm25, "RANKED", 60)
    monkeypatch.setattr(bm25, "SAMPLED", 40)
    chance = random.Random(13)
    same = most = 0
    for _ in range(100):
        words = chance.sample(WORDS, chance.randint(1, 6))
        counted = having(texts, words)
        found, exact = ranked_pieces(texts, counted, LIMIT), all_looked_at(texts, words)
        every = dict(texts.all("chunks.ranked", (" OR ".join(map(quoted, words)), 1_000)))
        assert found == pytest.approx({piece: every[piece] for piece in found})
        assert len(found) == min(LIMIT, len(every))
        rarest = min(words, key=counted.__getitem__)
        if counted[rarest] <= bm25.RANKED:
            with_rarest = dict(texts.all("chunks.ranked", (quoted(rarest), 1_000)))
            assert {piece for piece in exact if piece in with_rarest} <= found.keys()
        same += len(found.keys() & exact.keys())
        most += len(exact)
    assert same > 0.75 * most


def test_no_more_pieces_are_ranked_than_the_bounds_allow(texts: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    for bound, most in (("WHOLE", 50), ("RANKED", 30), ("SAMPLED", 20)):
        monkeypatch.setattr(bm25, bound, most)
    ranked = 0
    every = Database.all

    def counting(self: Database, name: str, parameters: Any = ()) -> list[tuple[Any, ...]]:
        nonlocal ranked
        rows = every(self, name, parameters)
        ranked += len(rows)
        return rows

    monkeypatch.setattr(Database, "all", counting)
    for at in range(1, 6):
        ranked = 0
        ranked_pieces(texts, having(texts, WORDS[:at]), LIMIT)
        assert 0 < ranked <= 2 * 30 + 20 + 30


def test_words_of_very_many_pieces_are_counted_in_part(texts: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = having(texts, WORDS[:10])
    monkeypatch.setattr(bm25, "COUNTED", 40)
    for word, count in having(texts, WORDS[:10]).items():
        assert count == exact[word] if exact[word] < 40 else exact[word] / 1.5 <= count <= exact[word] * 1.5


def test_the_number_of_a_common_word_is_counted_again_when_pieces_have_come_or_gone(
    index: SampleIndex, texts: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bm25, "KEPT_FROM", 20)
    before = having(texts, WORDS)
    counted: list[str] = []
    row = Database.row

    def noted(self: Database, name: str, parameters: Any = ()) -> tuple[Any, ...] | None:
        if name == "chunks.having_to":
            counted.append(parameters[0])
        return row(self, name, parameters)

    monkeypatch.setattr(Database, "row", noted)
    assert having(texts, WORDS) == before
    assert set(counted) == {quoted(word) for word in WORDS if before[word] < 20}
    with contextlib.closing(Database(index.path, writable=True)) as writer:
        writer.run("chunks.delete_words", (0, 199))
    assert having(texts, [WORDS[0]])[WORDS[0]] < before[WORDS[0]]


def test_the_number_of_pieces_is_known_without_counting_them(index: SampleIndex, texts: Database) -> None:
    assert total_pieces(texts) == 400
    with contextlib.closing(Database(index.path, writable=True)) as writer:
        for last, rest in ((99, 300), (399, 0)):
            writer.run("chunks.delete_words", (0, last))
            assert total_pieces(texts) == rest


def test_an_index_without_text_has_no_pieces(index: SampleIndex, db: Database) -> None:
    index.file("app/empty.py")
    assert total_pieces(db) == 0
    assert having(db, ["word"]) == {"word": 0}
    assert ranked_pieces(db, {"word": 0}, LIMIT) == {}
