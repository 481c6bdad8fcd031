"""A copy of an index for those who resolve its files elsewhere: its symbols and imports, without what only questions
read.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from .connection import Database
from .opening import copied

# tables that resolution does not read, and that nothing refers to
_LEFT_OUT: Final = ("symbols_fts", "names_trigram", "names", "chunks_fts", "refs")


def copy_to_link(source: Database, path: Path) -> None:
    """Copy the index `source`, which has no references yet, to the file `path`, as one file without a log. It takes
    twice the copy's room on the disk for a moment.
    """
    database = copied(source, path)
    try:
        for table in _LEFT_OUT[:-1]:
            database.connection.execute(f"DROP TABLE {table}")
        database.connection.execute(f"DELETE FROM {_LEFT_OUT[-1]}; PRAGMA journal_mode=delete; VACUUM")
    finally:
        database.close()
