"""Edges between the repositories of a workspace, as clients of the tools see them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import msgspec
import pytest

from codeagentd.federation import symbol_links
from codeagentd.federation.workspace import Workspace
from codeagentd.toolkit.call import Answer
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.asking import ask
from tests.harness.federated import Workbench, workbench

CATALOGUE = load("codeagentd.tools")

PRICES = {
    "pyproject.toml": '[project]\nname = "prices"\nversion = "1.2.0"\n',
    "prices/__init__.py": "from prices.tariff import Tariff, price\n",
    "prices/tariff.py": "class Tariff:\n    def apply(self, amount):\n        return amount\n\n\ndef price(amount):\n    return Tariff().apply(amount)\n",
    "tests/test_tariff.py": "from prices import price\n\n\ndef test_price():\n    assert price(1) == 1\n",
}
SHOP = {
    "requirements.txt": "prices==1.2.0\n",
    "shop/checkout.py": "from prices import price\n\n\ndef checkout(cart):\n    return [price(one) for one in cart]\n\n\ndef lonely():\n    pass\n",
    "shop/web.py": "from shop.checkout import checkout\n\n\ndef view(request):\n    return checkout(request.cart)\n",
}
TILL = {
    "requirements.txt": "prices==0.9\n",
    "till.py": "import prices.tariff\n\n\nclass Weekend(prices.tariff.Tariff):\n    pass\n\n\ndef ring(amount):\n    return prices.tariff.price(amount)\n",
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with workbench(tmp_path_factory.mktemp("edges")) as found:
        found.repository("prices", PRICES, members=["../shop", "../till"])
        found.repository("till", TILL)
        found.repository("shop", SHOP, members=["../prices", "../till"])
        yield found


@pytest.fixture(scope="module")
def shop(bench: Workbench) -> Iterator[Context]:
    with bench.context(bench.base / "shop") as found:
        yield found


@pytest.fixture(scope="module")
def prices(bench: Workbench) -> Iterator[Context]:
    with bench.context(bench.base / "prices") as found:
        yield found


def ends(answer: Answer, field: str = "neighbors") -> set[tuple[str, str]]:
    return {(one["label"], one["file"]) for one in answer.structured[field]}


def test_callers_in_other_repositories_are_callers(prices: Context) -> None:
    answer = ask(prices, "find_callers", label="price")
    assert ends(answer) >= {
        ("checkout()", "shop::shop/checkout.py"),
        ("ring()", "till::till.py"),
        ("test_price()", "tests/test_tariff.py"),
    }


def test_an_edge_is_as_sure_as_the_versions_agree(prices: Context) -> None:
    sure = {
        one["label"]: one["confidence"] for one in ask(prices, "find_callers", label="price").structured["neighbors"]
    }
    assert (sure["checkout()"], sure["ring()"]) == ("EXTRACTED", "INFERRED")


def test_another_version_is_told(prices: Context) -> None:
    assert (
        "prices has 1.2.0 of prices, till uses 0.9: edges between them are inferred"
        in ask(prices, "find_callers", label="price").structured["note"]
    )


def test_a_callee_in_another_repository_is_its_definition(shop: Context) -> None:
    [callee] = ask(shop, "find_callees", label="checkout").structured["neighbors"]
    assert (callee["label"], callee["file"], callee["line"]) == ("price()", "prices::prices/tariff.py", 6)
    assert ask(shop, "get_node", label=callee["id"]).structured["source_file"] == "prices::prices/tariff.py"


def test_what_a_change_reaches_does_not_end_at_the_repository(prices: Context) -> None:
    answer = ask(prices, "affected", label="Tariff")
    hops = {
        one["label"]: one["depth"]
        for one in answer.structured["affected"]
        if "::" in one["file"] and one["via_relation"] != "imports"
    }
    assert hops == {"checkout()": 2, "view()": 3, "Weekend": 1, "ring()": 2}


def test_a_path_leads_through_repositories(shop: Context) -> None:
    answer = ask(shop, "shortest_path", source="view", target="till::ring")
    assert answer.rendered.splitlines()[0] == "view() -> checkout() -> price() -> ring() (3 hops)"


def test_a_question_finds_what_another_repository_has(shop: Context) -> None:
    answer = ask(shop, "query_graph", question="which tariff does a checkout apply")
    files = {one["label"]: one["source_file"] for one in answer.structured["nodes"]}
    assert files["Tariff"] == "prices::prices/tariff.py"
    assert files["checkout()"] == "shop/checkout.py"
    assert ("checkout()", "price()") in {(one["source"], one["target"]) for one in answer.structured["edges"]}


@pytest.mark.parametrize("label", ["prices::price", "prices::price()", "prices::prices.tariff.price", "prices.price"])
def test_a_label_may_say_which_repository_is_meant(shop: Context, label: str) -> None:
    assert ask(shop, "get_node", label=label).structured["source_file"] == "prices::prices/tariff.py"


def test_a_label_that_only_another_repository_has_is_found_there(shop: Context) -> None:
    answer = ask(shop, "get_source", label="Weekend")
    assert answer.structured["source_file"] == "till::till.py"
    assert answer.structured["source"] == "class Weekend(prices.tariff.Tariff):\n    pass"


def test_the_own_repository_has_a_name_too(shop: Context) -> None:
    assert ask(shop, "get_node", label="shop::checkout").structured["source_file"] == "shop/checkout.py"


def test_a_repository_that_has_no_such_node_says_so(shop: Context) -> None:
    assert ask(shop, "get_node", label="till::zeppelin").rendered == "No node matches 'till::zeppelin'."


def test_another_version_of_what_is_not_in_the_answer_is_not_told(shop: Context) -> None:
    assert (
        ask(shop, "find_callees", label="checkout").structured["note"]
        == "no daemon keeps prices up to date: what is told is as of the last one"
    )


def test_a_name_that_several_repositories_have_is_answered_with_all_of_them(bench: Workbench) -> None:
    for name in ("one", "two"):
        bench.repository(name, {"a.py": "def twin():\n    pass\n"})
    with bench.context(bench.repository("none", {"b.py": "x = 1\n"}, members=["../one", "../two"])) as ctx:
        found = ask(ctx, "get_source", label="twin").structured["candidates"]
        assert [candidate["file"] for candidate in found] == ["one::a.py", "two::a.py"]
        assert ask(ctx, "get_source", label=found[1]["id"]).structured["source"] == "def twin():\n    pass"


def test_neighbours_come_from_both_sides(prices: Context) -> None:
    found = ask(prices, "get_neighbors", label="Tariff", relation_filter="inherits").structured["neighbors"]
    assert [(one["label"], one["direction"]) for one in found] == [("Weekend", "in")]


def test_an_edit_breaks_what_other_repositories_call(prices: Context) -> None:
    answer = ask(prices, "predict_edit", symbol="price", kind="visibility", depth=1)
    assert {("checkout()", "shop::shop/checkout.py"), ("ring()", "till::till.py")} <= ends(answer, "will_break")


def with_a_new_workspace(ctx: Context) -> Context:
    """The same index, of whose members nothing is known yet."""
    return msgspec.structs.replace(ctx, workspace=Workspace(ctx.root, ()))


def test_what_takes_too_long_is_told_and_found_when_asked_again(shop: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    ctx = with_a_new_workspace(shop)
    with monkeypatch.context() as patch:
        patch.setattr(symbol_links, "MEMBERS_DEADLINE_S", -1.0)
        answer = ask(ctx, "find_callees", label="checkout").structured
        assert [one["file"] for one in answer["neighbors"]] == ["external:python/prices@1.2.0"]
        assert "what is used of prices, till, shop is not known in full yet: ask again" in answer["note"]
    answer = ask(ctx, "find_callees", label="checkout").structured
    assert [one["file"] for one in answer["neighbors"]] == ["prices::prices/tariff.py"]


def test_many_may_ask_at_once(shop: Context) -> None:
    ctx = with_a_new_workspace(shop)
    with ThreadPoolExecutor(8) as pool:
        told = set(pool.map(lambda _: ask(ctx, "find_callees", label="checkout").rendered, range(40)))
    assert len(told) == 1
