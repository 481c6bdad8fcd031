"""How one symbol reaches another: along edges in their own direction, and where the graph stops."""

from __future__ import annotations

import pytest

from codeagentd.model.kinds import Confidence, ReferenceKind, SymbolKind
from codeagentd.query.graph.forward_path import Exit, Stop, forward_path
from codeagentd.query.graph.traversal import Seeds
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex


@pytest.fixture
def functions(index: SampleIndex) -> dict[str, int]:
    """Functions a to e in one module."""
    file = index.file("m.py")
    module = index.symbol(file, "m", SymbolKind.MODULE)
    return {
        name: index.symbol(file, f"m.{name}", SymbolKind.FUNCTION, module, (line, line + 5))
        for line, name in zip(range(10, 60, 10), "abcde", strict=True)
    }


def seeds(name: str, number: int) -> Seeds:
    return Seeds(f"m.{name}", [number], ("python",), None)


def way(db: Database, functions: dict[str, int], source: str, target: str) -> list[int] | None:
    result = forward_path(db, seeds(source, functions[source]), seeds(target, functions[target]))
    return None if result.steps is None else [step.end for step in result.steps]


def test_the_way_follows_calls_in_their_direction_alone(
    index: SampleIndex, db: Database, functions: dict[str, int]
) -> None:
    index.reference(functions["a"], functions["b"], ReferenceKind.CALL)
    index.reference(functions["b"], functions["c"], ReferenceKind.CALL)
    index.reference(functions["d"], functions["c"], ReferenceKind.CALL)
    assert way(db, functions, "a", "c") == [functions["b"], functions["c"]]
    assert way(db, functions, "c", "a") is None
    assert way(db, functions, "a", "d") is None


def test_the_shortest_way_is_taken_and_none_over_ambiguous_edges(
    index: SampleIndex, db: Database, functions: dict[str, int]
) -> None:
    for source, target in ("ab", "bc", "cd", "bd"):
        index.reference(functions[source], functions[target], ReferenceKind.CALL)
    index.reference(functions["a"], functions["e"], ReferenceKind.CALL, confidence=Confidence.AMBIGUOUS)
    assert way(db, functions, "a", "d") == [functions["b"], functions["d"]]
    assert way(db, functions, "a", "e") is None


def test_an_import_is_no_step_of_a_way(index: SampleIndex, db: Database, functions: dict[str, int]) -> None:
    index.reference(functions["a"], functions["b"], ReferenceKind.IMPORT)
    assert way(db, functions, "a", "b") is None


def test_where_there_is_no_way_the_calls_behind_which_nothing_is_known_are_told(
    index: SampleIndex, db: Database, functions: dict[str, int]
) -> None:
    index.reference(functions["a"], functions["b"], ReferenceKind.CALL)
    index.symbol(index.file("n.py"), "n.refresh", SymbolKind.FUNCTION)
    index.reference(functions["b"], None, ReferenceKind.CALL, 22, name="refresh")
    result = forward_path(db, seeds("a", functions["a"]), seeds("c", functions["c"]))
    assert (result.steps, result.reached, result.is_cut) == (None, 2, False)
    assert result.stops == [Stop("m.b", "refresh", "m.py", 22)]


def test_what_is_called_outside_of_the_repository_is_told_with_its_place(
    index: SampleIndex, db: Database, functions: dict[str, int]
) -> None:
    package = index.symbol(index.file("outside"), "kombu.publish", SymbolKind.EXTERNAL)
    index.move_outside(package)
    index.reference(functions["a"], -package, ReferenceKind.CALL, 12, name="publish")
    result = forward_path(db, seeds("a", functions["a"]), seeds("c", functions["c"]))
    assert result.exits == [Exit("kombu.publish", 1, "m.py", 12)]


def test_a_circle_ends(index: SampleIndex, db: Database, functions: dict[str, int]) -> None:
    index.reference(functions["a"], functions["b"], ReferenceKind.CALL)
    index.reference(functions["b"], functions["a"], ReferenceKind.CALL)
    assert way(db, functions, "a", "c") is None
