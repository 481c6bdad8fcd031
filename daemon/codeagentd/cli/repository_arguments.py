"""Which repository a command is about, and where its daemon's files are."""

from __future__ import annotations

import argparse
import os

from codeagent_protocol.endpoint import Endpoint, endpoint_at, endpoint_of
from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.locks import is_held
from codeagent_protocol.root import find_root


def add_repo(parser: argparse.ArgumentParser) -> None:
    """Declare --repo."""
    parser.add_argument(
        "--repo",
        metavar="PATH",
        help="the repository (default: CODEAGENT_REPO, else the git top level of the current directory)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Declare --json."""
    parser.add_argument("--json", action="store_true", help="print JSON, for machines")


def endpoint_from(arguments: argparse.Namespace) -> Endpoint:
    """The endpoint of the repository that the command names; it may be gone, while its daemon is not.

    Errors: invalid_parameter when there is no repository to be found; engine_unavailable without a usable runtime
            directory.
    """
    return endpoint_of(place_from(arguments).root)


def place_from(arguments: argparse.Namespace) -> Endpoint:
    """The same for a command that has something to say where no daemon can be reached.

    Errors: invalid_parameter when there is no repository to be found.
    """
    try:
        return endpoint_at(root_from(arguments))
    except InvalidParameter:
        if left := _left_behind(arguments):
            return left
        raise


def _left_behind(arguments: argparse.Namespace) -> Endpoint | None:
    """The endpoint of a daemon whose repository was moved away or removed."""
    named = os.path.expanduser(arguments.repo or os.environ.get("CODEAGENT_REPO", ""))
    if not named or "\0" in named or os.path.lexists(named):
        return None
    endpoint = endpoint_at(named)
    return endpoint if is_held(endpoint.life_lock) else None


def root_from(arguments: argparse.Namespace) -> str:
    """The root of the repository that the command names.

    Errors: invalid_parameter when there is no repository to be found.
    """
    return find_root(arguments.repo or "", os.environ.get("CODEAGENT_REPO", ""))


def inside(root: str, path: str, parameter: str = "paths") -> str:
    """A path as the repository knows it: one that exists from here is taken from here, every other one from the root.

    Errors: invalid_parameter when it leads outside.
    """
    from_here = os.path.realpath(path)
    real = (
        from_here
        if os.path.exists(from_here) and from_here.startswith(root + os.sep)
        else os.path.realpath(os.path.join(root, path))
    )
    if not real.startswith(root + os.sep):
        raise InvalidParameter(
            f"{path} is outside of {root}", remedy="name files of the repository", parameter=parameter
        )
    return os.path.relpath(real, root)
