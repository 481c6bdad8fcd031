"""The start of an index: from the file on disk or that of another worktree, and the files that have to be read
again.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.store.connection import Database
from codeagentd.store.seeding import adopt_location, seed

from .extractor_versions import renew

log = logging.getLogger("codeagentd.indexer")


class Start(NamedTuple):
    """What is known about an index before it is opened.

    `siblings`: indexes of other worktrees, from one of which it may be seeded; `is_new`: the recorded times of its
    files say nothing about their content; `may_share`: the file of a sibling may get a second name here.
    """

    siblings: tuple[Path, ...] = ()
    is_new: bool = False
    may_share: bool = True


AS_IT_WAS: Final = Start()


def begin(index: Path, start: Start) -> None:
    """Copy the index of another worktree to the path `index`, before it is opened, if there is none yet and that is
    possible.
    """
    if seed(index, start.siblings, may_share=start.may_share):
        log.info("the index begins as another worktree's")


def mark_stale(database: Database, index: Path, start: Start) -> None:
    """Mark the files in `database`, the index at the path `index`, that have to be read again. To be called after it
    was opened.
    """
    adopt_location(database, index)
    if start.is_new:
        database.run("writer.distrust_times")
    if changed := renew(database):
        log.info("extraction has changed", extra={"facts": {"languages": " ".join(changed)}})
