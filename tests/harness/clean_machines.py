"""Machines with nothing but a system and what is named: a Debian in a folder, with namespaces of its own for processes
and mounts, and a fresh home directory each time. The network is this machine's.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import pytest

SUITE: Final = "trixie"  # with Python 3.13
MAKING_S: Final = 600
USER: Final = 1000
HOME: Final = "/home/ada"
CERTIFICATES: Final = "etc/ssl/certs/ca-certificates.crt"


class Done(NamedTuple):
    """What a command line did."""

    code: int
    out: str
    err: str
    seconds: float


class Machine:
    """A machine with a home directory that nobody has used."""

    def __init__(self, root: Path, home: Path) -> None:
        """With the system in `root`, and `home` as its user's home directory."""
        self.root, self.home = root, home
        self.variables: dict[str, str] = {"HOME": HOME, "PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
        self.variables |= dict.fromkeys(("SSL_CERT_FILE", "PIP_CERT", "NODE_EXTRA_CA_CERTS"), f"/{CERTIFICATES}")

    def command(self, line: str, folder: str = HOME) -> list[str]:
        """A command line of the user as one of this machine: in the folder `folder`. Its processes end with it."""
        mounts = f"mount --bind {self.home} {self.root}{HOME} && mount --rbind /dev {self.root}/dev && mount -t proc proc {self.root}/proc"
        user = f"chroot --userspec={USER}:{USER} {self.root} env -C {folder} -i"
        words = [f"{name}={value}" for name, value in self.variables.items()]
        inner = f'{mounts} && exec {user} "$@"'
        return [
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
            "sh",
            "-c",
            inner,
            "sh",
            *words,
            "sh",
            "-c",
            line,
        ]

    def run(self, line: str, folder: str = HOME, patience_s: float = 300) -> Done:
        """Run a command line as the user."""
        begin = time.monotonic()
        done = subprocess.run(
            self.command(line, folder), capture_output=True, text=True, timeout=patience_s, check=False
        )
        return Done(done.returncode, done.stdout, done.stderr, time.monotonic() - begin)

    def owned(self, folder: Path) -> None:
        """Give what is below `folder`, which is in the home directory, to the user."""
        subprocess.run(["chown", "-R", f"{USER}:{USER}", folder], check=True)


@contextlib.contextmanager
def machine(name: str, *packages: str, add: Mapping[str, Path] | None = None) -> Iterator[Machine]:
    """A machine with Debian's `packages`, and the folders `add` by the path where they are put. It is made once, into
    this Python environment, as `name`. Skips the test where that cannot be.
    """
    root = _root(name, packages, add or {})
    with tempfile.TemporaryDirectory(prefix="home-") as home:
        os.chown(home, USER, USER)
        yield Machine(root, Path(home))


def _root(name: str, packages: tuple[str, ...], add: Mapping[str, Path]) -> Path:
    root = Path(sys.prefix) / "machines" / name
    if not root.is_dir():
        if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
            pytest.skip("a clean machine is made by root with mmdebstrap, which is not there")
        making = root.with_name(f"{name}-{os.getpid()}")
        making.parent.mkdir(exist_ok=True)
        words = ["mmdebstrap", "--quiet", "--variant=minbase", "--mode=root", f"--include={','.join(packages)}"]
        done = subprocess.run([*words, SUITE, making], capture_output=True, text=True, timeout=MAKING_S, check=False)
        if done.returncode:
            shutil.rmtree(making, ignore_errors=True)
            pytest.skip(f"mmdebstrap cannot make a machine: {done.stderr.strip().splitlines()[-1]}")
        for place, folder in add.items():
            shutil.copytree(folder, making / place, symlinks=True)
        (making / HOME.lstrip("/")).mkdir(parents=True)
        making.rename(root)
    for path in ("etc/resolv.conf", "etc/hosts", CERTIFICATES):  # the network, as this machine has it
        shutil.copyfile(f"/{path}", root / path)
    return root
