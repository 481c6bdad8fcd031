"""C#: a global using holds in every file of its project, from the moment that it is written."""

from __future__ import annotations

from collections.abc import Callable

from .conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]
EDGES = "SELECT t.qualified_name FROM refs r JOIN symbols t ON t.id = r.target WHERE r.kind = 1 AND r.target > 0"
FILES = {
    "Tools.cs": "namespace Tools { public static class Ink { public static void Dry() { } } }\n",
    "Use.cs": "namespace Desk { class Use { void Go() { Ink.Dry(); } } }\n",
}


def test_files_see_a_global_using_come_and_go(make_bench: Make) -> None:
    bench = make_bench(FILES)
    assert bench.rows(EDGES) == []
    bench.write("Usings.cs", "global using Tools;\n")
    bench.catch_up()
    assert bench.rows(EDGES) == [("Tools.Ink.Dry",)]
    bench.write("Usings.cs", "using Tools;\n")
    bench.catch_up()
    assert bench.rows(EDGES) == []
    bench.write("Usings.cs", "global using Tools;\n")
    bench.catch_up()
    (bench.root / "Usings.cs").unlink()
    bench.catch_up()
    assert bench.rows(EDGES) == []
