"""`codeagentd version`: which product and protocol this is."""

from __future__ import annotations

import argparse

from codeagent_protocol.version import PROTOCOL, __version__

EXAMPLES = """examples:
  codeagentd version
  codeagentd --version"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options: none."""


def run(_arguments: argparse.Namespace) -> int:
    """Print the version."""
    print(f"codeagentd {__version__} (protocol {PROTOCOL})")
    return 0
