"""A disk that is soon full."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.world import World


@contextlib.contextmanager
def small_disk(world: World, directory: str = "CACHE") -> Iterator[Path]:
    """A disk of 8 MB in the place of a directory, usually that of the cache."""
    place = Path(world.environment[f"CODEAGENT_{directory}_DIR"])
    place.mkdir(parents=True)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place], capture_output=True).returncode:
        pytest.skip("this user may not mount a disk")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def fill(place: Path) -> Path:
    """Leave no room at all."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    return ballast
