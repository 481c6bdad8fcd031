"""C++: a namespace that a header ceases to declare is gone for what stands behind it."""

from __future__ import annotations

from collections.abc import Callable

from codeagentd.model.kinds import ReferenceKind
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]


def called(bench: Bench) -> list[tuple[str | None, int]]:
    """(what a call leads to, how certain that is)."""
    references = bench.stored.references()
    return [(one.target, one.confidence) for one in references if one.kind == ReferenceKind.CALL and one.is_internal]


def test_an_edit_that_takes_a_namespace_out_of_a_header_reaches_what_the_header_includes(make_bench: Make) -> None:
    header = '#include "d.h"\nnamespace shop {\nint kept;\n}\n'
    files = {
        "a.h": header,
        "d.h": "inline int use() { return shop::Shelf::all(); }\n",
        "c.cc": "namespace shop {\nstruct Shelf { static int all(); };\n}\n",
    }
    bench = make_bench(files)
    before = called(bench)
    assert [name for name, _ in before] == ["shop::Shelf::all"]
    bench.write("a.h", '#include "d.h"\nint kept;\n')
    bench.catch_up()
    after = called(bench)
    bench.write("a.h", header)
    bench.catch_up()
    assert called(bench) == before
    fresh = Bench(bench.root, bench.place.parent / "fresh")
    bench.write("a.h", '#include "d.h"\nint kept;\n')
    fresh.catch_up()
    assert after == called(fresh)
    fresh.engine.close(10)
