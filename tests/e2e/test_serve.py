"""A real `codeagentd serve`: many repositories by revision, asked by the official client over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import SHOP
from tests.harness.repository_server import RepositoryServer, bare
from tests.harness.world import World

CALLER = "def refund():\n    from shop.pricing import compute_total\n    return compute_total([])\n"


@pytest.fixture(scope="module")
def shop() -> Iterator[tuple[World, Path, RepositoryServer]]:
    """A world, a checked-out repository `shop` in it with two commits, a bare clone `team/copy`, and their server."""
    with World() as world:
        repo = world.repository("repos/shop", SHOP)
        world.git(repo, "tag", "v1")
        (repo / "shop" / "refunds.py").write_text(CALLER)
        world.commit(repo)
        bare(world, repo, world.base / "repos/team/copy.git")
        with RepositoryServer(world, world.base / "repos") as server:
            yield world, repo, server


def callers(server: RepositoryServer, target: str, **options: str) -> list[str]:
    """The names of the callers of `compute_total`."""
    answer = server.call(target, "get_callers", node_id="compute_total", **options)
    assert not answer.is_error, answer.structured_content
    return sorted(row.split(" ")[1] for rows in answer.structured_content["results"].values() for row in rows)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_bare_repository_answers_at_head_and_at_a_tag(shop: tuple[World, Path, RepositoryServer], mode: str):
    _, _, server = shop
    assert callers(server, "team/copy", mode=mode) == ["checkout_cart", "refund"]
    assert callers(server, "team/copy@v1", mode=mode) == ["checkout_cart"]


def test_two_commits_are_answered_at_once_and_each_answer_says_which_it_is_of(
    shop: tuple[World, Path, RepositoryServer],
):
    world, repo, server = shop
    commits = [world.git(repo, "rev-parse", revision).strip() for revision in ("main", "v1")]

    async def heads() -> list[str]:
        async with server.client("shop") as new, server.client("shop@v1") as old:
            answers: list[Any] = []
            for client in (new, old, new, old):
                answers.append(await client.call_tool("search_symbols", {"query": "refund"}))
            return [answer.meta["codeagent/index"]["head"] for answer in answers]

    callers(server, "shop")
    callers(server, "shop@v1")
    assert asyncio.run(heads()) == commits * 2


def test_uncommitted_changes_do_not_show(shop: tuple[World, Path, RepositoryServer]):
    _, repo, server = shop
    draft = repo / "shop" / "draft.py"
    draft.write_text(CALLER.replace("refund", "draft"))
    try:
        assert callers(server, "shop") == ["checkout_cart", "refund"]
        assert server.call("shop", "read_file", path="shop/draft.py").is_error
    finally:
        draft.unlink()


def test_tools_that_write_or_run_code_are_not_offered(shop: tuple[World, Path, RepositoryServer]):
    _, _, server = shop

    async def names(client: Any) -> set[str]:
        return {tool.name for tool in (await client.list_tools()).tools}

    offered = server.talk("shop", names)
    assert "get_callers" in offered
    server_site = server.site()
    server_site.path = "/r/shop/mcp"
    listed = server_site.request("tools/list").json["result"]["tools"]
    assert not {"store", "index_files", "speculate", "create_task", "read", "list_prs"} & {
        tool["name"] for tool in listed
    }
    assert all(tool["annotations"]["readOnlyHint"] for tool in listed)


def test_hosts_origins_and_sizes_are_checked_as_a_daemon_does(shop: tuple[World, Path, RepositoryServer]):
    _, _, server = shop
    site = server.site()
    for path in ("/r/shop/mcp", "/r/shop@v1/api/stats", "/repositories", "/healthz"):
        method = "POST" if path.endswith("mcp") else "GET"
        assert site.ask(method, path, Host="evil.example").status == 403
        assert site.ask(method, path, Origin="https://evil.example").status == 403
        assert site.ask(method, path, Sec_Fetch_Site="cross-site").status == 403
    assert site.ask("POST", "/r/shop/mcp", Content_Length="5000000").status == 413
    assert site.ask("POST", "/r/shop/mcp", b"{}", Content_Type="text/plain").status == 415


def test_the_document_describes_the_paths_that_answer(shop: tuple[World, Path, RepositoryServer]):
    _, _, server = shop
    document = server.site().ask("GET", "/openapi.json").json
    assert "/r/{target}/api/node/{label}" in document["paths"]
    for path, item in document["paths"].items():
        names = [parameter["name"] for parameter in item["get"]["parameters"] if parameter["in"] == "path"]
        assert names[0] == "target"
        url = path.replace("{target}", "shop@v1").replace("{label}", "compute_total")
        reply = server.site().ask("GET", f"{url}?q=checkout" if url.endswith("query") else url)
        assert (reply.status, bool(reply.json["text"])) == (200, True), (url, reply.body)


def test_a_pull_request_is_compared_with_its_base(shop: tuple[World, Path, RepositoryServer]):
    _, _, server = shop
    answer = server.call("shop@main", "working_changes_impact", base="v1")
    assert not answer.is_error, answer.structured_content
    assert "shop/refunds.py" in str(answer.structured_content)
