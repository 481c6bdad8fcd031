"""What the two commands of a window have in common: their command line, their greeting of a daemon, and its launch."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from codeagent_protocol.endpoint import endpoint_at, endpoint_of
from codeagent_protocol.errors import CodedError, EngineUnavailable
from codeagent_protocol.launch import Launch
from codeagent_protocol.root import find_root
from codeagent_protocol.version import __version__

from .options import Options, Program, UsageError, parse, usage

if TYPE_CHECKING:
    from .standalone_server import StandaloneServer


def options_of(program: Program, words: Sequence[str]) -> Options | int:
    """Return the options of `program`, or the exit code when there is nothing to serve: help is printed, the command
    line is wrong, or there is no client.
    """
    try:
        options = parse(words, os.environ, program)
    except UsageError as error:
        complain(program, f"{error} (see {program.name} --help)")
        return 2
    if options.wants_help or options.wants_version:
        print(usage(program) if options.wants_help else f"{program.name} {__version__}")
        return 0
    if sys.stdin is None or sys.stdout is None:  # closed by the parent process: there is no client
        return 0
    return options


def named_launch(options: Options, daemon: Sequence[str]) -> Launch | StandaloneServer | CodedError | None:
    """Return the launch of the daemon of the repository that the options name, or the error in those options; None when
    they name no repository.
    """
    if not (options.repo or options.repo_variable):
        return None
    try:
        return launch_for(find_root(options.repo, options.repo_variable), daemon)
    except CodedError as error:
        return error


def launch_for(root: str, daemon: Sequence[str]) -> Launch | StandaloneServer:
    """Return the launch of the daemon of a repository; of a standalone server where no directory for the daemon's
    sockets can be had.
    """
    try:
        launch = Launch(endpoint_of(root), daemon)
    except EngineUnavailable as error:
        from .standalone_server import StandaloneServer

        return StandaloneServer(endpoint_at(root), error.message)
    launch.step()
    return launch


def identity(root: str) -> dict[str, str | int | bool]:
    """Return the fields of HELLO that say who greets, for the repository at `root`."""
    return {
        "product": __version__,
        "pid": os.getpid(),
        "parent_pid": os.getppid(),
        "cwd": _current_directory(),
        "repo": root,
    }


def terminal() -> dict[str, str | int | bool]:
    """Return the field of HELLO that says in which program this process was started, as far as that is known."""
    return {"window": os.environ.get("TERM_PROGRAM", "")}


def complain(program: Program, text: str) -> None:
    """Print one line for people to stderr. Without a stderr, `print` would write to stdout, which carries the protocol
    only.
    """
    if sys.stderr is not None:
        print(f"{program.name}: {text}", file=sys.stderr)


def _current_directory() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:  # the current directory was removed; the repository was named by other means
        return ""
