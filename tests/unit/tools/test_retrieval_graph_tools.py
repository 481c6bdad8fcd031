"""The other tools of page 003 as clients call them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.errors import InvalidParameter, NotFound
from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from codeagentd.tools.retrieval.describe import describe_symbol
from codeagentd.tools.retrieval.engine import healthcheck, index_stats
from codeagentd.tools.retrieval.explain import explain_code
from codeagentd.tools.retrieval.graph import architecture_overview, impact_of, path_between
from codeagentd.tools.retrieval.symbols import find_refs, find_symbol
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
ENVELOPE = {"schema_version", "tool", "index", "results", "recommended_reads"}
CALLS: dict[str, dict[str, Any]] = {
    "healthcheck": {}, "search_code": {"query": "price"}, "find_symbol": {"name": "price"}, "find_refs": {"symbol": "price"},
    "impact_of": {"target": "price"}, "explain_code": {"query": "price"}, "architecture_overview": {}, "describe_symbol": {"symbol": "price"},
    "path_between": {"source": "price", "target": "view"}, "index_stats": {},
}  # fmt: skip

FILES = {
    "shop/prices.py": '''class Tariff:
    def __init__(self, rate):
        self.rate = rate

    def apply(self, amount):
        return amount * self.rate


class Discount(Tariff):
    pass


def price(amount):
    """What an amount costs. With taxes."""
    token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    return Tariff(2).apply(amount)


def Price(amount):
    return price(amount)


def list_price(amount):
    return price(amount)
''',
    "shop/checkout.py": "from shop.prices import price\n\n\ndef checkout(cart):\n    return sum(price(amount) for amount in cart)\n",
    "shop/web.py": "from shop.checkout import checkout\n\n\ndef view(request):\n    return checkout(request.cart)\n",
    "tests/test_web.py": "from shop.web import view\nfrom island.alone import alone\n\n\ndef test_view():\n    view(alone())\n\n\ndef price():\n    pass\n",
    "island/alone.py": "def alone():\n    return 1\n\n\ndef step(x):\n    return x.step()\n",
    "island/one.py": "class One:\n    def step(self):\n        pass\n",
    "island/two.py": "class Two:\n    def step(self):\n        pass\n",
    "README.md": "# The shop\n\nSells things.\n",
    "uv.lock": "version = 1\n",
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("graph"), FILES) as found:
        yield found


@pytest.mark.parametrize("tool", CALLS)
def test_every_answer_has_the_envelope_and_every_error_has_it_too(tool: str, ctx: Context) -> None:
    arguments = {
        name: f"shop.prices.{value}" if name in ("symbol", "target", "source") and value == "price" else value
        for name, value in CALLS[tool].items()
    }
    good, bad = run(CATALOGUE[tool], ctx, arguments), run(CATALOGUE[tool], ctx, {"nonsense": 1})
    assert not good.is_error
    assert good.structured.keys() >= ENVELOPE
    assert bad.is_error
    assert bad.structured.keys() == ENVELOPE | {"error"}
    for answer in (good, bad):
        assert (
            answer.structured["schema_version"],
            answer.structured["tool"],
            answer.structured["index"]["exists"],
        ) == (1, tool, True)


def test_a_name_is_found_exactly_then_in_other_case_then_by_its_words_and_tests_come_last(ctx: Context) -> None:
    found = [(hit.qualified_name, hit.reason) for hit in find_symbol(ctx, "price").results]
    assert found == [
        ("shop.prices.price", "exact name"),
        ("tests.test_web.price", "exact name"),
        ("shop.prices.Price", "the name in other case"),
        ("shop.prices", "words of the name"),
        ("shop.prices.list_price", "words of the name"),
    ]


def test_names_are_found_by_a_part_by_words_and_by_kind(ctx: Context) -> None:
    assert [hit.name for hit in find_symbol(ctx, "iscoun").results] == ["Discount"]
    assert [hit.name for hit in find_symbol(ctx, "price list").results] == ["list_price"]
    assert [hit.name for hit in find_symbol(ctx, "Tariff.apply").results] == ["apply"]
    assert [hit.kind for hit in find_symbol(ctx, "price", kind="module").results] == ["module"]
    assert find_symbol(ctx, "zeppelin").results == []


@pytest.mark.parametrize("name", ['"', "AND", "a AND (b", "name:price", "price*", "x" * 900, "^", "NEAR(", "\t\n x"])
def test_no_name_is_a_syntax_error(name: str, ctx: Context) -> None:
    assert find_symbol(ctx, name).tool == "find_symbol"


def test_pages_of_definitions_follow_one_another(ctx: Context) -> None:
    whole = find_symbol(ctx, "price").results
    first = find_symbol(ctx, "price", limit=2)
    second = find_symbol(ctx, "price", limit=50, cursor=first.next_cursor)
    assert [*first.results, *second.results] == whole
    assert not second.next_cursor
    with pytest.raises(InvalidParameter, match="cursor"):
        find_symbol(ctx, "other", cursor=first.next_cursor)


def test_references_have_their_places_and_say_how_far_they_are_all(ctx: Context) -> None:
    answer = find_refs(ctx, "shop.prices.price")
    assert [(site.path, site.line, site.column, site.kind) for site in answer.sites] == [
        ("shop/checkout.py", 1, 24, "imports"), ("shop/checkout.py", 5, 15, "calls"), ("shop/prices.py", 20, 11, "calls"), ("shop/prices.py", 24, 11, "calls"),
    ]  # fmt: skip
    assert answer.coverage.partial
    assert "python" in answer.coverage.reason
    assert [one.language for one in answer.coverage.languages] == ["python"]


def test_pages_of_references_follow_one_another(ctx: Context) -> None:
    whole = find_refs(ctx, "shop.prices.price").sites
    first = find_refs(ctx, "shop.prices.price", limit=3)
    assert [*first.sites, *find_refs(ctx, "shop.prices.price", cursor=first.next_cursor).sites] == whole


@pytest.mark.parametrize(
    ("tool", "parameter"), [("describe_symbol", "symbol"), ("impact_of", "target"), ("path_between", "source")]
)
def test_an_ambiguous_name_is_refused_with_candidates_under_the_parameters_own_name(
    tool: str, parameter: str, ctx: Context
) -> None:
    error = run(CATALOGUE[tool], ctx, {**CALLS[tool], parameter: "step"}).structured["error"]
    assert (error["code"], error["parameter"]) == ("invalid_parameter", parameter)
    assert error["message"].startswith(f"{parameter}: 3 symbols")
    assert {one["qualified_name"] for one in error["candidates"]} == {
        "island.alone.step",
        "island.one.One.step",
        "island.two.Two.step",
    }


@pytest.mark.parametrize("tool", ["find_refs", "describe_symbol", "impact_of", "path_between"])
def test_a_name_that_tests_have_too_means_the_product_and_the_note_says_so(tool: str, ctx: Context) -> None:
    answer = run(CATALOGUE[tool], ctx, CALLS[tool])
    assert (
        "also called 'price', and not meant: tests.test_web.price (function, tests/test_web.py:9"
        in answer.structured["note"]
    )


def test_references_to_a_name_of_several_definitions_are_listed_one_definition_after_the_other(ctx: Context) -> None:
    whole = find_refs(ctx, "step")
    assert [site.of for site in whole.sites] == ["island.one.One.step", "island.two.Two.step"]
    assert whole.note.startswith("3 definitions are called 'step', answered one after the other: island.alone.step")
    pages = [first := find_refs(ctx, "step", limit=1), find_refs(ctx, "step", limit=1, cursor=first.next_cursor)]
    assert [site for page in pages for site in page.sites] == whole.sites


def test_what_refers_to_a_file_from_outside_is_what_refers_to_anything_in_it(ctx: Context) -> None:
    found = {(site.path, site.kind) for site in find_refs(ctx, "shop/prices.py").sites}
    assert ("shop/checkout.py", "calls") in found
    assert "shop/prices.py" not in {path for path, _ in found}


def test_unknown_names_and_files_are_not_found(ctx: Context) -> None:
    for ask in (
        lambda: find_refs(ctx, "zeppelin"),
        lambda: impact_of(ctx, "shop/none.py"),
        lambda: path_between(ctx, "view", "../shop/web.py"),
    ):
        with pytest.raises(NotFound):
            ask()


def test_a_file_without_symbols_is_refused_under_the_parameters_own_name(ctx: Context) -> None:
    with pytest.raises(NotFound) as caught:
        impact_of(ctx, "uv.lock")
    assert caught.value.facts["parameter"] == "target"


def test_impact_follows_dependents_by_distance(ctx: Context) -> None:
    answer = impact_of(ctx, "shop.prices.price", depth=3)
    far = {node.name: (node.distance, node.via_edge) for node in answer.nodes if node.kind == "function"}
    assert far["shop.checkout.checkout"] == (1, "calls")
    assert far["shop.web.view"] == (2, "calls")
    assert far["tests.test_web.test_view"] == (3, "calls")
    assert answer.files[-1] == "tests/test_web.py"
    assert [node.distance for node in answer.nodes] == sorted(node.distance for node in answer.nodes)


def test_impact_of_a_type_begins_with_its_members_and_that_of_a_file_with_all_in_it(ctx: Context) -> None:
    assert {node.name for node in impact_of(ctx, "Tariff", depth=1).nodes} == {
        "shop.prices.Discount",
        "shop.prices.price",
    }
    assert {node.path for node in impact_of(ctx, "shop/prices.py", depth=1).nodes} == {"shop/checkout.py"}


def test_impact_downwards_is_what_a_symbol_rests_on(ctx: Context) -> None:
    down = {node.name for node in impact_of(ctx, "checkout.checkout", direction="down").nodes}
    both = {(node.name, node.direction) for node in impact_of(ctx, "checkout.checkout", direction="both").nodes}
    assert {"shop.prices.price", "shop.prices.Tariff.apply"} <= down
    assert {("shop.prices.price", "down"), ("shop.web.view", "up")} <= both


def test_an_ambiguous_edge_is_listed_as_such_and_not_followed(ctx: Context) -> None:
    answer = impact_of(ctx, "One.step", depth=5)
    assert [(node.name, node.via_confidence) for node in answer.nodes] == [("island.alone.step", "ambiguous")]
    assert "ambiguous" in answer.coverage.reason


def test_what_is_cut_or_missing_is_said(ctx: Context) -> None:
    cut = impact_of(ctx, "shop.prices.price", depth=3, limit=1)
    assert (len(cut.nodes), cut.total_nodes > 1) == (1, True)
    assert "the first 1 of" in cut.note
    assert "nothing is known to depend on it" in impact_of(ctx, "Price").note


def test_a_path_tells_the_direction_of_each_step(ctx: Context) -> None:
    forth, back = path_between(ctx, "view", "shop.prices.price"), path_between(ctx, "shop.prices.price", "view")
    assert [node.name for node in forth.nodes] == ["shop.web.view", "shop.checkout.checkout", "shop.prices.price"]
    assert [(step.edge_type, step.direction) for step in forth.steps] == [("calls", "forward")] * 2
    assert [(step.edge_type, step.direction) for step in back.steps] == [("calls", "backward")] * 2
    assert (forth.found, forth.hops) == (True, 2)


def test_a_path_leads_through_tests_only_if_there_is_no_other(ctx: Context) -> None:
    assert "tests.test_web" in path_between(ctx, "alone.alone", "view").nodes[1].name
    assert not any(node.path.startswith("tests/") for node in path_between(ctx, "view", "Tariff").nodes)


def test_a_path_to_or_from_a_type_ends_at_the_type_not_at_its_member(tmp_path: Path) -> None:
    text = "class Item:\n    pass\n\n\nclass Box:\n    def put(self, item: Item):\n        pass\n\n\ndef make() -> Item:\n    return Item()\n"
    with surroundings(tmp_path, {"a.py": text}) as ctx:
        to, back = path_between(ctx, "make", "Box"), path_between(ctx, "Box", "make")
        assert [node.name for node in to.nodes] == ["a.make", "a.Item", "a.Box.put", "a.Box"]
        assert [(step.edge_type, step.direction) for step in to.steps][1:] == [
            ("accepts", "backward"),
            ("contains", "backward"),
        ]
        assert (to.hops, [node.name for node in back.nodes]) == (3, [node.name for node in to.nodes][::-1])
        assert (back.steps[0].edge_type, back.steps[0].direction) == ("contains", "forward")
        told = run(CATALOGUE["shortest_path"], ctx, {"source": "make", "target": "Box"})
        assert told.structured["edges"][-1] == {
            "relation": "contains",
            "direction": "backward",
            "confidence": "EXTRACTED",
        }
        assert [node.name for node in path_between(ctx, "make", "Item").nodes] == ["a.make", "a.Item"]


def test_files_have_paths_too_and_the_same_thing_has_none_to_go(ctx: Context) -> None:
    assert path_between(ctx, "shop/web.py", "shop/prices.py").hops == 2
    inside = path_between(ctx, "Tariff", "shop/prices.py")
    assert [(step.edge_type, step.direction) for step in inside.steps] == [("contains", "backward")]
    nowhere = path_between(ctx, "shop/web.py", "island/one.py")
    assert (nowhere.found, nowhere.nodes, nowhere.steps) == (False, [], [])
    assert nowhere.note


def test_a_description_has_signature_sentence_and_surroundings(ctx: Context) -> None:
    answer = describe_symbol(ctx, "shop.prices.price")
    assert (answer.signature, answer.doc) == ("def price(amount)", "What an amount costs.")
    assert [caller.name for caller in answer.callers] == [
        "shop.checkout.checkout",
        "shop.prices.Price",
        "shop.prices.list_price",
    ]
    assert {callee.name for callee in answer.callees} >= {"shop.prices.Tariff.apply"}
    assert (answer.caller_count, answer.primary.module, answer.primary.in_degree) == (3, "shop", 4)
    assert [(place.path, place.lines) for place in answer.definitions] == [("shop/prices.py", [13, 16])]


def test_callers_of_a_constructor_are_those_of_its_type(ctx: Context) -> None:
    assert [caller.name for caller in describe_symbol(ctx, "Tariff").callers] == ["shop.prices.price"]


def test_an_explanation_has_an_intent_and_who_calls_whom_within_the_budget(ctx: Context) -> None:
    answer = explain_code(ctx, "how does checkout work")
    assert (answer.intent, answer.token_budget) == ("how_it_works", 2200)
    calls = {one.symbol: (one.callers, one.callees) for one in answer.relations}
    assert calls["shop.checkout.checkout"] == ("view shop/web.py:4", "price shop/prices.py:13")
    small = explain_code(ctx, "how does checkout work", token_budget=100)
    told = sum(len(one.symbol + one.path + one.callers + one.callees) for one in small.relations) / 3
    assert told + sum(hit.token_est for hit in small.results) <= 100
    with pytest.raises(InvalidParameter, match="query"):
        explain_code(ctx, " ")


def test_the_architecture_is_that_of_the_code_without_tests(ctx: Context) -> None:
    answer = architecture_overview(ctx)
    assert answer.available
    assert [part.label for part in answer.communities] == ["shop", "shop (2)"]
    assert answer.god_nodes[0].kind not in ("file", "module")
    assert not any(node.path.startswith("tests/") for node in answer.god_nodes)
    assert architecture_overview(ctx) == answer


def test_stats_count_what_there_is(ctx: Context) -> None:
    answer = index_stats(ctx)
    assert answer.files == len(FILES) - 1  # the lock file is not read
    assert answer.edges["inherits"] == 1
    assert answer.open_references >= 1
    assert {one.language for one in answer.languages} == {"python", "markdown"}


def test_health_says_state_and_remedy_and_no_path_but_the_root(ctx: Context) -> None:
    answer = healthcheck(ctx)
    assert (answer.state, answer.root) == ("degraded", str(ctx.root))
    assert answer.remedy
    assert "index.db" not in repr(answer)
