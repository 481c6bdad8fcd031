"""Another user of this machine, to whom root gives files. Only for root."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final

import pytest

THEIRS: Final = 4_001  # no user of this machine

only_root = pytest.mark.skipif(
    sys.platform == "win32" or os.getuid() != 0, reason="only root can give files to other users"
)


def give(path: Path, uid: int = THEIRS) -> None:
    """Make a file, a directory or a link itself another user's; uid 0 gives it back."""
    os.chown(path, uid, uid, follow_symlinks=False)
