"""Runs of a program whose time and output are bounded, whatever it and its own children do."""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Final

_CHUNK_BYTES: Final = 1 << 20  # read at once


def finished(
    command: Sequence[str], environment: Mapping[str, str], seconds: float, most_bytes: int, *, stdin: bytes = b"",
    folder: Path | None = None, with_errors: bool = False, on_start: Callable[[int], None] = lambda pid: None,
) -> subprocess.CompletedProcess[bytes]:  # fmt: skip
    """Run `command` in `folder` to its end. `on_start` gets the id of its process; `with_errors`: what it says of
    errors is kept as well.

    Errors: TimeoutError; OSError, also for an output of more than `most_bytes`, which no memory should hold.
    """
    if seconds <= 0:
        raise TimeoutError
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if with_errors else subprocess.DEVNULL,
        env=environment,
        cwd=folder,
    )
    on_start(process.pid)
    outputs = [_Output(process, pipe, most_bytes) for pipe in (process.stdout, process.stderr) if pipe]
    if stdin:
        threading.Thread(target=_write, args=(process, stdin), name="program input", daemon=True).start()
    deadline = time.monotonic() + seconds
    for output in outputs:
        output.thread.join(max(0.0, deadline - time.monotonic()))
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise TimeoutError from None
    if any(output.thread.is_alive() for output in outputs):  # a process that it has started has the pipe
        raise TimeoutError
    if any(output.is_too_long for output in outputs):
        raise OSError(f"{command[0]} writes more than {most_bytes} bytes")
    texts = [b"".join(output.chunks) for output in outputs]
    return subprocess.CompletedProcess(command, process.returncode, *texts)


class _Output:
    """What a process writes, up to a limit: a tree of a few objects can stand for more files than any memory holds."""

    def __init__(self, process: subprocess.Popen[bytes], pipe: IO[bytes], most_bytes: int) -> None:
        self.chunks: list[bytes] = []
        self.is_too_long = False
        self.thread = threading.Thread(target=self._read, name="program output", daemon=True)
        self._process, self._pipe, self._most = process, pipe, most_bytes
        self.thread.start()

    def _read(self) -> None:
        """Collect the output to its end; end the process where the limit is passed."""
        total = 0
        with self._pipe as pipe, contextlib.suppress(OSError, ValueError):
            while data := pipe.read1(_CHUNK_BYTES):  # type: ignore[attr-defined]  # it is buffered
                total += len(data)
                if total > self._most:
                    self.is_too_long = True
                    self._process.kill()
                    return
                self.chunks.append(data)


def _write(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write the input and close it; a process that does not read it, or has ended, is none of our business."""
    pipe = process.stdin
    assert pipe is not None
    with contextlib.suppress(OSError, ValueError), pipe:
        pipe.write(data)
