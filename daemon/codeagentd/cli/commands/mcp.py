"""`codeagentd mcp`: the MCP server of codeagent-mcp, for clients and registries that start a package by its name."""

from __future__ import annotations

import argparse
from typing import Final

from codeagentd.cli.window_program import become

EXAMPLES: Final = """examples:
  codeagentd mcp                       for the repository of the client
  codeagentd mcp --repo ~/src/shop     for this repository, wherever the client is
  uvx codeagentd mcp                   the same without an installation

A client starts it, one for each of its windows; codeagent-mcp is the same and starts faster."""

TEXTS: Final = {
    "--repo": ("PATH", "the repository (default: CODEAGENT_REPO, else the client's)"),
    "--toolsets": ("NAMES", "comma-separated toolsets to offer, or `default` or `all`"),
    "--tools": ("NAMES", "comma-separated tools to offer besides the toolsets"),
    "--exclude-tools": ("NAMES", "comma-separated tools not to offer"),
    "--tool-names": ("STYLE", "dotted or underscore: some clients refuse dots in names"),
    "--rows": ("FORM", "compact or full: answers for a model, or for a program"),
}
SWITCHES: Final = {
    "--read-only": "offer no tool that changes anything",
    "--allow-exec": "offer the tools that run commands",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options: those of codeagent-mcp, which judges their values."""
    for flag, (placeholder, text) in TEXTS.items():
        parser.add_argument(flag, dest=flag, metavar=placeholder, help=text)
    for flag, text in SWITCHES.items():
        parser.add_argument(flag, dest=flag, action="store_true", help=text)


def run(arguments: argparse.Namespace) -> int:
    """Become codeagent-mcp. Returns its exit code."""
    passed = vars(arguments)
    words = [word for flag in TEXTS if passed[flag] is not None for word in (flag, passed[flag])]
    return become("codeagent_shim.main", words + [flag for flag in SWITCHES if passed[flag]])
