"""The repository that contains a path, by the `.git` of a folder above it.

Paths come from callers, and may lead anywhere. Only the existence of a `.git` is told, in folders of the user's own: no
link is followed, no file is read, git does not run, and the number of looks is bounded.
"""

from __future__ import annotations

import os
import stat
import sys

from codeagent_protocol.root import forbidden
from codeagentd.base.limits import MAX_PATH_PARTS


def repository_of(place: str) -> str:
    """Return the nearest folder at or above `place`, an absolute path without `..`, that is the top of a work tree; ''
    without one. A path with a link on the way, or of more than MAX_PATH_PARTS parts, has none.
    """
    drive, rest = os.path.splitdrive(place)
    parts = rest.split(os.sep)[1:]
    if len(parts) > MAX_PATH_PARTS:
        return ""
    at, found = drive + os.sep, ""
    for part in parts:
        at = os.path.join(at, part)
        mode = _mode_of(at)
        if stat.S_ISLNK(mode):
            return ""
        if not stat.S_ISDIR(mode):
            break
        if _is_own(at) and _has_git(at) and not forbidden(at):
            found = at
    return found


def _has_git(folder: str) -> bool:
    dot_git = os.path.join(folder, ".git")
    mode = _mode_of(dot_git)
    if stat.S_ISDIR(mode):
        return bool(_mode_of(os.path.join(dot_git, "HEAD")))
    return stat.S_ISREG(mode)


def _is_own(folder: str) -> bool:
    return sys.platform == "win32" or os.lstat(folder).st_uid == os.geteuid()


def _mode_of(place: str) -> int:
    """Return the mode of what is at `place`, 0 for nothing."""
    try:
        return os.lstat(place).st_mode
    except (OSError, ValueError):
        return 0
