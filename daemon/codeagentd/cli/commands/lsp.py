"""`codeagentd lsp`: the language server of codeagent-lsp, for editors that know this command."""

from __future__ import annotations

import argparse
from typing import Final

from codeagentd.cli.window_program import become

EXAMPLES: Final = """examples:
  codeagentd lsp                       for the repositories that the editor has open
  codeagentd lsp --repo ~/src/shop     for this repository, whatever the editor has open

An editor starts it, one for each of its windows; codeagent-lsp is the same and starts faster."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options: those of codeagent-lsp."""
    parser.add_argument("--repo", metavar="PATH", help="the repository (default: CODEAGENT_REPO, else the editor's)")
    parser.add_argument("--stdio", action="store_true", help="accepted, as editors pass it")
    parser.add_argument("--clientProcessId", metavar="PID", help=argparse.SUPPRESS)  # LSP: as in `initialize`


def run(arguments: argparse.Namespace) -> int:
    """Become codeagent-lsp. Returns its exit code."""
    return become("codeagent_shim.language_server", ["--repo", arguments.repo] if arguments.repo else [])
