"""`codeagentd start`: starts a daemon in the background, so that the index is ready before the first window opens."""

from __future__ import annotations

import argparse
import json

from codeagentd.cli.daemon_client.client import question
from codeagentd.cli.daemon_client.launch import ensure_running
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from

EXAMPLES = """examples:
  codeagentd start
  codeagentd start --repo ~/src/project"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Start the daemon, or report that it already runs. Returns the exit code."""
    endpoint = endpoint_from(arguments)
    started = ensure_running(endpoint)
    pid = question(endpoint, "ping").get("pid")
    state = "started" if started else "already running"
    print(
        json.dumps({"state": state, "pid": pid, "repo": endpoint.root})
        if arguments.json
        else f"{state}: pid {pid}, {endpoint.root}"
    )
    return 0
