"""Resources, prompts, completions, subscriptions and log messages, as the official client sees them through shim and daemon in both protocol eras."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeagent_protocol.initialize import USES, instructions
from codeagentd.toolkit.toolsets import DEFAULT_TOOLS
from tests.harness.world import World

MODES = ("auto", "legacy")
PATIENCE_S = 30
NEW = "def refund_everything():\n    return 0\n"
NAMED = {tool for tools, _ in USES for tool in tools}
RESOURCES = ["report", "stats", "god-nodes", "surprises", "audit", "questions"]


class Heard:
    """What a client was told without asking, and a way to wait for more of it."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[Any] = asyncio.Queue()

    async def take(self, message: Any) -> None:
        await self._queue.put(message)

    async def one(self, wanted: Callable[[Any], bool]) -> Any:
        async with asyncio.timeout(PATIENCE_S):
            while not wanted(message := await self._queue.get()):
                pass
        return message

    async def update_of(self, uri: str) -> None:
        await self.one(
            lambda message: (
                getattr(message, "method", "") == "notifications/resources/updated" and str(message.params.uri) == uri
            )
        )

    def forget(self) -> None:
        while not self._queue.empty():
            self._queue.get_nowait()


@pytest.mark.parametrize("mode", MODES)
def test_what_is_announced_is_what_is_served(shared_world: World, indexed_shop: Path, mode: str):
    async def talk(client: Any) -> None:
        said = client.server_capabilities
        assert (said.resources.subscribe, said.resources.list_changed) == (True, False)
        assert (said.prompts.list_changed, said.tools.list_changed) == (False, False)
        assert said.completions is not None
        assert (said.logging is not None) == (mode == "legacy")  # the newer era has no level to set
        assert client.instructions == instructions(DEFAULT_TOOLS)

    shared_world.converse(indexed_shop, talk, mode=mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("toolsets", ["default", "all", "files", "graph,memory"])
def test_the_instructions_name_only_tools_that_the_session_has(
    shared_world: World, indexed_shop: Path, mode: str, toolsets: str
):
    async def talk(client: Any) -> None:
        offered = {tool.name for tool in (await client.list_tools()).tools}
        named = set(re.findall(r"\w+", client.instructions)) & NAMED
        assert named
        assert named <= offered

    shared_world.converse(indexed_shop, talk, "--toolsets", toolsets, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_every_resource_that_is_listed_can_be_read_and_says_how_fresh_it_is(
    shared_world: World, indexed_shop: Path, mode: str
):
    async def talk(client: Any) -> None:
        listed = (await client.list_resources()).resources
        assert [str(one.uri) for one in listed] == [f"codegraph://{name}" for name in RESOURCES]
        for one in listed:
            answer = await client.read_resource(str(one.uri))
            (content,) = answer.contents
            assert (str(content.uri), content.mime_type) == (str(one.uri), one.mime_type)
            assert content.text
            assert answer.meta["codeagent/index"]["caught_up"] is True

    shared_world.converse(indexed_shop, talk, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_a_resource_says_what_its_tool_says(shared_world: World, indexed_shop: Path, mode: str):
    pairs = [("stats", "graph_stats", {}), ("god-nodes", "god_nodes", {}), ("node/compute_total", "get_node", {"label": "compute_total"}),
             ("node/shop%2Fpricing.py", "get_node", {"label": "shop/pricing.py"}), ("community/0", "get_community", {"community_id": 0})]  # fmt: skip

    async def talk(client: Any) -> None:
        templates = (await client.list_resource_templates()).resource_templates
        assert [one.uri_template for one in templates] == ["codegraph://node/{label}", "codegraph://community/{id}"]
        for name, tool, arguments in pairs:
            (content,) = (await client.read_resource(f"codegraph://{name}")).contents
            assert content.text == (await client.call_tool(tool, arguments)).content[1].text

    shared_world.converse(indexed_shop, talk, "--toolsets", "graph", mode=mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "uri", ["codegraph://nothing", "codegraph://node/", "file:///etc/passwd", "", "codegraph://node/" + "x" * 5_000]
)
def test_a_resource_that_is_not_there_is_an_error_that_lists_those_that_are(
    shared_world: World, indexed_shop: Path, mode: str, uri: str
):
    from mcp import MCPError

    async def talk(client: Any) -> None:
        with pytest.raises(MCPError) as raised:
            await client.read_resource(uri)
        assert raised.value.code == -32602
        assert "codegraph://god-nodes" in raised.value.message

    shared_world.converse(indexed_shop, talk, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_prompts_are_listed_with_their_arguments_and_filled_in(shared_world: World, indexed_shop: Path, mode: str):
    from mcp import MCPError

    async def talk(client: Any) -> None:
        listed = {
            one.name: [argument.name for argument in one.arguments or [] if argument.required]
            for one in (await client.list_prompts()).prompts
        }
        assert listed == {
            "onboard": [],
            "explain_subsystem": ["topic"],
            "assess_pr": ["pr_number"],
            "trace_flow": ["from", "to"],
        }
        (message,) = (await client.get_prompt("trace_flow", {"from": "checkout_twice", "to": "apply<system>"})).messages
        assert message.role == "user"
        assert '"checkout_twice"' in message.content.text
        assert "<system>" not in message.content.text
        assert "shortest_path" in message.content.text
        for name, arguments in (("nothing", {}), ("trace_flow", {"from": "x"})):
            with pytest.raises(MCPError) as raised:
                await client.get_prompt(name, arguments)
            assert raised.value.code == -32602

    shared_world.converse(indexed_shop, talk, mode=mode)


@pytest.mark.parametrize("mode", MODES)
def test_arguments_are_completed_by_what_the_index_knows(shared_world: World, indexed_shop: Path, mode: str):
    from mcp_types import PromptReference, ResourceTemplateReference

    async def talk(client: Any) -> None:
        async def values(argument: str, written: str) -> list[str]:
            reference: Any = ResourceTemplateReference(type="ref/resource", uri="codegraph://node/{label}")
            if argument in ("from", "to"):
                reference = PromptReference(type="ref/prompt", name="trace_flow")
            found: list[str] = (
                await client.complete(reference, {"name": argument, "value": written})
            ).completion.values
            return found

        assert await values("label", "checkout_") == ["checkout_cart()", "checkout_twice()"]
        assert "compute_total()" in await values("from", "cmptot")
        assert "HolidayDiscount.apply()" in await values("target", "HolidayDiscount.a")
        assert await values("repo", "") == []
        assert "0" in await values("community_id", "")
        assert (await values("node_id", "compute_t")) == ["shop.pricing.compute_total"]

    shared_world.converse(indexed_shop, talk, mode=mode)


def test_a_save_is_told_to_an_older_client_that_subscribed_and_to_nobody_after_it_unsubscribed(
    world: World, shop: Path
):
    heard = Heard()

    async def talk(client: Any) -> None:
        await client.read_resource("codegraph://stats")
        await client.subscribe_resource("codegraph://stats")
        await client.subscribe_resource("codegraph://audit")
        (shop / "shop" / "refunds.py").write_text(NEW)
        await heard.update_of("codegraph://stats")
        await client.unsubscribe_resource("codegraph://stats")
        heard.forget()
        (shop / "shop" / "returns.py").write_text(NEW)
        updated = await heard.one(lambda message: getattr(message, "method", "") == "notifications/resources/updated")
        assert str(updated.params.uri) == "codegraph://audit"

    world.converse(shop, talk, mode="legacy", message_handler=heard.take)


def test_a_save_is_told_to_a_stream_that_listens(world: World, shop: Path):
    async def talk(client: Any) -> None:
        async with (
            asyncio.timeout(PATIENCE_S),
            client.listen(resource_subscriptions=["codegraph://stats", "codegraph://node/x"]) as stream,
        ):
            (shop / "shop" / "refunds.py").write_text(NEW)
            assert {(await anext(stream)).uri, (await anext(stream)).uri} == {"codegraph://stats", "codegraph://node/x"}

    world.converse(shop, talk)


def test_a_subscription_outlives_the_daemon_it_was_made_with(world: World, shop: Path):
    heard = Heard()

    async def talk(client: Any) -> None:
        await client.subscribe_resource("codegraph://stats")
        os.kill(before := world.daemon(shop), signal.SIGKILL)
        await client.list_tools()
        assert world.daemon(shop) != before
        await heard.update_of("codegraph://stats")  # something may have been missed
        heard.forget()
        (shop / "shop" / "refunds.py").write_text(NEW)
        await heard.update_of("codegraph://stats")

    world.converse(shop, talk, mode="legacy", message_handler=heard.take)


def test_a_stream_that_listens_goes_on_over_a_restart(world: World, shop: Path):
    async def talk(client: Any) -> None:
        async with asyncio.timeout(PATIENCE_S), client.listen(resource_subscriptions=["codegraph://stats"]) as stream:
            before = world.daemon(shop)
            assert (await asyncio.to_thread(world.codeagentd, "restart", "--repo", str(shop))).code == 0
            assert world.daemon(shop) != before
            (shop / "shop" / "refunds.py").write_text(NEW)
            assert (await anext(stream)).uri == "codegraph://stats"

    world.converse(shop, talk)


def test_a_stream_that_listens_ends_when_the_daemon_is_stopped_and_brings_none_back(world: World, shop: Path):
    async def talk(client: Any) -> None:
        async with asyncio.timeout(PATIENCE_S), client.listen(resource_subscriptions=["codegraph://stats"]) as stream:
            assert (await asyncio.to_thread(world.codeagentd, "stop", "--repo", str(shop))).code == 0
            assert [event async for event in stream if getattr(event, "uri", "") != "codegraph://stats"] == []
        assert world.codeagentd("status", "--repo", str(shop)).code == 3

    world.converse(shop, talk)


def test_a_client_that_sets_a_level_hears_of_the_daemons_events(world: World, shop: Path):
    heard = Heard()

    async def talk(client: Any) -> None:
        await client.list_tools()
        await client.set_logging_level("debug")
        (shop / "shop" / "refunds.py").write_text(NEW)
        message = await heard.one(lambda message: message.data["event"] == "indexed")
        assert (message.level, message.logger) == ("debug", "codeagentd.indexer")
        assert message.data["files"] >= 1
        await client.set_logging_level("error")
        heard.forget()

    world.converse(shop, talk, mode="legacy", logging_callback=heard.take)
