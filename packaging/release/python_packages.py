"""The wheel and the source distribution. The wheel is built from the source distribution, as installers do it."""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path

from programs import run


def build(sources: Path, out: Path) -> list[Path]:
    """Build both. Returns their paths."""
    sdist = _hatchling(sources, "sdist", out)
    with tarfile.open(sdist) as tar:
        tar.extractall(sources / "from-sdist", filter="data")
    (unpacked,) = (sources / "from-sdist").iterdir()
    return [_hatchling(unpacked, "wheel", out), sdist]


def _hatchling(sources: Path, target: str, out: Path) -> Path:
    """Build one target, and return the path of its file."""
    before = set(out.iterdir())
    run([sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", out], cwd=sources)
    (made,) = set(out.iterdir()) - before
    return made
