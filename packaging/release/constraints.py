"""The locked dependencies as a file of a release."""

from __future__ import annotations

import shutil
from pathlib import Path

import checksums

from codeagent_protocol.version import __version__


def build(sources: Path, out: Path) -> list[Path]:
    """Copy the lock. Returns its path."""
    return [Path(shutil.copy(sources / "packaging/constraints.txt", out / f"codeagentd-{__version__}-constraints.txt"))]


def requirements(sources: Path, out: Path) -> str:
    """Return what installers need for the wheel in `out`: its version and hashes, and those of all that it needs."""
    digests = [checksums.sha256(path) for path in sorted(out.glob(f"codeagentd-{__version__}*.whl"))]
    product = " ".join([f"codeagentd=={__version__}", *(f"--hash=sha256:{digest}" for digest in digests)])
    return f"{product}\n{(sources / 'packaging/constraints.txt').read_text()}"
