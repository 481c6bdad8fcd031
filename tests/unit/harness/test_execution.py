"""The pure parts of the benchmark that judges affected tests by execution."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.bench.execution import Score, importing, merged
from tests.bench.lost_pairs import Cause, cause_by_syntax
from tests.bench.suites import of_files, requirements
from tests.bench.tracing.called_functions import Calls, Definition, definitions, identity_of, innermost, truth

SOURCE = dedent('''
    """Loans."""

    @cached
    def lend(book):
        def note():
            return book
        return note()

    class Shelf:
        def books(self): return []
''').lstrip()


def test_the_body_of_a_function_begins_below_its_decorators() -> None:
    assert definitions(SOURCE) == [
        Definition(3, 4, 5, 7, "lend"),
        Definition(5, 5, 6, 6, "lend.note"),
        Definition(10, 10, 10, 10, "Shelf.books"),
    ]


@pytest.mark.parametrize(("line", "name"), [(4, None), (5, "lend"), (6, "lend.note"), (7, "lend"), (10, "Shelf.books")])
def test_a_line_belongs_to_the_innermost_function(line: int, name: str | None) -> None:
    functions = definitions(SOURCE)
    found = innermost(functions, line)
    assert (None if found is None else functions[found].name) == name


def test_a_context_names_a_test_and_its_phase() -> None:
    assert identity_of("tests/test_loans.py::test_lend[late]|setup") == "tests/test_loans.py::test_lend[late]"
    assert identity_of("") == ""


def test_truth_joins_lines_and_calls(tmp_path: Path) -> None:
    (tmp_path / "loans.py").write_text(SOURCE)
    (tmp_path / "test_loans.py").write_text("def test_lend():\n    lend(1)\n\ndef test_shelf():\n    pass\n")
    calls = {
        "tests": {
            "test_loans.py::test_lend[1]": ("test_loans.py", 1),
            "test_loans.py::test_shelf": ("test_loans.py", 4),
        },
        "edges": [
            [["loans.py", 3, "lend"], ["test_loans.py", 1, "test_lend"], (2, 2, 4, 11), ""],
            [["loans.py", 5, "note"], ["loans.py", 3, "lend"], (7, 7, 11, 17), ""],
            [["test_loans.py", 4, "test_shelf"], None, None, "_pytest.python.pytest_pyfunc_call"],
        ],
    }
    lines = {
        "loans.py": {4: [""], 5: ["test_loans.py::test_lend[1]|run"], 6: ["test_loans.py::test_lend[1]|run", ""]},
        "test_loans.py": {5: ["test_loans.py::test_shelf|run"]},
    }
    found = truth(tmp_path, calls, lines)
    names = [name for _, _, _, name in found["functions"]]
    assert names == ["test_lend", "test_shelf", "lend", "lend.note"]
    assert found["tests"] == [(0, "test_loans.py", ""), (1, "test_loans.py", "")]
    assert found["executed"] == [[1, [1]], [2, [0]], [3, [0]]]
    assert found["calls"] == [
        [2, 0, (2, 2, 4, 11), ""],
        [3, 2, (7, 7, 11, 17), ""],
        [1, -1, None, "_pytest.python.pytest_pyfunc_call"],
    ]


def test_calls_of_a_project_are_recorded_with_the_library_between() -> None:
    calls = Calls(str(Path(__file__).parent))

    def key(number: int) -> int:
        return -number

    def ordered() -> list[int]:
        return sorted([1, 2], key=key)

    sys.setprofile(calls)
    try:
        ordered()
        dedent("")
    finally:
        sys.setprofile(None)
    recorded = [(callee[2], caller and caller[2], library) for callee, caller, _, library in calls.as_json()["edges"]]
    assert ("key", "ordered", "") in recorded
    assert all(callee in ("key", "ordered") for callee, _, _ in recorded)


def test_truth_of_test_files() -> None:
    function = ["src/loans.ts", 3, 9, "lend"]
    records = [{"test": "a.test.ts", "executed": [function]}, {"test": "b.test.ts", "executed": [function, function]}]
    found = of_files(records)
    assert found["functions"] == [function]
    assert found["executed"] == [[0, [0, 1]]]
    assert found["tests"] == [[-1, "a.test.ts", ""], [-1, "b.test.ts", ""]]


def test_a_score_counts_pairs_and_empty_answers() -> None:
    score = Score()
    score.add(0b0111, 0b1011, 4, False)
    score.add(0b1000, 0, 4, True)
    assert score.as_json() == {
        "functions": 2,
        "pairs": 4,
        "recall": 0.5,
        "precision": 2 / 3,
        "selected": 0.375,
        "empty": 0.5,
        "empty_with_note": 1.0,
    }
    score.join(score)
    assert score.pairs == 8


def test_imports_are_followed_through_cycles() -> None:
    importers = {"a.py": {"b.py"}, "b.py": {"a.py", "test_b.py"}}
    assert importing("a.py", importers) == {"a.py", "b.py", "test_b.py"}
    assert importing("c.py", importers) == {"c.py"}


def test_causes_of_projects_are_added() -> None:
    found = merged([Cause("fixture", 3, 1, ["x"]), Cause("depth", 5, 5, []), Cause("fixture", 4, 4, ["y"])])
    assert found == [Cause("fixture", 7, 5, ["x", "y"]), Cause("depth", 5, 5, [])]


@pytest.mark.parametrize(
    ("written", "name", "cause"),
    [
        ("shelf.lend(1)", "lend", "method by its name on a receiver"),
        ("shelf.size", "size", "property by its name on a receiver"),
        ("lend(1)", "lend", "function by its name"),
        ("callback(1)", "lend", "function that a variable or parameter holds, or a built-in calls"),
        ("self.callback(1)", "lend", "function that an attribute holds"),
        ("HANDLERS['lend'](1)", "lend", "function in a registry, by subscript"),
        ("factory()", "__init__", "constructor of a class that a variable, parameter or attribute holds"),
        ("shelf()", "__call__", "special method of a call of an instance"),
        ("a + b", "__add__", "special method of an operator or built-in"),
    ],
)
def test_a_missing_edge_is_named_by_what_is_written(written: str, name: str, cause: str) -> None:
    assert cause_by_syntax(ast.parse(written, mode="eval").body, name, False) == cause


def test_requirements_of_a_suite(tmp_path: Path) -> None:
    assert requirements(tmp_path) == ["-e", "."]
    (tmp_path / "pyproject.toml").write_text('[project.optional-dependencies]\ntest = ["x"]\n')
    assert requirements(tmp_path) == ["-e", ".[test]"]
    (tmp_path / "pyproject.toml").write_text('[dependency-groups]\ntests = ["x"]\n')
    assert requirements(tmp_path) == ["-e", ".", "--group", "tests"]
