"""Definitions inside of functions without a name, while their file changes: ids, and what the index says beside a fresh
one.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.unit.pipeline.conftest import Bench

Make = Callable[[dict[str, str]], Bench]

LENDS = (
    'it("lends", () => {\n  function helper() { return 1; }\n  class Page { open() {} }\n'
    "  helper(); new Page().open();\n});\n"
)
TAKES = (
    'it("takes back", () => {\n  function helper() { return 2; }\n  class Page { open() {} }\n'
    "  helper(); new Page().open();\n});\n"
)
OWN = "function helper() { return 3; }\nhelper();\n"


def uids(bench: Bench) -> dict[tuple[str, int], bytes]:
    """The id of each definition, by its name and the digest of its body."""
    return {(symbol.name, symbol.body): symbol.uid for symbol in bench.stored.symbols() if not symbol.is_file}


def places(bench: Bench) -> list[tuple[int, int]]:
    """(line of a call, line of what it leads to)."""
    references = [reference for reference in bench.stored.references() if reference.target_name in ("helper", "open")]
    references.sort(key=lambda reference: (reference.line, reference.col))
    return [(reference.line, reference.target_line or 0) for reference in references]


def test_each_has_an_id_of_its_own_and_so_has_what_is_inside(make_bench: Make) -> None:
    bench = make_bench({"a.test.ts": LENDS + TAKES})
    symbols = [symbol for symbol in bench.stored.symbols() if not symbol.is_file]
    assert sorted(symbol.name for symbol in symbols) == ["Page", "Page", "helper", "helper", "open", "open"]
    assert len({symbol.uid for symbol in symbols}) == len(symbols)
    assert places(bench) == [(4, 2), (4, 3), (9, 7), (9, 8)]


def test_what_the_file_defines_keeps_its_id_when_functions_without_a_name_get_namesakes(make_bench: Make) -> None:
    bench = make_bench({"a.test.ts": OWN})
    (before,) = bench.stored.symbols("helper")
    bench.write("a.test.ts", LENDS + TAKES + OWN)
    bench.catch_up()
    assert [symbol.uid for symbol in bench.stored.symbols("helper") if symbol.line == 11] == [before.uid]
    assert places(bench)[-1] == (12, 11)


def test_all_keep_their_ids_when_the_code_around_them_changes(make_bench: Make) -> None:
    bench = make_bench({"a.test.ts": LENDS + TAKES})
    before = uids(bench)
    bench.write("a.test.ts", "// a word\nconst more = 1;\n" + LENDS + "const other = 2;\n" + TAKES)
    bench.catch_up()
    assert before.items() <= uids(bench).items()


def test_an_index_that_followed_edits_equals_a_fresh_one(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({"a.test.ts": LENDS + OWN, "b.ts": 'import { helper } from "./a.test";\nhelper();\n'})
    for edition, text in enumerate((LENDS + TAKES + OWN, TAKES + "export " + OWN, LENDS, LENDS + TAKES, TAKES + LENDS)):
        bench.write("a.test.ts", text)
        bench.catch_up()
        for table in ("symbols", "spans", "refs"):
            assert bench.is_as_fresh(tmp_path / f"{table}{edition}", table)
