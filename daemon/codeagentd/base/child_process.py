"""A child process of the daemon: started in a session of its own, with messages over its pipes, a deadline, and an end.

What it writes to stderr goes to the daemon's log.
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
    """Return the command that runs this interpreter, which imports nothing from the current directory."""
    return [sys.executable, "-P", *arguments]


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs a module of this program."""
    return python_command("-m", module, *arguments)


class ChildProcess:
    """One running command. Its pipes are unbuffered; `has_input` and `has_output` say which there are."""

    def __init__(
        self, command: Sequence[str], *, environment: Mapping[str, str] | None = None, has_input: bool = True,
        has_output: bool = True,
    ) -> None:  # fmt: skip
        """Start it. `environment`: None for that of this process. Errors: OSError."""
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE if has_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE if has_output else subprocess.DEVNULL, bufsize=0, start_new_session=True,
            env=environment,
        )  # fmt: skip

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Its exit status once it was waited for; below zero for a signal."""
        return self._process.returncode

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    @property
    def stdin(self) -> IO[bytes]:
        """The end of the pipe that it reads."""
        assert self._process.stdin is not None, "it was started with an input"
        return self._process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        """The end of the pipe that it writes."""
        assert self._process.stdout is not None, "it was started with an output"
        return self._process.stdout

    # -- pipes
    def write(self, data: bytes) -> None:
        """Write all of some bytes, however little the pipe takes at once. Errors: OSError; ValueError once closed."""
        descriptor, rest = self.stdin.fileno(), memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]

    def close_input(self) -> None:
        """Let it read to the end of its input."""
        with contextlib.suppress(OSError):
            self.stdin.close()

    def send(self, content: bytes) -> None:
        """Send one message. Errors: OSError; ValueError once the pipe is closed."""
        self.write(pipes.framed(content))

    def receive(self) -> bytes:
        """Wait for its next message; nothing once it has ended."""
        return pipes.receive(self.stdout)

    def read_output(self, timeout_s: float) -> bytes:
        """Wait for its end, and return all that it wrote. Errors: subprocess.TimeoutExpired."""
        return self._process.communicate(timeout=timeout_s)[0]

    # -- end
    def wait(self, timeout_s: float | None = None) -> None:
        """Wait for its end. Errors: subprocess.TimeoutExpired."""
        self._process.wait(timeout_s)

    @contextlib.contextmanager
    def killed_after(self, seconds: float) -> Iterator[None]:
        """Set a deadline for code that waits for the process: at its end the process is killed, and its pipes end."""
        timer = threading.Timer(seconds, self._process.kill)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def kill(self) -> None:
        """Kill it; from any thread, and without waiting."""
        self._process.kill()

    def kill_and_wait(self) -> None:
        """Kill it and wait for its end; its pipes stay open."""
        self._process.kill()
        self._process.wait()

    def close_pipes(self) -> None:
        """Close the pipes to it."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()

    def end(self) -> None:
        """Kill it, wait for its end and close the pipes."""
        self.kill_and_wait()
        self.close_pipes()
