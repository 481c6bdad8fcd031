"""The places of a symbol's definition and declarations."""

from __future__ import annotations

from typing import Final

from codeagentd.model.results.symbol_results import SourceSpan
from codeagentd.query.paging import Key, Slice, cut
from codeagentd.store.connection import Database

from .lookup import Subject

PARTS_LISTED: Final = 3  # other places that a note names

_PLACE: Final = ("after_rank", "after_path", "after_line", "after_last")
_START: Final[Key] = (-1, "", 0, 0)


def spans(db: Database, subject: Subject, after: Key | None, limit: int) -> Slice[SourceSpan]:
    """Return the places of `subject`: the primary one first, then by path and line."""
    parameters = {"symbol": subject.id, "limit": limit + 1, **dict(zip(_PLACE, after or _START, strict=True))}
    rows, following = cut(db.all("symbols.spans", parameters), limit, len(_PLACE))
    return Slice([SourceSpan(path, first, last, rank == 0) for rank, path, first, last in rows], following)


def other_parts(db: Database, subject: Subject) -> str:
    """Return a note in words on the places of `subject` besides the primary one; '' if there are none."""
    rows = spans(db, subject, None, PARTS_LISTED + 2).items[1:] if subject.id > 0 else []
    listed = [f"{span.file_path}:{span.line_start}-{span.line_end}" for span in rows[:PARTS_LISTED]]
    return f"also at {', '.join(listed)}{', …' if len(rows) > PARTS_LISTED else ''}" if rows else ""
