"""Tests read databases through tests/harness/stored_rows.py: SQL stands where it is the subject, and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
QUERY = re.compile(r"\bSELECT\b")
READERS = ("tests/harness/stored_rows.py", "tests/harness/contents.py")
SUBJECTS = (
    "tests/architecture/test_raw_sql.py",  # the examples below
    "tests/architecture/test_sql_plans.py",
    "tests/bench/",  # figures over whole indexes
    "tests/e2e/test_upgrades.py",  # migrations of its own
    "tests/harness/postgres.py",  # makes roles and databases
    "tests/harness/formats.py",  # generates sources, some of them in SQL
    "tests/unit/query/sample_index.py",  # writes an index row by row
    "tests/unit/store/",
    "tests/unit/toolkit/test_finding_tools.py",  # a full-text table of its own
)


def queries(tree: ast.Module) -> Iterator[int]:
    """The lines of strings that are queries."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and QUERY.search(node.value):
            yield node.lineno


def test_tests_read_databases_by_name() -> None:
    found = [
        f"{name}:{line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if not (name := path.relative_to(ROOT).as_posix()).startswith((*READERS, *SUBJECTS))
        for text in [path.read_text()]
        if QUERY.search(text)  # most files need no parsing
        for line in queries(ast.parse(text))
    ]
    assert found == [], f"read rows with a function of {READERS[0]}"


@pytest.mark.parametrize("path", [*READERS, *SUBJECTS])
def test_what_is_let_through_is_there(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("source", ["'SELECT path FROM files'", 'f"""SELECT count(*)\\nFROM {table}"""'])
def test_a_query_is_found_however_it_is_written(source: str) -> None:
    assert list(queries(ast.parse(source)))
