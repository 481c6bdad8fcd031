"""Checks of databases on disk: each has to be intact and of a schema that this version knows."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from codeagentd.cli.rendering.console import size
from codeagentd.store.connection import Database
from codeagentd.store.migrations import schema_version

from .finding import FAIL, OK, WARN, Finding

REBUILD: Final = "codeagentd stop, then `codeagentd doctor --fix` sets it aside: the next start makes a new one"
UPGRADE: Final = "upgrade, or let the daemon of the newer build serve it"


def database_finding(path: Path, kind: str, restore: str, upgrade: str) -> Finding:
    """Return a finding about the database at `path` with the schema `kind`, which daemons may be using. `restore` and
    `upgrade` are the remedies if it is damaged or too new.
    """
    try:
        version, verdict = _look(path)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the file is the finding
        return Finding(FAIL, kind, f"{path} cannot be read: {error}", restore)
    if verdict != "ok":
        return Finding(FAIL, kind, f"{path} is damaged: {verdict}", restore)
    known = schema_version(kind)
    if version > known:
        return Finding(WARN, kind, f"schema {version} is newer than this build's {known}", upgrade)
    return Finding(OK, kind, f"whole, {size(path.stat().st_size)}, schema {version}")


def index_finding(path: Path) -> Finding:
    """Return a finding about the index.db at `path`, which the daemon may be using."""
    return (
        database_finding(path, "index", REBUILD, UPGRADE)
        if path.exists()
        else Finding(OK, "index", "none yet: the first window makes it")
    )


def _look(path: Path) -> tuple[int, str]:
    database = Database(path)
    try:
        return int(database.connection.pragma("user_version")), str(database.connection.pragma("quick_check"))
    finally:
        database.close()
