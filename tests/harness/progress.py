"""`python tests/harness/progress.py SECONDS COMMAND…`: run a command that says much, and print a line of what it does every so many seconds.

On a terminal that line replaces the last one. What the command says on stderr passes, and its exit code is ours. It needs the standard library alone: the
Makefile runs it before anything is installed.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import IO, Final

WIDTH: Final = 100  # characters of one line


class Step:
    """The last line that a command said."""

    def __init__(self, stream: IO[str]) -> None:
        self.text = "starting"
        self._stream = stream
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._stream:
            self.text = line.strip() or self.text


def watch(every_s: float, command: list[str]) -> int:
    """Run the command and say what it does; its exit code."""
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        assert process.stdout
        step = Step(process.stdout)
        while (code := ended(process, every_s)) is None:
            print(
                f"\r\x1b[K{line(began, step)}" if sys.stdout.isatty() else f"{line(began, step)}\n", end="", flush=True
            )
    if sys.stdout.isatty():
        print("\r\x1b[K", end="")
    print(
        f"  done in {time.monotonic() - began:.0f} s"
        if code == 0
        else f"  failed after {time.monotonic() - began:.0f} s",
        flush=True,
    )
    return code


def ended(process: subprocess.Popen[str], patience_s: float) -> int | None:
    """The exit code; None when the command has not ended in time."""
    try:
        return process.wait(patience_s)
    except subprocess.TimeoutExpired:
        return None


def line(began: float, step: Step) -> str:
    """The seconds that have passed, and the step."""
    return f"  {time.monotonic() - began:3.0f} s  {step.text}"[:WIDTH]


if __name__ == "__main__":
    sys.exit(watch(float(sys.argv[1]), sys.argv[2:]))
