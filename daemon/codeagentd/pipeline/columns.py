"""The table symbols as tuples: where each column stands, and how a file's share of a symbol becomes one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .derive import SymbolRow

# positions in a row of symbols, as world.symbol_rows lists them
ID, UID, FILE, PARENT, KIND, FLAGS, KEY, NAME, QUALIFIED, LINE_START, ACCESS, SIGNATURE = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 14
RETURNS, BODY, BASES, TYPE, SHARED = 16, 17, 18, 19, 20


def columns_of(row: SymbolRow, symbol: int, uid: bytes, file: int, ids: Sequence[int]) -> tuple[Any, ...]:
    """The row of one symbol; `ids` are those of its file's symbols."""
    return (
        symbol, uid, file, ids[row.parent] if row.parent >= 0 else None, row.kind, row.flags, row.key, row.name, row.qualified_name, row.line_start,
        row.line_end, row.line, row.col, row.access, row.signature, row.parameters, row.returns, row.body, row.bases, row.type, int(row.shared),
    )  # fmt: skip
