"""Names, definitions, references, hover cards and outlines as page 001 has them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.model.kinds import SymbolKind
from codeagentd.tools.lens import names as names_tools
from tests.unit.query.sample_index import SampleIndex
from tests.unit.tools.indexed import indexed
from tests.unit.tools.surroundings import CATALOGUE, Caller

SHOP = {
    "shop/pricing.py": '''"""Prices of things."""


class Discount:
    """Base discount."""

    def apply(self, amount: float) -> float:
        """Reduce it.

        By nothing, here.
        """
        return amount


def compute_total(amounts: list[float], rate=1.0) -> float:
    return sum(amounts)
''',
    "shop/orders/checkout.py": "from shop.pricing import compute_total\n\n\ndef checkout(cart):\n    return compute_total(cart) + compute_total([])\n",
    "shop/orders/totals.py": "def compute_total(order):\n    return order\n\n\ndef show(order):\n    return compute_total(order)\n",
    "shop/orders/other.py": "x = 1\n",
    "tools/totals.py": "class Totals:\n    def compute_total(self):\n        return 0\n",
    "guide.md": "# Guide\n\n## compute_total\n\nAdds up.\n",
    "src/shelf.rs": """/// A shelf.
#[derive(Debug)]
pub struct Shelf { n: usize }
impl Shelf {
    /// Lend one.
    pub fn lend(&self, n: usize) -> Option<Shelf> { None }
}
""",
    "src/sum.c": "/* Adds\n * two. */\nstatic int\nsum_of(int a, int b)\n{ return a + b; }\n",
    "web/cart.ts": "/** The cart.\n * Of one. */\nexport class Cart<T> implements Priced {\n  price = 0;\n}\nexport interface Priced { price: number }\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    with indexed(tmp_path_factory.mktemp("shop"), SHOP) as caller:
        yield caller


def names(items: list[dict[str, Any]]) -> list[str]:
    return [item["name"] for item in items]


def files(caller: Caller, items: list[dict[str, Any]]) -> list[str]:
    return [os.path.relpath(item["file_path"], caller.ctx.root) for item in items]


def places(caller: Caller, items: list[dict[str, Any]]) -> list[tuple[str, int, int]]:
    return [(path, item["line"], item["column"]) for path, item in zip(files(caller, items), items, strict=True)]


# -- code.symbol.search


def test_a_found_symbol_has_the_pages_shape_and_its_qualified_name(shop: Caller) -> None:
    assert shop.results("code.symbol.search", query="checkout", kind="function") == [
        {
            "name": "checkout", "kind": "function", "file_path": str(shop.ctx.root / "shop/orders/checkout.py"), "range": {"start_line": 4, "end_line": 5},
            "qualified_name": "shop.orders.checkout.checkout",
        }
    ]  # fmt: skip


@pytest.fixture
def sample(index: SampleIndex) -> dict[str, int]:
    """Symbols of many names: name -> number."""
    file = index.file("a.py")
    words = [
        "load",
        "Load",
        "loader",
        "reload",
        "pre_load",
        "preLoad",
        "loading",
        "payload",
        "load_100%",
        "loadX100",
        "URLLoad",
    ]
    return {word: index.symbol(file, f"a.{word}", lines=(number, number)) for number, word in enumerate(words, 1)}


@pytest.mark.usefixtures("sample")
def test_a_beginning_finds_the_name_itself_first_then_shorter_names(call: Caller) -> None:
    assert names(call.results("code.symbol.search", query="load")) == [
        "load",
        "Load",
        "loader",
        "loading",
        "loadX100",
        "load_100%",
    ]


@pytest.mark.usefixtures("sample")
def test_a_part_counts_more_where_a_word_begins(call: Caller) -> None:
    found = names(call.results("code.symbol.search", query="load", prefix_mode=False))
    assert found[:6] == ["load", "Load", "loader", "loading", "loadX100", "load_100%"]
    assert found[6:] == ["preLoad", "URLLoad", "pre_load", "reload", "payload"]


@pytest.mark.usefixtures("sample")
def test_a_capital_letter_makes_case_matter(call: Caller) -> None:
    assert names(call.results("code.symbol.search", query="Load")) == ["Load"]
    assert names(call.results("code.symbol.search", query="Load", prefix_mode=False)) == ["Load", "preLoad", "URLLoad"]


@pytest.mark.usefixtures("sample")
@pytest.mark.parametrize(
    ("query", "found"),
    [("load_1", ["load_100%"]), ("%", ["load_100%"]), ("_", ["pre_load", "load_100%"]), ("\\", []), ('lo"ad', [])],
)
def test_signs_stand_for_themselves(call: Caller, query: str, found: list[str]) -> None:
    assert sorted(names(call.results("code.symbol.search", query=query, prefix_mode=False))) == sorted(found)


def test_of_equal_names_the_most_referenced_comes_first_and_code_before_documents(
    index: SampleIndex, call: Caller
) -> None:
    file, document = index.file("a.py"), index.file("a.json", "json")
    for number in range(9):
        index.symbol(document, f"a.json.set{number}", SymbolKind.KEY, name="set", lines=(number, number))
    rare, often = index.symbol(file, "a.Rare.set"), index.symbol(file, "a.Often.set")
    longer = index.symbol(file, "a.setting")
    index.reference(longer, often)
    found = [item["qualified_name"] for item in call.results("code.symbol.search", query="set", limit=4)]
    assert found == ["a.Often.set", "a.Rare.set", "a.json.set0", "a.json.set1"]
    assert rare


def test_letters_beyond_ascii_are_compared_without_case(index: SampleIndex, call: Caller) -> None:
    file = index.file("a.py")
    index.symbol(file, "a.Größe")
    index.symbol(file, "a.ÉTÉ")
    assert names(call.results("code.symbol.search", query="größ")) == ["Größe"]
    assert names(call.results("code.symbol.search", query="é")) == ["ÉTÉ"]


def test_as_many_are_found_as_asked_for(index: SampleIndex, call: Caller) -> None:
    file = index.file("a.py")
    for number in range(60):
        index.symbol(file, f"a.thing{number:03}")
    assert len(call.results("code.symbol.search", query="thing")) == 50
    assert len(call.results("code.symbol.search", query="thing", limit=60)) == 60


# -- code.symbol.findDefinition


def test_every_definition_of_a_name_is_listed_code_first(shop: Caller) -> None:
    found = shop.results("code.symbol.findDefinition", symbol_name="compute_total")
    assert files(shop, found) == ["shop/orders/totals.py", "shop/pricing.py", "tools/totals.py", "guide.md"]
    assert files(shop, shop.results("code.symbol.findDefinition", symbol_name="compute_total", kind="Method")) == [
        "tools/totals.py"
    ]


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("pricing.compute_total", "shop/pricing.py"), ("shop.pricing.compute_total", "shop/pricing.py"), ("Totals.compute_total", "tools/totals.py"),
        ("Totals#compute_total", "tools/totals.py"), ("Shelf::lend", "src/shelf.rs"), ("Shelf.lend", "src/shelf.rs"), ("guide.md", "guide.md"),
    ],
)  # fmt: skip
def test_a_dotted_name_resolves_by_its_end(shop: Caller, name: str, path: str) -> None:
    assert files(shop, shop.results("code.symbol.findDefinition", symbol_name=name)) == [path]


def test_an_exact_name_among_hundreds_of_longer_ones_is_found(index: SampleIndex, call: Caller) -> None:
    file = index.file("a.py")
    for number in range(300):
        index.symbol(file, f"a.aa_get{number}")
    index.symbol(file, "a.get", lines=(999, 999))
    assert names(call.results("code.symbol.findDefinition", symbol_name="get")) == ["get"]


def test_a_symbol_in_several_places_has_several_definitions(index: SampleIndex, call: Caller) -> None:
    one, two = index.file("One.cs", "csharp"), index.file("Two.cs", "csharp")
    order = index.symbol(one, "N.Order", lines=(3, 9))
    index.span(order, one, 3, 9)
    index.span(order, two, 1, 5)
    found = call.results("code.symbol.findDefinition", symbol_name="Order")
    assert [(path, item["range"]["start_line"]) for path, item in zip(files(call, found), found, strict=True)] == [
        ("One.cs", 3),
        ("Two.cs", 1),
    ]


def test_definitions_come_in_pages_that_leave_none_out(
    index: SampleIndex, call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(names_tools, "DEFINITIONS_PAGE", 4)
    file = index.file("a.py")
    for line in range(1, 12):
        index.symbol(file, f"a.C{line}.run", lines=(line, line))
    pages = call.pages("code.symbol.findDefinition", symbol_name="run")
    assert [len(page) for page in pages] == [4, 4, 3]
    assert len({item["qualified_name"] for page in pages for item in page}) == 11


def test_an_unknown_name_has_no_definition_and_a_note(shop: Caller) -> None:
    answer = shop.ok("code.symbol.findDefinition", symbol_name="compute_totals")
    assert answer["results"] == []
    assert "code.symbol.search" in answer["note"]


# -- code.symbol.findReferences


def test_references_have_true_lines_and_columns_and_never_those_of_longer_names(shop: Caller) -> None:
    found = shop.results("code.symbol.findReferences", symbol_name="shop.pricing.compute_total", context_path=".")
    assert places(shop, found) == [
        ("shop/orders/checkout.py", 1, 25),
        ("shop/orders/checkout.py", 5, 11),
        ("shop/orders/checkout.py", 5, 33),
    ]
    assert [(item["edge_type"], item["confidence"]) for item in found] == [
        ("imports", "exact"),
        ("calls", "exact"),
        ("calls", "exact"),
    ]


@pytest.mark.parametrize(
    ("context", "where"),
    [
        ("shop/orders/totals.py", "shop/orders/totals.py"), ("shop/pricing.py", "shop/orders/checkout.py"),
        ("shop/orders/checkout.py", "shop/orders/checkout.py"),
        ("shop/orders/other.py", "shop/orders/totals.py"), ("shop/orders", "shop/orders/totals.py"), ("shop/orders/", "shop/orders/totals.py"),
    ],
)  # fmt: skip
def test_of_several_symbols_the_one_nearest_to_the_context_is_meant(shop: Caller, context: str, where: str) -> None:
    answer = shop.ok("code.symbol.findReferences", symbol_name="compute_total", context_path=context)
    assert set(files(shop, answer["results"])) == {where}
    assert "farther away" in answer["note"]


def test_the_whole_repository_as_context_means_all_of_them(shop: Caller) -> None:
    for context in (".", "", str(shop.ctx.root)):
        answer = shop.ok("code.symbol.findReferences", symbol_name="compute_total", context_path=context)
        assert set(files(shop, answer["results"])) == {"shop/orders/checkout.py", "shop/orders/totals.py"}
        assert "4 symbols are meant" in answer["note"]


def test_an_absolute_context_is_taken_when_it_lies_inside(shop: Caller) -> None:
    inside = str(shop.ctx.root / "shop/orders/totals.py")
    assert files(
        shop, shop.results("code.symbol.findReferences", symbol_name="compute_total", context_path=inside)
    ) == ["shop/orders/totals.py"]
    error = shop.error("code.symbol.findReferences", symbol_name="compute_total", context_path="/etc/passwd")
    assert (error["code"], error["parameter"]) == ("path_escape", "context_path")


def test_references_come_in_pages_that_are_whole_together(index: SampleIndex, call: Caller) -> None:
    file = index.file("a.py")
    target = index.symbol(file, "a.target")
    user = index.symbol(file, "a.user")
    for line in range(10):
        index.reference(user, target, line=line, col=line)
    pages = call.pages("code.symbol.findReferences", symbol_name="target", context_path=".", limit=3)
    assert [len(page) for page in pages] == [3, 3, 3, 1]
    assert [item["line"] for page in pages for item in page] == list(range(10))


def test_a_place_that_may_mean_several_symbols_is_listed_once(index: SampleIndex, call: Caller) -> None:
    file = index.file("a.py")
    one, two, user = index.symbol(file, "a.A.run"), index.symbol(file, "a.B.run"), index.symbol(file, "a.user")
    index.reference(user, one, line=7, col=3)
    index.reference(user, two, line=7, col=3)
    assert [
        (item["line"], item["column"])
        for item in call.results("code.symbol.findReferences", symbol_name="run", context_path=".")
    ] == [(7, 3)]


def test_what_another_package_has_is_referred_to_by_its_name(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.py": "import requests\n\ndef load(url):\n    return requests.get(url)\n"}) as caller:
        found = caller.results("code.symbol.findReferences", symbol_name="requests.get", context_path=".")
        assert places(caller, found) == [("a.py", 4, 20)]
        assert (
            caller.ok("code.symbol.findDefinition", symbol_name="requests.get")["note"]
            == "defined outside of the repository: external:python/requests"
        )


# -- code.symbol.getHoverInfo


@pytest.mark.parametrize(
    ("name", "signature", "documentation"),
    [
        ("Discount", "class Discount", "Base discount."), ("apply", "def apply(self, amount: float) -> float", "Reduce it.\n\nBy nothing, here."),
        ("shop.pricing.compute_total", "def compute_total(amounts: list[float], rate=1.0) -> float", None),
        ("shop.pricing", "module shop.pricing", "Prices of things."),
        ("Shelf", "pub struct Shelf", "A shelf."), ("lend", "pub fn lend(&self, n: usize) -> Option<Shelf>", "Lend one."),
        ("sum_of", "static int sum_of(int a, int b)", "Adds\ntwo."), ("Cart", "export class Cart<T> implements Priced", "The cart.\nOf one."),
        ("Priced.price", "price: number", None), ("Cart.price", "price = 0", None), ("guide.md#Guide", "# Guide", None),
    ],
)  # fmt: skip
def test_a_hover_card_shows_signature_and_comment_in_every_language(
    shop: Caller, name: str, signature: str, documentation: str | None
) -> None:
    card = shop.ok("code.symbol.getHoverInfo", symbol_name=name)["result"]
    assert (card["signature"], card["documentation"]) == (signature, documentation)


def test_a_hover_card_has_the_pages_fields(shop: Caller) -> None:
    assert shop.ok("code.symbol.getHoverInfo", symbol_name="checkout", context_path="shop/orders/checkout.py")["result"] == {
        "name": "checkout", "kind": "function", "signature": "def checkout(cart)", "file_path": str(shop.ctx.root / "shop/orders/checkout.py"),
        "start_line": 4, "end_line": 5, "qualified_name": "shop.orders.checkout.checkout", "documentation": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "doc"),
    [
        ("apply", "Reduce it."),
        ("Shelf", "A shelf."),
        ("Cart", "The cart. Of one."),
        ("shop.pricing", "Prices of things."),
        ("Priced", None),
        ("Cart.price", None),
    ],
)
def test_a_described_symbol_has_the_first_paragraph_of_its_documentation(
    shop: Caller, name: str, doc: str | None
) -> None:
    assert shop.ok("get_symbol", node_id=name).get("doc") == doc


def test_a_long_documentation_is_cut_after_a_word_and_holds_no_secret(tmp_path: Path) -> None:
    key = "AKIA" + "IOSFODNN7QWERTYU"
    text = f'def f():\n    """{"word " * 100}\n\n    More.\n    """\n\ndef g():\n    """Takes {key}."""\n'
    with indexed(tmp_path, {"a.py": text}) as caller:
        doc = caller.ok("get_symbol", node_id="f")["doc"]
        assert len(doc) <= 300
        assert doc.endswith("word …")
        assert key not in caller.ok("get_symbol", node_id="g")["doc"]


def test_an_unknown_symbol_has_no_card(shop: Caller) -> None:
    assert shop.ok("code.symbol.getHoverInfo", symbol_name="nonesuch") == {"result": None}


def test_of_several_symbols_the_card_is_the_most_referenced_ones_and_says_so(shop: Caller) -> None:
    answer = shop.ok("code.symbol.getHoverInfo", symbol_name="compute_total")
    assert answer["result"]["qualified_name"] == "shop.pricing.compute_total"
    assert "4 symbols" in answer["note"]
    near = shop.ok("code.symbol.getHoverInfo", symbol_name="compute_total", context_path="tools/totals.py")
    assert near["result"]["qualified_name"] == "tools.totals.Totals.compute_total"


def test_a_source_that_has_changed_or_gone_leaves_what_the_index_knows(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.py": 'def f(x) -> int:\n    """Doc."""\n'}) as caller:
        (caller.ctx.root / "a.py").write_text("\n\n\n")
        assert caller.ok("code.symbol.getHoverInfo", symbol_name="f")["result"]["signature"] == "function f(x) -> int"
        (caller.ctx.root / "a.py").unlink()
        card = caller.ok("code.symbol.getHoverInfo", symbol_name="f")["result"]
        assert (card["signature"], card["documentation"]) == ("function f(x) -> int", None)


# -- code.symbol.getDocumentSymbols


def test_the_symbols_of_a_file_are_nested_or_flat_with_parent(shop: Caller) -> None:
    nested = shop.results("code.symbol.getDocumentSymbols", file_path="shop/pricing.py")
    assert names(nested) == ["Discount", "compute_total"]
    assert names(nested[0]["children"]) == ["apply"]
    assert nested[0]["children"][0] == {
        "name": "apply", "kind": "method", "range": {"start_line": 7, "end_line": 12}, "qualified_name": "shop.pricing.Discount.apply",
    }  # fmt: skip
    flat = shop.results(
        "code.symbol.getDocumentSymbols", file_path=str(shop.ctx.root / "shop/pricing.py"), nested=False
    )
    assert [(item["name"], item.get("parent")) for item in flat] == [
        ("Discount", None),
        ("apply", "shop.pricing.Discount"),
        ("compute_total", None),
    ]


def test_the_component_that_a_file_is_stands_above_what_it_holds(tmp_path: Path) -> None:
    view = '<script setup lang="ts">\nconst order = 1\nfunction refresh() {}\n</script>\n<template><p>{{ order }}</p></template>\n'
    with indexed(tmp_path, {"web/App.vue": view, "web/plain.ts": "export const one = 1\n"}) as caller:
        (component,) = caller.results("code.symbol.getDocumentSymbols", file_path="web/App.vue")
        assert (component["name"], component["kind"], component["range"]) == (
            "App",
            "component",
            {"start_line": 1, "end_line": 5},
        )
        assert names(component["children"]) == ["order", "refresh"]
        flat = caller.results("code.symbol.getDocumentSymbols", file_path="web/App.vue", nested=False)
        assert [(item["name"], item.get("parent")) for item in flat] == [
            ("App", None),
            ("order", "web/App"),
            ("refresh", "web/App"),
        ]
        assert names(caller.results("code.symbol.getDocumentSymbols", file_path="web/plain.ts")) == ["one"]


def test_a_symbol_on_a_later_page_than_its_parent_names_it(shop: Caller) -> None:
    pages = shop.pages("code.symbol.getDocumentSymbols", file_path="shop/pricing.py", limit=1)
    assert [(names(page), page[0].get("parent")) for page in pages] == [
        (["Discount"], None),
        (["apply"], "shop.pricing.Discount"),
        (["compute_total"], None),
    ]


# -- bad input

ASKED = {
    "code.symbol.search": {"query": "x"}, "code.symbol.findDefinition": {"symbol_name": "x"},
    "code.symbol.findReferences": {"symbol_name": "compute_total", "context_path": "."}, "code.symbol.getHoverInfo": {"symbol_name": "compute_total"},
    "code.symbol.getDocumentSymbols": {"file_path": "shop/pricing.py"}, "code.type.definition": {"symbol_name": "compute_total"},
    "code.type.hierarchy": {"symbol_name": "Discount"}, "code.relation.callHierarchy": {"symbol_name": "compute_total"},
    "code.relation.inheritanceChain": {"symbol_name": "Discount"}, "code.relation.importDependencies": {"file_path": "shop/pricing.py"},
}  # fmt: skip


def test_the_toolsets_are_these_tools_and_all_of_them_only_read() -> None:
    lens = {name: tool for name, tool in CATALOGUE.items() if tool.toolset in ("lens", "hierarchy")}
    assert lens.keys() == ASKED.keys()
    assert all(tool.annotations["readOnlyHint"] for tool in lens.values())


@pytest.mark.parametrize("tool", ASKED)
def test_nonsense_is_a_coded_error_or_an_empty_answer_and_never_a_bug(shop: Caller, tool: str) -> None:
    first = next(iter(ASKED[tool]))
    for text in (
        "",
        " ",
        ".",
        "::",
        "%_%",
        "'; DROP TABLE symbols; --",
        '"',
        "a" * 900,
        "\u00e9\u4e2d",
        "..",
        "#",
        "-1",
        "*",
        "NEAR(",
        "\x01",
    ):
        answer = shop.answer(tool, **(ASKED[tool] | {first: text}))
        assert not answer.is_error or answer.structured["error"]["code"] in (
            "not_found",
            "invalid_parameter",
            "path_escape",
        ), (text, answer.text)


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "parameter"),
    [
        ("code.symbol.search", {"query": "  "}, "invalid_parameter", "query"), ("code.symbol.search", {"query": "x" * 1_001}, "too_large", "query"),
        ("code.symbol.search", {"kind": "klass"}, "invalid_parameter", "kind"), ("code.symbol.search", {"limit": 0}, "invalid_parameter", "limit"),
        ("code.symbol.search", {"limit": 501}, "invalid_parameter", "limit"), ("code.symbol.search", {"prefix_mode": 1}, "invalid_parameter", "prefix_mode"),
        ("code.symbol.findDefinition", {"kind": "klass"}, "invalid_parameter", "kind"),
        ("code.symbol.findDefinition", {"cursor": "x"}, "invalid_parameter", "cursor"),
        ("code.symbol.findReferences", {"symbol_name": "nonesuch"}, "not_found", "symbol_name"),
        ("code.symbol.findReferences", {"context_path": "../x"}, "path_escape", "context_path"),
        ("code.symbol.findReferences", {"context_path": "nowhere.py"}, "not_found", "context_path"),
        ("code.symbol.findReferences", {"context_path": None}, "invalid_parameter", "context_path"),
        ("code.symbol.findReferences", {"limit": 501}, "invalid_parameter", "limit"),
        ("code.symbol.getHoverInfo", {"context_path": "nowhere"}, "not_found", "context_path"),
        ("code.symbol.getHoverInfo", {"symbol_name": ["x"]}, "invalid_parameter", "symbol_name"),
        ("code.symbol.getDocumentSymbols", {"file_path": "nowhere.py"}, "not_found", "file_path"),
        ("code.symbol.getDocumentSymbols", {"file_path": "/etc/passwd"}, "path_escape", "file_path"),
        ("code.symbol.getDocumentSymbols", {"file_path": "shop"}, "not_found", "file_path"),
        ("code.type.definition", {"symbol_name": "nonesuch"}, "not_found", "symbol_name"),
        ("code.type.hierarchy", {"symbol_name": "compute_total"}, "invalid_parameter", "symbol_name"),
        ("code.type.hierarchy", {"depth": 6}, "invalid_parameter", "depth"), ("code.type.hierarchy", {"direction": "up"}, "invalid_parameter", "direction"),
        ("code.relation.callHierarchy", {"depth": 0}, "invalid_parameter", "depth"),
        ("code.relation.callHierarchy", {"direction": "both"}, "invalid_parameter", "direction"),
        ("code.relation.inheritanceChain", {"symbol_name": "nonesuch"}, "not_found", "symbol_name"),
        ("code.relation.importDependencies", {"file_path": "nowhere.py"}, "not_found", "file_path"),
        ("code.relation.importDependencies", {"file_path": "external:python/nothing"}, "not_found", "file_path"),
    ],
)  # fmt: skip
def test_bad_input_is_a_coded_error_with_parameter_and_remedy(
    shop: Caller, tool: str, arguments: dict[str, Any], code: str, parameter: str
) -> None:
    error = shop.error(tool, **(ASKED[tool] | arguments))
    assert (error["code"], error["parameter"]) == (code, parameter)
    assert error["remedy"]


def test_a_cursor_of_another_question_is_refused(index: SampleIndex, call: Caller) -> None:
    file = index.file("a.py")
    target, user = index.symbol(file, "a.target"), index.symbol(file, "a.user")
    for line in range(5):
        index.reference(user, target, line=line)
    cursor = call.ok("code.symbol.findReferences", symbol_name="target", context_path=".", limit=2)["next_cursor"]
    assert (
        call.error("code.symbol.findReferences", symbol_name="target", context_path="a.py", cursor=cursor)["parameter"]
        == "context_path"
    )
    assert (
        call.error("code.symbol.findReferences", symbol_name="user", context_path=".", cursor=cursor)["parameter"]
        == "cursor"
    )
