"""A service manager of our own for tests: a `systemctl` that says what it is asked, and a launcher that gives a daemon its socket as systemd does."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

LAUNCHER = """
import os, sys
fd, offset, *command = sys.argv[1:]
if int(fd) >= 0:
    os.dup2(int(fd), 3, inheritable=True)
    os.environ |= {"LISTEN_PID": str(os.getpid() + int(offset)), "LISTEN_FDS": "1"}
os.execv(command[0], command)
"""

SYSTEMCTL = """#!{python}
import os, pathlib, subprocess, sys
here = pathlib.Path(__file__).parent
with open(here / "asked", "a") as file:
    print(*sys.argv[1:], file=file)
verb = sys.argv[2]
if (here / "fails").exists() and verb in (here / "fails").read_text().split():
    sys.exit(f"Failed to {{verb}}: no such luck")
if verb == "show":
    active = (here / "active").read_text() if (here / "active").exists() else "active"
    print(f"LoadState=loaded\\nActiveState={{active}}\\nUnitFileState=enabled")
if verb == "start" and (here / "start").exists():
    exec((here / "start").read_text())
"""


class Systemctl:
    """A `systemctl` on a PATH of its own; with `fails` it refuses these verbs."""

    def __init__(self, place: Path) -> None:
        place.mkdir(parents=True, exist_ok=True)
        self.place = place
        program = place / "systemctl"
        program.write_text(SYSTEMCTL.format(python=sys.executable))
        program.chmod(0o755)

    @property
    def path(self) -> str:
        """PATH with it in front."""
        return f"{self.place}{os.pathsep}{os.environ['PATH']}"

    def asked(self) -> list[str]:
        """Every call so far, questions left out."""
        asked = self.place / "asked"
        lines = asked.read_text().splitlines() if asked.exists() else []
        return [line for line in lines if "show" not in line]

    def fails(self, *verbs: str) -> None:
        """Refuse these from now on."""
        (self.place / "fails").write_text(" ".join(verbs))

    def is_now(self, active: str) -> None:
        """Tell this of every unit from now on."""
        (self.place / "active").write_text(active)

    def starts(self, program: str) -> None:
        """Run this Python at `start`."""
        (self.place / "start").write_text(program)


def without_systemctl() -> str:
    """A PATH on which there is none, and git still is."""
    folder = Path(shutil.which("git") or "/usr/bin/git").parent
    return str(folder) if not (folder / "systemctl").exists() else "/nonexistent"


def listening(path: str) -> socket.socket:
    """Listen at a path as systemd does: whatever has the name makes way."""
    if os.path.lexists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    os.chmod(path, 0o600)
    listener.listen()
    return listener


def launched(
    command: Sequence[str],
    given: socket.socket | None,
    variables: Mapping[str, str],
    *,
    offset: int = 0,
    cwd: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a command with a socket as descriptor 3 and the variables that go with it; `offset` makes them those of another process."""
    fd = given.fileno() if given else -1
    argv = [sys.executable, "-c", LAUNCHER, str(fd), str(offset), *command]
    passed = (fd,) if given else ()
    return subprocess.Popen(
        argv, pass_fds=passed, env=os.environ | variables, cwd=cwd, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


class Notified:
    """The socket that a daemon tells its manager about itself on."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(self.path)
        self._socket.settimeout(20)

    def hear(self) -> list[str]:
        """The assignments of the next message."""
        return self._socket.recv(4096).decode().split("\n")

    def wait(self, assignment: str, patience_s: float = 20.0) -> None:
        """Skip messages until one says this. Errors: TimeoutError when none comes for so long."""
        self._socket.settimeout(patience_s)
        while assignment not in self.hear():
            pass

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()
        os.unlink(self.path)
