"""A Landlock domain (Linux 6.12 and later) for a command and all processes that it starts: a process in it can neither
signal nor trace a process outside, such as the one that watches it.

It takes no rights, so that it works where no name space can be created: in most containers, and where the system keeps
user name spaces for chosen programs.
"""

from __future__ import annotations

import ctypes
import os
import struct
from typing import Final

from .isolation import IS_LINUX, end_with_parent

_CREATE_RULESET, _RESTRICT_SELF = 444, 446  # syscall numbers, the same on all architectures that Python supports
_GET_VERSION: Final = 1  # landlock.h
_SIGNALS: Final = 2  # landlock.h: LANDLOCK_SCOPE_SIGNAL
_SINCE: Final = 6  # the version of Landlock's interface that knows it
_RULESET: Final = struct.pack("=QQQ", 0, 0, _SIGNALS)  # handled rights over files: none; over ports: none; scopes


def is_possible() -> bool:
    """Whether the kernel has Landlock, and knows scopes for signals."""
    return IS_LINUX and _call(_CREATE_RULESET, None, 0, _GET_VERSION) >= _SINCE


def enter() -> None:
    """Continue as a process in a new domain. To be called by a new process that is about to become a command, and that
    can gain no rights (no_new_privs).

    Errors: OSError.
    """
    end_with_parent()
    ruleset = _call(_CREATE_RULESET, _RULESET, len(_RULESET), 0)
    if ruleset < 0 or _call(_RESTRICT_SELF, ctypes.c_int(ruleset), 0):
        raise OSError(ctypes.get_errno(), "no Landlock domain")
    os.close(ruleset)


def _call(number: int, *arguments: object) -> int:
    return int(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *arguments))
