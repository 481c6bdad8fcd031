"""Other processes: watching one until it ends, and starting one that is nobody's child."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence


class WatchedProcess:
    """A process that this one waits for, its child or not. Where the system has pidfds, `fd` becomes readable at its end; else `fd` is -1."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.fd = _pidfd(pid)

    def has_ended(self) -> bool:
        """Whether the process is gone (a zombie is gone too, where pidfds tell)."""
        if self.fd < 0:
            return not _exists(self.pid)
        import select

        poll = select.poll()
        poll.register(self.fd, select.POLLIN)
        return bool(poll.poll(0))

    def close(self) -> None:
        """Stop watching."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


def spawn_detached(arguments: Sequence[str], environment: Mapping[str, str], output: str) -> int:
    """Start a process in a session of its own whose parent is the system, so that no editor takes it down with its own children.

    It is looked for on PATH, runs in `/`, reads nothing, and writes to the file `output`, which is emptied first. Returns its pid.
    Errors: OSError.
    """
    reading, writing = os.pipe()
    middle = os.fork()
    if not middle:
        _start_from_the_middle(arguments, environment, output, writing)
    os.close(writing)
    try:
        answer = os.read(reading, 64)
    finally:
        os.close(reading)
        os.waitpid(middle, 0)
    if not answer.isdigit():
        raise OSError(f"{arguments[0]} cannot be started: {answer.decode(errors='replace')}")
    return int(answer)


def _start_from_the_middle(arguments: Sequence[str], environment: Mapping[str, str], output: str, writing: int) -> None:
    """The forked process: becomes a session leader, starts the real one, tells its pid and leaves."""
    try:
        os.setsid()
        os.chdir("/")
        _keep_to_ourselves()
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ]
        pid = os.posix_spawnp(arguments[0], list(arguments), environment, file_actions=actions)
        os.write(writing, str(pid).encode())
    except OSError as error:
        os.write(writing, (error.strerror or "unknown error").encode()[:64])
    finally:
        os._exit(0)


def _keep_to_ourselves() -> None:
    """Let the new process inherit no file: a pipe of the client's that lived on in the daemon would never end for its reader."""
    names = os.listdir("/dev/fd") if os.path.isdir("/dev/fd") else range(256)
    for name in names:
        try:
            os.set_inheritable(int(name), False)
        except OSError:
            continue  # never open, or the listing's own


def _pidfd(pid: int) -> int:
    if sys.platform == "linux" and pid > 0:
        try:
            return os.pidfd_open(pid)
        except OSError:  # an old kernel, a sandbox, or the process is gone already: has_ended() asks with a signal
            return -1
    return -1


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
