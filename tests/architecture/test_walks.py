"""The pages for maintainers name files and functions that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.harness.named_definitions import DAEMON, ROOT, definitions

DOCS = ROOT / "docs"
ARCHITECTURE = (DOCS / "architecture.md").read_text()
PAGES = [
    DOCS / "architecture.md",
    DOCS / "security.md",
    DOCS / "protocol.md",
    *sorted((DOCS / "decisions").glob("*.md")),
]
EXAMPLES = {"prices/__init__.py"}
WALKS = {
    heading: body
    for heading, body in re.findall(r"^### (.+?)\n(.*?)(?=^#{2,3} )", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    if "1. `" in body
}
STEP = re.compile(r"^\d+\. `([\w/]+\.py)` ((?:`[\w.]+`(?:,\s+)?)+): ", re.MULTILINE)
Named = tuple[str, str]  # a file, and a function or class in it


def steps(text: str) -> list[Named]:
    return [(path, name) for path, names in STEP.findall(text) for name in re.findall(r"`([\w.]+)`", names)]


def test_the_page_has_four_walks_of_named_steps() -> None:
    assert len(WALKS) == 4
    for heading, body in WALKS.items():
        assert len(re.findall(r"^\d+\. ", body, re.MULTILINE)) == len(STEP.findall(body)) >= 15, heading


@pytest.mark.parametrize(("path", "name"), sorted({step for body in WALKS.values() for step in steps(body)}), ids=str)
def test_every_step_of_a_walk_names_a_function_that_exists(path: str, name: str) -> None:
    assert name in definitions(path)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_file_that_a_page_names_exists(page: Path) -> None:
    named = set(re.findall(r"`((?:[\w-]+/)+[\w-]+\.(?:py|toml|sql))`", page.read_text())) - EXAMPLES
    roots = (ROOT, DAEMON, ROOT / "shim", ROOT / "protocol")
    assert not {path for path in named if not any((root / path).exists() for root in roots)}
