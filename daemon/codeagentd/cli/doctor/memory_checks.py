"""Checks of the memory database: it has to be intact, closed to other users, and backed up."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from codeagent_protocol.errors import CodedError
from codeagentd.memory.memory_store import KIND, memory_store_for
from codeagentd.memory.team.offline_files import Waiting
from codeagentd.store.backups import backups_of

from . import repairs
from .database_checks import database_finding
from .finding import FAIL, OK, WARN, Finding

RESTORE: Final = "`codeagentd memory restore` brings a copy back; the damaged file is kept"
UPGRADE: Final = "upgrade: this build leaves the file alone"
COPY: Final = "codeagentd memory backup"
OLD_S: Final = 3 * 86_400  # daemons make a copy once a day while they run


def examine(path: Path) -> Iterator[Finding]:
    """Yield the findings about the memory.db at `path`, which daemons may be using."""
    if not path.exists():
        yield Finding(OK, "memory", "nothing is kept yet")
        return
    yield database_finding(path, KIND, RESTORE, UPGRADE)
    yield from _access(path)
    yield _copies(path)


def examine_team(url: str) -> Iterator[Finding]:
    """Yield the findings about a team's server: whether it answers, and what waits for it."""
    memories = memory_store_for(url)
    try:
        with memories.store.read():
            pass
        yield Finding(OK, "team memory", memories.store.description())
    except CodedError as error:
        yield Finding(FAIL, "team memory", error.message, error.remedy)
    finally:
        memories.store.close()
    waiting = memories.offline.waiting() if memories.offline else Waiting()
    if waiting.refused:
        text = f"the server has refused {waiting.refused} writes that had waited for it"
        yield Finding(WARN, "team memory", text, "`codeagentd memory status` lists them")
    if waiting.operations:
        yield Finding(WARN, "team memory", f"{waiting.operations} writes wait for the server", "codeagentd memory send")


def _access(path: Path) -> Iterator[Finding]:
    for file in (path, *(path.with_name(f"{path.name}{part}") for part in ("-wal", "-shm")), *backups_of(path)):
        if file.exists() and (mode := stat.S_IMODE(file.stat().st_mode)) & 0o077:
            yield Finding(
                WARN,
                "memory",
                f"{file} is open to others ({mode:04o})",
                f"chmod 600 {file}, or `codeagentd doctor --fix`",
                partial(repairs.close, file),
            )


def _copies(path: Path) -> Finding:
    backups = backups_of(path)
    if not backups:
        return Finding(WARN, "memory copies", "none yet: a daemon makes one a day", COPY)
    age = time.time() - backups[0].stat().st_mtime
    text = f"{len(backups)}, the last {age / 86_400:.1f} days old"
    return Finding(WARN, "memory copies", text, COPY) if age > OLD_S else Finding(OK, "memory copies", text)
