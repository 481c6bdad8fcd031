"""LISTEN: one connection that hears of every change, by whichever daemon of whichever machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, Self

from codeagentd.store.memory_backend import ChangeListener

from .driver import driver

if TYPE_CHECKING:
    import psycopg

CHANNEL: Final = "codeagent"  # the trigger `tell` of 0001_memory.sql notifies it
ALIVE_S: Final = 15.0  # between two looks whether a server that says nothing is there
ANSWER_S: Final = 3.0  # for the answer then


class PostgresListener(ChangeListener):
    """The connection, for as long as the context lasts. `judge` makes a coded error of one of psycopg's."""

    def __init__(self, connection: psycopg.Connection[Any], judge: Callable[[Exception], Exception]) -> None:
        self._connection = connection
        self._judge = judge
        self._connection.execute(f"LISTEN {CHANNEL}")
        self._examined_at = time.monotonic()
        connection.patience_s = ANSWER_S  # type: ignore[attr-defined]

    def wait(self, timeout_s: float) -> bool:
        """Wait for a change, at most `timeout_s`, and return whether there was one. Errors: ServerAway."""
        try:
            if time.monotonic() - self._examined_at > ALIVE_S:
                self._connection.execute("SELECT 1")
                self._examined_at = time.monotonic()
            return bool(list(self._connection.notifies(timeout=timeout_s, stop_after=1)))
        except driver().Error as error:
            raise self._judge(error) from None

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_error: object) -> None:
        """End the connection."""
        self._connection.close()
