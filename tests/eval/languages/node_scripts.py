"""Scripts that ask packages of npm; the variable NODE_PATH names the folder that has them."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path


def answer(script: Path, text: str) -> str:
    """Return what a script prints when it reads `text`. Errors: FileNotFoundError without node or packages."""
    if "NODE_PATH" not in os.environ:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "NODE_PATH, a folder of npm packages,")
    return subprocess.run(["node", str(script)], input=text, capture_output=True, text=True, check=True).stdout
