"""The directories on disk: CODEAGENT_*_DIR as they are, else the platform's own directories.

The shim pays for every import, so the rules work on plain strings; pathlib is loaded by the functions that return a
Path, and platformdirs only where a variable and a default are not enough (Windows).
"""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING, Final

from .errors import EngineUnavailable
from .path_owners import fault_of

if TYPE_CHECKING:
    from pathlib import Path

APP = "codeagentd"

INDEXES: Final = ("worktrees", "repositories")  # the folders of the cache directory with indexes and facts
MEMORIES: Final = "memory.db"  # of the data directory

_LINUX: Final = {
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "data": ("XDG_DATA_HOME", ".local/share"),
    "config": ("XDG_CONFIG_HOME", ".config"),
    "state": ("XDG_STATE_HOME", ".local/state"),
}
_MAC: Final = {
    "cache": ("XDG_CACHE_HOME", "Library/Caches"),
    "data": ("XDG_DATA_HOME", "Library/Application Support"),
    "config": ("XDG_CONFIG_HOME", "Library/Application Support"),
    "state": ("XDG_STATE_HOME", "Library/Application Support"),
}


def cache_dir() -> Path:
    """Return the directory of disposable data (indexes): CODEAGENT_CACHE_DIR or the platform's cache directory."""
    return _path(cache_path())


def data_dir() -> Path:
    """Return the directory of data that cannot be made again (memories, tasks): CODEAGENT_DATA_DIR or the platform's
    data directory.
    """
    return _path(_override("CODEAGENT_DATA_DIR") or _user_dir("data"))


def config_dir() -> Path:
    """Return the directory of the user's config.json: CODEAGENT_CONFIG_DIR or the platform's configuration
    directory.
    """
    return _path(_override("CODEAGENT_CONFIG_DIR") or _user_dir("config"))


def state_dir() -> Path:
    """Return the directory of logs: CODEAGENT_CACHE_DIR/log when the cache is overridden, else the platform's state
    directory.
    """
    return _path(state_path())


def runtime_dir() -> Path:
    """Return the directory of sockets and locks: CODEAGENT_RUNTIME_DIR, else XDG_RUNTIME_DIR/codeagentd, else a private
    directory below the cache.

    It is never a guessable directory below the system's directory for temporary files.
    """
    return _path(runtime_path())


def cache_path() -> str:
    """Return `cache_dir` as a string."""
    return _override("CODEAGENT_CACHE_DIR") or _user_dir("cache")


def state_path() -> str:
    """Return `state_dir` as a string."""
    cache = _override("CODEAGENT_CACHE_DIR")
    return os.path.join(cache, "log") if cache else _user_dir("state")


def runtime_path() -> str:
    """Return `runtime_dir` as a string."""
    if chosen := _override("CODEAGENT_RUNTIME_DIR"):
        return chosen
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    return os.path.join(base, APP) if os.path.isabs(base) else os.path.join(cache_path(), "run")


def private(path: Path) -> Path:
    """Create `path` as a directory that only this user can enter (mode 0700), and return it; refuse a directory of
    another user.

    Errors: engine_unavailable.
    """
    make_private(str(path))
    return path


def make_private(path: str) -> None:
    """Create `path` as a directory that only this user can enter, as `private` does. Missing parents become private
    too: under a lax umask other users could exchange what is below them.

    Errors: engine_unavailable.
    """
    try:
        check_path(path)
        _make(path)
        _check_owner(path, os.lstat(path))  # another user's link may point anywhere later
        status = os.stat(path)
        _check_owner(path, status)
        if stat.S_IMODE(status.st_mode) & 0o077:
            os.chmod(path, 0o700)
    except OSError as error:
        raise EngineUnavailable(f"{path} cannot be used: {error.strerror}", remedy=_elsewhere(path)) from error


def check_path(path: str) -> None:
    """Check that other users cannot exchange `path`, or one of the directories and links on the way to it, for one of
    theirs, as `path_owners` decides.

    Errors: engine_unavailable, also when the way cannot be followed.
    """
    try:
        fault = fault_of(path, home())
    except OSError as error:
        raise EngineUnavailable(f"{path} cannot be used: {error.strerror}", remedy=_elsewhere(path)) from error
    if fault:
        way = path if fault.step == path else f"{path} is not safe: {fault.step}"
        remedy = f"`{fault.remedy}`, or {_elsewhere(path)}" if fault.remedy else _elsewhere(path)
        raise EngineUnavailable(f"{way} {fault.reason}", remedy=remedy)


def check_trusted_directories() -> None:
    """Apply `check_path` to what the daemon trusts: the folders of indexes and facts, and the file of memories. Errors:
    engine_unavailable.
    """
    for name in INDEXES:
        check_path(os.path.join(cache_path(), name))
    check_path(os.path.join(_override("CODEAGENT_DATA_DIR") or _user_dir("data"), MEMORIES))


def variable_of(path: str) -> str:
    """Return the environment variable that moves `path`, which is one of the directories above or below one; "" for any
    other path.
    """
    places = (
        ("CODEAGENT_RUNTIME_DIR", runtime_path()),  # first, since it may be below the cache
        ("CODEAGENT_CACHE_DIR", cache_path()),
        ("CODEAGENT_DATA_DIR", str(data_dir())),
        ("CODEAGENT_CONFIG_DIR", str(config_dir())),
        ("CODEAGENT_CACHE_DIR", state_path()),
    )
    below = os.path.join(path, "")
    return next((variable for variable, place in places if below.startswith(os.path.join(place, ""))), "")


def _elsewhere(path: str) -> str:
    variable = variable_of(path)
    return f"set {variable} to a directory of your own" if variable else "make it a directory of your own"


def _make(path: str) -> None:
    parent = os.path.dirname(path)
    if parent != path and not os.path.isdir(parent):
        _make(parent)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


def _check_owner(path: str, status: os.stat_result) -> None:
    if sys.platform != "win32" and status.st_uid != os.getuid():
        raise EngineUnavailable(f"{path} belongs to another user (uid {status.st_uid})", remedy=_elsewhere(path))


def _override(variable: str) -> str:
    value = os.environ.get(variable)
    return os.path.abspath(value) if value else ""


def _user_dir(kind: str) -> str:
    if sys.platform == "win32":
        import platformdirs

        return str(getattr(platformdirs, f"user_{kind}_dir")(APP, appauthor=False))
    variable, below_home = (_MAC if sys.platform == "darwin" else _LINUX)[kind]
    base = os.environ.get(variable, "")
    return os.path.join(base if os.path.isabs(base) else os.path.join(home(), below_home), APP)


def home() -> str:
    """Return the user's home directory: HOME, or the entry of the system's user list when HOME is unset, empty or
    relative; "/" when there is none.
    """
    expanded = os.path.expanduser("~")
    if os.path.isabs(expanded) and expanded != "/":
        return expanded
    if sys.platform != "win32":
        import pwd

        try:
            return pwd.getpwuid(os.getuid()).pw_dir
        except KeyError:
            pass
    return os.path.abspath(os.sep)


def _path(path: str) -> Path:
    from pathlib import Path

    return Path(path)
