"""`codeagentd run`: the daemon in the foreground, logging to the terminal."""

from __future__ import annotations

import argparse
import os
import sys

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable
from codeagent_protocol.locks import is_held
from codeagentd.boot.settings import KEYS, load
from codeagentd.cli.place import add_repo, endpoint_from
from codeagentd.serve.web.address import address, permitted

EXAMPLES = """examples:
  codeagentd run --repo ~/src/project     until Ctrl-C or `codeagentd stop`
  codeagentd run --http 127.0.0.1:8765    MCP over HTTP as well, at /mcp
  CODEAGENT_API_KEY=... codeagentd run --http 0.0.0.0:8765

For service managers: it does not fork, and leaves with exit code 0 on SIGTERM. Others see a process's arguments: a key is safer in CODEAGENT_API_KEY."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument("--offline", action="store_true", help="fetch nothing, not even the embedding model (also CODEAGENT_OFFLINE=1)")
    parser.add_argument("--http", metavar="ADDRESS", help="listen there too (also CODEAGENT_HTTP)")
    parser.add_argument("--api-key", metavar="KEY", help="what clients of HTTP have to send (also CODEAGENT_API_KEY)")
    parser.add_argument("--insecure", action="store_true", help="let others reach that address without a key")


def run(arguments: argparse.Namespace) -> int:
    """Become the daemon."""
    endpoint = endpoint_from(arguments)
    if arguments.api_key:
        os.environ[KEYS["api_key"].variable] = arguments.api_key
    if arguments.http:
        _check(endpoint, arguments)
    sys.stdout.flush()
    flags = [*(["--offline"] if arguments.offline else []), *(["--http", arguments.http] if arguments.http else [])]
    flags += ["--insecure"] if arguments.insecure else []
    os.execv(sys.executable, [sys.executable, "-P", "-m", "codeagentd.boot.daemon", "--repo", endpoint.root, "--foreground", *flags])
    return 0


def _check(endpoint: Endpoint, arguments: argparse.Namespace) -> None:
    """Errors: invalid_parameter for an address that may not be listened on, engine_unavailable where a daemon runs that knows nothing of it."""
    settings = load(endpoint.root, os.environ).settings
    permitted(address(arguments.http), settings.api_key, insecure=arguments.insecure or settings.insecure)
    if is_held(endpoint.life_lock):
        raise EngineUnavailable(f"a daemon of {endpoint.root} runs already, without these options", remedy="`codeagentd stop` it first")
