"""Symbol and navigation tools over an index: shapes, pages, bad input."""

from __future__ import annotations

from typing import Any

import pytest

from codeagentd.model.kinds import ReferenceKind, SymbolKind
from codeagentd.tools.symbols import search_symbols, symbol
from tests.unit.query.sample_index import SampleIndex
from tests.unit.tools.surroundings import CATALOGUE, Caller


@pytest.fixture
def shop(index: SampleIndex) -> dict[str, str]:
    """The shop's symbols: name -> node id."""
    pricing, checkout = index.file("shop/pricing.py"), index.file("shop/orders/checkout.py", status="partial")
    module = index.symbol(pricing, "shop.pricing", SymbolKind.MODULE, lines=(1, 5))
    total = index.symbol(
        pricing, "shop.pricing.compute_total", lines=(4, 5), parent=module, signature="(amounts)", parameters=1
    )
    orders = index.symbol(checkout, "shop.orders.checkout", SymbolKind.MODULE, lines=(1, 9))
    cart = index.symbol(checkout, "shop.orders.checkout.checkout_cart", lines=(4, 5), parent=orders, access="")
    index.reference(orders, total, ReferenceKind.IMPORT, 1, 25)
    index.reference(cart, total, ReferenceKind.CALL, 5, 11)
    return {"total": index.node_id(total), "cart": index.node_id(cart), "module": index.node_id(module)}


def test_search_finds_a_symbol_with_the_contracts_shape(call: Caller, shop: dict[str, str]) -> None:
    (hit,) = call.results("search_symbols", query="compute_total")
    assert hit.pop("rank") < 0
    assert hit == {
        "node_id": shop["total"], "name": "compute_total", "qualified_name": "shop.pricing.compute_total", "node_type": "function", "language": "python",
        "file_path": "shop/pricing.py", "line_start": 4, "line_end": 5, "access_modifier": "public", "parameter_signature": "(amounts)",
    }  # fmt: skip


@pytest.mark.usefixtures("shop")
def test_lookup_has_the_shape_of_search_without_a_rank(call: Caller) -> None:
    (hit,) = call.results("lookup_symbol", qualified_name="shop.pricing.compute_total")
    assert "rank" not in hit
    assert call.results("lookup_symbol", qualified_name="compute_total") == []


@pytest.mark.usefixtures("shop")
def test_an_empty_answer_says_what_it_means(call: Caller) -> None:
    exactly = "nothing has exactly this qualified name; search_symbols finds names and parts of them"
    unknown = "no rust is indexed; get_status lists the languages"
    assert call.ok("lookup_symbol", qualified_name="compute_total") == {"results": [], "note": exactly}
    assert call.ok("lookup_symbol", qualified_name="shop.pricing.compute_total", language="rust") == {
        "results": [],
        "note": unknown,
    }
    assert call.ok("search_symbols", query="compute_total", language="rust") == {"results": [], "note": unknown}
    assert call.ok("search_symbols", query="zzqqxx") == {"results": []}
    assert call.error("search_symbols", query=" ")["message"] == "query is empty"


@pytest.mark.usefixtures("shop")
def test_an_unknown_project_is_told_those_that_have_files(call: Caller) -> None:
    assert call.error("search_symbols", query="x", project_id="y")["projects"] == ["python:."]


def test_a_symbol_is_described_by_id_or_name(call: Caller, shop: dict[str, str]) -> None:
    found = call.ok("get_symbol", node_id=shop["total"])
    assert found == call.ok("get_symbol", node_id="compute_total")
    assert found == {
        "node_id": shop["total"], "name": "compute_total", "qualified_name": "shop.pricing.compute_total", "node_type": "function", "language": "python",
        "project_id": "python:.", "file_path": "shop/pricing.py", "line_start": 4, "line_end": 5, "access_modifier": "public", "is_public_api": False,
        "is_static": False, "is_abstract": False, "is_async": False, "is_override": False, "is_deprecated": False, "has_doc_comment": False,
        "parse_status": "full", "reference_count": 2, "parameter_signature": "(amounts)", "parameter_count": 1,
    }  # fmt: skip


def test_an_outline_lists_a_files_symbols(call: Caller, shop: dict[str, str]) -> None:
    answer = call.ok("get_file_outline", path="shop/orders/../pricing.py")
    assert answer == {
        "results": [
            {
                "node_id": shop["total"], "name": "compute_total", "qualified_name": "shop.pricing.compute_total", "node_type": "function",
                "line_start": 4, "line_end": 5, "access_modifier": "public", "parameter_signature": "(amounts)",
            }
        ]
    }  # fmt: skip
    assert call.ok("get_file_outline", path="shop/orders/checkout.py")["parse_status"] == "partial"


