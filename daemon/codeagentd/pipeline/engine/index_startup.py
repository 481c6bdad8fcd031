"""The start of an index: the file on disk or a sibling's, and which files have to be read again."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.store.connection import Database
from codeagentd.store.seeding import seed, settle_in

from .extractor_versions import renew

log = logging.getLogger("codeagentd.indexer")


class Start(NamedTuple):
    """The knowledge about an index before it is opened.

    `siblings`: indexes of other worktrees, one of which it may begin with; `is_new`: the times of its files say nothing
    about their content.
    """

    siblings: tuple[Path, ...] = ()
    is_new: bool = False


AS_IT_WAS: Final = Start()


def begin(index: Path, start: Start) -> None:
    """Before the index is opened: begin with that of another worktree, if there is none and that is possible."""
    if seed(index, start.siblings):
        log.info("the index begins as another worktree's")


def mark_stale(database: Database, index: Path, start: Start) -> None:
    """After the index was opened: mark the files that have to be read again."""
    settle_in(database, index)
    if start.is_new:
        database.run("writer.distrust_times")
    if changed := renew(database):
        log.info("extraction has changed", extra={"facts": {"languages": " ".join(changed)}})
