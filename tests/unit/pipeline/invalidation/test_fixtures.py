"""Invalidation of the uses of fixtures: the files with tests that a change of a fixture concerns.

Each row lists all other files that the edit concerns by pytest's rules. After the edit nothing may be stale.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.harness.small_index import Change, added, assert_affects, deleted, edit, replaced

COLUMNS = ("files", "change", "affected")

TESTS = """
    === tests/conftest.py
    import pytest
    @pytest.fixture
    def shelf():
        return 1
    def plain():
        return 2
    === tests/test_shelf.py
    def test_shelf(shelf):
        return shelf
    === tests/deep/test_deep.py
    def test_deep(shelf, plain):
        return shelf
    === tests/test_other.py
    def test_other():
        return 1
    === tests/helper.py
    def helper():
        return 1
    """

FIXTURE = "import pytest\n@pytest.fixture\ndef {name}():\n    return 3\n"
AUTOMATIC = "import pytest\n@pytest.fixture(autouse=True)\ndef opened():\n    return 3\n"

EDITS = [
    edit("python", "a fixture is renamed", TESTS, replaced("tests/conftest.py", "def shelf", "def case"),
        "tests/test_shelf.py tests/deep/test_deep.py"),
    edit("python", "a fixture is no fixture any more", TESTS,
        replaced("tests/conftest.py", "@pytest.fixture", ""), "tests/test_shelf.py tests/deep/test_deep.py"),
    edit("python", "a function becomes a fixture", TESTS,
        replaced("tests/conftest.py", "def plain", "@pytest.fixture\ndef plain"), "tests/deep/test_deep.py"),
    edit("python", "a fixture gets another name", TESTS,
        replaced("tests/conftest.py", "def plain", "@pytest.fixture(name='other')\ndef plain"), "tests/deep/test_deep.py"),
    edit("python", "a nearer conftest.py has the fixture", TESTS,
        added("tests/deep/conftest.py", FIXTURE.format(name="shelf")), "tests/test_shelf.py tests/deep/test_deep.py"),
    edit("python", "a plugin has the fixture", TESTS,
        added("plugins/more.py", FIXTURE.format(name="plain")), "tests/deep/test_deep.py"),
    edit("python", "the conftest.py goes", TESTS, deleted("tests/conftest.py"),
        "tests/test_shelf.py tests/deep/test_deep.py"),
    edit("python", "an automatic fixture comes", TESTS, added("tests/deep/conftest.py", AUTOMATIC),
        "tests/test_shelf.py tests/deep/test_deep.py tests/test_other.py"),
    edit("python", "a fixture becomes automatic", TESTS,
        replaced("tests/conftest.py", "@pytest.fixture", "@pytest.fixture(autouse=True)"),
        "tests/test_shelf.py tests/deep/test_deep.py tests/test_other.py"),
    edit("python", "the body of a fixture changes", TESTS, replaced("tests/conftest.py", "return 1", "return 3"), ""),
]  # fmt: skip


@pytest.mark.parametrize(COLUMNS, EDITS)
def test_an_edit_of_a_fixture_concerns_the_tests_that_it_may_be_for(
    tmp_path: Path, files: Mapping[str, str], change: Change, affected: str
) -> None:
    assert_affects(tmp_path, files, change, affected)
