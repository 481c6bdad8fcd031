"""`codeagentd ui`: opens the page of the repository's daemon in a browser."""

from __future__ import annotations

import argparse
import json
import os
import sys
import webbrowser
from typing import Final
from urllib.parse import urlsplit

from codeagentd.cli.daemon_client.client import question
from codeagentd.cli.daemon_client.launch import ensure_running
from codeagentd.cli.repository_arguments import add_json, add_repo, endpoint_from

EXAMPLES: Final = """examples:
  codeagentd ui                   open the page in the browser
  codeagentd ui --print           print its address: for a machine without a browser, or over SSH
  codeagentd ui --write           also let it change memories and tasks
  codeagentd ui --port 47100      listen there

The page shows the daemon, the code with its references, search, changes, memories and tasks, and follows every save.
It listens on 127.0.0.1 alone. The address works once, within ten minutes; the browser stays signed in for a week.
From another machine: ssh -L PORT:127.0.0.1:PORT HOST, then open the printed address there."""

PATIENCE_S: Final = 60.0  # for a daemon that is starting


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument("--print", action="store_true", help="open no browser; print the address")
    parser.add_argument("--write", action="store_true", help="let this browser change memories and tasks")
    parser.add_argument(
        "--port", type=int, default=0, metavar="NUMBER", help="where to listen (default: one by the repository)"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Start the daemon if none runs, and open the page. Returns the exit code."""
    endpoint = endpoint_from(arguments)
    ensure_running(endpoint)
    answer = question(endpoint, "page", {"port": arguments.port, "write": arguments.write}, PATIENCE_S)
    url = answer["url"]
    if arguments.json:
        print(json.dumps(answer))
        return 0
    if not arguments.print and _has_browser() and webbrowser.open(url):
        print(f"opened {url.partition('#')[0]}")
        return 0
    print(url)
    if "SSH_CONNECTION" in os.environ:
        port = urlsplit(url).port
        print(f"from your machine: ssh -L {port}:127.0.0.1:{port} HOST, then open the address there", file=sys.stderr)
    return 0


def _has_browser() -> bool:
    """Whether a browser here would be seen by the user."""
    if "SSH_CONNECTION" in os.environ and not os.environ.get("DISPLAY"):
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
