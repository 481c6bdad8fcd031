"""The languages page explains every capture of the queries."""

from __future__ import annotations

import re

from codeagentd.languages.language import languages, query_files
from codeagentd.languages.query_compiler import CAPTURES
from tests.harness.named_definitions import ROOT

PAGE = (ROOT / "docs" / "languages.md").read_text()
ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$")
LINES = [
    line for line in PAGE.partition("\n## Captures\n")[2].partition("\n## ")[0].splitlines() if line.startswith("| `")
]
ROWS = [match.groups() for line in LINES if (match := ROW.match(line))]
NAMED = {name for captures, _, _ in ROWS for name in re.findall(r"`@([\w.]+)`", captures)}
USED = {
    name
    for language in languages()
    for file in query_files(language)
    for name in re.findall(r"@([A-Za-z][\w.]*)", re.sub(r"^;.*$", "", file.text, flags=re.MULTILINE))
}
SERIES = ("def.", "argument.", "literal.", "section.")  # their rows name some of the suffixes only


def test_every_row_has_a_capture_a_meaning_and_an_example() -> None:
    assert len(ROWS) == len(LINES)


def test_the_page_explains_the_known_captures_and_no_others() -> None:
    assert {name.partition(".")[0] for name in NAMED} == CAPTURES


def test_the_page_explains_the_suffixes_that_the_queries_use_and_no_others() -> None:
    assert not NAMED - USED
    assert not {name for name in USED - NAMED if not name.startswith(SERIES)}
