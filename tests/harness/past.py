"""Repositories with a past, for tests of what is asked about changes."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    name: value
    for role in ("AUTHOR", "COMMITTER")
    for name, value in ((f"GIT_{role}_NAME", "A"), (f"GIT_{role}_EMAIL", "a@example.org"))
}


def run(root: Path, *arguments: str) -> str:
    """What git says."""
    command = ["git", "-c", "gc.auto=0", "-c", "protocol.file.allow=always", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout.strip()


def write(root: Path, files: Mapping[str, str | None]) -> None:
    """Write files; None removes one."""
    for path, text in files.items():
        place = root / path
        if text is None:
            place.unlink()
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)


def committed(root: Path, *steps: Mapping[str, str | None], branch: str = "main") -> Path:
    """A repository with one commit for each step."""
    root.mkdir(parents=True, exist_ok=True)
    run(root, "init", "-q", "-b", branch)
    for step in steps:
        write(root, step)
        run(root, "add", "-A")
        run(root, "commit", "-q", "-m", "step")
    return root
