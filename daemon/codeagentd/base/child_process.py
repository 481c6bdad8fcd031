"""Child processes of the daemon: each runs in an OS session of its own and is used through its pipes, with deadlines.

Their standard error goes to the daemon's log.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import IO

from codeagent_protocol import pipes


def python_command(*arguments: str) -> list[str]:
    """Return the command that runs this interpreter with `arguments`; it imports nothing from the current directory."""
    return [sys.executable, "-P", *arguments]


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs `module` of this program with `arguments`."""
    return python_command("-m", module, *arguments)


class ChildProcess:
    """A running command. The pipes are unbuffered; `has_input` and `has_output` say which of stdin and stdout are
    pipes.
    """

    def __init__(
        self, command: Sequence[str], *, environment: Mapping[str, str] | None = None, has_input: bool = True,
        has_output: bool = True,
    ) -> None:  # fmt: skip
        """Start the command. `environment`: None for the environment of this process. Errors: OSError."""
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE if has_output else subprocess.DEVNULL, bufsize=0, start_new_session=True,
            env=environment,
        )  # fmt: skip

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit status; None until the process was waited for. Below zero for a process that a signal ended."""
        return self._process.returncode

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended yet."""
        return self._process.poll() is None

    @property
    def is_stopped(self) -> bool:
        """Whether a signal has stopped the process since it was started, as Linux tells."""
        if sys.platform != "linux":
            return False
        with contextlib.suppress(ChildProcessError):
            return os.waitid(os.P_PID, self.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT) is not None
        return False

    @property
    def stdin(self) -> IO[bytes]:
        """The pipe to the standard input of the process."""
        assert self._process.stdin is not None, "it was started with an input"
        return self._process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        """The pipe from the standard output of the process."""
        assert self._process.stdout is not None, "it was started with an output"
        return self._process.stdout

    # -- pipes
    def write(self, data: bytes) -> None:
        """Write all of `data`, also where the pipe takes only a part at once. Errors: OSError; ValueError once
        closed.
        """
        descriptor, rest = self.stdin.fileno(), memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]

    def close_input(self) -> None:
        """Close the standard input of the process, which then reads the end of the file."""
        with contextlib.suppress(OSError):
            self.stdin.close()

    def send(self, content: bytes) -> None:
        """Send `content` to the process as one message. Errors: OSError; ValueError once the pipe is closed."""
        self.write(pipes.framed(content))

    def receive(self) -> bytes:
        """Wait for the next message of the process; return b"" once the process has ended."""
        return pipes.receive(self.stdout)

    def read_output(self, timeout_s: float) -> bytes:
        """Wait until the process ends, and return everything that it wrote. Errors: subprocess.TimeoutExpired after
        `timeout_s`.
        """
        return self._process.communicate(timeout=timeout_s)[0]

    # -- end
    def wait(self, timeout_s: float | None = None) -> None:
        """Wait until the process ends. Errors: subprocess.TimeoutExpired after `timeout_s`; None waits for ever."""
        self._process.wait(timeout_s)

    @contextlib.contextmanager
    def killed_after(self, seconds: float) -> Iterator[None]:
        """Set a deadline for the block, which waits for the process: after `seconds`, the process is killed, and its
        pipes end.
        """
        timer = threading.Timer(seconds, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def kill(self) -> None:
        """Kill the process without waiting for its end. May be called from any thread."""
        self._process.kill()

    def kill_and_wait(self) -> None:
        """Kill the process and wait for its end; the pipes stay open."""
        self._process.kill()
        self._process.wait()

    def close_pipes(self) -> None:
        """Close both pipes."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()

    def end(self) -> None:
        """Kill the process, wait for its end and close the pipes."""
        self.kill_and_wait()
        self.close_pipes()
