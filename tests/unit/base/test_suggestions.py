"""Known words that a mistyped word may stand for."""

from __future__ import annotations

import pytest

from codeagentd.base.suggestions import closest, did_you_mean

COMMANDS = ["search", "symbol", "status", "start", "stop", "stats", "install", "refs", "claude-code", "gemini"]


@pytest.mark.parametrize(
    ("word", "known", "found"),
    [
        ("serach", COMMANDS, ["search"]),
        ("Search", COMMANDS, ["search"]),
        (
            "search_symbol",
            ["search_symbols", "search_code", "get_symbol"],
            ["search_symbols", "get_symbol", "search_code"],
        ),
        ("claude", COMMANDS, ["claude-code"]),
        ("query", ["q", "limit", "cursor"], ["q"]),
        ("code_symbol_findDefinition", ["code.symbol.findDefinition", "read_file"], ["code.symbol.findDefinition"]),
        ("file_path", ["path", "query"], ["path"]),
    ],
)
def test_a_mistyped_or_shortened_word_finds_the_known_ones_that_are_like_it(
    word: str, known: list[str], found: list[str]
) -> None:
    assert closest(word, known) == found


def test_the_nearest_comes_first_and_no_more_are_given_than_wanted() -> None:
    assert closest("stat", COMMANDS, 2) == ["stats", "start"]
    assert closest("stat", COMMANDS, 1) == ["stats"]


@pytest.mark.parametrize("word", ["", "zzzzzz", "\0", "é" * 40])
def test_a_word_that_is_like_none_finds_none(word: str) -> None:
    assert closest(word, COMMANDS) == []


def test_a_hostile_word_costs_no_more_than_a_long_one() -> None:
    assert closest("search" * 100_000, COMMANDS) == []


def test_the_question_lists_the_words_and_is_empty_without_one() -> None:
    assert did_you_mean("serach", COMMANDS) == "did you mean 'search'?"
    assert did_you_mean("stat", ["stats", "start"]) == "did you mean 'stats' or 'start'?"
    assert did_you_mean("stat", ["stats", "start", "state"]) == "did you mean 'state', 'stats' or 'start'?"
    assert did_you_mean("zzzzzz", COMMANDS) == ""
