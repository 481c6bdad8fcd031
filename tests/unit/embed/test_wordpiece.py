"""Texts become the tokens that the package tokenizers makes of them, without it."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from codeagentd.embed.wordpiece import WordPiece
from codeagentd.model.embedding import PACKAGED

ROOT = Path(__file__).resolve().parents[3]
FILE = Path(str(files("codeagentd.embed"))) / "data" / PACKAGED / "tokenizer.json"
TOKENIZER = json.loads(FILE.read_text(encoding="utf-8"))
MOST = 256
LENGTH = 600  # characters of a text: about that of a passage

# the name of the unknown token, written in a text, is text: only there the two differ on purpose
reference = Tokenizer.from_str(json.dumps(TOKENIZER | {"added_tokens": []}))
reference.enable_truncation(max_length=MOST)
wordpiece = WordPiece(TOKENIZER)


def expected(texts: list[str]) -> list[list[int]]:
    return [encoding.ids for encoding in reference.encode_batch(texts, add_special_tokens=False)]


def corpus() -> Iterator[str]:
    """The sources and documents of this repository, cases in all its languages, and modules of the standard library."""
    tops = (ROOT / "daemon", ROOT / "docs", ROOT / "tests" / "languages")
    paths = [*Path(json.__file__).parents[1].glob("*.py"), *(path for top in tops for path in top.rglob("*.*"))]
    for path in paths:
        if path.suffix in {".case", ".md", ".py", ".sql", ".scm", ".toml"}:
            text = path.read_text(encoding="utf-8", errors="ignore")
            yield from (text[at : at + LENGTH] for at in range(0, min(len(text), 10 * LENGTH), LENGTH))


def test_a_large_corpus_of_code_and_prose_has_the_same_tokens() -> None:
    texts = list(corpus())
    assert len(texts) > 8_000
    assert [wordpiece.tokens(text, MOST) for text in texts] == expected(texts)


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_any_text_of_characters_that_both_know_has_the_same_tokens(text: str) -> None:
    known = "".join(character for character in text if ord(character) not in unlike())
    assert wordpiece.tokens(known, MOST) == expected([known])[0]


@cache
def unlike() -> set[int]:
    """The characters that one of the two takes for another kind of character between two letters; of letters without
    case, which are many and alike, every sixteenth is looked at.
    """
    categories = {code: unicodedata.category(chr(code)) for code in range(sys.maxunicode + 1)}
    codes = [
        code
        for code, category in categories.items()
        if category not in {"Cn", "Co", "Cs"} and (category != "Lo" or not code % 16)
    ]
    texts = [f"a{chr(code)}b" for code in codes]
    found = zip(codes, texts, expected(texts), strict=True)
    return {code for code, text, tokens in found if wordpiece.tokens(text, MOST) != tokens}


def test_every_character_is_taken_as_there_but_some_that_are_newer_than_its_tables() -> None:
    assert 0 < len(unlike()) < 1_000
    assert min(unlike()) >= 0x600
    assert {unicodedata.category(chr(code))[0] for code in unlike()} <= {*"PMCS"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Lend the book!", ["lend", "the", "book", "!"]),
        ("café\tÅngström", ["cafe", "angstrom"]),
        ("get_name(x)", ["get", "_", "name", "(", "x", ")"]),
        ("a\x00b\u200dc", ["abc"]),
        ("本", ["[UNK]"]),
        ("x" * 101, ["[UNK]"]),
    ],
)
def test_words_are_cut_by_the_rules_of_bert(text: str, words: list[str]) -> None:
    vocabulary: dict[str, int] = TOKENIZER["model"]["vocab"]
    pieces = {number: token for token, number in vocabulary.items()}
    told = "".join(f" {pieces[number]}" for number in wordpiece.tokens(text, MOST)).replace(" ##", "")
    assert told.split() == words


def test_only_so_many_tokens_are_made_as_are_wanted() -> None:
    assert wordpiece.tokens("book " * 50, 3) == wordpiece.tokens("book book book", MOST)


@pytest.mark.parametrize(
    "change",
    [
        {"model": {"type": "BPE"}},
        {"normalizer": TOKENIZER["normalizer"] | {"lowercase": False}},
        {"normalizer": None},
        {"pre_tokenizer": {"type": "Whitespace"}},
    ],
)
def test_another_kind_of_tokenizer_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="uncased BERT"):
        WordPiece(TOKENIZER | change)
