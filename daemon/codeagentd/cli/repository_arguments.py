"""The arguments that select a repository, and the paths of its daemon's files."""

from __future__ import annotations

import argparse
import os

from codeagent_protocol.endpoint import Endpoint, endpoint_at, endpoint_of
from codeagent_protocol.errors import InvalidParameter
from codeagent_protocol.locks import is_held
from codeagent_protocol.root import find_root


def add_repo(parser: argparse.ArgumentParser) -> None:
    """Declare the option --repo."""
    parser.add_argument(
        "--repo",
        metavar="PATH",
        help="the repository (default: CODEAGENT_REPO, else the git top level of the current directory)",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Declare the option --json."""
    parser.add_argument("--json", action="store_true", help="print JSON, for machines")


def endpoint_from(arguments: argparse.Namespace) -> Endpoint:
    """Return the endpoint of the repository that the command names. The repository may have been removed while its
    daemon still runs.

    Errors: invalid_parameter when no repository is found; engine_unavailable without a usable runtime
            directory.
    """
    return endpoint_of(place_from(arguments).root)


def place_from(arguments: argparse.Namespace) -> Endpoint:
    """Return the endpoint of the repository that the command names, for a command that also works where no daemon can
    be reached.

    Errors: invalid_parameter when no repository is found.
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
    """Return the root of the repository that the command names.

    Errors: invalid_parameter when no repository is found.
    """
    return find_root(arguments.repo or "", os.environ.get("CODEAGENT_REPO", ""))


def inside(root: str, path: str, parameter: str = "paths") -> str:
    """Return `path` relative to the repository at `root`. If it exists relative to the current directory, that is
    meant, else it is relative to the root.

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
