"""Is what agents keep whole, closed to others, and is there a copy?"""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from codeagentd.cli import mending
from codeagentd.cli.console import size
from codeagentd.cli.findings import FAIL, OK, WARN, Finding
from codeagentd.store.backups import backups_of
from codeagentd.store.connection import Database
from codeagentd.store.schema import schema_version

RESTORE: Final = "`codeagentd memory restore` brings a copy back; the damaged file is kept"
COPY: Final = "codeagentd memory backup"
OLD_S: Final = 3 * 86_400  # daemons copy it once a day while they run


def examine(path: Path) -> Iterator[Finding]:
    """Findings about memory.db; daemons may be using it."""
    if not path.exists():
        yield Finding(OK, "memory", "nothing is kept yet")
        return
    yield _content(path)
    yield from _access(path)
    yield _copies(path)


def _content(path: Path) -> Finding:
    try:
        version, verdict = _look(path)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with the file is the finding
        return Finding(FAIL, "memory", f"{path} cannot be read: {error}", RESTORE)
    if verdict != "ok":
        return Finding(FAIL, "memory", f"{path} is damaged: {verdict}", RESTORE)
    known = schema_version("memory")
    if version > known:
        return Finding(WARN, "memory", f"schema {version} is newer than this build's {known}", "upgrade: this build leaves the file alone")
    return Finding(OK, "memory", f"whole, {size(path.stat().st_size)}, schema {version}")


def _look(path: Path) -> tuple[int, str]:
    database = Database(path)
    try:
        return int(database.connection.pragma("user_version")), str(database.connection.pragma("quick_check"))
    finally:
        database.close()


def _access(path: Path) -> Iterator[Finding]:
    for file in (path, *(path.with_name(f"{path.name}{part}") for part in ("-wal", "-shm")), *backups_of(path)):
        if file.exists() and (mode := stat.S_IMODE(file.stat().st_mode)) & 0o077:
            yield Finding(
                WARN, "memory", f"{file} is open to others ({mode:04o})", f"chmod 600 {file}, or `codeagentd doctor --fix`", partial(mending.close, file)
            )


def _copies(path: Path) -> Finding:
    kept = backups_of(path)
    if not kept:
        return Finding(WARN, "memory copies", "none yet: a daemon makes one a day", COPY)
    age = time.time() - kept[0].stat().st_mtime
    text = f"{len(kept)}, the last {age / 86_400:.1f} days old"
    return Finding(WARN, "memory copies", text, COPY) if age > OLD_S else Finding(OK, "memory copies", text)
