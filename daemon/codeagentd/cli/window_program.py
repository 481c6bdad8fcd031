"""Commands that are the same as a program that clients start, for those that know only `codeagentd`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence


def become(module: str, words: Sequence[str]) -> int:
    """Run `module` with the arguments `words` on this process's pipes: in its place where the system can. Returns its
    exit code.
    """
    sys.stdout.flush()
    command = [sys.executable, "-P", "-m", module, *words]  # -P: never import from the current directory
    if sys.platform == "win32":  # exec would end this process, for which the client waits
        return subprocess.call(command)
    os.execv(sys.executable, command)
    return 0
