"""Places as names: what rows show can be passed back, and any other text that looks like a place is an error that says why."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagentd.toolkit.call import run
from codeagentd.toolkit.compact.names import within
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.path_arguments import at_line
from codeagentd.toolkit.toolsets import load, select
from tests.harness.served import surroundings
from tests.snapshots.library import LIBRARY

OTHERS: Final = {
    "web/shelf.ts": """export interface Shelf {
  lend(n: number): string
}
export class Wall implements Shelf {
  private count = 0;
  constructor(private title: string) {
    this.count = 1;
  }
  lend(n: number): string { return this.label(n) }
  label(n: number) { return `${n}` }
}
export const small = (n: number) => new Wall('a').lend(n);
export default small;
""",
    "web/app.ts": """import small, { Wall } from './shelf';

export function main() {
  const wall = new Wall('x');
  return wall.lend(1) + small(2);
}

export const other = () => { main(); main(); };
""",
    "web/over.ts": """export function over(a: number): number;
export function over(a: any) {
  return a;
}

export interface Deep {
  a: number
}

export interface Deep {
  b: number
}
""",
    "java/com/acme/Shop.java": """package com.acme;

public class Shop {
  private int price;
  public Shop(int price) { this.price = price; }
  int sell(int n) { return n * price; }
  int sell(int n, int m) { return sell(n) + m; }
}
""",
    "java/com/acme/Desk.java": """package com.acme;

class Desk {
  int serve() { return new Shop(1).sell(2); }
  enum Size { SMALL, LARGE }
}
""",
    "cs/Selling.cs": "public partial class Till {\n  public void Sell() {}\n}\n",
    "cs/Buying.cs": "public partial class Till {\n  public void Buy() { Sell(); }\n}\n",
    "cpp/box.hpp": "namespace acme {\nclass Box {\n  void open();\n};\nint measure(int a);\n}\n",
    "cpp/box.cpp": """#include "box.hpp"
namespace acme {
void Box::open() {
  measure(1);
}
int measure(int a) {
  return a;
}
}
""",
    "rb/vat.rb": "class Vat\n  def due\n  end\nend\n",
    "rb/more.rb": "class Vat\n  def more\n    due\n  end\nend\n",
    "go/go.mod": "module example.com/lending\n",
    "go/store/store.go": """package store

type Store struct{ n int }

func (s *Store) Get() int { return s.n }

func New() *Store { return &Store{} }
""",
    "go/main.go": """package main

import "example.com/lending/store"

