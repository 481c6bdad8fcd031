"""The command that clients start: the installed codeagent-mcp by its absolute path, since clients have another PATH
than a terminal.
"""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from codeagent_protocol.errors import NotFound

from .config_entries import LANGUAGE_SERVER_PROGRAM, PROGRAM, is_program
from .safe_files import Refused

_SUFFIX: Final = ".exe" if sys.platform == "win32" else ""
_PASSING: Final = ("/tmp", "/var/tmp", "/dev/shm")
# folders where runners keep programs that they run only once
_CACHES: Final = ("uv/archive-v", "uv/environments-v", "uv/builds-v", "pipx/.cache", ".cache/pipx")


def installed() -> str:
    """Return the path of the installed program, with links not resolved: links are still correct after upgrades.

    Errors: not_found; Refused when the program is in a folder that does not last.
    """
    beside = [Path(sys.argv[0]).absolute().parent, Path(sysconfig.get_path("scripts")), Path(sys.executable).parent]
    return lasting(_first(str(folder / f"{PROGRAM}{_SUFFIX}") for folder in beside))


def named(command: str) -> str:
    """Return the absolute path of `command`, which the user named; it has to be called codeagent-mcp (or codeagent-lsp,
    which stands for the one beside it), since entries are recognised by that name.

    Errors: not_found.
    """
    path = shutil.which(os.path.expanduser(command))
    if path and is_program(path, LANGUAGE_SERVER_PROGRAM):
        path = beside(path, PROGRAM)
    if not path or not is_program(path):
        raise NotFound(
            f"{command} is no program of the name {PROGRAM}", remedy=f"name an executable file {PROGRAM}{_SUFFIX}"
        )
    return os.path.abspath(path)


def beside(path: str, program: str) -> str:
    """Return the path of `program` in the folder of the program at `path`. Errors: not_found."""
    sibling = os.path.join(os.path.dirname(os.path.abspath(path)), f"{program}{_SUFFIX}")
    if not os.access(sibling, os.X_OK):
        raise NotFound(f"there is no {program} beside {path}", remedy="install the package again, or name a --command")
    return sibling


def lasting(path: str) -> str:
    """Return `path` after checking that it lasts. Errors: Refused when it is below a temporary folder or in a cache."""
    real = os.path.realpath(path)
    temporary = [os.path.realpath(folder) for folder in (tempfile.gettempdir(), *_PASSING)]
    below = next((folder for folder in temporary if real.startswith(folder + os.sep)), "")
    if below or any(cache in real.replace(os.sep, "/") for cache in _CACHES):
        raise Refused(
            f"{path} is in {below or 'a cache'}, which does not last",
            remedy="install codeagentd (pipx install codeagentd), or name a --command",
        )
    return path


def caution(path: str) -> str:
    """Return a warning if the program at `path` may stop working later because it is in the virtual environment of a
    checkout; else "".
    """
    real = Path(os.path.realpath(path))
    for folder in real.parents:
        if (folder / "pyvenv.cfg").is_file() and (folder.parent / ".git").exists():
            return (
                f"{path} is in the virtual environment of a checkout: clients fail when it moves or goes (pipx "
                "install keeps a place of its own)"
            )
    return ""


def _first(paths: Iterable[str]) -> str:
    program = next((path for path in paths if os.access(path, os.X_OK)), "") or shutil.which(PROGRAM)
    if not program:
        raise NotFound(
            f"{PROGRAM} is not installed beside {sys.executable}",
            remedy="install the package again, or name a --command",
        )
    return program
