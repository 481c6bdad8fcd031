"""The previous state of a batch's files in the index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import msgspec

from codeagentd.languages.language import languages
from codeagentd.languages.module_systems import Reexport
from codeagentd.model.kinds import SymbolKind
from codeagentd.pipeline.invalidation.api_changes import ApiChanges
from codeagentd.pipeline.rows.symbol_row import BODY, ID, KEY, KIND, NAME, PARENT, SHARED, UID, is_stub
from codeagentd.pipeline.workers.messages import Extracted
from codeagentd.store.connection import Row

from .symbol_matching import Known


class SharedSymbolState(NamedTuple):
    """The properties of a symbol declared by several files that other files see: the key of its name, its kind, and its
    owner.
    """

    key: int
    kind: int
    owner_kind: int
    owner: int


class OldFile(msgspec.Struct):
    """A file of the batch as the index has it from before the batch."""

    id: int
    path: str
    digest: bytes
    language: str | None
    module: str
    imported: str
    rows: list[Row]
    imports: list[Row]

    def known(self) -> list[Known]:
        """The symbols of the file that may appear again under another name or in another file. Shared symbols are
        identified by their names.
        """
        by_id = {row[ID]: row for row in self.rows}

        def names(row: Any) -> tuple[str, ...]:
            chain: list[str] = []
            current = row
            while current is not None and current[PARENT] is not None:
                chain.append(current[NAME])
                current = by_id.get(current[PARENT])
            return tuple(reversed(chain))

        return [
            Known(row[ID], row[UID], self.path, names(row), row[KIND], row[BODY])
            for row in self.rows
            if not row[SHARED]
        ]


def shared_states(rows: Iterable[Any]) -> dict[int, SharedSymbolState]:
    """Return the symbols among a file's `rows` that several files declare: state by symbol id."""
    kinds = {row[ID]: row[KIND] for row in rows}
    return {
        row[ID]: SharedSymbolState(row[KEY], row[KIND], kinds.get(row[PARENT], 0), row[PARENT] or 0)
        for row in rows
        if row[SHARED]
    }


def includes(language: str | None) -> bool:
    """Whether files of `language` see names of other files by inclusion."""
    return language is not None and languages()[language].modules.is_pasted


def note_declared(
    was: Mapping[int, SharedSymbolState], outcome: Extracted, language: str | None, reach: ApiChanges, is_edit: bool
) -> None:
    """Note in `reach` the shared names that a file begins or ceases to declare: files that include it see them, or no
    longer do. `was`: its shared symbols before, by id; `outcome`: the file as it is now.

    Of namespaces only the modules of a language with declared modules count, and, in a language with inclusion, an
    edit. Files that are added or removed reach their includers by their names, and all files mention the namespace of a
    program. A file that only has members of a type declares these, not the type.
    """
    rows = outcome.rows.symbols if outcome.rows else ()
    declared = shared_states(rows)
    now = {row[ID]: state for row in rows if (state := declared.get(row[ID])) and (row[ID] in was or not is_stub(row))}
    both = {**was, **now}
    counts = (is_edit and includes(language)) or (
        language is not None and languages()[language].modules.reexport == Reexport.BY_PATH
    )
    for symbol in was.keys() ^ now.keys():
        key, kind, owner_kind, owner = both[symbol]
        if counts or kind != SymbolKind.NAMESPACE:
            reach.note(key, kind, language, owner_kind, symbol, owner, by_name=True)
