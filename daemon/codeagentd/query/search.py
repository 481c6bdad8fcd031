"""Which symbols match a text?"""

from __future__ import annotations

import json
from typing import Any, Final

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.ids import name_key, node_id
from codeagentd.model.results import SymbolHit
from codeagentd.query import terms
from codeagentd.store.connection import Database, QueryError

from .part import Key
from .symbols import LABELS, Filters

SCAN: Final = 3_000  # matches ranked per search: 2 ms at 60,000 symbols, where all of a common word's cost 25
SCAN_FILTERED: Final = 20_000  # when filters drop most of them

_FIGURE: Final = 1
_UID: Final = 2


def search(db: Database, text: str, narrowed: Filters, limit: int) -> list[SymbolHit]:
    """The best hits: symbols of exactly this name first, then by BM25.

    A plain text that hits nothing is tried again as a beginning, as a part of a name, and as any of its words.
    Errors: invalid_parameter for what FTS5 cannot read.
    """
    wanted = terms.parse(text)
    asked = _Search(db, wanted, narrowed, limit)
    if not wanted.is_plain:
        return _hits(asked.expression())
    words = wanted.words
    rows = asked.named() or asked.ranked(terms.all_of(words, prefix=True)) or asked.containing() or asked.ranked(len(words) > 1 and terms.any_of(words))
    return _hits(rows + asked.outside(limit - len(rows)))


class _Search:
    """One search: its text, filters and limit, asked of the tables in several ways."""

    def __init__(self, db: Database, wanted: terms.Terms, narrowed: Filters, limit: int) -> None:
        self._db = db
        self._terms = wanted
        self._asked: dict[str, Any] = {
            **called(wanted), "suffix": wanted.suffix, "scan": SCAN_FILTERED if narrowed.are_set else SCAN, "limit": limit,
            "kind": narrowed.kind, "language": narrowed.language, "project": narrowed.project,
        }  # fmt: skip

    def ranked(self, match: str | bool) -> list[Key]:
        """Hits of a full-text expression, best first; none without one."""
        return self._db.all("search.ranked", {**self._asked, "match": match}) if match else []

    def named(self) -> list[Key]:
        """Hits of all words as written; of a name that has no letters (`_`, `$`) and so no words, the symbols of exactly that name."""
        match = terms.all_of(self._terms.words)
        return self.ranked(match) if match or not self._terms.name else self._db.all("search.exact", self._asked)

    def containing(self) -> list[Key]:
        """Hits whose name has the only word somewhere inside."""
        match = terms.trigrams(self._terms.words)
        return self._db.all("search.substring", {**self._asked, "match": match, "text": self._terms.words[0]}) if match else []

    def outside(self, room: int) -> list[Key]:
        """What other packages have under just this name."""
        return self._db.all("search.outside", {**self._asked, "text": self._terms.text, "limit": room}) if room > 0 and not self._asked["project"] else []

    def expression(self) -> list[Key]:
        """Hits of the text as an FTS5 expression."""
        try:
            return self.ranked(self._terms.text)
        except QueryError as error:
            raise InvalidParameter(
                f"query: {error}",
                remedy='quote what is not an operator, e.g. "user-service"; columns are ' + ", ".join(terms.COLUMNS),
                parameter="query",
            ) from error


def called(wanted: terms.Terms) -> dict[str, str]:
    """What an exact hit may be called, as parameters."""
    return {"keys": json.dumps([name_key(name) for name in wanted.names]), "names": json.dumps(wanted.names)}


def _hits(rows: list[Key]) -> list[SymbolHit]:
    return [_hit(row) for row in rows]


def _hit(row: Key) -> SymbolHit:
    figure, (uid, name, qualified_name, kind, language, path, line_start, line_end, access, signature, returns) = row[_FIGURE], row[_UID:]
    return SymbolHit(node_id(uid), name, qualified_name, LABELS[kind], language, path, line_start, line_end, access, signature, returns, round(figure, 4))
