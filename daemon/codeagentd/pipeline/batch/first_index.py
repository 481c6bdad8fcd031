"""A first index: rows are written as they come, without secondary indexes, and put in order at the end, which halves
the work. Each step is recorded, so that an index that was interrupted goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from codeagentd.base import failpoints
from codeagentd.store.connection import REPEATED, Database
from codeagentd.store.migrations import indexes

from .commit import Committer
from .symbol_matching import alternative

NAMES_AT_ONCE: Final = 20_000  # symbols whose names are written in one transaction

FILES: Final = "files_"  # how indexes of files are called: there are few files, and status counts them meanwhile

# keys in the table meta
_STAGE: Final = "bulk"
_NAMES: Final = "bulk_names"  # the key of the last name that was written
_LEAST_KEY: Final = -(1 << 63)


class Stage(IntEnum):
    """How far a first index is. Builds before this one wrote 1, for an index that can only be begun again."""

    DONE = 0
    ROWS = 2  # files are read, and their rows written
    ORDER = 3  # all files are read; secondary indexes are built
    REFERENCES = 4  # files are resolved


class FirstIndex:
    """The steps of one first index. Used by the writer alone."""

    def __init__(self, database: Database, committer: Committer) -> None:
        self._database = database
        self._committer = committer

    @property
    def stage(self) -> Stage:
        """How far the first index is; DONE also where none was begun."""
        return Stage(self._database.value("writer.meta", (_STAGE,), 0))

    def begin(self) -> None:
        """Begin to write rows, or continue."""
        if self.stage == Stage.DONE:
            with self._database.transaction():
                self._database.run("writer.put_meta", (_STAGE, int(Stage.ROWS)))
                for name in indexes():
                    if not name.startswith(FILES):
                        self._database.connection.execute(f"DROP INDEX IF EXISTS {name}")
        self._committer.begin_bulk()
        failpoints.point("index.begun")

    def put_in_order(self) -> None:
        """Put the rows in order, after all files were read: everything but the indexes of references is there then."""
        database = self._database
        with database.transaction():
            database.run("writer.put_meta", (_STAGE, int(Stage.ORDER)))
        self._committer.end_bulk()
        with database.sorting_on_disk():
            self._run("bulk.sort_spans", "bulk.drop_spans")
            with database.transaction():
                self._committer.merge_parts()
            failpoints.point("index.parts_merged")
            for name, statement in indexes().items():
                if not name.startswith("refs_"):
                    self._build(name, statement)
            with database.transaction():
                self._committer.merge_stubs()
        with database.transaction():
            database.run("writer.put_meta", (_STAGE, int(Stage.REFERENCES)))
        database.fold()  # the workers read for long, and find everything in the file itself
        failpoints.point("index.indexes_built")

    def write_names(self) -> Iterator[None]:
        """Write the names of all symbols, in the order of their keys, some in each step. The steps are for the time in
        which the workers resolve files.
        """
        database = self._database
        while True:
            first = database.value("writer.meta", (_NAMES,), _LEAST_KEY)
            last = database.value("bulk.last_key", (first, NAMES_AT_ONCE))
            if last is None:
                return
            with database.transaction():
                database.run("bulk.put_trigrams", (first, last))
                database.run("bulk.put_names", (first, last))
                database.run("writer.put_meta", (_NAMES, last))
            yield

    def finish(self) -> None:
        """Write the rest of the names, and build the indexes of references, after all files were resolved."""
        for _ in self.write_names():
            pass
        with self._database.sorting_on_disk():
            for name, statement in indexes().items():
                self._build(name, statement)
        with self._database.transaction():
            self._database.run("writer.put_meta", (_STAGE, int(Stage.DONE)))
            self._database.run("writer.delete_meta", (_NAMES,))
        failpoints.point("index.done")

    def _run(self, *statements: str) -> None:
        with self._database.transaction():
            for statement in statements:
                self._database.run(statement)

    def _build(self, name: str, statement: str) -> None:
        """Build an index, unless it was built before an interruption."""
        if self._database.has_index(name):
            return
        while True:
            try:
                with self._database.transaction():
                    self._database.connection.execute(statement)
                return
            except REPEATED:
                self._tell_apart()

    def _tell_apart(self) -> None:
        """Give symbols of different files that have the same uid other ones, except for the first of them."""
        with self._database.transaction():
            seen: set[bytes] = set()
            for symbol, uid, path in self._database.all("bulk.repeated_uids"):
                if uid in seen:
                    self._database.run("bulk.set_uid", (alternative(uid, path), symbol))
                seen.add(uid)
