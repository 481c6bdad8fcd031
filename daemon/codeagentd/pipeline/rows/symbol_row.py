"""The rows of table symbols: the position of each column, and the completion of a row from a file's fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from codeagentd.model.facts import SymbolFact
from codeagentd.model.kinds import TYPES, SymbolFlag, SymbolKind

# A row of symbols. Until `place` completes it, it has no id and file, the uid as derived, and as parent an index into
# the file's rows (-1: none).
SymbolRow = list[Any]

# positions in a row of symbols, as world.symbol_rows lists them
ID, UID, FILE, PARENT, KIND, FLAGS, KEY, NAME, QUALIFIED, LINE_START, LINE_END, LINE = range(12)
ACCESS, SIGNATURE, RETURNS, BODY, BASES, TYPE, SHARED = 13, 14, 16, 17, 18, 19, 20

# flags that other files can notice; some decide what a member overrides
_OF_OVERRIDING: Final = SymbolFlag.ABSTRACT | SymbolFlag.OVERRIDE | SymbolFlag.VIRTUAL | SymbolFlag.PRIVATE
_OF_FIXTURES: Final = SymbolFlag.FIXTURE | SymbolFlag.AUTOMATIC
_SEEN: Final = int(
    SymbolFlag.EXPORTED | SymbolFlag.OVERLOADED | SymbolFlag.STATIC | SymbolFlag.LOCAL | _OF_OVERRIDING | _OF_FIXTURES
)
# their signatures have the parameters of construction, and the types of their parts
_HOLDING: Final = TYPES | {SymbolKind.ENUM_MEMBER}


def row_of(
    fact: SymbolFact, uid: bytes, kind: int, key: int, name: str, qualified_name: str, head: str = ""
) -> SymbolRow:
    """Return the row of the symbol of `fact` as far as its own file determines it. `head`: the text that distinguishes
    it besides its parameters.
    """
    return [
        None, uid, None, fact.parent, kind, fact.flags, key, name, qualified_name, fact.line_start, fact.line_end,
        fact.line, fact.col, fact.access, fact.signature, fact.parameters, fact.returns, fact.body,
        ",".join(fact.bases) if fact.bases else "", fact.type, int(fact.shared), head,
    ]  # fmt: skip


def place(rows: Sequence[SymbolRow], file: int, ids: Sequence[int], uids: Sequence[bytes]) -> None:
    """Write the ids, uids and parents of the index into `rows`, which are those of one file in the order of `ids` and
    `uids`.
    """
    for row, symbol, uid in zip(rows, ids, uids, strict=True):
        parent = row[PARENT]
        row[ID], row[UID], row[FILE], row[PARENT] = symbol, uid, file, ids[parent] if parent >= 0 else None


def interface_of(row: Sequence[Any]) -> tuple[Any, ...]:
    """Return those columns of a symbol's row that other files can notice, to be compared."""
    signature = row[SIGNATURE] or ""
    # def open(self: T) -> T, the parameters of callbacks; destructured members
    own = signature if ":" in signature or row[KIND] in _HOLDING else ""
    return (
        row[KEY],
        row[QUALIFIED],
        row[PARENT],
        row[KIND],
        row[FLAGS] & _SEEN,
        row[BASES],
        row[FILE],
        row[TYPE],
        row[RETURNS],
        own,
    )


def is_stub(row: Sequence[Any]) -> bool:
    """Whether a row only provides the name of a type for members that are defined in another file than the type."""
    return not row[BODY] and row[KIND] == SymbolKind.TYPE and not row[TYPE]


def span_of(row: SymbolRow) -> tuple[int, int, int, int, int]:
    """Return the primary position of the symbol of `row` as a row of table spans: (symbol, file, first line, last line,
    line of the name).
    """
    return row[ID], row[FILE], row[LINE_START], row[LINE_END], row[LINE]


def words_row(row: SymbolRow, words: str) -> tuple[Any, ...]:
    """Return the full-text row of the symbol of `row`, with these words."""
    return row[ID], row[NAME], words, row[QUALIFIED], row[SIGNATURE], row[RETURNS]
