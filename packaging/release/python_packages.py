"""The wheel and the source distribution. The wheel is built from the source distribution, as installers do it."""

from __future__ import annotations

import shutil
import sys
import tarfile
import tomllib
from pathlib import Path

import bill_of_materials
import manuals
from programs import run

from codeagent_protocol.version import __version__


def build(sources: Path, out: Path) -> list[Path]:
    """Build both, with what `packaging/wheel_hook.py` puts into the wheel. Returns their paths, and that of the bill of
    materials, which is a file of its own too.
    """
    manuals.write(sources / "generated/share")
    project = tomllib.loads((sources / "pyproject.toml").read_text())["project"]
    listed = bill_of_materials.write(sources, sources / "generated", __version__, project["license"])
    sdist = _hatchling(sources, "sdist", out)
    with tarfile.open(sdist) as tar:
        tar.extractall(sources / "from-sdist", filter="data")
    (unpacked,) = (sources / "from-sdist").iterdir()
    wheel = _hatchling(unpacked, "wheel", out)
    return [wheel, sdist, Path(shutil.copy(listed, out / f"{wheel.stem}.cdx.json"))]


def _hatchling(sources: Path, target: str, out: Path) -> Path:
    """Build one target, and return the path of its file."""
    before = set(out.iterdir())
    run([sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", out], cwd=sources)
    (made,) = set(out.iterdir()) - before
    return made
