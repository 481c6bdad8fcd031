"""The index.db of another daemon: read, never written, never waited for.

The owner may be writing or rebuilding the index, may be older or newer than this build, or gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import apsw

from codeagentd.base.limits import MEMBER_BUSY_S

from .connection import Database, Row
from .migrations import schema_version

ABSENT: Final = "absent"
BUILDING: Final = "building"
OLDER: Final = "older"
NEWER: Final = "newer"
BUSY: Final = "busy"
BROKEN: Final = "broken"

_WAITING: Final = (apsw.BusyError, apsw.LockedError)


class Unreadable(Exception):
    """Raised when an index of another daemon cannot be read now; `why` is one of the constants above."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} is {why}")
        self.path, self.why = path, why


class State(NamedTuple):
    """The identity of one state of an index: when the index was begun, its generation (0 before the first files are
    committed), and whether it is being written for the first time.
    """

    born: int
    generation: int
    is_bulk: bool


def state_of(database: Database) -> State:
    """Return the state of the index that the reader `database` sees."""
    known: dict[str, int] = dict(database.all("federation.state"))
    return State(known.get("born", 0), known.get("generation", 0), bool(known.get("bulk", 0)))


class ForeignIndex(Database):
    """A snapshot of another daemon's index, until `close`. Errors of every method: Unreadable, also in the middle of a
    query.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_file():
            raise Unreadable(path, ABSENT if not path.exists() else BROKEN)
        try:
            super().__init__(path, patience_ms=int(MEMBER_BUSY_S * 1_000))
        except apsw.Error as error:
            raise self._unreadable(error) from None
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        try:
            self.connection.execute("BEGIN")
            version = int(self.connection.pragma("user_version"))
        except apsw.Error as error:
            raise self._unreadable(error) from None
        if version > schema_version("index"):
            raise Unreadable(self.path, NEWER)
        # a new index goes through the older versions too, before it has files
        self.state = state_of(self) if version else State(0, 0, is_bulk=False)
        if self.state.is_bulk or not self.state.generation:
            raise Unreadable(self.path, BUILDING)
        if version < schema_version("index"):
            raise Unreadable(self.path, OLDER)

    def all(self, name: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> list[Row]:
        """Return every row of the statement `name`."""
        try:
            return super().all(name, parameters)
        except apsw.Error as error:
            raise self._unreadable(error) from None

    def each(self, name: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> Iterator[Row]:
        """Iterate over the rows of the statement `name`; all of them are read first."""
        return iter(self.all(name, parameters))

    def row(self, name: str, parameters: Sequence[Any] | dict[str, Any] = ()) -> Row | None:
        """Return the first row of the statement `name`, or None."""
        try:
            return super().row(name, parameters)
        except apsw.Error as error:
            raise self._unreadable(error) from None

    def _unreadable(self, error: apsw.Error) -> Unreadable:
        return Unreadable(self.path, BUSY if isinstance(error, _WAITING) else BROKEN)
