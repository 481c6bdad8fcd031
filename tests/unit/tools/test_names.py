"""What people mean by a name: every toolset answers about the same definition, and says which others have the name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from codeagentd.toolkit.call import Answer, run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")

FILES = {
    "web/EntityManager.ts": "export class EntityManager {\n  save(): void {}\n}\n",
    "web/QueryRunner.ts": "export interface QueryRunner { run(): void }\nexport const QueryRunner = { make(): void {} }\n",
    "web/SlowRunner.ts": 'import { QueryRunner } from "./QueryRunner"\nexport class SlowRunner implements QueryRunner { run(): void {} }\n',
    "web/use.ts": 'import { EntityManager } from "./EntityManager"\nexport function keep(m: EntityManager) { m.save() }\n',
    "web/test/EntityManager.ts": "export class EntityManager {}\n",
    "web/client.ts": "export function loadOrder(id: number) { return id }\nexport function other() { return loadOrder(1) }\n",
    "web/index.ts": 'export { loadOrder as fetchOrder } from "./client"\n',
    "java/src/com/acme/Validate.java": (
        "package com.acme;\npublic class Validate {\n  public Validate() {}\n  public static void isTrue(boolean a) {}\n"
        "  public static void isTrue(boolean a, String b) {}\n  static void both() { isTrue(true); isTrue(false, \"\"); }\n}\n"
    ),
    "java/src/com/acme/Strict.java": 'package com.acme;\npublic class Strict extends Validate {\n  void go() { Validate.isTrue(true); new Validate(); }\n}\n',
    "cs/Formatting.cs": "namespace Acme {\n  public enum Formatting { None, Indented }\n}\n",
    "cs/Writer.cs": "namespace Acme {\n  public class Writer {\n    public Formatting Formatting { get; set; }\n  }\n}\n",
    "shopkit/__init__.py": "from .pricing import total as grand_total\nfrom .pricing import add_tax\n",
    "shopkit/pricing.py": (
        "def total(order):\n    return add_tax(1)\n\n\ndef add_tax(amount):\n    return amount\n\n\ndef make_context():\n    return total(None)\n"
    ),
    "shopkit/beat.py": "class Beat:\n    pass\n\n\nclass FastBeat(Beat):\n    pass\n",
    "shopkit/parts/__init__.py": "",
    "shopkit/parts/beat.py": "class Beat:\n    pass\n\n\nclass SlowBeat(Beat):\n    pass\n",
    "one/run.sh": "helper() {\n  echo 1\n}\n",
}  # fmt: skip

NODES = [
    "get_symbol",
    "get_references",
    "get_callers",
    "get_callees",
    "get_implementations",
    "get_dependencies",
    "get_dependents",
    "get_source_spans",
    "find_similar",
]
SYMBOLS = ["find_refs", "describe_symbol"]
LABELS = ["get_node", "get_source", "get_neighbors", "find_callers", "find_callees", "describe_node", "affected"]
LENS = ["code.symbol.getHoverInfo", "code.type.hierarchy", "code.relation.inheritanceChain", "code.type.definition"]
PARAMETERS = (
    dict.fromkeys(NODES, "node_id")
    | dict.fromkeys(SYMBOLS, "symbol")
    | {"impact_of": "target"}
    | dict.fromkeys(LABELS, "label")
    | dict.fromkeys(LENS, "symbol_name")
)


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("names"), FILES) as found:
        assert found.engine.analysed(30)
        yield found


def ask(ctx: Context, tool: str, name: str, **others: Any) -> Answer:
    return run(CATALOGUE[tool], ctx, {PARAMETERS[tool]: name, **others})


def answered(ctx: Context, tool: str, name: str, **others: Any) -> dict[str, Any]:
    answer = ask(ctx, tool, name, **others)
    assert not answer.is_error, answer.text
    assert answer.structured.get("found", True), answer.text
    return answer.structured


def rows(ctx: Context, tool: str, name: str, **others: Any) -> set[str]:
    return {one["qualified_name"] for one in answered(ctx, tool, name, **others)["results"]}


@pytest.mark.parametrize("name", ["EntityManager", "Validate", "QueryRunner", "Formatting"])
@pytest.mark.parametrize("tool", PARAMETERS)
def test_a_type_is_meant_by_its_bare_name_whatever_else_is_called_so(ctx: Context, tool: str, name: str) -> None:
    assert answered(ctx, tool, name)


def test_a_type_never_competes_with_its_own_file_or_constructor(ctx: Context) -> None:
    assert "note" not in answered(ctx, "get_symbol", "Validate")
    assert answered(ctx, "get_symbol", "Validate")["node_type"] == "class"
    told = answered(ctx, "get_symbol", "EntityManager")
    assert (told["file_path"], told["node_type"]) == ("web/EntityManager.ts", "class")


def test_the_product_goes_before_tests_of_the_same_name_which_the_note_names(ctx: Context) -> None:
    note = answered(ctx, "get_references", "EntityManager")["note"]
    assert note.startswith(
        "also called 'EntityManager', and not meant: web/test/EntityManager.EntityManager (class, web/test/EntityManager.ts:1)"
    )


def test_a_type_goes_before_a_member_of_its_name(ctx: Context) -> None:
    told = answered(ctx, "get_symbol", "Formatting")
    assert told["node_type"] == "enum"
    assert "Acme.Writer.Formatting (property" in told["note"]


def test_an_interface_and_a_constant_of_one_name_and_file_are_answered_together(ctx: Context) -> None:
    assert "web/SlowRunner.SlowRunner" in rows(ctx, "get_implementations", "QueryRunner")
    assert answered(ctx, "describe_symbol", "QueryRunner")["kind"] == "interface"


def test_overloads_are_answered_together_with_each_edge_once(ctx: Context) -> None:
    found = answered(ctx, "get_callers", "Validate.isTrue")
    assert sorted((one["name"], len(one["sites"])) for one in found["results"]) == [("both", 2), ("go", 1)]
    assert found["note"].startswith(
        "2 definitions of 'com.acme.Validate.isTrue' are answered together: com.acme.Validate.isTrue(boolean a) (method"
    )
    first = answered(ctx, "get_callers", "Validate.isTrue", limit=1)
    second = answered(ctx, "get_callers", "Validate.isTrue", limit=1, cursor=first["next_cursor"])
    assert first["results"] + second["results"] == found["results"]


def test_distinct_definitions_of_the_product_are_listed_one_after_the_other_and_refused_where_one_is_answered(
    ctx: Context,
) -> None:
    found = answered(ctx, "get_implementations", "Beat")
    assert [(one["name"], one["of"]) for one in found["results"]] == [
        ("FastBeat", "shopkit.beat.Beat"),
        ("SlowBeat", "shopkit.parts.beat.Beat"),
    ]
    assert found["note"].startswith("2 definitions are called 'Beat', answered one after the other")
    first = answered(ctx, "get_implementations", "Beat", limit=1)
    second = answered(ctx, "get_implementations", "Beat", limit=1, cursor=first["next_cursor"])
    assert first["results"] + second["results"] == found["results"]
    assert "next_cursor" not in second
    error = ask(ctx, "get_symbol", "Beat").structured["error"]
    assert [one["qualified_name"] for one in error["candidates"]] == ["shopkit.beat.Beat", "shopkit.parts.beat.Beat"]


@pytest.mark.parametrize(
    "path",
    ["shopkit/pricing.py", "./shopkit/pricing.py", "{root}/shopkit/pricing.py", "pricing.py", "../shopkit/pricing.py"],
)
def test_a_file_is_named_by_its_path_from_the_top_or_from_the_callers_folder_or_absolute(
    ctx: Context, path: str
) -> None:
    there = msgspec.structs.replace(ctx, folders=("shopkit", ""))
    named = path.format(root=ctx.root)
    assert "shopkit" in rows(there, "get_dependents", named)
    assert answered(there, "impact_of", named)["target"] == "shopkit/pricing.py"
    assert answered(there, "describe_symbol", named)["symbol"] == "shopkit.pricing"


def test_what_depends_on_a_file_depends_on_anything_in_it(ctx: Context) -> None:
    assert "web/use.keep" in rows(ctx, "get_dependents", "web/EntityManager.ts")
    assert "web/use.keep" in rows(ctx, "get_callers", "web/EntityManager.ts")
    assert "web/EntityManager.EntityManager.save" in rows(ctx, "get_callees", "web/use.ts")


def test_a_file_has_no_implementations(ctx: Context) -> None:
    error = ask(ctx, "get_implementations", "web/use.ts").structured["error"]
    assert (error["message"], error["remedy"]) == ("node_id: 'web/use.ts' is a file", "name a type, or a member of one")


@pytest.mark.parametrize("path", ["shopkit/pricng.py", "pricing/pricing.py", "shop/pricing.py"])
def test_a_path_that_is_nearly_one_is_answered_with_the_path(ctx: Context, path: str) -> None:
    error = ask(ctx, "get_dependents", path).structured["error"]
    assert error["code"] == "not_found"
    assert error["remedy"].startswith("did you mean 'shopkit/pricing.py'?")


@pytest.mark.parametrize(
    ("alias", "definition"),
    [
        ("fetchOrder", "web/client.loadOrder"), ("grand_total", "shopkit.pricing.total"), ("shopkit.grand_total", "shopkit.pricing.total"),
        ("shopkit.add_tax", "shopkit.pricing.add_tax"),
    ],
)  # fmt: skip
def test_another_name_of_a_definition_leads_to_it_in_every_toolset(ctx: Context, alias: str, definition: str) -> None:
    assert answered(ctx, "get_symbol", alias)["qualified_name"] == definition
    assert answered(ctx, "describe_symbol", alias)["symbol"] == definition
    assert answered(ctx, "code.symbol.getHoverInfo", alias)["result"]["qualified_name"] == definition
    assert answered(ctx, "get_node", alias)["label"] == f"{definition.rpartition('.')[2]}()"
    note = f"{alias!r} is another name of {definition!r}"
    assert [
        answered(ctx, tool, alias)["note"][: len(note)]
        for tool in ("get_callers", "find_refs", "get_node", "impact_of")
    ] == [note] * 4
    places = run(CATALOGUE["code.symbol.findDefinition"], ctx, {"symbol_name": alias}).structured
    assert [one["qualified_name"] for one in places["results"]] == [definition]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("AddTax", "add_tax"), ("addTax", "add_tax"), ("load_order", "loadOrder"), ("make_contxt", "make_context")],
)
def test_a_name_that_is_nearly_one_is_answered_with_the_definition_as_a_candidate(
    ctx: Context, name: str, meant: str
) -> None:
    error = ask(ctx, "get_callers", name).structured["error"]
    assert error["code"] == "not_found"
    assert error["candidates"][0]["qualified_name"].endswith(f".{meant}")
    assert f"did you mean {meant!r}?" in error["remedy"]


@pytest.mark.parametrize(("tool", "parameter"), [("find_symbol", "name"), ("search_symbols", "query")])
def test_a_search_that_finds_nothing_says_which_names_may_be_meant(ctx: Context, tool: str, parameter: str) -> None:
    found = run(CATALOGUE[tool], ctx, {parameter: "make_contxt"}).structured
    assert found["results"] == []
    assert "did you mean 'make_context'?" in found["note"]
    assert "did you mean" not in run(CATALOGUE[tool], ctx, {parameter: "zeppelin"}).structured.get("note", "")


@pytest.mark.parametrize(
    ("query", "name"), [("AddTax", "add_tax"), ("LoadOrder", "loadOrder"), ("load_order", "loadOrder")]
)
def test_search_finds_a_name_that_is_spelled_otherwise(ctx: Context, query: str, name: str) -> None:
    found = run(CATALOGUE["search_symbols"], ctx, {"query": query}).structured["results"]
    assert name in [one["name"] for one in found]


def test_the_note_of_a_types_callers_is_about_all_that_is_answered(ctx: Context) -> None:
    found = answered(ctx, "find_callers", "Validate")
    assert found["neighbors"]
    assert "nothing found" not in found.get("note", "")


@pytest.mark.parametrize(
    ("label", "meant"),
    [("make_contxt", "make_context()"), ("AddTax", "add_tax()"), ("shopkit/pricng.py", "shopkit/pricing.py")],
)
def test_a_label_that_is_nearly_one_is_answered_with_candidates(ctx: Context, label: str, meant: str) -> None:
    answer = ask(ctx, "get_node", label)
    assert not answer.structured["found"]
    assert answer.structured["candidates"][0]["label"] == meant
    assert answer.rendered.startswith(f"No node matches '{label}'. Did you mean {meant}?")
