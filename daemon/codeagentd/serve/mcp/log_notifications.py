"""The daemon's log records as MCP log messages: none until a client sets a level; then those of this level or above."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Final, Protocol

import msgspec

from codeagent_protocol.errors import InvalidParameter
from codeagentd.base.log import event_fields, forward_records
from codeagentd.model.labels import clean
from codeagentd.serve.sessions.session import Session

MESSAGE: Final = "notifications/message"
# the numbers of module logging
LEVELS: Final = {
    "debug": 10,
    "info": 20,
    "notice": 25,
    "warning": 30,
    "error": 40,
    "critical": 50,
    "alert": 60,
    "emergency": 70,
}


class LogLevels(Protocol):
    """What takes the level of log messages that a session wants."""

    def listen(self, session: Session, level: str) -> None:
        """Note that `session` wants log messages of `level` or above. Errors: invalid_parameter."""


class NoMessages:
    """Takes levels and sends nothing: the log of a server is about all of its users."""

    def listen(self, session: Session, level: str) -> None:
        """Check the level. Errors: invalid_parameter for an unknown one."""
        _checked(level)


class Messages(logging.Handler):
    """Passes log records on to the sessions that want them. To be used on the event loop; records may come from any
    thread.
    """

    def __init__(self) -> None:
        super().__init__()
        self._loop = asyncio.get_running_loop()
        self._levels: dict[Session, int] = {}

    def listen(self, session: Session, level: str) -> None:
        """Send the log records of `level` or above to `session`. Errors: invalid_parameter for an unknown level."""
        self._levels[session] = _checked(level)
        self._attend()

    def emit(self, record: logging.LogRecord) -> None:
        """Pass `record` on to the sessions that want it; called on the thread that made it."""
        try:
            data = json.dumps(event_fields(record), ensure_ascii=False, default=str).encode("utf-8", "replace")
            self._loop.call_soon_threadsafe(
                self._tell, record.levelno, record.name, record.levelname.lower(), msgspec.Raw(data)
            )
        except Exception:  # noqa: BLE001 - a listener must not break logging; at the end the loop is gone
            self.handleError(record)

    def close(self) -> None:
        """Stop passing records on."""
        forward_records(self, None)
        super().close()

    def _tell(self, number: int, logger: str, level: str, data: msgspec.Raw) -> None:
        if any(session.is_over for session in self._levels):
            self._levels = {session: least for session, least in self._levels.items() if not session.is_over}
            self._attend()
        message = {"jsonrpc": "2.0", "method": MESSAGE, "params": {"level": level, "logger": logger, "data": data}}
        for session, least in self._levels.items():
            if number >= least:
                session.tell(message)

    def _attend(self) -> None:
        forward_records(self, min(self._levels.values()) if self._levels else None)


def _checked(level: str) -> int:
    if level not in LEVELS:
        raise InvalidParameter(
            f"there is no level {clean(level)!r}", remedy=f"use one of: {', '.join(LEVELS)}", parameter="level"
        )
    return LEVELS[level]
