"""The choice of the repository's directory: --repo > CODEAGENT_REPO > the client's roots > the git top level of the
current directory > refuse.

`/`, the home directory and similar directories are never a repository: an index of a home directory is useless, and
would contain all private files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from typing import Final

from .dirs import home
from .errors import InvalidParameter

REMEDY: Final = "start codeagent-mcp inside a git repository, or name one with --repo PATH or CODEAGENT_REPO=PATH"

# Directories with files of other users or of the system. Only the directory itself is refused: a folder below it may be
# a project.
_SYSTEM: Final = (
    "/bin",
    "/boot",
    "/dev",
    "/etc",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/proc",
    "/run",
    "/sbin",
    "/snap",
    "/srv",
    "/sys",
    "/usr",
    "/var",
)
_BELOW_SYSTEM: Final = (
    "/dev/shm",
    "/run/user",
    "/usr/bin",
    "/usr/lib",
    "/usr/local",
    "/usr/sbin",
    "/usr/share",
    "/var/cache",
    "/var/lib",
    "/var/log",
)
_OF_PEOPLE: Final = ("/Users", "/Volumes", "/home", "/media", "/mnt", "/root", "/tmp", "/var/tmp", "/private/tmp")
_OF_MACOS: Final = ("/Applications", "/Library", "/System", "/private", "/private/etc", "/private/var")
_SHARED: Final = frozenset(_SYSTEM + _BELOW_SYSTEM + _OF_PEOPLE + _OF_MACOS)
_NEVER_BELOW: Final = ("/proc/", "/sys/")  # these contain no real files


def find_root(explicit: str = "", environment: str = "", cwd: str = "") -> str:
    """Return the real path of the repository's root. `explicit` is --repo, `environment` is CODEAGENT_REPO; "" means
    not given.

    Errors: invalid_parameter, with a remedy, when the directory is refused or when no repository can be found.
    """
    if explicit:
        return root_of(explicit, cwd, named_by="--repo")
    if environment:
        return root_of(environment, cwd, named_by="CODEAGENT_REPO")
    here = _current(cwd)
    if top := git_top_level(here):
        return top
    _refuse_forbidden(here, "the current directory")
    raise InvalidParameter(
        f"no repository: the current directory {here} is in no git work tree", remedy=REMEDY, parameter="repo"
    )


def root_of(path: str, cwd: str = "", named_by: str = "the client's root") -> str:
    """Return the root that `path` stands for: the top level of its git work tree, else the directory itself.
    `named_by`: the source of the path, for errors.

    Errors: invalid_parameter.
    """
    expanded = os.path.expanduser(path)  # clients start programs without a shell, which would expand it
    if "\0" in path:
        raise InvalidParameter(f"{named_by} is no path", remedy=REMEDY, parameter="repo")
    real = os.path.realpath(expanded if os.path.isabs(expanded) else os.path.join(_current(cwd), expanded))
    if not os.path.isdir(real):
        raise InvalidParameter(f"{named_by} names {real}, which is no directory", remedy=REMEDY, parameter="repo")
    _refuse_forbidden(real, named_by)
    return git_top_level(real) or real


def allowed_roots(paths: Iterable[str]) -> Iterator[str]:
    """Yield the roots that `paths`, the folders of a client, stand for, without those that are refused."""
    for path in paths:
        try:
            yield root_of(path)
        except InvalidParameter:
            continue


def git_top_level(path: str) -> str:
    """Return the nearest directory at or above `path` that has a `.git` file or repository; "" when there is none.

    A `.git` in a forbidden directory (a home directory under version control, a planted /tmp/.git) does not count.
    """
    at = os.path.realpath(path)
    while True:
        if _has_git(at) and not forbidden(at):
            return at
        above = os.path.dirname(at)
        if above == at:
            return ""
        at = above


def forbidden(real: str) -> str:
    """Return the reason why the real path `real` may not be a repository's root; "" when it may."""
    if os.path.dirname(real) == real:
        return "the root of a file system"
    if (
        real in _SHARED
        or real.startswith(_NEVER_BELOW)
        or real in _temporary()
        or os.path.normcase(real) in _windows_directories()
    ):
        return "a system directory"
    for own in _homes():
        if real == own:
            return "a home directory"
        if own.startswith(real + os.sep):
            return "a directory above a home directory"
    return ""


def _refuse_forbidden(real: str, named_by: str) -> None:
    if reason := forbidden(real):
        raise InvalidParameter(
            f"{named_by} is {real}, {reason}: that is never indexed", remedy=REMEDY, parameter="repo"
        )


def _has_git(directory: str) -> bool:
    git = os.path.join(directory, ".git")
    return os.path.isfile(git) or os.path.lexists(os.path.join(git, "HEAD"))


def _homes() -> set[str]:
    homes = {os.path.realpath(home())}
    if sys.platform != "win32":
        import pwd

        try:
            # HOME may differ from the user's entry; both are home directories
            homes.add(os.path.realpath(pwd.getpwuid(os.getuid()).pw_dir))
        except KeyError:
            pass
    return homes - {os.sep}


def _windows_directories() -> set[str]:
    """The directories of the system, of its programs and of all users on Windows, in the form in which paths are
    compared.
    """
    if sys.platform != "win32":
        return set()
    named = [
        value
        for name in ("SYSTEMROOT", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMDATA", "PUBLIC")
        if (value := os.environ.get(name))
    ]
    return {os.path.normcase(os.path.realpath(path)) for path in [*named, os.path.dirname(home())]}


def _temporary() -> set[str]:
    return {
        os.path.realpath(value)
        for name in ("TMPDIR", "TEMP", "TMP", "XDG_RUNTIME_DIR")
        if (value := os.environ.get(name))
    }


def _current(cwd: str) -> str:
    try:
        return os.path.realpath(cwd or os.getcwd())
    except FileNotFoundError:
        raise InvalidParameter("the current directory no longer exists", remedy=REMEDY, parameter="repo") from None