func main() { store.New().Get() }
""",
}
FILES: Final = LIBRARY | OTHERS
SOURCES: Final = [path for path in FILES if not path.endswith(".mod")]
TOOLS: Final = {tool.name: tool for tool in select(load("codeagentd.tools"), toolsets="all", rows="compact")}
BY_NAME: Final = {
    "describe_symbol": "symbol", "get_callers": "node_id", "get_references": "node_id", "affected": "label", "impact_of": "target",
    "get_symbol": "node_id", "find_refs": "symbol", "get_node": "label",
}  # fmt: skip
OUTLINE_ROW: Final = re.compile(r"(\d+)(?:-\d+)? +(?:[a-z]+ )?([\w.]+)")
USE_ROW: Final = re.compile(r"(\d+):\d+(?:,\d+:\d+)* (\(module\)|[\w.]+)")
HIT_ROW: Final = re.compile(r"([^ :]+:\d+(?:-\d+)?) [a-z_]+ ([\w.]+)")


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("places"), FILES) as found:
        yield found


def asked(ctx: Context, tool: str, name: str) -> dict[str, Any]:
    answer = run(TOOLS[tool], ctx, {BY_NAME[tool]: name})
    assert not answer.is_error, answer.text
    return answer.structured


def name_at(ctx: Context, place: str) -> str:
    """The name, below its file, of the symbol that a place means."""
    return within(asked(ctx, "describe_symbol", place)["symbol"], place.partition(":")[0])


def outlined(ctx: Context, path: str) -> list[tuple[str, str]]:
    """The place of each row of an outline, and its name."""
    rows = run(TOOLS["get_file_outline"], ctx, {"path": path}).structured["results"]
    parsed = [OUTLINE_ROW.match(row) for row in rows]
    assert all(parsed), rows
    return [(f"{path}:{row[1]}", row[2]) for row in parsed if row and " namespace " not in row[0]]


@pytest.mark.parametrize("path", SOURCES)
def test_the_line_of_a_row_of_an_outline_means_its_symbol(ctx: Context, path: str) -> None:
    rows = outlined(ctx, path)
    assert rows
    for place in dict.fromkeys(place for place, _ in rows):
        beginning_there = [name for other, name in rows if other == place]
        last = asked(ctx, "describe_symbol", place)["symbol"]
        assert any(last.endswith(name) for name in beginning_there), (place, last, beginning_there)


@pytest.mark.parametrize(
    ("place", "symbol"),
    [
        ("cs/Selling.cs:1", "Till"),
        ("cs/Buying.cs:1", "Till"),
        ("cpp/box.hpp:3", "acme::Box::open"),
        ("cpp/box.cpp:3", "acme::Box::open"),
        ("cpp/box.hpp:5", "acme::measure"),
        ("rb/vat.rb:1", "Vat"),
        ("rb/more.rb:1", "Vat"),
        ("web/over.ts:1", "web/over.over"),
        ("web/over.ts:6", "web/over.Deep"),
        ("web/over.ts:10", "web/over.Deep"),
    ],
)
def test_each_place_of_a_symbol_with_several_means_it(ctx: Context, place: str, symbol: str) -> None:
    assert asked(ctx, "describe_symbol", place)["symbol"] == symbol


@pytest.mark.parametrize("tool", ["get_callers", "get_references"])
@pytest.mark.parametrize(
    "name",
    [
        "fine",
        "Book",
        "library.loans.lend",
        "Book.spine",
        "Wall",
        "Wall.lend",
        "small",
        "Shop",
        "Shop.sell",
        "New",
        "Store.Get",
        "Store",
    ],
)
def test_the_line_of_a_use_means_the_symbol_that_uses_it(ctx: Context, tool: str, name: str) -> None:
    answer = asked(ctx, tool, name)
    if not answer["results"]:
        assert answer["note"], "an empty list says why"
        return
    for path, rows in answer["results"].items():
        begins = dict(outlined(ctx, path))
        for row in rows:
            use = USE_ROW.match(row)
            assert use, row
            place = f"{path}:{use[1]}"
            shown = name_at(ctx, place)
            assert shown == use[2] or shown.endswith(begins.get(place, "nothing begins there")), row


@pytest.mark.parametrize("query", ["spine", "fine", "Loan", "Wall", "lend", "Shop", "sell", "Store", "New", "Get"])
def test_the_place_of_a_search_result_means_it(ctx: Context, query: str) -> None:
    rows = run(TOOLS["search_symbols"], ctx, {"query": query}).structured["results"]
    assert rows
    for row in rows:
        hit = HIT_ROW.match(row)
        assert hit, row
        if " file " not in row and " namespace " not in row:  # other symbols begin on their line
            path, _, lines = hit[1].partition(":")
            begins = [name for place, name in outlined(ctx, path) if place == f"{path}:{lines.partition('-')[0]}"]
            assert name_at(ctx, hit[1]) == hit[2] or len(begins) > 1, row


@pytest.mark.parametrize("tool", BY_NAME)
@pytest.mark.parametrize(
    "place",
    [
        "library/fines.py:4", "library/loans.py:11", "library/books.py:1-8", "library/books.py:12:9", "web/shelf.ts:9", "web/app.ts:8:30,8:38",
        "java/com/acme/Shop.java:7", "java/com/acme/Desk.java:4", "go/store/store.go:5", "./library/fines.py:6",
    ],
)  # fmt: skip
def test_a_place_is_answered_as_the_symbol_is(ctx: Context, tool: str, place: str) -> None:
    full = run(load("codeagentd.tools")["describe_symbol"], ctx, {"symbol": place}).structured
    assert asked(ctx, tool, place) == asked(ctx, tool, full["node_id"])


@pytest.mark.parametrize(
    "row",
    ["library/fines.py:4-6 function fine(days)", "library/loans.py:12:15 Loan.give_back | return fine(self.days)", "library/fines.py:4 fine (inferred)"],
)  # fmt: skip
def test_a_whole_row_is_a_place_too(ctx: Context, row: str) -> None:
    assert name_at(ctx, row) == name_at(ctx, row.partition(" ")[0])


def test_an_absolute_path_is_a_place_too(ctx: Context) -> None:
    assert name_at(ctx, "library/fines.py:4") == "fine"
    assert asked(ctx, "describe_symbol", f"{ctx.root}/library/fines.py:4")["symbol"] == "library.fines.fine"


def test_a_line_between_definitions_means_the_file(ctx: Context) -> None:
    assert name_at(ctx, "library/loans.py:3") == "(module)"
    assert name_at(ctx, "library/loans.py:2:26") == "(module)"


@pytest.mark.parametrize(
    "tool", ["describe_symbol", "get_callers", "get_references", "impact_of", "get_symbol", "find_refs"]
)
@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("library/loans.py:0", "did you mean 'library/loans.py'?"),
        ("library/loans.py:999999", "did you mean 'library/loans.py'?"),
        ("library/loans.py:-3", "did you mean 'library/loans.py'?"),
        ("library/loans.py:12.5", "did you mean 'library/loans.py'?"),
        ("library/loans.py:", "did you mean 'library/loans.py'?"),
        ("library/loans.py:99999999999999999999", ""),
        ("library/lons.py:12", ""),
        ("C:\\x.py:3", ""),
        ("/etc/passwd:1", ""),
        ("../outside.py:3", ""),
        ("nothing.py:3", ""),
        ("library:3", ""),
        (":3", ""),
    ],
)  # fmt: skip
def test_a_place_where_nothing_is_is_not_found(ctx: Context, tool: str, place: str, told: str) -> None:
    answer = run(TOOLS[tool], ctx, {BY_NAME[tool]: place})
    error = answer.structured["error"]
    assert (answer.code, error["parameter"]) == ("not_found", BY_NAME[tool])
    assert repr(place) in error["message"]
    assert told in error["remedy"]
    assert error["remedy"]


@pytest.mark.parametrize("place", ["library/loans.py:0", "library/loans.py:999999", "/etc/passwd:1", "library:3"])
@pytest.mark.parametrize("tool", ["affected", "get_node"])
def test_the_graph_says_that_no_node_is_there(ctx: Context, tool: str, place: str) -> None:
    assert asked(ctx, tool, place)["message"].startswith(f"No node matches '{place}'.")


@pytest.mark.parametrize(
    "text",
    [":1" * 5_000, "a" + ":1" * 4_999, "a:1" * 3_333, "a.py:1" + "-:," * 3_000, "a:1:" + "1-" * 4_000 + "x", "1:" * 5_000, "a.py:" + "9" * 9_000,
     "a.py:1" + "\n:1" * 3_000, "a.py:1:" + "1" * 9_000 + "x"],
    ids=range(9),
)  # fmt: skip
def test_no_text_takes_long(ctx: Context, text: str) -> None:
    began = time.perf_counter()
    for _ in range(20):
        at_line(text)
    assert time.perf_counter() - began < 1.0
    assert run(TOOLS["describe_symbol"], ctx, {"symbol": text}).code == "not_found"
    assert time.perf_counter() - began < 5.0


@given(st.text(st.sampled_from("ab/.\\ :-,0123456789é\n"), max_size=40))
def test_a_place_has_a_path_and_a_line_from_one_on(text: str) -> None:
    if place := at_line(text):
        path, line = place
        assert path
        assert line >= 1
        assert text.startswith(f"{path}:{line}")


def places_below(rows: Any) -> Iterator[tuple[str, str]]:
    """The place and the name of each row `line name …` that stands below its path, at any distance."""
    for key, below in rows.items():
        if isinstance(below, dict):
            yield from places_below(below)
        else:
            for row in below:
                line, name = row.split()[:2]
                yield f"{key}:{line}", name.removesuffix("()")


@pytest.mark.parametrize(
    ("tool", "field"),
    [("affected", "affected"), ("impact_of", "nodes"), ("get_callees", "results"), ("get_implementations", "results")],
)
@pytest.mark.parametrize(
    "name", ["fine", "library.loans.lend", "Book", "main", "Wall.label", "Shop.sell", "Shelf", "Till.Buy", "Store.Get"]
)
def test_the_place_of_a_row_of_the_graph_means_its_symbol(ctx: Context, tool: str, field: str, name: str) -> None:
    parameter = {"get_callees": "node_id", "get_implementations": "node_id"}.get(tool) or BY_NAME[tool]
    answer = run(TOOLS[tool], ctx, {parameter: name}).structured
    for place, shown in places_below(answer.get(field) or {}):
        meant = name_at(ctx, place)
        begins = [other for there, other in outlined(ctx, place.partition(":")[0]) if there == place]
        is_meant = f".{shown}".endswith(f".{meant}")  # labels of the graph have the package
        assert is_meant or (shown == "(module)" and begins) or len(begins) > 1, (place, shown, meant)


@pytest.mark.parametrize("name", ["spine", "Shop", "lend"])
def test_the_candidates_of_an_ambiguous_name_can_be_passed(ctx: Context, name: str) -> None:
    error = run(TOOLS["describe_symbol"], ctx, {"symbol": name}).structured.get("error", {"candidates": []})
    for row in error["candidates"]:
        hit = HIT_ROW.match(row)
        assert hit, row
        assert name_at(ctx, hit[1]) == hit[2]
