"""The log: one JSON object a line, rotated, without source text or secrets.

An event is a constant phrase plus facts: names, sizes, ids, times. Arguments and lines of clients are never facts. Of
an error only the type and the places in this code are logged, because its message may quote what a client sent. Of a
record of another library only the format string is logged, without its arguments.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Final

LEVELS: Final = ("debug", "info", "warning", "error")
MAX_BYTES: Final = 5_000_000  # per file; a day of a busy daemon is a few hundred kilobytes
OLDER_FILES: Final = 3
MAX_TEXT: Final = 4_000  # characters of one fact: a traceback fits, a file does not

_OWN: Final = "codeagentd"
_FACTS: Final = "facts"
_levels = [logging.INFO]  # of the daemon's own records; set by open_log


class EventLog:
    """The logger of one module."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def debug(self, event: str, **facts: Any) -> None:
        """Log an event that is of use only for finding a fault."""
        self._logger.debug(event, extra={_FACTS: facts})

    def info(self, event: str, **facts: Any) -> None:
        """Log an event that happens now and then in a healthy daemon."""
        self._logger.info(event, extra={_FACTS: facts})

    def warning(self, event: str, **facts: Any) -> None:
        """Log a state that an operator may want to change."""
        self._logger.warning(event, extra={_FACTS: facts})

    def error(self, event: str, error: BaseException | None = None, **facts: Any) -> None:
        """Log a fault; `error` adds the type of the exception and where it was raised."""
        self._logger.error(event, exc_info=error, extra={_FACTS: facts})


class JsonLines(logging.Formatter):
    """The formatter that writes one record as one line of JSON: time, level, logger, event, facts."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of `record`, without a newline."""
        fields = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            **event_fields(record),
        }
        return (
            json.dumps(fields, ensure_ascii=False, separators=(",", ":"), default=str)
            .encode("utf-8", "replace")
            .decode()
        )


def event_fields(record: logging.LogRecord) -> dict[str, Any]:
    """Return the JSON fields of `record`: its event, its facts, and the type and place of its error."""
    is_own = record.name.partition(".")[0] == _OWN
    fields: dict[str, Any] = {"event": _short(record.getMessage() if is_own else str(record.msg))}
    fields |= {name: _short(value) for name, value in getattr(record, _FACTS, {}).items()}
    if record.exc_info and record.exc_info[1] is not None:
        fields["error"] = type(record.exc_info[1]).__name__
        fields["at"] = _short("".join(traceback.format_tb(record.exc_info[1].__traceback__)))
    return fields


def forward_records(handler: logging.Handler, level: int | None) -> None:
    """Send the daemon's own records, from `level` on, to a further handler; None removes the handler.

    The log file is not affected.
    """
    logger, own = logging.getLogger(_OWN), _levels[0]
    logger.removeHandler(handler)
    if level is not None:
        handler.setLevel(level)
        logger.addHandler(handler)
    logger.setLevel(own if level is None else min(level, own))


def open_log(path: Path | None, level: str = "info", *, terminal: bool = False) -> None:
    """Send every logger's records to a rotated file at `path` (readable by its owner only, given the daemon's umask),
    and with `terminal` to stderr, for a daemon in the foreground.

    `path` None: no file, for a daemon that cannot write anywhere and can still serve.
    """
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    handlers: list[logging.Handler] = []
    if path is not None:
        handlers.append(
            RotatingFileHandler(path, maxBytes=MAX_BYTES, backupCount=OLDER_FILES, encoding="utf-8", delay=True)
        )
    if terminal:
        handlers.append(logging.StreamHandler(sys.stderr))
    for handler in handlers:
        handler.setFormatter(JsonLines())
        handler.setLevel(level.upper())
        root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger(_OWN).setLevel(level.upper())
    _levels[0] = logging.getLevelNamesMapping()[level.upper()]
    logging.raiseExceptions = False  # a full disk must not fill stderr, and never reaches a client


def _time(record: logging.LogRecord) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{int(record.msecs):03d}Z"


def _short(value: Any) -> Any:
    if isinstance(value, str) and len(value) > MAX_TEXT:
        return f"{value[:MAX_TEXT]}…"
    return value
