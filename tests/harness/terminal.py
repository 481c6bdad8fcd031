"""Commands on a terminal of their own."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
from pathlib import Path

from tests.harness.world import BIN, World

ROWS = 30


def on_terminal(
    world: World, repo: Path, *arguments: str, width: int = 100, interrupted_at: str = ""
) -> tuple[int, str]:
    """Run `codeagentd …` in a repository, with stdin, stdout and stderr on a terminal; its exit code and all that was shown.

    `interrupted_at`: what has to be shown for Ctrl-C to be pressed.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, width, 0, 0))
    environment = {name: value for name, value in world.environment.items() if name not in ("COLUMNS", "NO_COLOR")} | {
        "TERM": "xterm"
    }
    command = [str(BIN / "codeagentd"), *arguments]
    process = subprocess.Popen(
        command, env=environment, cwd=repo, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    )
    os.close(theirs)
    shown = b""
    with contextlib.suppress(OSError):  # the other end is closed when the command has ended
        while part := os.read(ours, 65536):
            shown += part
            if interrupted_at and interrupted_at.encode() in shown:
                process.send_signal(signal.SIGINT)
                interrupted_at = ""
    os.close(ours)
    return process.wait(60), shown.decode(errors="replace")
