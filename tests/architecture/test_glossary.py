"""The glossary names files, classes and functions that exist."""

from __future__ import annotations

import re

import pytest

from tests.harness.named_definitions import ROOT, definitions, location

ROW = re.compile(r"^\| ([^|]+) \| ([^|]+) \| `([\w/.]+)`(?: `([\w.]+)`)? \|$", re.MULTILINE)
PAGE = (ROOT / "docs" / "glossary.md").read_text()
ROWS = ROW.findall(PAGE)


def test_every_row_has_a_term_a_meaning_and_a_place_in_the_code() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| term ")]
    assert len(ROWS) == len(lines)
    assert all(meaning.endswith((".", "…")) for _, meaning, _, _ in ROWS)


def test_no_term_is_explained_twice() -> None:
    terms = [term for term, *_ in ROWS]
    assert len(terms) == len(set(terms))


@pytest.mark.parametrize(("path", "name"), sorted({(path, name) for _, _, path, name in ROWS}), ids=str)
def test_every_place_in_the_code_exists(path: str, name: str) -> None:
    assert location(path).is_file()
    assert not name or name in definitions(path)
