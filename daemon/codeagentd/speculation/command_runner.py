"""The run of one command: started without a shell, with its output read, and ended with all its processes when its time
is over.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from codeagentd.base.limits import LEAST_FREE_BYTES, OUTPUT_KEPT_BYTES
from codeagentd.model.speculation import Command, Outcome, Ran

from .isolation import IS_LINUX
from .process_tree import end_descendants

LOOK_MS: Final = 50
READ_BYTES: Final = 65_536  # the capacity of a pipe
READS: Final = 64  # reads in one turn

_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[@-Z\\-_])")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


class Tail:
    """The last part of a command's output, in a fixed amount of memory."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._total = 0

    def drain(self, descriptor: int) -> None:
        """Read the output available at `descriptor`, up to the maximum for one turn: some commands write faster than
        this reads.
        """
        with suppress(BlockingIOError):
            for _ in range(READS):
                piece = os.read(descriptor, READ_BYTES)
                if not piece:
                    return
                self._total += len(piece)
                self._buffer += piece
                if len(self._buffer) > 2 * OUTPUT_KEPT_BYTES:
                    del self._buffer[:-OUTPUT_KEPT_BYTES]

    def text(self) -> tuple[str, int]:
        """Return the end of the output as text, from the beginning of a line, and the number of bytes left out before
        it.
        """
        last = bytes(self._buffer[-OUTPUT_KEPT_BYTES:])
        if len(last) < self._total:
            last = last.partition(b"\n")[2] or last
        return readable(last.decode("utf-8", "replace")), self._total - len(last)


def readable(text: str) -> str:
    """Return `text` without escape sequences and invisible characters."""
    text = _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    return (
        text
        if text.isascii() and text.isprintable()
        else "".join(
            character for character in text if character in "\n\t" or unicodedata.category(character) not in _HIDDEN
        )
    )


def run(
    command: Command,
    folder: Path,
    environment: Mapping[str, str],
    is_abandoned: Callable[[], bool],
    enter: Callable[[], None],
) -> Ran:
    """Run `command` in `folder`, and return its outcome; every process that it started ends with it. The command ends
    early if `is_abandoned` returns True because no caller waits any more, or if it leaves too little free space on the
    disk.

    `enter` is the first thing that the new process calls: it confines itself there.
    """
    begun, tail, least = time.monotonic(), Tail(), least_free_bytes(folder)
    try:
        process = subprocess.Popen(
            command.words, cwd=folder, env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            # this process has one thread
            preexec_fn=enter,  # noqa: PLW1509
        )  # fmt: skip
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return Ran(command.name, command.words, "not_started", None, 0.0, readable(str(error)))
    assert process.stdout is not None
    with process.stdout as output:
        os.set_blocking(output.fileno(), False)
        ended = _wait(
            process,
            output.fileno(),
            tail,
            begun + command.deadline_s,
            lambda: is_abandoned() or free_bytes(folder) < least,
        )
        is_full = not ended and free_bytes(folder) < least
        seconds = round(time.monotonic() - begun, 2)
        if not ended or not IS_LINUX:  # the group's number may belong to another group once the command has been reaped
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        end_descendants()
        tail.drain(output.fileno())
    outcome: Outcome = "failed" if process.returncode else "passed"
    if not ended:
        outcome = "disk_full" if is_full else "timed_out"
    return Ran(command.name, command.words, outcome, process.returncode if ended else None, seconds, *tail.text())


def free_bytes(folder: Path) -> int:
    """Return the free bytes for this user on the disk of `folder`; sys.maxsize if unknown."""
    try:
        result = os.statvfs(folder)
    except OSError:  # the command has removed the folder
        return sys.maxsize
    return result.f_bavail * result.f_frsize


def least_free_bytes(folder: Path) -> int:
    """Return the number of bytes that a command has to leave free on the disk of `folder`, so that other processes do
    not run out of space.
    """
    return min(LEAST_FREE_BYTES, free_bytes(folder) // 2)


def _wait(
    process: subprocess.Popen[bytes], output: int, tail: Tail, deadline: float, is_unwanted: Callable[[], bool]
) -> bool:
    """Read the output until the command ends. Returns whether it ended by itself."""
    poller = select.poll()
    poller.register(output, select.POLLIN)
    while process.poll() is None:
        if time.monotonic() > deadline or is_unwanted():
            return False
        if any(event & select.POLLHUP and not event & select.POLLIN for _, event in poller.poll(LOOK_MS)):
            time.sleep(LOOK_MS / 1000)  # the command has closed its output and still runs
        tail.drain(output)
    return True