def test_callers_callees_and_references_name_their_places(call: Caller, shop: dict[str, str]) -> None:
    (caller,) = call.results("get_callers", node_id=shop["total"])
    assert caller == {
        "node_id": shop["cart"], "name": "checkout_cart", "qualified_name": "shop.orders.checkout.checkout_cart", "node_type": "function",
        "file_path": "shop/orders/checkout.py", "line_start": 4, "line_end": 5, "edge_type": "calls", "confidence": "exact", "origin": "scope",
        "sites": [{"file_path": "shop/orders/checkout.py", "line": 5, "column": 11}],
    }  # fmt: skip
    (callee,) = call.results("get_callees", node_id="checkout_cart")
    assert (callee["node_id"], callee["sites"]) == (shop["total"], caller["sites"])
    assert {item["edge_type"] for item in call.results("get_references", node_id=shop["total"])} == {"calls", "imports"}


def test_dependencies_and_dependents_say_their_direction(call: Caller, shop: dict[str, str]) -> None:
    outgoing = call.results("get_dependencies", node_id=shop["module"])
    assert [(item["name"], item["edge_type"], item["direction"]) for item in outgoing] == [
        ("compute_total", "contains", "outgoing")
    ]
    incoming = call.results("get_dependents", node_id=shop["total"])
    assert {(item["edge_type"], item["direction"]) for item in incoming} == {
        ("calls", "incoming"),
        ("imports", "incoming"),
        ("contains", "incoming"),
    }
    (only,) = call.results("get_dependents", node_id=shop["total"], edge_type="imports")
    assert only["edge_type"] == "imports"


def test_a_spanless_symbol_has_one_place(call: Caller, shop: dict[str, str]) -> None:
    assert call.results("get_source_spans", node_id=shop["total"]) == [
        {"file_path": "shop/pricing.py", "line_start": 4, "line_end": 5, "is_primary": True}
    ]


@pytest.mark.parametrize(
    "tool",
    [
        "get_symbol",
        "get_source_spans",
        "get_callers",
        "get_callees",
        "get_implementations",
        "get_references",
        "get_dependencies",
        "get_dependents",
    ],
)
def test_unknown_ids_are_not_found(call: Caller, shop: dict[str, str], tool: str) -> None:
    error = call.error(tool, node_id="no-such-node")
    assert (error["code"], error["parameter"]) == ("not_found", "node_id")
    assert "search_symbols" in error["remedy"]
    assert not call.answer(tool, node_id=shop["total"]).is_error


@pytest.mark.usefixtures("shop")
@pytest.mark.parametrize(
    ("tool", "arguments", "code", "parameter"),
    [
        ("search_symbols", {"query": '"*'}, "invalid_parameter", "query"), ("search_symbols", {"query": 5}, "invalid_parameter", "query"),
        ("search_symbols", {}, "invalid_parameter", "query"), ("search_symbols", {"query": "x" * 1_001}, "too_large", "query"),
        ("search_symbols", {"query": "\ud800"}, "invalid_parameter", "query"), ("search_symbols", {"query": "a\0"}, "invalid_parameter", "query"),
        ("search_symbols", {"query": "x", "limit": 0}, "invalid_parameter", "limit"),
        ("search_symbols", {"query": "x", "limit": 51}, "invalid_parameter", "limit"),
        ("search_symbols", {"query": "x", "limit": 1.5}, "invalid_parameter", "limit"),
        ("search_symbols", {"query": "x", "limit": True}, "invalid_parameter", "limit"),
        ("search_symbols", {"query": "x", "limit": "9"}, "invalid_parameter", "limit"),
        ("search_symbols", {"query": "x", "limit": 1e300}, "invalid_parameter", "limit"),
        ("search_symbols", {"query": "x", "node_type": "blob"}, "invalid_parameter", "node_type"),
        ("search_symbols", {"query": "x", "language": "pyhton"}, "invalid_parameter", "language"),
        ("search_symbols", {"query": "x", "langauge": "python"}, "invalid_parameter", "langauge"),
        ("get_callers", {"node_id": "compute_total", "limit": 501}, "invalid_parameter", "limit"),
        ("get_callers", {"node_id": "compute_total", "cursor": "tampered"}, "invalid_parameter", "cursor"),
        ("get_callers", {"node_id": "compute_total", "cursor": "%%%"}, "invalid_parameter", "cursor"),
        ("get_dependents", {"node_id": "compute_total", "edge_type": "likes"}, "invalid_parameter", "edge_type"),
        ("get_file_outline", {"path": "../x.py"}, "path_escape", "path"), ("get_file_outline", {"path": "nowhere.py"}, "not_found", "path"),
        ("get_file_outline", {"path": "shop/pricing.py", "limit": 1_001}, "invalid_parameter", "limit"),
        ("get_file_outline", {"path": {}}, "invalid_parameter", "path"), ("get_symbol", {"node_id": ""}, "not_found", "node_id"),
        ("lookup_symbol", {"qualified_name": "x", "project_id": "none"}, "not_found", "project_id"), ("get_status", {"x": 1}, "invalid_parameter", "x"),
    ],
)  # fmt: skip
def test_bad_input_is_a_coded_error_with_parameter_and_remedy(
    call: Caller, tool: str, arguments: dict[str, Any], code: str, parameter: str
) -> None:
    error = call.error(tool, **arguments)
    assert (error["code"], error["parameter"]) == (code, parameter)
    assert error["remedy"]


