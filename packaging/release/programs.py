"""Programs that a release runs: which are needed, and their output where they fail."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Tool(NamedTuple):
    """A program that has to be on PATH, and what to install where it is not."""

    program: str
    install: str

    @property
    def is_missing(self) -> bool:
        """Whether the program is not on PATH."""
        return shutil.which(self.program) is None


def run(words: Sequence[str | Path], cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Run a program, and return its standard output. Errors: SystemExit with what it printed, where it fails."""
    done = subprocess.run(words, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        command = " ".join(map(str, words))
        raise SystemExit(f"{command}\nfailed with code {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout
