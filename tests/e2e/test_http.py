"""The real daemon over HTTP: the official client sees what it sees through a window, and scripts get plain answers."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SHOP
from tests.harness.raw_session import CALLS as LINES
from tests.harness.raw_session import INITIALIZE, check_session
from tests.harness.site import Site
from tests.harness.waiting import eventually
from tests.harness.world import BIN, World

KEY = "s3cret"
MODES = ("auto", "legacy")
PATIENCE_S = 30
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search_symbols", {"query": "compute_total"}), ("get_file_outline", {"path": "shop/pricing.py"}), ("read_file", {"path": "web/cart.ts"}),
    ("search_code", {"query": "holiday discount"}), ("impact_of", {"target": "shop/pricing.py"}), ("code.symbol.search", {"query": "checkout"}),
    ("graph_stats", {}), ("affected", {"label": "compute_total"}), ("query_graph", {"question": "checkout"}),
    ("affected_tests", {"files": ["shop/pricing.py"]}),
    ("structural_search", {"query": "MATCH (f:function)-[:calls]->(g) RETURN f, g"}), ("get_node", {"label": "nobody"}), ("god_nodes", {"top_n": "x"}),
    ("list_tasks", {"project": "shop"}), ("read_file", {"path": "../elsewhere"}), ("no_such_tool", {}),
)  # fmt: skip
REFUSED = (12, 14, 15)  # by their place among CALLS
NEW = "def refund_everything():\n    return 0\n"


@pytest.fixture(scope="module")
def shop() -> Iterator[tuple[World, Path, str]]:
    """A world, its shop, and where the shop's daemon speaks HTTP."""
    with World() as world:
        repo = world.repository("shop", SHOP)
        argv = [str(BIN / "codeagentd"), "run", "--repo", str(repo), "--http", "127.0.0.1:0", "--api-key", KEY]
        with world.errors.open("a") as errors:
            daemon = subprocess.Popen(
                argv, env=world.environment, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors
            )
        url = eventually(lambda: _url(world.errors), PATIENCE_S, explain=world.errors.read_text)
        world.index(repo)
        yield world, repo, url
        daemon.terminate()
        daemon.wait(PATIENCE_S)


def _url(errors: Path) -> str:
    return next((line.rpartition(" ")[2] for line in errors.read_text().splitlines() if "MCP over HTTP at" in line), "")


@contextlib.asynccontextmanager
async def client_of(url: str, mode: str, **handlers: Any) -> AsyncIterator[Any]:
    """The official client, with the key."""
    import httpx2
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx2.AsyncClient(headers={"X-API-Key": KEY}, timeout=PATIENCE_S) as http,
        Client(streamable_http_client(url, http_client=http), mode=mode, **handlers) as client,
    ):
        yield client


@pytest.mark.parametrize("mode", MODES)
def test_tools_and_answers_are_those_of_a_window(shop: tuple[World, Path, str], mode: str):
    world, repo, url = shop

    async def look(client: Any) -> list[Any]:
        tools = [tool.model_dump() for tool in (await client.list_tools()).tools]
        answers = [(await client.call_tool(name, arguments)).model_dump(exclude={"meta"}) for name, arguments in CALLS]
        resources = [one.model_dump() for one in (await client.list_resources()).resources]
        node = (await client.read_resource("codegraph://node/compute_total")).contents[0].text
        return [tools, answers, resources, node, client.instructions, client.server_capabilities.model_dump()]

    async def both() -> None:
        async with (
            client_of(f"{url}?toolsets=all", mode) as visitor,
            world.client(repo, "--toolsets", "all", mode=mode) as window,
        ):
            await window.read_resource("codegraph://stats")  # waits for the analysis, which says the node's community
            seen = await look(visitor)
            assert seen == await look(window)
            assert [answer["is_error"] for answer in seen[1]] == [place in REFUSED for place in range(len(CALLS))]

    asyncio.run(both())


@pytest.mark.parametrize(
    ("selection", "has_rows_of_text"),
    [("", True), ("?rows=full", False), ("?rows=compact&toolsets=all", True), ("?toolsets=all", False)],
)
def test_a_session_has_the_form_of_answers_that_its_address_asks_for(
    shop: tuple[World, Path, str], selection: str, has_rows_of_text: bool
):
    _, _, url = shop

    async def ask() -> Any:
        async with client_of(url + selection, "legacy") as client:
            return (await client.call_tool("get_callers", {"node_id": "compute_total"})).structured_content["results"]

    results = asyncio.run(ask())
    if has_rows_of_text:
        assert results == {"shop/orders/checkout.py": ["8:11 checkout_cart"]}
    else:
        assert [item["name"] for item in results] == ["checkout_cart"]


def test_a_form_of_answers_that_is_not_there_is_refused(shop: tuple[World, Path, str]):
    _, _, url = shop
    site = Site(url, **{"X-API-Key": KEY})
    refused = site.ask(
        "POST", "/mcp?rows=tiny", json.dumps(INITIALIZE).encode(), **{"Content-Type": "application/json"}
    )
    assert (refused.status, b"use compact or full" in refused.body) == (400, True), refused.body


def test_the_session_of_the_page_can_be_posted_line_by_line(shop: tuple[World, Path, str]):
    _, _, url = shop
    site = Site(url, **{"X-API-Key": KEY})
    check_session({line["id"]: site.post(line).json for line in (INITIALIZE, *LINES)})
    session = site.post(INITIALIZE).headers["mcp-session-id"]
    check_session(
        {
            line["id"]: site.post(line, Mcp_Session_Id=None if line is INITIALIZE else session).json
            for line in (INITIALIZE, *LINES)
        }
    )


def test_a_save_is_told_to_a_subscriber_with_a_stream(shop: tuple[World, Path, str]):
    _, repo, url = shop

    async def talk() -> None:
        heard: asyncio.Queue[Any] = asyncio.Queue()
        async with client_of(url, "legacy", message_handler=heard.put) as client:
            await client.subscribe_resource("codegraph://stats")
            (repo / "shop" / "refunds.py").write_text(NEW)
            async with asyncio.timeout(PATIENCE_S):
                while getattr(message := await heard.get(), "method", "") != "notifications/resources/updated":
                    pass
            assert str(message.params.uri) == "codegraph://stats"

    asyncio.run(talk())


def test_a_save_is_told_to_a_stream_that_listens(shop: tuple[World, Path, str]):
    _, repo, url = shop

    async def talk() -> None:
        async with (
            client_of(url, "auto") as client,
            asyncio.timeout(PATIENCE_S),
            client.listen(resource_subscriptions=["codegraph://stats"]) as stream,
        ):
            (repo / "shop" / "returns.py").write_text(NEW)
            assert (await anext(stream)).uri == "codegraph://stats"

    asyncio.run(talk())


def test_questions_have_plain_answers_that_the_document_describes(shop: tuple[World, Path, str]):
    site = Site(shop[2], **{"X-API-Key": KEY})
    document = site.ask("GET", "/openapi.json").json
    assert set(document["paths"]) == {"/api/stats", "/api/god-nodes", "/api/node/{label}", "/api/query", "/api/repos"}
    for path, begins in (
        ("/api/stats", "Graph: "),
        ("/api/god-nodes?top_n=1", "1. "),
        ("/api/node/compute_total", "Node: compute_total()"),
        ("/api/node/shop%2Fpricing.py", "Node: shop/pricing.py"),
        ("/api/node/no%0Abody", "No node matches 'nobody'"),
        ("/api/query?q=checkout&token_budget=800", "Traversal: bfs | Start: ["),
        ("/api/repos", "No federated repos"),
        ("/api/repos?repo=x", "No nodes for repo x"),
    ):
        reply = site.ask("GET", path)
        assert (reply.status, reply.json["text"].startswith(begins)) == (200, True), (path, reply.body)


def test_run_refuses_what_others_could_reach_without_a_key_and_says_when_a_daemon_is_there(
    shop: tuple[World, Path, str],
):
    world, repo, _ = shop
    refused = world.codeagentd("run", "--repo", str(repo), "--http", "0.0.0.0:0")
    assert refused.code == 2
    assert "CODEAGENT_API_KEY" in refused.err
    second = world.codeagentd("run", "--repo", str(repo), "--http", "127.0.0.1:0")
    assert second.code != 0
    assert "runs already" in second.err
    assert f"codeagentd stop --repo {repo}" in second.err
    assert KEY not in world.codeagentd("config", "--repo", str(repo), CODEAGENT_API_KEY=KEY).out


def test_run_ends_where_the_port_that_it_names_is_taken(shop: tuple[World, Path, str]):
    world = shop[0]
    other = world.repository("other", {"a.py": "x = 1\n"})
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        done = world.codeagentd("run", "--repo", str(other), "--http", place)
        assert (done.code, f"cannot listen on {place}" in done.err, "choose another port" in done.err) == (
            1,
            True,
            True,
        ), done
        assert world.codeagentd("status", "--repo", str(other)).code == 3


def test_run_warns_where_others_may_ask_without_a_key(shop: tuple[World, Path, str]):
    world = shop[0]
    other = world.repository("open", {"a.py": "x = 1\n"})
    argv = [str(BIN / "codeagentd"), "run", "--repo", str(other), "--http", "0.0.0.0:0", "--insecure"]
    with subprocess.Popen(
        argv, env=world.environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as daemon:
        assert daemon.stderr
        told = next(line for line in daemon.stderr if "MCP over HTTP" in line or "warning" in line)
        daemon.terminate()
        daemon.stderr.read()
    assert "warning" in told
    assert "CODEAGENT_API_KEY" in told
    wrong = world.codeagentd("run", "--repo", str(other), "--http", "0.0.0.0:0", "--insecure", "--http-host", "no name")
    assert (wrong.code != 0, "--http-host" in wrong.err) == (True, True)


def test_the_key_is_in_no_environment_of_what_the_daemon_starts(shop: tuple[World, Path, str]):
    world, repo, _ = shop
    daemon = world.daemon(repo)
    others = world.processes() - {daemon}
    assert others
    for pid in others:
        assert KEY.encode() not in Path(f"/proc/{pid}/environ").read_bytes()
