"""The answer to `initialize`: from the daemon, or from a shim that first has to ask its client for the repository and
knows no tools yet.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from .version import __version__

SERVER_NAME: Final = "codeagentd"
# versions of the era with `initialize`, oldest first
PROTOCOL_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LATEST: Final = PROTOCOL_VERSIONS[-1]
UNSTATED: Final = "2025-06-18"  # for a client that names no version

PURPOSE: Final = (  # clients that load tools on demand show only the first sentence
    "Answers questions about this repository's code in one call: how something works, where it is defined, who calls "
    "or uses it, what breaks when it changes, which tests to run. Its index follows every save: prefer it to text "
    "search."
)
USES: Final = (  # the tools by purpose, the first choice first
    (("explain_code", "search_code", "query_graph"), "for a question in words"),
    (("search_symbols",), "for a name"),
    (("describe_symbol",), "for a symbol with its source, callers and tests"),
    (("get_file_outline", "get_symbol", "get_source", "read_file"), "for what is there"),
    (("get_references", "get_callers", "get_callees", "get_implementations"), "for who uses what"),
    (("affected", "affected_tests"), "for what a change breaks"),
    (("shortest_path", "path_between"), "for how two symbols are connected"),
    (("structural_search",), "for a pattern of symbols and edges"),
    (("store",), "for notes that outlive the session"),
)
TERMS: Final = (
    "A name, path or path:line does wherever an id is wanted. An edge is proved unless it says inferred or ambiguous. "
    "Lines count from 1, columns from 0."
)
GRAPH_TERMS: Final = (  # for the tools with words of page 002
    "A god node is a symbol that much else is connected with; a community is a group of nodes more connected with "
    "each other than with the rest; EXTRACTED edges are proved."
)
GRAPH_TOOLS: Final = frozenset({"god_nodes", "get_community", "graph_stats"})
CAPABILITIES: Final = {
    "completions": {},
    "logging": {},
    "prompts": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": True},
    "tools": {"listChanged": False},
}


def completed(params: dict[str, Any] | None) -> dict[str, Any]:
    """Return `params`, the parameters of `initialize`, completed with the fields that scripts and page 002 leave out:
    version, capabilities, name and version of the client.
    """
    stated = {name: value for name, value in (params or {}).items() if value is not None}
    client = stated.get("clientInfo", {})
    named = {"name": "", "version": "", **client} if isinstance(client, dict) else client
    return {"protocolVersion": UNSTATED, "capabilities": {}, **stated, "clientInfo": named}


def negotiated(requested: object) -> str:
    """Return the protocol version to speak: `requested`, the client's own, if it is supported, else the latest."""
    if requested is None:
        return UNSTATED
    return requested if isinstance(requested, str) and requested in PROTOCOL_VERSIONS else LATEST


def instructions(offered: Collection[str] = ()) -> str:
    """Return the text that tells a client how to use this server. It names only tools in `offered`, those of the
    session, and none while these are unknown.
    """
    uses = [
        f"{', '.join(names)} {purpose}"
        for tools, purpose in USES
        if (names := [tool for tool in tools if tool in offered])
    ]
    graph = GRAPH_TERMS if GRAPH_TOOLS.intersection(offered) else ""
    return " ".join(filter(None, (PURPOSE, f"Use {'; '.join(uses)}." if uses else "", TERMS, graph)))


def initialize_result(requested: object, offered: Collection[str] = ()) -> dict[str, Any]:
    """Return the InitializeResult for a client that asked for the protocol version `requested`, in a session with the
    tools `offered`.
    """
    return {
        "protocolVersion": negotiated(requested),
        "capabilities": CAPABILITIES,
        "serverInfo": {"name": SERVER_NAME, "version": __version__},
        "instructions": instructions(offered),
    }
