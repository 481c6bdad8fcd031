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

if TYPE_CHECKING:
    from pathlib import Path

APP = "codeagentd"

SYSTEM_UIDS: Final = (0, 65_534)  # root, and the id that appears in its place where user name spaces do not map it

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
    """Check that other users cannot exchange `path` for one of theirs.

    Each directory and link on the way to the path has to belong to this user or the system, and be writable by no other
    user. The check goes up to a directory of the system, or to the home directory: another user who may write there can
    do any harm without this path.

    Directories with the sticky bit are accepted, as is a group of which the user is the only member. Directories that
    do not exist yet are skipped.

    Errors: engine_unavailable.
    """
    if sys.platform != "win32":
        ends = {home(), os.path.realpath(home())}
        for place in dict.fromkeys((path, os.path.realpath(path))):
            _climb(place, path, ends)


def check_trusted_directories() -> None:
    """Apply `check_path` to the directories whose content the daemon trusts: indexes and memories. Errors:
    engine_unavailable.
    """
    for place in (cache_path(), _override("CODEAGENT_DATA_DIR") or _user_dir("data")):
        check_path(place)


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


def _climb(step: str, path: str, ends: set[str]) -> None:
    """Check `step` and the directories above it, on the way to `path`."""
    while step not in ends:
        try:
            status = os.lstat(step)
        except (FileNotFoundError, NotADirectoryError):
            pass
        else:
            _check_step(step, path, status)
            if status.st_uid == 0 and stat.S_ISDIR(status.st_mode):
                return
        above = os.path.dirname(step)
        if above == step:
            return
        step = above


def _check_step(step: str, path: str, status: os.stat_result) -> None:
    if sys.platform == "win32":  # Windows does not keep permissions in modes
        return
    if status.st_uid not in (os.getuid(), *SYSTEM_UIDS):
        raise EngineUnavailable(
            f"{_way(step, path)} belongs to another user (uid {status.st_uid})", remedy=_elsewhere(path)
        )
    may_write = stat.S_IMODE(status.st_mode) & 0o022 and not status.st_mode & stat.S_ISVTX
    # `path` itself is made private later, so that it is not refused here
    if step == path or not may_write or not stat.S_ISDIR(status.st_mode):
        return
    if status.st_mode & 0o002 or not _is_own_group(status.st_gid):
        mode = f"{stat.S_IMODE(status.st_mode):04o}"
        raise EngineUnavailable(
            f"{_way(step, path)} can be written by other users (mode {mode})",
            remedy=f"`chmod go-w {step}`, or {_elsewhere(path)}",
        )


def _way(step: str, path: str) -> str:
    return path if step == path else f"{path} is not safe: {step}"


def _is_own_group(group: int) -> bool:
    """Whether the user is the only member of a group: many systems give each user a group, and a umask that lets the
    group write.
    """
    if sys.platform == "win32":
        return True
    import grp
    import pwd

    try:
        user, group_entry = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return group_entry.gr_name == user and not set(group_entry.gr_mem) - {user}


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
    group_entry = os.path.expanduser("~")
    if os.path.isabs(group_entry) and group_entry != "/":
        return group_entry
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
