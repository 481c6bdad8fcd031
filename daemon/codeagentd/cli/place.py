"""Which repository a command is about, and where its daemon's files are."""

from __future__ import annotations

import argparse
import os

from codeagent_protocol.endpoint import Endpoint, endpoint_at, endpoint_of
from codeagent_protocol.root import find_root


def add_repo(parser: argparse.ArgumentParser) -> None:
    """Declare --repo."""
    parser.add_argument("--repo", metavar="PATH", help="the repository (default: CODEAGENT_REPO, else the git top level of the current directory)")


def add_json(parser: argparse.ArgumentParser) -> None:
    """Declare --json."""
    parser.add_argument("--json", action="store_true", help="print JSON, for machines")


def endpoint_from(arguments: argparse.Namespace) -> Endpoint:
    """The endpoint of the repository that the command names.

    Errors: invalid_parameter when there is no repository to be found; engine_unavailable without a usable runtime directory.
    """
    return endpoint_of(root_from(arguments))


def place_from(arguments: argparse.Namespace) -> Endpoint:
    """The same for a command that has something to say where no daemon can be reached.

    Errors: invalid_parameter when there is no repository to be found.
    """
    return endpoint_at(root_from(arguments))


def root_from(arguments: argparse.Namespace) -> str:
    """The root of the repository that the command names.

    Errors: invalid_parameter when there is no repository to be found.
    """
    return find_root(arguments.repo or "", os.environ.get("CODEAGENT_REPO", ""))
