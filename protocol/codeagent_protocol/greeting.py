"""The answer to `initialize`: the same words from the daemon, and from a shim that has to ask its client for the repository first."""

from __future__ import annotations

from typing import Any, Final

from .version import __version__

SERVER_NAME: Final = "codeagentd"
PROTOCOL_VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")  # those that begin with `initialize`, oldest first
LATEST: Final = PROTOCOL_VERSIONS[-1]

INSTRUCTIONS: Final = (
    "Answers questions about one repository from an index that follows every save: find symbols by name, read outlines and source, "
    "list callers, callees, references and implementations with their places. Prefer it to text search when a question is about code. "
    "Paths are relative to the repository; lines count from 1, columns from 0. Every answer's _meta says how fresh it is."
)


def negotiated(requested: object) -> str:
    """The protocol version to speak: the client's own if it is known here, else the latest."""
    return requested if isinstance(requested, str) and requested in PROTOCOL_VERSIONS else LATEST


def initialize_result(requested: object) -> dict[str, Any]:
    """The InitializeResult for a client that asked for the protocol version `requested`."""
    return {
        "protocolVersion": negotiated(requested),
        "capabilities": {"tools": {"listChanged": False}},
        "serverInfo": {"name": SERVER_NAME, "version": __version__},
        "instructions": INSTRUCTIONS,
    }
