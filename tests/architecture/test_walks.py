"""The architecture page names files and functions that exist."""

from __future__ import annotations

import re

import pytest

from tests.harness.named_definitions import ROOT, definitions, location

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
WALKS = {
    heading: body
    for heading, body in re.findall(r"^### (.+?)\n(.*?)(?=^#{2,3} )", ARCHITECTURE, re.MULTILINE | re.DOTALL)
    if "1. `" in body
}
STEP = re.compile(r"^\d+\. `([\w/]+\.py)` ((?:`[\w.]+`(?:,\s+)?)+): ", re.MULTILINE)
Named = tuple[str, str]  # a file, and a function or class in it


def steps(text: str) -> list[Named]:
    return [(path, name) for path, names in STEP.findall(text) for name in re.findall(r"`([\w.]+)`", names)]


def test_the_page_has_three_walks_of_named_steps() -> None:
    assert len(WALKS) == 3
    for heading, body in WALKS.items():
        assert len(re.findall(r"^\d+\. ", body, re.MULTILINE)) == len(STEP.findall(body)) >= 15, heading


@pytest.mark.parametrize(("path", "name"), sorted({step for body in WALKS.values() for step in steps(body)}), ids=str)
def test_every_step_of_a_walk_names_a_function_that_exists(path: str, name: str) -> None:
    assert name in definitions(path)


def test_every_file_that_the_architecture_page_names_exists() -> None:
    named = set(re.findall(r"`((?:[\w-]+/)+[\w-]+\.(?:py|toml))`", ARCHITECTURE))
    missing = {
        path
        for path in named
        if not location(path).exists() and not (ROOT / path).exists() and not list(ROOT.glob(f"protocol/{path}"))
    }
    assert len(named) > 60
    assert not missing
