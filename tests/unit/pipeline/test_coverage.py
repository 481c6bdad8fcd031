"""What became of references: counted by file and language, and told where nothing is found."""

from __future__ import annotations

from collections.abc import Callable

from codeagent_protocol.status import Coverage
from codeagentd.query.graph.edges import CALLEES, CALLERS, DEPENDENCIES, REFERENCES, neighbours
from codeagentd.query.symbols.name_resolution import resolve
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]
FILES = {
    "a.py": (
        "import os\n\nclass Shelf:\n    def lend(self): ...\n\ndef use(given):\n    os.getcwd()\n    Shelf()\n"
        "    given.lend()\n    [given][0].lend()\n"
    ),
    "b.py": "def unused(): ...\n",
}


def test_each_reference_is_counted_by_what_became_of_it(make_bench: Make) -> None:
    bench = make_bench(FILES)
    (language,) = bench.engine.status().languages
    assert language.references == Coverage(resolved=1, external=2, dynamic=2)  # Shelf | os, getcwd | two of lend


def test_a_file_that_changes_is_counted_anew(make_bench: Make) -> None:
    bench = make_bench(FILES)
    bench.write("a.py", "import os\n\nos.getcwd()\n")
    bench.catch_up()
    (language,) = bench.engine.status().languages
    assert language.references == Coverage(external=2)


def test_an_answer_without_callers_says_how_far_it_can_be_trusted(make_bench: Make) -> None:
    bench = make_bench(FILES | {"broken.py": "def half(:\n"})
    with bench.engine.readers.read() as database:
        note = neighbours(database, resolve(database, "b.unused"), CALLERS, None, 10).note
    assert note == (
        "nothing found; of 5 references in python code 60% are settled, 1 of its files are parsed in part or not at all"
    )


def test_an_answer_without_calls_says_who_else_refers_to_the_symbol_and_what_it_calls_elsewhere(
    make_bench: Make,
) -> None:
    bench = make_bench(
        {
            "a.py": (
                "import os\n\ndef listed():\n    os.getcwd()\n    os.getpid()\n\ndef alone(): ...\n\n"
                "TABLE = {'x': listed}\n"
            )
        }
    )
    with bench.engine.readers.read() as database:
        notes = {
            (name, question.incoming, question.kinds): neighbours(
                database, resolve(database, f"a.{name}"), question, None, 10
            ).note
            for name in ("listed", "alone")
            for question in (CALLERS, CALLEES, REFERENCES, DEPENDENCIES)
        }
    assert notes["listed", True, CALLERS.kinds].startswith(
        "not called by its name, but 1 other reference: get_references; of "
    )
    assert (
        notes["listed", False, CALLEES.kinds]
        == "calls nothing in the repository, but 2 definitions outside of it: get_dependencies"
    )
    assert notes["alone", True, CALLERS.kinds].startswith("nothing found; of ")
    assert [
        notes["alone", False, CALLEES.kinds],
        notes["listed", True, REFERENCES.kinds],
        notes["listed", False, DEPENDENCIES.kinds],
    ] == ["", "", ""]
