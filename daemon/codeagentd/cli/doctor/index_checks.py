"""Checks of the index on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from .database_checks import database_finding
from .finding import OK, Finding

REBUILD: Final = "codeagentd stop, then `codeagentd doctor --fix` sets it aside: the next start makes a new one"
UPGRADE: Final = "upgrade, or let the daemon of the newer build serve it"


def examine(path: Path) -> Finding:
    """One finding about an index.db; the daemon may be using it."""
    return (
        database_finding(path, "index", REBUILD, UPGRADE)
        if path.exists()
        else Finding(OK, "index", "none yet: the first window makes it")
    )
