"""The locked dependencies as a file of a release."""

from __future__ import annotations

import shutil
from pathlib import Path

from codeagent_protocol.version import __version__


def build(sources: Path, out: Path) -> list[Path]:
    """Copy the lock. Returns its path."""
    return [Path(shutil.copy(sources / "packaging/constraints.txt", out / f"codeagentd-{__version__}-constraints.txt"))]
