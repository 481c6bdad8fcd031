"""A PID name space for a command and all processes that it starts: a process in it cannot see, stop or kill the process
that watches it.

Two processes stand between the supervisor and the command. The outer one creates the name space, and ends with the
command's exit status. The inner one is the first process in the name space: when it ends, the kernel kills all others
in it, even if they changed their process group, session or environment. Both end when the supervisor ends.
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
_STATUS: Final = 3  # the descriptor through which the inner process reports the command's exit status
_FAILED: Final = 125  # exit code of a process that could not be set up


def is_possible() -> bool:
    """Whether a PID name space can be created, with a /proc of its own, which programs read. A child process
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
    """Continue as a process in a new PID name space. To be called by a new process that is about to become a command.

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
    os.setsid()  # group and session of the outer process have no number in the name space


def _be_outer(inner: int, hearing: int) -> NoReturn:
    """Run as the outer process: wait for the end of the name space, and end with the command's exit status."""
    _keep(hearing)
    _, status = os.waitpid(inner, 0)
    reported = os.read(_STATUS, 16)
    code = os.waitstatus_to_exitcode(int(reported) if reported else status)
    if code < 0:
        with suppress(OSError):  # the handling of SIGKILL cannot be changed
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code & 0xFF)


def _be_inner(command: int, telling: int) -> NoReturn:
    """Run as the inner process: reap orphans until the command has ended; the kernel ends the rest."""
    _keep(telling)
    while True:
        pid, status = os.wait()
        if pid == command:
            os.write(_STATUS, str(status).encode())
            os._exit(0)


def _keep(descriptor: int) -> None:
    """Close all descriptors but the pipe for the status. So the command's output ends when the command closes it, and
    its start is seen when its program replaces it.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    for stream in (1, 2):
        os.dup2(0, stream)
    os.dup2(descriptor, _STATUS)
    os.closerange(_STATUS + 1, os.sysconf("SC_OPEN_MAX"))


def _leave() -> None:
    """Have later children created in a new PID name space. Errors: OSError."""
    if ctypes.CDLL(None, use_errno=True).unshare(_NEW_MOUNTS | _NEW_PROCESSES):
        raise OSError(ctypes.get_errno(), "no name space of its own")


def _has_own_proc() -> bool:
    """Mount a /proc for this PID name space, visible in it alone. Returns whether that was possible."""
    libc = ctypes.CDLL(None, use_errno=True)
    return not libc.mount(b"none", b"/", None, ctypes.c_ulong(_RECURSIVE | _SLAVE), None) and not libc.mount(
        b"proc", b"/proc", b"proc", ctypes.c_ulong(_NO_SUID | _NO_DEVICES | _NO_EXEC), None
    )
