"""C++: a namespace that a header ceases to declare is gone for what stands behind it."""

from __future__ import annotations

from collections.abc import Callable

from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]
EDGES = (
    "SELECT t.qualified_name, r.confidence FROM refs r JOIN symbols t ON t.id = r.target WHERE r.kind = 1 AND "
    "r.target > 0"
)


def test_an_edit_that_takes_a_namespace_out_of_a_header_reaches_what_the_header_includes(make_bench: Make) -> None:
    header = '#include "d.h"\nnamespace shop {\nint kept;\n}\n'
    files = {
        "a.h": header,
        "d.h": "inline int use() { return shop::Shelf::all(); }\n",
        "c.cc": "namespace shop {\nstruct Shelf { static int all(); };\n}\n",
    }
    bench = make_bench(files)
    before = bench.rows(EDGES)
    assert [name for name, _ in before] == ["shop::Shelf::all"]
    bench.write("a.h", '#include "d.h"\nint kept;\n')
    bench.catch_up()
    after = bench.rows(EDGES)
    bench.write("a.h", header)
    bench.catch_up()
    assert bench.rows(EDGES) == before
    fresh = Bench(bench.root, bench.place.parent / "fresh")
    bench.write("a.h", '#include "d.h"\nint kept;\n')
    fresh.catch_up()
    assert after == fresh.rows(EDGES)
    fresh.engine.close(10)
