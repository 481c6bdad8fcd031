"""Is the index on disk whole, and of a schema that this build knows?"""

from __future__ import annotations

from pathlib import Path

from codeagentd.cli.console import size
from codeagentd.cli.findings import FAIL, OK, WARN, Finding
from codeagentd.store.connection import Database
from codeagentd.store.schema import schema_version

REBUILD = "codeagentd stop, then `codeagentd doctor --fix` sets it aside: the next start makes a new one"


def examine(path: Path) -> Finding:
    """One finding about an index.db; the daemon may be using it."""
    if not path.exists():
        return Finding(OK, "index", "none yet: the first window makes it")
    try:
        version, verdict = _look(path)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the file is the finding
        return Finding(FAIL, "index", f"{path} cannot be read: {error}", REBUILD)
    if verdict != "ok":
        return Finding(FAIL, "index", f"{path} is damaged: {verdict}", REBUILD)
    known = schema_version("index")
    if version > known:
        return Finding(WARN, "index", f"schema {version} is newer than this build's {known}", "upgrade, or let the daemon of the newer build serve it")
    return Finding(OK, "index", f"whole, {size(path.stat().st_size)}, schema {version}")


def _look(path: Path) -> tuple[int, str]:
    database = Database(path)
    try:
        return int(database.connection.pragma("user_version")), str(database.connection.pragma("quick_check"))
    finally:
        database.close()
