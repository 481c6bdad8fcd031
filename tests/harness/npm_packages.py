"""Packages of npm that tests use: fetched once, into this Python environment."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import pytest

FETCH_S: Final = 90

_NPM: Final = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0"]


def npm_packages(name: str, *packages: str) -> Path:
    """The folder `name` that has these packages, fetched where it is not there yet. Skips the test where that cannot be."""
    folder = Path(sys.prefix) / name  # of this environment, so that no other user can write it
    if folder.is_dir():
        return folder
    if not (shutil.which("node") and shutil.which("npm")):
        pytest.skip("node and npm are not installed")
    with tempfile.TemporaryDirectory(dir=_writable(folder.parent)) as place:
        Path(place, "package.json").write_text("{}")
        fetched = _fetched(place, packages)
        if fetched:
            pytest.skip(f"{', '.join(packages)} cannot be fetched: {fetched}")
        with contextlib.suppress(OSError):  # another run of the tests was faster
            os.rename(place, folder)
        Path(place).mkdir(exist_ok=True)  # which its context removes
    return folder


def _fetched(place: str, packages: tuple[str, ...]) -> str:
    """What went wrong; '' for nothing."""
    try:
        done = subprocess.run(
            [*_NPM, *packages],
            cwd=place,
            capture_output=True,
            text=True,
            timeout=FETCH_S,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"it takes longer than {FETCH_S} seconds"
    return "" if done.returncode == 0 else (done.stderr.strip().splitlines() or ["npm failed"])[0]


def _writable(folder: Path) -> Path:
    if not os.access(folder, os.W_OK):
        pytest.skip(f"{folder} cannot be written")
    return folder
