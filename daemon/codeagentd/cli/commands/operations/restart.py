"""`codeagentd restart`: replaces the running daemon by a new one; windows reconnect by themselves."""

from __future__ import annotations

import argparse
import json

from codeagentd.cli.daemon_client.client import question
from codeagentd.cli.daemon_client.launch import ensure_running
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from

from .stop import stop

EXAMPLES = """examples:
  codeagentd restart

After an upgrade nothing has to be restarted: a newer window brings a daemon that takes over from the old one."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Stop the daemon, then start one. Returns the exit code."""
    endpoint = endpoint_from(arguments)
    was_running = stop(endpoint, "restart")
    ensure_running(endpoint)
    pid = question(endpoint, "ping").get("pid")
    state = "restarted" if was_running else "started"
    print(
        json.dumps({"state": state, "pid": pid, "repo": endpoint.root})
        if arguments.json
        else f"{state}: pid {pid}, {endpoint.root}"
    )
    return 0
