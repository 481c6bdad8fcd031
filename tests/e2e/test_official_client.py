"""The official MCP client on a real shim and the real daemon, in both protocol eras: what a developer's editor sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harness.world import World

MODES = ("auto", "legacy")
Json = dict[str, Any]


def names(items: list[Json]) -> list[str]:
    return [item["name"] for item in items]


@pytest.mark.parametrize("mode", MODES)
def test_the_default_tools_are_listed_with_schemas_and_hints(shared_world: World, indexed_shop: Path, mode: str):
    async def talk(client: Any) -> None:
        tools = (await client.list_tools()).tools
        assert 0 < len(tools) <= 16
        assert all(
            tool.description and tool.output_schema and tool.annotations.read_only_hint is not None for tool in tools
        )
        assert all(tool.input_schema["type"] == "object" for tool in tools)

    shared_world.converse(indexed_shop, talk, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_an_answer_is_structured_repeated_as_text_and_says_how_fresh_it_is(
    shared_world: World, indexed_shop: Path, mode: str
):
    async def talk(client: Any) -> None:
        result = await client.call_tool("search_symbols", {"query": "compute_total"})
        assert not result.is_error
        assert json.loads(result.content[0].text) == result.structured_content
        watermark = result.meta["codeagent/index"]
        assert watermark["caught_up"] is True
        assert watermark["pending_files"] == 0
        assert watermark["generation"] >= 1
        assert len(watermark["head"]) == 40

    shared_world.converse(indexed_shop, talk, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_an_answer_of_the_graph_is_also_told_in_words_behind_the_json(
    shared_world: World, indexed_shop: Path, mode: str
):
    async def talk(client: Any) -> None:
        result = await client.call_tool("graph_stats", {})
        structured, told = result.content
        assert json.loads(structured.text) == result.structured_content
        assert told.text.startswith(f"Graph: {result.structured_content['nodes']} nodes, ")
        nobody = await client.call_tool("get_node", {"label": "zeppelin"})
        assert (nobody.is_error, nobody.content[1].text) == (False, "No node matches 'zeppelin'.")

    shared_world.converse(indexed_shop, talk, "--toolsets", "graph", mode=mode)


def test_callers_come_with_every_place_of_the_call(shared_world: World, indexed_shop: Path):
    async def talk(client: Any) -> None:
        found = (await client.call_tool("search_symbols", {"query": "checkout_cart"})).structured_content["results"]
        callers = (await client.call_tool("get_callers", {"node_id": found[0]["node_id"]})).structured_content[
            "results"
        ]
        assert [(item["name"], item["confidence"]) for item in callers] == [("checkout_twice", "exact")]
        sites = callers[0]["sites"]
        lines = (indexed_shop / "shop/orders/checkout.py").read_text().splitlines()
        assert [lines[site["line"] - 1][site["column"] :].startswith("checkout_cart(") for site in sites] == [
            True,
            True,
        ]

    shared_world.converse(indexed_shop, talk)


def test_an_outline_lists_what_the_file_defines_in_order(shared_world: World, indexed_shop: Path):
    async def talk(client: Any) -> None:
        outline = (await client.call_tool("get_file_outline", {"path": "shop/pricing.py"})).structured_content[
            "results"
        ]
        named = [item for item in outline if item["node_type"] in ("class", "method", "function")]
        assert names(named) == ["Discount", "apply", "HolidayDiscount", "apply", "compute_total"]
        assert [item["line_start"] for item in named] == [4, 7, 12, 15, 19]

    shared_world.converse(indexed_shop, talk)


def test_implementations_are_found_across_languages_alike(shared_world: World, indexed_shop: Path):
    async def talk(client: Any) -> None:
        for base, expected in (("shop.pricing.Discount", "HolidayDiscount"), ("Priced", "CartView")):
            result = await client.call_tool("get_implementations", {"node_id": base})
            assert expected in names(result.structured_content["results"]), base

    shared_world.converse(indexed_shop, talk)


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("get_symbol", {"node_id": "no-such-node"}, "not_found"),
        ("read_file", {"path": "../outside.txt"}, "path_escape"),
        ("search_symbols", {"query": "x", "limit": 51}, "invalid_parameter"),
        ("search_symbols", {"query": "x", "colour": 1}, "invalid_parameter"),
        ("no_such_tool", {}, "not_found"),
    ],
)
def test_what_cannot_be_answered_is_a_coded_error(
    shared_world: World, indexed_shop: Path, tool: str, arguments: Json, code: str
):
    async def talk(client: Any) -> None:
        result = await client.call_tool(tool, arguments)
        assert result.is_error
        assert result.structured_content["error"]["code"] == code

    shared_world.converse(indexed_shop, talk)


@pytest.mark.parametrize("flags", [("--toolsets", "lens"), ("--toolsets", "lens", "--tool-names", "underscore")])
def test_the_tools_of_the_editors_page_answer_under_their_dotted_names_or_with_underscores(
    shared_world: World, indexed_shop: Path, flags: tuple[str, ...]
):
    joint = "_" if "underscore" in flags else "."

    async def talk(client: Any) -> None:
        listed = {tool.name for tool in (await client.list_tools()).tools}
        assert f"code{joint}symbol{joint}search" in listed
        assert all("." not in name or joint == "." for name in listed)
        found = (
            await client.call_tool(f"code{joint}symbol{joint}findDefinition", {"symbol_name": "compute_total"})
        ).structured_content
        (place,) = found["results"]
        assert (place["file_path"], place["range"]) == (
            str(indexed_shop / "shop/pricing.py"),
            {"start_line": 19, "end_line": 22},
        )
        asked = {"symbol_name": "compute_total", "context_path": str(indexed_shop)}
        references = (await client.call_tool(f"code{joint}symbol{joint}findReferences", asked)).structured_content[
            "results"
        ]
        lines = (indexed_shop / "shop/orders/checkout.py").read_text().splitlines()
        assert [lines[place["line"] - 1][place["column"] :].startswith("compute_total") for place in references] == [
            True,
            True,
        ]
        card = (
            await client.call_tool(f"code{joint}symbol{joint}getHoverInfo", {"symbol_name": "compute_total"})
        ).structured_content["result"]
        assert card["signature"] == "def compute_total(amounts: list[float]) -> float"
        assert card["documentation"] == "Sum all amounts after the holiday discount."
        unknown = await client.call_tool(f"code{joint}symbol{joint}getHoverInfo", {"symbol_name": "nonesuch"})
        assert (unknown.is_error, unknown.structured_content) == (False, {"result": None})

    shared_world.converse(indexed_shop, talk, *flags)


def test_a_read_only_window_has_no_tool_that_writes(shared_world: World, indexed_shop: Path):
    async def talk(client: Any) -> None:
        tools = (await client.list_tools()).tools
        assert tools
        assert all(tool.annotations.read_only_hint for tool in tools)

    shared_world.converse(indexed_shop, talk, "--toolsets", "all", "--read-only")


def test_a_save_is_in_the_next_answer(world: World, shop: Path):
    async def talk(client: Any) -> None:
        await client.call_tool("search_symbols", {"query": "compute_total"}, meta={"codeagent/fresh": "wait"})
        (shop / "shop" / "refunds.py").write_text("def refund_everything():\n    return 0\n")
        result = await client.call_tool(
            "search_symbols", {"query": "refund_everything"}, meta={"codeagent/fresh": "wait"}
        )
        assert [(item["file_path"], item["line_start"]) for item in result.structured_content["results"]] == [
            ("shop/refunds.py", 1)
        ]
        (shop / "shop" / "refunds.py").unlink()
        result = await client.call_tool(
            "search_symbols", {"query": "refund_everything"}, meta={"codeagent/fresh": "wait"}
        )
        assert result.structured_content["results"] == []

    world.converse(shop, talk)


def test_two_windows_share_one_daemon_that_outlives_both(world: World, shop: Path):
    first, second = world.connect(shop, "--toolsets", "engine"), world.connect(shop, "--toolsets", "engine")
    assert not first.call("get_status").failed
    assert not second.call("get_status").failed
    status = world.status(shop)
    assert status["clients"] == 2
    first.close()
    second.close()
    third = world.connect(shop, "--toolsets", "engine")
    assert not third.call("get_status").failed
    assert world.daemon(shop) == status["pid"]
