"""Isolation of an unprivileged process and of all processes that it starts: it gives up the network and the rights of
other users, and its children do not outlive it.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import resource
import signal
import socket
import struct
import sys
from contextlib import suppress
from typing import Final

IS_LINUX: Final = sys.platform == "linux"

_NEW_USER, _NEW_NET = 0x1000_0000, 0x4000_0000  # sched.h
_SET_DEATH_SIGNAL, _SET_SUBREAPER, _NO_NEW_PRIVILEGES = 1, 36, 38  # prctl.h
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1  # sockios.h, if.h
_EAGER: Final = 500  # of 1,000: how early the kernel kills the process when memory runs out
_NICENESS: Final = 5


def give_up_rights() -> None:
    """Give up rights of other users (sudo) and core files; take the lowest priority, and become the first process to be
    killed when memory runs out.
    """
    os.nice(_NICENESS)
    os.umask(0o022)  # the usual mask, which tests expect; the folder around is private
    _lower(resource.RLIMIT_CORE, 0)
    if IS_LINUX:
        _prctl(_NO_NEW_PRIVILEGES, 1)
        with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
            file.write(str(_EAGER))


def limit_files(most_bytes: int) -> None:
    """Let files that this process and all that it starts write have at most `most_bytes`."""
    _lower(resource.RLIMIT_FSIZE, most_bytes)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent has ended, even if it left its process group and
    session.
    """
    if IS_LINUX:
        _prctl(_SET_SUBREAPER, 1)


def end_with_parent() -> None:
    """Have the kernel kill this process when its parent ends: to be called by a new process."""
    if IS_LINUX:
        _prctl(_SET_DEATH_SIGNAL, signal.SIGKILL)


def leave_network() -> bool:
    """Move this process to a network name space with only a loopback interface. Returns whether that was possible. Only
    for a process with one thread.

    Some systems allow the name spaces but no operations in them, so a child process tries first.
    """
    if not IS_LINUX:
        return False
    child = os.fork()
    if not child:
        os._exit(0 if _left() else 1)
    return os.waitpid(child, 0)[1] == 0 and _left()


def _left() -> bool:
    user, group = os.geteuid(), os.getegid()
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_USER | _NEW_NET):
        return False
    try:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
        _raise_loopback()
    except OSError:
        return False
    return True


def _raise_loopback() -> None:
    """Bring the loopback interface up: tests connect to servers of their own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        reply = fcntl.ioctl(any_socket, _GET_FLAGS, struct.pack("16sh22x", b"lo", 0))
        (flags,) = struct.unpack_from("h", reply, 16)
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh22x", b"lo", flags | _UP))


def _prctl(option: int, value: int) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def _lower(limit: int, value: int) -> None:
    most = resource.getrlimit(limit)[1]
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    with suppress(OSError, ValueError):
        resource.setrlimit(limit, (value, value))
