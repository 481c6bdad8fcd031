"""The owners of a path: whether other users could exchange what it leads to, or change it.

The shim pays for every import, so paths are plain strings.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from typing import NamedTuple

_MOST_LINKS = 40  # on the way to one path, as in Linux
_UNMAPPED = 65_534  # the id in place of each user that the current user name space does not map
_ALL_USERS = 0xFFFF_FFFF


class Fault(NamedTuple):
    """A file, directory or link on the way to a path that another user can exchange or change: its path, what is wrong
    with it, and the remedy where it is only its mode, else ''.
    """

    step: str
    reason: str
    remedy: str = ""


def fault_of(path: str, home: str) -> Fault | None:
    """Return the first fault on the way to the absolute `path`; None if each step belongs to this user or the system,
    and no other user can write to it.

    The home directory and those above it are not checked: a user who may write there can do any harm without this
    path. Directories with the sticky bit, those on a disk that is mounted read-only, and a group of which the user is
    the only member are accepted; so is the mode of `path` itself, where that is a directory, since it is made private.
    What does not exist yet is skipped. Errors: OSError when the way cannot be followed.
    """
    if sys.platform == "win32":  # Windows keeps permissions elsewhere
        return None
    trusted = {above for place in (home, os.path.realpath(home)) for above in _upwards(place)}
    for step, status, is_end in _way(path):
        if step in trusted:
            continue
        if status.st_uid != os.getuid() and not _is_system(status.st_uid):
            return Fault(step, f"belongs to another user (uid {status.st_uid})")
        if not (is_end and stat.S_ISDIR(status.st_mode)) and _is_open(step, status):
            mode = f"{stat.S_IMODE(status.st_mode):04o}"
            return Fault(step, f"can be written by other users (mode {mode})", f"chmod go-w {step}")
    return None


def _way(path: str) -> Iterator[tuple[str, os.stat_result, bool]]:
    """Yield each directory and link that the system passes on its way to `path`, and at the end what it leads to: its
    path, its status, and whether it is the end. Stops where something does not exist.
    """
    place, ahead, links = os.sep, path.split(os.sep)[::-1], 0
    while ahead:
        name = ahead.pop()
        if name in ("", os.curdir, os.pardir):
            place = os.path.dirname(place) if name == os.pardir else place  # it has no links
            continue
        step = os.path.join(place, name)
        try:
            status = os.lstat(step)
        except (FileNotFoundError, NotADirectoryError):
            return
        yield step, status, not any(ahead)
        if not stat.S_ISLNK(status.st_mode):
            place = step
            continue
        links += 1
        if links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        target = os.readlink(step)
        place = os.sep if os.path.isabs(target) else place
        ahead += target.split(os.sep)[::-1]


def _upwards(place: str) -> Iterator[str]:
    while place != os.path.dirname(place):
        yield place
        place = os.path.dirname(place)


def _is_open(step: str, status: os.stat_result) -> bool:
    """Whether other users can write to a file, or exchange what is in a directory."""
    mode = stat.S_IMODE(status.st_mode)
    is_directory = stat.S_ISDIR(status.st_mode)
    if not mode & 0o022 or stat.S_ISLNK(status.st_mode) or (is_directory and mode & stat.S_ISVTX):
        return False
    if not mode & 0o002 and _is_own_group(status.st_gid):
        return False
    return sys.platform != "win32" and not os.statvfs(step).f_flag & os.ST_RDONLY


def _is_system(uid: int) -> bool:
    return uid == 0 or (uid == _UNMAPPED and not _maps_all_users())


def _maps_all_users() -> bool:
    """Whether each user of the machine has an id here. Otherwise, in a user name space, the system's directories can
    belong to an id that stands for several users.
    """
    try:
        with open("/proc/self/uid_map", encoding="ascii") as file:
            return sum(int(line.split()[2]) for line in file) >= _ALL_USERS
    except OSError:
        return True


def _is_own_group(group: int) -> bool:
    """Whether the user is the only member of a group: many systems give each user a group, and a umask that lets the
    group write.
    """
    if sys.platform == "win32":
        return True
    import grp
    import pwd

    try:
        user, entry = pwd.getpwuid(os.getuid()).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return entry.gr_name == user and not set(entry.gr_mem) - {user}
