"""`codeagentd run`: the daemon in the foreground, logging to the terminal."""

from __future__ import annotations

import argparse
import os
import shlex
import sys

from codeagent_protocol.endpoint import Endpoint
from codeagent_protocol.errors import EngineUnavailable, InvalidParameter
from codeagent_protocol.locks import holder_line, is_held
from codeagentd.boot.settings import COMMAND_LINE, KEYS, load
from codeagentd.cli.repository_arguments import add_repo, endpoint_from
from codeagentd.serve.http.address import address, listening, permitted

EXAMPLES = """examples:
  codeagentd run --repo ~/src/project     until Ctrl-C or `codeagentd stop`
  codeagentd run --http 127.0.0.1:8765    MCP over HTTP as well, at /mcp
  CODEAGENT_API_KEY=... codeagentd run --http 0.0.0.0:8765 --http-host box.example

For service managers: it does not fork, and leaves with exit code 0 on SIGTERM. Others see a process's arguments: a \
key is safer in CODEAGENT_API_KEY."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    add_repo(parser)
    parser.add_argument(
        "--offline", action="store_true", help="fetch nothing, not even the embedding model (also CODEAGENT_OFFLINE=1)"
    )
    parser.add_argument("--http", metavar="ADDRESS", help="listen there too (also CODEAGENT_HTTP)")
    parser.add_argument("--api-key", metavar="KEY", help="what clients of HTTP have to send (also CODEAGENT_API_KEY)")
    parser.add_argument(
        "--http-host",
        metavar="NAME",
        action="append",
        help="a name by which clients may call this machine (also CODEAGENT_HTTP_HOSTS)",
    )
    parser.add_argument("--insecure", action="store_true", help="let others reach that address without a key")


def run(arguments: argparse.Namespace) -> int:
    """Become the daemon of the repository, in this process. Returns the exit code when it ends."""
    endpoint = endpoint_from(arguments)
    if arguments.api_key:
        os.environ[KEYS["api_key"].variable] = arguments.api_key
    if arguments.http:
        _check(endpoint, arguments)
    elif is_held(endpoint.life_lock):  # a daemon of the same version would leave, a newer one would take over
        print(
            f"a daemon of {endpoint.root} runs already: pid {holder_line(endpoint.life_lock).partition(' ')[0]}",
            file=sys.stderr,
            flush=True,
        )
    sys.stdout.flush()
    flags = [*(["--offline"] if arguments.offline else []), *(["--http", arguments.http] if arguments.http else [])]
    flags += ["--insecure"] if arguments.insecure else []
    flags += [part for host in arguments.http_host or () for part in ("--http-host", host)]
    os.execv(
        sys.executable,
        [sys.executable, "-P", "-m", "codeagentd.boot.daemon", "--repo", endpoint.root, "--foreground", *flags],
    )
    return 0


def _check(endpoint: Endpoint, arguments: argparse.Namespace) -> None:
    """Check that a daemon can start. Errors: invalid_parameter for an address or name that cannot be used,
    engine_unavailable if a daemon already runs or the port is taken.
    """
    flags = {"http_hosts": arguments.http_host, "insecure": arguments.insecure or None}
    loaded = load(endpoint.root, os.environ, flags)
    if wrong := next((problem for problem in loaded.problems if problem.source == COMMAND_LINE), None):
        raise InvalidParameter(f"--http-host: {wrong.message}", remedy=wrong.remedy, parameter="http_host")
    place = address(arguments.http)
    permitted(place, loaded.settings.api_key, insecure=loaded.settings.insecure)
    if is_held(endpoint.life_lock):
        raise EngineUnavailable(
            f"a daemon of {endpoint.root} runs already, without these options",
            remedy=f"end it with `codeagentd stop --repo {shlex.quote(endpoint.root)}`, then run this command again",
        )
    listening(place).close()  # a daemon would go on without HTTP, but here HTTP was requested explicitly
