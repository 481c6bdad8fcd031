"""The page about the language server names what it serves, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import codeagentd.lsp.methods  # noqa: F401 - declares the methods
from codeagentd.lsp.method import METHODS

PAGE = Path(__file__).parents[3] / "docs" / "language-server.md"


def test_the_table_of_methods_has_exactly_the_methods_that_are_served():
    table = PAGE.read_text().partition("## What it answers")[2].partition("\n\nIt publishes")[0]
    assert set(re.findall(r"`(\w+(?:/\w+)+)`", table)) == set(METHODS)
