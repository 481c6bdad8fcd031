"""Functions for other processes: waiting for the end of one, and starting one that is detached from this process."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import Final

if sys.platform == "win32":
    import _winapi

# signals that ask a process to stop
STOPPING: Final = (signal.SIGTERM, signal.SIGINT, signal.Signals["SIGHUP" if hasattr(signal, "SIGHUP") else "SIGBREAK"])


class WatchedProcess:
    """A process whose end this process waits for; it need not be a child.

    Where the system has pidfds, `fd` becomes readable when the process ends; else `fd` is -1.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.fd = _pidfd(pid)
        self._handle = _handle(pid)

    def has_ended(self) -> bool:
        """Whether the process has ended. Where the system has pidfds, this includes a zombie."""
        if sys.platform == "win32":
            return not self._handle or _winapi.WaitForSingleObject(self._handle, 0) == _winapi.WAIT_OBJECT_0
        if self.fd < 0:
            return not _exists(self.pid)
        import select

        poll = select.poll()
        poll.register(self.fd, select.POLLIN)
        return bool(poll.poll(0))

    def has_parent_ended(self) -> bool:
        """Whether the parent of this process has ended. Without a pidfd, this is seen from the parent's id, which
        changes when the parent ends.
        """
        return self.has_ended() if sys.platform == "win32" else os.getppid() != self.pid

    def close(self) -> None:
        """Stop watching the process."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1
        if sys.platform == "win32" and self._handle:
            _winapi.CloseHandle(self._handle)
            self._handle = 0


def _handle(pid: int) -> int:
    """A handle that keeps the process's id from being reused while it is watched; 0 when there is none, as for a
    process that has ended or is another user's.
    """
    if sys.platform == "win32" and pid > 0:
        try:
            return _winapi.OpenProcess(_winapi.SYNCHRONIZE, False, pid)
        except OSError:
            return 0
    return 0


if sys.platform == "win32":

    def spawn_detached(arguments: Sequence[str], environment: Mapping[str, str], output: str) -> int:
        """Start a process that outlives this process, its console and, where allowed, its job. The new process runs in
        the root directory of its program's drive, reads nothing, and writes to the file `output`, which is emptied
        first. Returns its pid. Errors: OSError.
        """
        import subprocess

        # a hidden console: without it, child processes would open windows
        apart = subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP
        root = os.path.join(os.path.splitdrive(arguments[0])[0], os.sep)
        with open(output, "wb") as out:
            for flags in (apart | subprocess.CREATE_BREAKAWAY_FROM_JOB, apart):
                try:
                    process = subprocess.Popen(
                        list(arguments),
                        env=dict(environment),
                        cwd=root,
                        stdin=subprocess.DEVNULL,
                        stdout=out,
                        stderr=out,
                        creationflags=flags,
                    )
                except PermissionError:  # the editor's job does not let processes leave it
                    continue
                process.returncode = 0  # the process is detached, so Popen need not wait for it
                return process.pid
        raise PermissionError(f"{arguments[0]} cannot be started")
else:

    def spawn_detached(arguments: Sequence[str], environment: Mapping[str, str], output: str) -> int:
        """Start a process in a session of its own whose parent is the system's first process, so that an editor does
        not end it together with its own children.

        The program is searched on PATH. It runs in `/`, reads nothing, and writes to the file `output`, which is
        emptied first. Returns its pid.
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

    def _start_from_the_middle(
        arguments: Sequence[str], environment: Mapping[str, str], output: str, writing: int
    ) -> None:
        """Run in the forked process: become a session leader, start the actual program, write its pid to the pipe
        `writing`, and exit.
        """
        try:
            os.setsid()
            os.chdir("/")
            _keep_to_ourselves()
            actions = [
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (
                    os.POSIX_SPAWN_OPEN,
                    1,
                    output,
                    os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_NOFOLLOW,
                    0o600,
                ),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ]
            pid = os.posix_spawnp(arguments[0], list(arguments), environment, file_actions=actions)
            os.write(writing, str(pid).encode())
        except OSError as error:
            os.write(writing, (error.strerror or "unknown error").encode()[:64])
        finally:
            os._exit(0)

    def _keep_to_ourselves() -> None:
        """Keep the new process from inheriting any file: a pipe of the client's that stayed open in the daemon would
        never end for its reader.
        """
        names = os.listdir("/dev/fd") if os.path.isdir("/dev/fd") else range(256)
        for name in names:
            try:
                os.set_inheritable(int(name), False)
            except OSError:
                continue  # a descriptor that was not open, or that of the listing itself


def _pidfd(pid: int) -> int:
    if sys.platform == "linux" and pid > 0:
        try:
            return os.pidfd_open(pid)
        except OSError:  # an old kernel, a sandbox, or the process is gone already: has_ended() then uses a signal
            return -1
    return -1


def _exists(pid: int) -> bool:
    """Whether a process of this id exists. POSIX only: on Windows signal 0 has another meaning."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
