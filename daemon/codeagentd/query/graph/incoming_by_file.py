"""Incoming edges of a symbol with very many references, read file by file until a page is full.

Grouping and sorting all of them takes 5 us each, and the first page needs a hundred.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from typing import Any, Final

from codeagentd.model.ids import FILE_SHIFT
from codeagentd.model.kinds import Confidence, ReferenceKind
from codeagentd.query.paging import Key
from codeagentd.store.connection import Database

MANY: Final = 3_000  # references from which they are read file by file: grouping so many takes 15 ms

_TYPES: Final = frozenset({ReferenceKind.READ, ReferenceKind.WRITE})  # they make the same edge as TYPE


def has_many(db: Database, symbol: int, kinds: int) -> bool:
    """Whether `symbol` has very many references of these kinds (bits)."""
    return bool(db.value("graph.count_to", {"symbol": symbol, "kinds": kinds, "limit": MANY}) >= MANY)


def exact_incoming(db: Database, symbol: int, kinds: int, named: bool, page: dict[str, Any]) -> list[Key]:
    """Return the rows of a page, as `graph.incoming` has them, if exact edges alone fill it; else none.

    They are in the order of the files that have the references. A source that several files define has a row for each
    of these, with its lines there.
    """
    if page["after_confidence"] > Confidence.EXACT:
        return []
    present = [kind for (kind,) in db.all("graph.kinds_of_incoming", {"symbol": symbol}) if kinds >> kind & 1]
    after, rows = tuple(page[name] for name in ("after_line", "after_uid", "after_kind", "after_origin")), []
    references = db.each("graph.exact_by_file", {
        "symbol": symbol, "kinds": json.dumps(present), "named": named, "after_path": page["after_path"],
    })  # fmt: skip
    for path, of_file in groupby(references, key=lambda reference: reference[1]):
        edges = _edges_in_file(db, path, of_file)
        rows += edges if path != page["after_path"] else [row for row in edges if row[2:6] >= after]
        if len(rows) >= page["limit"]:
            return rows[: page["limit"]]
    return []


def _edges_in_file(db: Database, path: str, references: Iterable[Key]) -> list[Key]:
    """The edges of one file's references, in order."""
    sites: dict[tuple[int, int, int], list[str]] = defaultdict(list)
    file = 0
    for number, _, source, kind, origin, line, column in sorted(references):
        file = number >> FILE_SHIFT
        edge = int(ReferenceKind.TYPE) if kind in _TYPES else kind
        sites[source, edge, origin].append(f"{file}:{line}:{column}")
    parameters = {"file": file, "symbols": json.dumps([*{source for source, *_ in sites}])}
    known = {symbol: columns for symbol, *columns in db.all("graph.sources_in_file", parameters)}
    rows: list[Key] = []
    for (source, kind, origin), places in sites.items():
        line_start, uid, name, qualified_name, symbol_kind, line_end = known[source]
        edge_key = (int(Confidence.EXACT), path, line_start, uid, kind, origin)
        rows.append((*edge_key, name, qualified_name, symbol_kind, line_end, " ".join(places)))
    return sorted(rows)
