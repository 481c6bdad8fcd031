"""Which files are tests."""

from __future__ import annotations

import pytest

from codeagentd.model.file_kinds import can_be_run, holds_tests


@pytest.mark.parametrize(
    "path",
    ["tests/a.py", "src/test/A.java", "a/__tests__/b.ts", "testing/x.go", "test_a.py", "a_test.go", "a_tests.rs", "a_spec.rb", "a.test.ts", "b.spec.js",
     "OrderTest.java", "OrderTests.cs", "OrderSpec.scala", "conftest.py"],
)  # fmt: skip
def test_a_folder_or_a_name_makes_a_test(path: str) -> None:
    assert holds_tests(path)


@pytest.mark.parametrize(
    "path", ["spec/a.rb", "latest.py", "contest.py", "attest/a.py", "Test.java", "src/tester.py", "specs/x.json"]
)
def test_what_only_looks_alike_is_none(path: str) -> None:
    assert not holds_tests(path)


@pytest.mark.parametrize(
    ("path", "runs"),
    [
        ("tests/test_a.py", True),
        ("tests/helpers.py", False),
        ("conftest.py", False),
        ("a_test.go", True),
        ("tests/x.json", False),
    ],
)
def test_a_runner_is_only_given_what_it_can_run(path: str, runs: bool) -> None:
    assert can_be_run(path) is runs
