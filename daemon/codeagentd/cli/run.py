"""`codeagentd run`: the daemon in the foreground, logging to the terminal."""

from __future__ import annotations

import argparse
import os
import sys

from codeagentd.cli.place import add_repo, endpoint_from

EXAMPLES = """examples:
  codeagentd run --repo ~/src/project     until Ctrl-C or `codeagentd stop`

For service managers: it does not fork, and leaves with exit code 0 on SIGTERM."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument("--offline", action="store_true", help="fetch nothing, not even the embedding model (also CODEAGENT_OFFLINE=1)")


def run(arguments: argparse.Namespace) -> int:
    """Become the daemon."""
    endpoint = endpoint_from(arguments)
    sys.stdout.flush()
    flags = ["--offline"] if arguments.offline else []
    os.execv(sys.executable, [sys.executable, "-P", "-m", "codeagentd.boot.daemon", "--repo", endpoint.root, "--foreground", *flags])
    return 0
