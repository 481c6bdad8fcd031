"""How many tokens a text has: with the vocabulary, and without."""

from __future__ import annotations

import base64
import random
import string
from pathlib import Path

import pytest

from codeagentd.query.retrieval import tokens
from codeagentd.query.retrieval.tokens import Tokens, estimate

COUNTED = {  # by cl100k itself
    "def renew_loan(loan: Loan, days: int = 14) -> None:\n    loan.due += timedelta(days=days)\n": 28,
    "What a reader owes for a late book is counted by the day, and never more than the book is worth.": 23,
    '{"name": "shelf", "version": "1.0.3", "private": true, "dependencies": {"left-pad": "^1.3.0"}}': 35,
    "読者が遅れて返した本の料金。": 15,
    "🙂🙃📚": 8,
    "aGVsbG8gd29ybGQgdGhpcyBpcyBiYXNlNjQ=": 27,
    "function a(b,c){return b?c[b]||d(e,f):g(h)}var i=j.k,l=m.n;": 27,
}


@pytest.mark.parametrize("text", COUNTED)
def test_an_estimate_is_never_below_and_seldom_far_above(text: str) -> None:
    assert COUNTED[text] <= estimate(text) <= min(2.7 * COUNTED[text], len(text.encode()))


@pytest.mark.parametrize(
    ("alphabet", "each"),
    [
        (string.ascii_lowercase, 0.53),
        (string.ascii_uppercase, 0.59),
        (string.digits, 0.33),
        (string.punctuation, 0.66),
        ("\u4e00\u9fa5\u6c49", 1.67),
    ],
)
def test_chance_letters_count_as_what_they_cost(alphabet: str, each: float) -> None:
    chance = random.Random(7)
    text = "".join(chance.choice(alphabet) for _ in range(4_000))
    assert estimate(text) >= each * 4_000


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "\ud800", "\x1b[0m" * 50, "=" * 5_000, " " * 5_000, "\n\t" * 500, "e\u0301" * 300]
)
def test_any_text_has_an_estimate_of_at_most_its_bytes(text: str) -> None:
    assert (len(text) > 0) <= estimate(text) <= len(text.encode(errors="replace"))


def test_without_the_vocabulary_the_estimate_counts(tmp_path: Path) -> None:
    assert Tokens([tmp_path / "nowhere"])("late book") == estimate("late book")


@pytest.mark.parametrize("damage", [b"", b"x" * tokens.VOCABULARY_BYTES])
def test_a_file_that_is_not_the_vocabulary_is_left_alone(tmp_path: Path, damage: bytes) -> None:
    place = tmp_path / tokens.VOCABULARY
    place.write_bytes(damage)
    assert Tokens([tmp_path])("late book") == estimate("late book")
    assert place.read_bytes() == damage  # tiktoken itself would remove it and fetch another


def test_a_vocabulary_is_used_from_the_first_folder_that_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = b"\n".join(base64.b64encode(bytes([number])) + b" " + str(number).encode() for number in range(256))
    (tmp_path / tokens.VOCABULARY).write_bytes(small)
    monkeypatch.setattr(tokens, "VOCABULARY_BYTES", len(small))
    monkeypatch.setattr(tokens, "DIGEST", tokens.hashlib.sha256(small).hexdigest())
    count = Tokens([tmp_path / "nowhere", tmp_path])
    assert count("late book") == len("late book")  # this one knows bytes alone
    assert count("<|endoftext|>") == len("<|endoftext|>")
