"""Every decision has the usual form, and the index lists it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "decisions"
PAGES = sorted(FOLDER.glob("[0-9]*.md"))
HEAD = re.compile(r"# (\d{4}): (.+)\n\nStatus: (accepted|replaced by \[\d{4}\]\(\S+\)), (\d{4}-\d\d-\d\d)\n\n## ")
SECTIONS = ["Context", "Decision", "Consequences"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_decision_has_a_title_a_status_and_three_sections(page: Path) -> None:
    text = page.read_text()
    head = HEAD.match(text)
    assert head
    assert head[1] == page.name[:4]
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == SECTIONS


def test_the_index_has_title_and_status_of_every_decision() -> None:
    rows = re.findall(r"^\| (\d{4}) \| \[(.+)\]\((.+)\) \| (.+) \|$", (FOLDER / "index.md").read_text(), re.MULTILINE)
    heads = [(page, HEAD.match(page.read_text())) for page in PAGES]
    assert rows == [(head[1], head[2], page.name, f"{head[3]}, {head[4]}") for page, head in heads if head]


def test_numbers_go_up_by_one() -> None:
    assert [int(page.name[:4]) for page in PAGES] == list(range(1, len(PAGES) + 1))
