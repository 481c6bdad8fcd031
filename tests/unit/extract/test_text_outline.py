"""Texts without a grammar have an outline of their headings, in linear time, whatever they contain."""

from __future__ import annotations

import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codeagentd.base.limits import MAX_HEADING_BYTES, MAX_HEADING_LEVEL, MAX_SECTIONS
from codeagentd.extract.file_facts import extract
from codeagentd.languages.language import OTHER, is_parsed, language_of, languages
from codeagentd.languages.texts import language_of_text
from codeagentd.model.facts import FileFacts

TEXTS = sorted({name for name in languages() if not is_parsed(name)} - {"csv"})  # whose columns have tests of their own
HEADINGS = {  # a heading of each language
    "asciidoc": "== Lending\n", "latex": "\\section{Lending}\n", "man": ".SH Lending\n", "org": "* Lending\n",
    "other": "", "pod": "=head1 Lending\n", "rst": "Lending\n-------\n\n", "text": "Lending\n-------\n\n",
}  # fmt: skip
HOSTILE = {
    "signs": "=", "short lines of signs": "==\n", "blanks": " ", "empty lines": "\n", "open links": "`a <",
    "open groups": "\\section{", "open blocks": "----\n-----\n", "open fonts": ".SH \\f[", "stars": "*",
    "open formats": "=head1 A<", "overlines": "====\n a\n", "banners": "====\nab\n====\n", "NUL": "\0",
    "blank titles": "= \t", "verbatim": "\\begin{verbatim}\n", "returns": "\r", "attributes": "== [[a", "CRLF": "a\r\n=\r\n",
}  # fmt: skip
PIECES = [
    "=",
    "-",
    "~",
    "*",
    " ",
    "\n",
    "\n\n",
    "Title",
    "`",
    "\\section{",
    "}",
    ".SH ",
    "=head1 ",
    "----",
    "[[",
    "é",
    "\0",
    "\r\n",
]


def facts(text: str | bytes, language: str) -> FileFacts:
    return extract(text if isinstance(text, bytes) else text.encode(), language)


def names(text: str | bytes, language: str) -> list[str]:
    return [symbol.name for symbol in facts(text, language).symbols[1:]]


def test_every_language_without_a_grammar_is_tested_here() -> None:
    assert sorted(HEADINGS) == TEXTS


@pytest.mark.parametrize("language", TEXTS)
def test_encodings_and_line_ends_are_no_trouble(language: str) -> None:
    text = HEADINGS[language] + "größe\n"
    expected = names(text, language)
    assert bool(expected) == (language != OTHER)
    for content in (
        text.encode("utf-8-sig"), text.encode("latin-1"), text.encode("utf-16"), text.encode("utf-32"),
        text.replace("\n", "\r\n").encode(), text.encode() + b"\xff\xfe\0",
    ):  # fmt: skip
        assert names(content, language) == expected
        assert facts(content, language).status == "full"


@pytest.mark.parametrize("language", TEXTS)
def test_a_hundred_thousand_headings_are_cut_off(language: str) -> None:
    listed = names(HEADINGS[language] * 100_000, language)
    assert len(listed) == (MAX_SECTIONS if HEADINGS[language] else 0)


def test_of_too_many_headings_the_outer_ones_stay() -> None:
    text = "".join(f"= Part {part}\n\n" + "== Chapter\n\n" * 100 for part in range(100))
    assert names(text, "asciidoc") == [f"Part {part}" for part in range(100)]


def test_levels_end_somewhere() -> None:
    sections = facts("".join(f"{'*' * level} a\n" for level in range(1, 200)), "org").symbols
    depths = [0]
    for section in sections[1:]:
        depths.append(depths[section.parent] + 1)
    assert max(depths) == MAX_HEADING_LEVEL


def test_a_line_that_is_too_long_is_no_heading() -> None:
    assert names("= " + "a" * MAX_HEADING_BYTES, "asciidoc") == []
    title = "a" * (MAX_HEADING_BYTES + 1)
    assert names(f"{title}\n{'=' * len(title)}\n", "rst") == []


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_time_grows_with_the_length_alone(language: str, piece: str) -> None:
    began = time.process_time()
    facts(piece * (400_000 // len(piece)), language)
    assert time.process_time() - began < 2.0  # the slowest takes .3 s; one of quadratic time would take minutes


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join), st.sampled_from(TEXTS))
def test_sections_nest_and_lie_in_the_text(text: str, language: str) -> None:
    found = facts(text, language)
    for symbol in found.symbols[1:]:
        outer = found.symbols[symbol.parent]
        assert 1 <= outer.line_start <= symbol.line_start <= symbol.line <= symbol.line_end <= found.lines
        assert symbol.line_end <= outer.line_end
        assert re.search(r"\w", symbol.name)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("docs/index.rst", "rst"), ("README.adoc", "asciidoc"), ("README", "text"), ("LICENSE.MIT", "text"), ("notes.TXT", "text"), ("a.tex", "latex"),
        ("ls.1", None), ("setup.cfg", "ini"), ("data.csv", "csv"), ("README.md", "markdown"), ("requirements.txt", "requirements"),
        ("shelf.lending", None), ("robots.txt", OTHER),
    ],
)  # fmt: skip
def test_a_text_is_known_by_its_name(path: str, language: str | None) -> None:
    assert language_of(path) == language


@pytest.mark.parametrize(
    ("text", "presumed", "language"),
    [
        ('.\\" A comment\n.TH LS 1\n', OTHER, "man"), (".Dd June 1\n", OTHER, "man"), ("'\\\" t\n.TH X 3\n", OTHER, "man"),
        (".so man3/open.3\n", OTHER, "man"), ("\n.SH NAME\n", OTHER, "man"), (".section .text\n", OTHER, OTHER), (".soft hyphen", OTHER, OTHER),
        ("a\n.SH NAME\n", OTHER, OTHER), ("= Title\n", "asciidoc", "asciidoc"), ("-----BEGIN PGP SIGNATURE-----\n", "asciidoc", OTHER),
        ("", OTHER, OTHER), ("x", "text", "text"),
    ],
)  # fmt: skip
def test_the_begin_of_a_text_tells_its_language(text: str, presumed: str, language: str) -> None:
    assert language_of_text(text.encode(), presumed) == language


def test_looking_at_the_begin_takes_no_time() -> None:
    chance = random.Random(1)
    for sample in (b" \n", b"\t", b'.\\"\n', b".", b"'", bytes(chance.choices(b" .\n'\\\"", k=8))):
        began = time.process_time()
        language_of_text(sample * 500_000, OTHER)
        assert time.process_time() - began < 0.5
