"""`codeagentd version`: the versions of the product and the protocol."""

from __future__ import annotations

import argparse
import json

from codeagent_protocol.version import PROTOCOL, __version__
from codeagentd.cli.repository_arguments import add_json

EXAMPLES = """examples:
  codeagentd version
  codeagentd --version"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the version. Returns the exit code."""
    report = {"version": __version__, "protocol": PROTOCOL}
    print(json.dumps(report) if arguments.json else f"codeagentd {__version__} (protocol {PROTOCOL})")
    return 0