@pytest.mark.usefixtures("shop")
def test_errors_name_the_range_and_the_valid_names(call: Caller) -> None:
    assert call.error("search_symbols", query="x", limit=99)["remedy"] == "pass an integer from 1 to 50"
    assert "python" in call.error("search_symbols", query="x", language="pyhton")["remedy"]
    assert "project_id" in call.error("search_symbols", query="x", project="y")["remedy"]


@pytest.mark.usefixtures("shop")
def test_integral_floats_and_nulls_for_optional_parameters_are_accepted(call: Caller) -> None:
    assert call.results("search_symbols", query="compute_total", limit=5.0, language=None, project_id=None)


def test_every_paged_list_is_whole_when_its_pages_are_put_together(
    index: SampleIndex, call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_symbols, "LOOKUP_PAGE", 4)
    monkeypatch.setattr(symbol, "SPANS_PAGE", 4)
    file, other = index.file("shop/pricing.py"), index.file("shop/orders/checkout.py")
    module = index.symbol(file, "m", SymbolKind.MODULE)
    target = index.symbol(file, "m.target", lines=(1, 2), parent=module)
    for number in range(10):
        user = index.symbol(
            file, "m.same", lines=(5 + number // 3, 50 + number // 2), parent=module, discriminator=str(number)
        )
        index.reference(user, target)
        index.reference(target, user)
        index.span(target, other, number, number)
    lists = {
        "get_callers": {"node_id": "m.target", "limit": 3}, "get_callees": {"node_id": "m.target", "limit": 3},
        "get_references": {"node_id": "m.target", "limit": 3}, "get_dependents": {"node_id": "m.target", "limit": 3},
        "get_dependencies": {"node_id": "m", "limit": 3}, "get_file_outline": {"path": "shop/pricing.py", "limit": 3},
        "lookup_symbol": {"qualified_name": "m.same"}, "get_source_spans": {"node_id": "m.target"},
    }  # fmt: skip
    for tool, arguments in lists.items():
        pages = call.pages(tool, **arguments)
        items = [str(item) for page in pages for item in page]
        assert len(pages) >= 3, tool
        assert len(set(items)) == len(items) >= 10, tool
        whole = arguments | ({"limit": 500} if "limit" in arguments else {})
        if "limit" in arguments:
            assert items == [str(item) for item in call.results(tool, **whole)], tool


def test_a_cursor_of_another_question_is_refused(index: SampleIndex, call: Caller) -> None:
    file = index.file("a.py")
    target = index.symbol(file, "a.target")
    for line in range(2, 9):
        index.reference(index.symbol(file, f"a.u{line}", lines=(line, line)), target)
    cursor = call.ok("get_callers", node_id="a.target", limit=2)["next_cursor"]
    for tool, node in (("get_references", "a.target"), ("get_callers", "a.u2")):
        error = call.error(tool, node_id=node, cursor=cursor)
        assert (error["code"], error["parameter"], error["remedy"]) == (
            "invalid_parameter",
            "cursor",
            "start again without a cursor",
        )
    assert call.results("get_callers", node_id="a.target", limit=5, cursor=cursor)


def test_every_tool_of_the_contract_is_in_the_catalogue() -> None:
    wanted = {
        "list_directory", "read_file", "get_directory_tree", "search_symbols", "lookup_symbol", "get_symbol", "get_source_spans", "get_file_outline",
        "get_callers", "get_callees", "get_implementations", "get_references", "get_dependencies", "get_dependents", "index_files", "get_status",
    }  # fmt: skip
    assert wanted <= CATALOGUE.keys()
