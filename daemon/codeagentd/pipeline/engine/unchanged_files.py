"""Files whose times differ and whose content is the same: read and compared here, without a worker, so that a copied
index is quickly up to date.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from codeagentd.base.limits import MAX_FILE_BYTES, RACY_S
from codeagentd.base.paths import read_regular
from codeagentd.base.text import is_lock_file
from codeagentd.model.namespace_macros import Openings
from codeagentd.pipeline.batch.repository_macros import file_digest, known_openings
from codeagentd.pipeline.changes.plan import Plan
from codeagentd.scan.secret_files import is_secret_file
from codeagentd.scan.walk import Stat
from codeagentd.store.connection import Database


class Known(msgspec.Struct, frozen=True, gc=False):
    """A file in its state in the index. `digest`: of the bytes that were read; `is_claimed`: by a language."""

    stat: Stat
    digest: bytes | None
    is_claimed: bool


def known_files(database: Database) -> dict[str, Known]:
    """Return every file that the index has, by path."""
    rows = database.all("world.known_files")
    return {
        path: Known(Stat(size, mtime), digest, language is not None) for path, size, mtime, digest, _, language in rows
    }


def adopt(root: Path, database: Database, plan: Plan, known: Mapping[str, Known], on_disk: Mapping[str, Stat]) -> Plan:
    """Save the new times of those files of `plan` whose content is unchanged, and of those that are never read. Returns
    the rest of the plan.
    """
    same = unchanged(root, database, plan, known, on_disk)
    if same:
        now = time.time_ns()
        times = [(0 if now - on_disk[path].mtime_ns < RACY_S * 1e9 else on_disk[path].mtime_ns, path) for path in same]
        sizes = [(stat.size, path) for path in same if (stat := on_disk[path]).size != known[path].stat.size]
        with database.transaction():
            database.run_many("writer.touch_file", times)
            database.run_many("writer.resize_file", sizes)
    return Plan(tuple(sorted(set(plan.changed) - set(same))), plan.gone)


def unchanged(
    root: Path, database: Database, plan: Plan, known: Mapping[str, Known], on_disk: Mapping[str, Stat]
) -> list[str]:
    """Return the paths of `plan` whose content is that of the index, and those that are never read."""
    openings = known_openings(database)
    return [
        path for path in plan.changed if path in known and _is_same(root, path, known[path], on_disk[path], openings)
    ]


def _is_same(root: Path, path: str, known: Known, stat: Stat, openings: Openings) -> bool:
    if known.digest is None:
        return not known.is_claimed and (
            is_secret_file(path) or is_lock_file(path)
        )  # never read, whatever they contain
    if known.stat.size != stat.size or is_secret_file(path):
        return False
    content = read_regular(root / path, max(MAX_FILE_BYTES, stat.size))
    return content is not None and file_digest(path, content, openings) == known.digest
