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
    return {
        (name, body): uid
        for name, body, uid in bench.rows("SELECT name, body, uid FROM symbols WHERE parent IS NOT NULL")
    }


def places(bench: Bench) -> list[tuple[int, int]]:
    """(line of a call, line of what it leads to)."""
    return bench.rows(
        "SELECT r.line, t.line FROM refs r JOIN symbols t ON t.id = r.target WHERE t.name IN ('helper', 'open') "
        "ORDER BY r.line, r.col"
    )


def test_each_has_an_id_of_its_own_and_so_has_what_is_inside(make_bench: Make) -> None:
    bench = make_bench({"a.test.ts": LENDS + TAKES})
    assert bench.rows(
        "SELECT name, count(*), count(DISTINCT uid) FROM symbols WHERE parent IS NOT NULL GROUP BY name ORDER BY name"
    ) == [
        ("Page", 2, 2),
        ("helper", 2, 2),
        ("open", 2, 2),
    ]
    assert places(bench) == [(4, 2), (4, 3), (9, 7), (9, 8)]


def test_what_the_file_defines_keeps_its_id_when_functions_without_a_name_get_namesakes(make_bench: Make) -> None:
    bench = make_bench({"a.test.ts": OWN})
    ((uid,),) = bench.rows("SELECT uid FROM symbols WHERE name = 'helper'")
    bench.write("a.test.ts", LENDS + TAKES + OWN)
    bench.catch_up()
    assert bench.rows("SELECT uid FROM symbols WHERE name = 'helper' AND line = 11") == [(uid,)]
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
