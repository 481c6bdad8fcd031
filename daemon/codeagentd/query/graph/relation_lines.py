"""Callers and callees of search hits, one line each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from codeagentd.model.results.retrieval_results import Relation
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.symbols.lookup import Subject
from codeagentd.store.connection import Database

from .edges import CALLEES, CALLERS
from .profile import ends

NAMES_SHOWN: Final = 3  # names in one line
COUNTED: Final = 100  # edges examined for one line


def relations(db: Database, symbols: Iterable[tuple[int, str, int]]) -> list[Relation]:
    """Return the callers and callees of `symbols`, each given as (file, qualified name, first line); symbols without
    any are left out.
    """
    lines = []
    for file, name, line in symbols:
        row = db.row("retrieval.symbol_at", {"file": file, "qualified_name": name, "line": line})
        if row is None:
            continue
        subject = Subject(*row)
        callers, callees = (_line(ends(db, subject, question, COUNTED)[0]) for question in (CALLERS, CALLEES))
        if callers or callees:
            lines.append(Relation(subject.qualified_name, subject.path, subject.line_start, callers, callees))
    return lines


def _line(neighbours: list[Neighbour]) -> str:
    more = len(neighbours) - NAMES_SHOWN
    shown = ", ".join(f"{end.name} {end.file_path}:{end.line_start}" for end in neighbours[:NAMES_SHOWN])
    return shown + (f" (+{more})" if more > 0 else "")
