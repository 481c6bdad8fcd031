"""The client of the official TypeScript SDK, on which opencode, gemini-cli, the MCP Inspector and many others are built."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

from tests.harness.node_client import Ask, node_client
from tests.harness.npm_packages import npm_packages

PACKAGE: Final = "@modelcontextprotocol/sdk@1"

_SCRIPT: Final = Path(__file__).with_name("typescript_client.mjs")


def typescript_client(command: list[str], environment: Mapping[str, str]) -> AbstractContextManager[Ask]:
    """A connection to a server. What is yielded sends an order of typescript_client.mjs, and returns what became of it."""
    return node_client(_SCRIPT, npm_packages("typescript-sdk-1", PACKAGE), command, environment)
