"""`codeagentd restart`: a new daemon in the place of the old one; windows reconnect by themselves."""

from __future__ import annotations

import argparse

from codeagentd.cli.launching import ensure_running
from codeagentd.cli.place import add_repo, endpoint_from
from codeagentd.cli.stop import stop
from codeagentd.cli.talk import question

EXAMPLES = """examples:
  codeagentd restart

After an upgrade nothing has to be restarted: a newer window brings a daemon that takes over from the old one."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)


def run(arguments: argparse.Namespace) -> int:
    """Stop, then start."""
    endpoint = endpoint_from(arguments)
    was_running = stop(endpoint, "restart")
    ensure_running(endpoint)
    pid = question(endpoint, "ping").get("pid")
    print(f"{'restarted' if was_running else 'started'}: pid {pid}, {endpoint.root}")
    return 0
