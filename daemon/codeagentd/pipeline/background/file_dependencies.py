"""Links between files, derived from their references: stored for search, written in the background."""

from __future__ import annotations

from typing import Final

from codeagentd.model.ids import numbers_of
from codeagentd.model.kinds import Confidence
from codeagentd.store.connection import Database

AT_ONCE: Final = 50  # files of a transaction: some 10 ms, for which a change may have to wait


def write_links(database: Database) -> bool:
    """Write the links between files for up to AT_ONCE of the files whose references were resolved since their links
    were written; return whether there were any.
    """
    files = database.all("links.pending", (AT_ONCE,))
    if files:
        with database.transaction():
            for (file,) in files:
                first, last = numbers_of(file)
                database.run("links.drop", (file,))
                database.run(
                    "links.put", {"file": file, "first": first, "last": last, "unsure": int(Confidence.AMBIGUOUS)}
                )
                database.run("links.set_linked", (file,))
    return bool(files)
