"""Process numbers of its own for a command and all that it starts (a PID name space): nothing in there can see, stop or
kill what watches it.

Two processes stand between the supervisor and the command. The outer one makes the name space, and ends as the command
does. The inner one is the first of the name space: when it ends, the kernel kills all others, whatever they did to
their group, session and environment. Both end with the supervisor.
"""

from __future__ import annotations

import ctypes
import os
import signal
from contextlib import suppress
from typing import Final, NoReturn

from .isolation import IS_LINUX, end_with_parent

_NEW_MOUNTS, _NEW_PROCESSES = 0x0002_0000, 0x2000_0000  # sched.h
_NO_SUID, _NO_DEVICES, _NO_EXEC, _RECURSIVE, _SLAVE = 2, 4, 8, 1 << 14, 1 << 19  # mount.h
_STATUS: Final = 3  # the descriptor by which the inner process tells how the command ended
_FAILED: Final = 125  # exit code of a process that could not become what it should


def is_possible() -> bool:
    """Whether such a name space is possible, with a /proc of its own, in which programs look themselves up. A child
    tries it.
    """
    if not IS_LINUX:
        return False
    child = os.fork()
    if not child:
        with suppress(OSError):
            _leave()
            inner = os.fork()
            if not inner:
                os._exit(0 if _has_own_proc() else _FAILED)
            os._exit(os.waitstatus_to_exitcode(os.waitpid(inner, 0)[1]) & 0xFF)
        os._exit(_FAILED)
    return os.waitpid(child, 0)[1] == 0


def enter() -> None:
    """Go on as a process in a name space of its own: to be called by a new process that is about to
    become a command.

    Errors: OSError.
    """
    end_with_parent()
    hearing, telling = os.pipe()
    _leave()
    inner = os.fork()
    if inner:
        _be_outer(inner, hearing)
    end_with_parent()
    if not _has_own_proc():
        raise OSError("no /proc of its own")
    command = os.fork()
    if command:
        _be_inner(command, telling)
    os.setsid()  # group and session of the outer process have no number in here


def _be_outer(inner: int, hearing: int) -> NoReturn:
    """Wait for the end of the name space, and end as the command has."""
    _keep(hearing)
    _, status = os.waitpid(inner, 0)
    reported = os.read(_STATUS, 16)
    code = os.waitstatus_to_exitcode(int(reported) if reported else status)
    if code < 0:
        with suppress(OSError):  # SIGKILL has no other handling
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code & 0xFF)


def _be_inner(command: int, telling: int) -> NoReturn:
    """Reap what has lost its parent until the command has ended; the kernel ends the rest."""
    _keep(telling)
    while True:
        pid, status = os.wait()
        if pid == command:
            os.write(_STATUS, str(status).encode())
            os._exit(0)


def _keep(descriptor: int) -> None:
    """Hold nothing of the command's: its output ends when it closes that, and it has started when it was replaced by
    its program.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for stream in (1, 2):
        os.dup2(0, stream)
    os.dup2(descriptor, _STATUS)
    os.closerange(_STATUS + 1, os.sysconf("SC_OPEN_MAX"))


def _leave() -> None:
    """Have later children in name spaces of their own. Errors: OSError."""
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_MOUNTS | _NEW_PROCESSES):
        raise OSError(ctypes.get_errno(), "no name space of its own")


def _has_own_proc() -> bool:
    """Mount a /proc that tells of this name space, for this one alone; whether that could be had."""
    libc = ctypes.CDLL(None, use_errno=True)
    return not libc.mount(b"none", b"/", None, ctypes.c_ulong(_RECURSIVE | _SLAVE), None) and not libc.mount(
        b"proc", b"/proc", b"proc", ctypes.c_ulong(_NO_SUID | _NO_DEVICES | _NO_EXEC), None
    )
