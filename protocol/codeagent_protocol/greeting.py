"""The answer to `initialize`: the same words from the daemon, and from a shim that has to ask its client for the repository first."""

from __future__ import annotations

from typing import Any, Final

from .version import __version__

SERVER_NAME: Final = "codeagentd"
PROTOCOL_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")  # those that begin with `initialize`, oldest first
LATEST: Final = PROTOCOL_VERSIONS[-1]
UNSTATED: Final = "2025-06-18"  # what a client gets that names no version

INSTRUCTIONS: Final = (
    "Answers questions about one repository from an index that follows every save. Prefer it to text search when a question is about code. "
    "Begin with search_code or query_graph for a question in words, search_symbols for a name; get_file_outline, get_symbol and read_file show what is "
    "there; get_callers, get_callees, get_references, get_implementations, get_dependencies and get_dependents follow its edges. "
    "Toolset graph: affected is the blast radius of a change, shortest_path connects two symbols, structural_search matches structure, get_source reads a "
    "body. A god node is a symbol that much else is connected with; a community is a group of nodes more connected with each other than with the rest. "
    "Edges are exact (EXTRACTED: proved), inferred (INFERRED: one plausible target) or ambiguous (AMBIGUOUS: several, all listed): check what rests on the "
    "latter two. Which of these tools there are was chosen when the session began; the resources codegraph://report, stats, god-nodes, surprises, audit, "
    "questions, node/{label} and community/{id} are always there. A name that several symbols have is answered with candidates: ask again with an id. "
    "Paths are relative to the repository; lines count from 1, columns from 0. Every answer's _meta says how fresh it is."
)
CAPABILITIES: Final = {
    "completions": {},
    "logging": {},
    "prompts": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": True},
    "tools": {"listChanged": False},
}


def completed(params: dict[str, Any] | None) -> dict[str, Any]:
    """The parameters of `initialize` with what scripts and page 002 leave out: version, capabilities, name and version of the client."""
    stated = {name: value for name, value in (params or {}).items() if value is not None}
    client = stated.get("clientInfo", {})
    named = {"name": "", "version": "", **client} if isinstance(client, dict) else client
    return {"protocolVersion": UNSTATED, "capabilities": {}, **stated, "clientInfo": named}


def negotiated(requested: object) -> str:
    """The protocol version to speak: the client's own if it is known here, else the latest."""
    if requested is None:
        return UNSTATED
    return requested if isinstance(requested, str) and requested in PROTOCOL_VERSIONS else LATEST


def initialize_result(requested: object) -> dict[str, Any]:
    """The InitializeResult for a client that asked for the protocol version `requested`."""
    return {
        "protocolVersion": negotiated(requested),
        "capabilities": CAPABILITIES,
        "serverInfo": {"name": SERVER_NAME, "version": __version__},
        "instructions": INSTRUCTIONS,
    }
