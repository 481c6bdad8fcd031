"""The commit that is released: its sources, without whatever else lies in the checkout."""

from __future__ import annotations

import io
import subprocess
import tarfile
from pathlib import Path
from typing import Final

from programs import run

ROOT: Final = Path(__file__).resolve().parents[2]


def commit_time() -> int:
    """Return the commit's date in seconds since 1970."""
    return int(run(["git", "log", "-1", "--format=%ct"], ROOT))


def refuse_changes() -> None:
    """Check that the checkout is as its commit has it. Errors: SystemExit with the files that are not."""
    changed = run(["git", "status", "--porcelain"], ROOT)
    if changed:
        raise SystemExit(f"a release is made of a commit: commit these files, or remove them, and try again\n{changed}")


def extract(folder: Path) -> Path:
    """Write the files of the commit into `folder`, which is made. Returns `folder`."""
    command = ["git", "-c", "tar.umask=0022", "archive", "--format=tar", "HEAD"]
    archived = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(archived.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return folder
