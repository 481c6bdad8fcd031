"""Text that fits a width."""

from __future__ import annotations

from codeagentd.cli.rendering.text_wrapping import fitted, visible, wrapped


def test_sentences_wrap_between_words_and_join_first():
    assert wrapped("One two three\nfour.\n\nNext.", 12) == ["One two", "three four.", "", "Next."]


def test_examples_and_headings_keep_their_lines():
    assert wrapped("examples:\n  run a   first\n  run b   second\nEnd.", 40) == [
        "examples:",
        "  run a   first",
        "  run b   second",
        "End.",
    ]


def test_what_follows_in_the_last_column_stays_in_it():
    assert fitted("  name    says what it is in so many words", 30) == [
        "  name    says what it is in",
        "          so many words",
    ]


def test_without_columns_the_rest_is_indented():
    assert fitted("  one two three four five six", 20) == ["  one two three four", "      five six"]


def test_a_word_that_is_too_long_stays_whole():
    assert fitted("see /a/very/long/path/that/is/one/word now", 16) == [
        "see",
        "/a/very/long/path/that/is/one/word",
        "now",
    ]
    assert fitted("/a/very/long/path/that/is/one/word", 16) == ["/a/very/long/path/that/is/one/word"]


def test_colours_have_no_width():
    line = "\x1b[1mname\x1b[0m  value"
    assert visible(line) == 11
    assert fitted(line, 11) == [line]
