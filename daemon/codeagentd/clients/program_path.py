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

from codeagent_protocol import dirs
from codeagent_protocol.errors import NotFound

from .config_entries import LANGUAGE_SERVER_PROGRAM, PROGRAM, is_program
from .safe_files import Refused

LASTING_COMMAND: Final = "CODEAGENT_LASTING_COMMAND"
_SUFFIX: Final = ".exe" if sys.platform == "win32" else ""
_PASSING: Final = ("/tmp", "/var/tmp", "/dev/shm")
# folders where runners keep programs that they run only once; uv's cache may be anywhere, and is known by its tag
_CACHES: Final = ("/.cache/", "/Library/Caches/", "/pipx/Cache/", "/_npx/")
_TAG: Final = "CACHEDIR.TAG"  # bford.info/cachedir: what is below its folder can be made again
_REMEDY: Final = "`codeagentd setup` makes an installation that lasts; or name a --command"


def installed() -> str:
    """Return the path of the installed program, with links not resolved: links are still correct after upgrades.

    Where the running program does not last (`uvx`, `pipx run`, `npx`), this is that of an installation which does: the
    one that the variable CODEAGENT_LASTING_COMMAND names, the one that `codeagentd setup` made, or one on PATH.

    Errors: not_found; Refused when there is none that lasts.
    """
    if command := os.environ.get(LASTING_COMMAND, ""):
        return lasting(named(command))
    path = running()
    if os.path.realpath(path) == os.path.realpath(own_program()):
        return own_program()  # whichever link led to it, so that entries stay as they are
    on_path = (os.path.join(folder, f"{PROGRAM}{_SUFFIX}") for folder in os.get_exec_path() if os.path.isabs(folder))
    others = [own_program(), *on_path] if passing_place(path) else []
    return next((other for other in others if os.access(other, os.X_OK) and not passing_place(other)), "") or lasting(
        path
    )


def running() -> str:
    """Return the path of the codeagent-mcp beside the program that runs. Errors: not_found."""
    beside = [Path(sys.argv[0]).absolute().parent, Path(sysconfig.get_path("scripts")), Path(sys.executable).parent]
    return _first(str(folder / f"{PROGRAM}{_SUFFIX}") for folder in beside)


def own_environment() -> Path:
    """Return the folder of the virtual environment that `codeagentd setup` makes where the program that runs does not
    last.
    """
    return dirs.data_dir() / "venv"


def own_program(program: str = PROGRAM) -> str:
    """Return the path of `program` in that environment."""
    return str(own_environment() / ("Scripts" if sys.platform == "win32" else "bin") / f"{program}{_SUFFIX}")


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
    if cache := _cache_of(os.path.realpath(path)):
        raise _does_not_last(path, cache)
    return os.path.abspath(path)


def beside(path: str, program: str) -> str:
    """Return the path of `program` in the folder of the program at `path`. Errors: not_found."""
    sibling = os.path.join(os.path.dirname(os.path.abspath(path)), f"{program}{_SUFFIX}")
    # the environment that setup will make is named before it is there
    if os.path.lexists(path) and not os.access(sibling, os.X_OK):
        raise NotFound(f"there is no {program} beside {path}", remedy="install the package again, or name a --command")
    return sibling


def lasting(path: str) -> str:
    """Return `path` after checking that it lasts. Errors: Refused when it is below a temporary folder or in a cache."""
    if place := passing_place(path):
        raise _does_not_last(path, place)
    return path


def passing_place(path: str) -> str:
    """Return the temporary folder or cache in which the program at `path` is; "" for one that lasts.

    Below a home directory that is itself in a temporary folder, programs last as long as everything there.
    """
    real = os.path.realpath(path)
    folders = [os.path.realpath(folder) + os.sep for folder in (tempfile.gettempdir(), *_PASSING)]
    home = os.path.realpath(dirs.home()) + os.sep
    below = [folder for folder in folders if real.startswith(folder)]
    if below and not (real.startswith(home) and home.startswith(below[0])):
        return below[0].rstrip(os.sep)
    return _cache_of(real)


def _cache_of(real: str) -> str:
    """The cache of a runner in which a program is, "" for none. An environment that uv made has the tag of caches too,
    so that only those of folders above it count.
    """
    place = Path(real).parent
    environment = next((folder for folder in place.parents if (folder / "pyvenv.cfg").is_file()), place)
    if tagged := next((folder for folder in environment.parents if (folder / _TAG).is_file()), None):
        return str(tagged)
    slashed = real.replace(os.sep, "/")
    name = next((cache for cache in _CACHES if cache in slashed), "")
    return real[: slashed.index(name) + len(name) - 1] if name else ""


def _does_not_last(path: str, place: str) -> Refused:
    return Refused(f"{path} is in {place}, which does not last", remedy=_REMEDY)


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
