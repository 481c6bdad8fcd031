"""The session printed on page 002, as written by hand: without capabilities, a client's name, or the initialized notification."""

from __future__ import annotations

from typing import Any, Final

Json = dict[str, Any]

INITIALIZE: Final[Json] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18"},
}
CALLS: Final[list[Json]] = [
    {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    for number, name, arguments in (
        (2, "query_graph", {"question": "how does the checkout work", "mode": "bfs"}),
        (3, "get_source", {"label": "compute_total"}),
        (4, "affected", {"label": "compute_total"}),
    )
]


def check_session(answers: dict[Any, Json]) -> None:
    """The answers, by id, are those that a client of the shop wants."""
    assert answers[1]["result"]["protocolVersion"] == "2025-06-18"
    query, source, affected = (answers[number]["result"] for number in (2, 3, 4))
    assert not any(result["isError"] for result in (query, source, affected))
    assert "checkout_cart" in query["content"][0]["text"]
    assert "sum(discount.apply" in source["structuredContent"]["source"]
    assert "checkout_cart" in affected["content"][0]["text"]
