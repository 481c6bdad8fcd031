"""Search for definitions by a name or its words: first by the name itself, then by its words."""

from __future__ import annotations

import json
import re
from typing import Final

from codeagentd.model.file_kinds import is_test
from codeagentd.model.identifier_words import split_words
from codeagentd.model.ids import node_id
from codeagentd.model.kinds import OUTLINE
from codeagentd.model.results.retrieval_results import FoundSymbol
from codeagentd.query.retrieval import fts_expression
from codeagentd.store.connection import Database

from .lookup import LABELS, Filters
from .name_search import COUNTED
from .symbol_search import Row, Search

MAX_DEFINITIONS: Final = 200  # definitions examined, and reached by paging; a qualified name finds the others

_EXACT, _OTHER_CASE, _WORDS = range(3)
_REASONS: Final = ("exact name", "the name in other case", "words of the name")
_DOCUMENTS: Final = frozenset(int(kind) for kind in OUTLINE)
# operators of full-text search that are no part of a name
_SIGNS: Final = re.compile(r"[^\w.$#:\\]+|(?<!:):(?!:)")
_UID, _NAME, _KIND, _PATH = 1, 2, 4, 6  # columns of a row


def find(db: Database, name: str, kind: int | None) -> list[FoundSymbol]:
    """Return the definitions that `name` finds, best first: exact names, then names in other case, then names with the
    words. Among these, code comes before documents, other code before tests, and the most referenced first; in the last
    group, names with most of the words come first.
    """
    plain = " ".join(_SIGNS.sub(" ", name).split())
    # AND, OR and NOT count as words here
    terms = fts_expression.parse(plain.lower() if " " in plain else plain or name.strip())
    rows = _rows(db, terms, kind)
    counts: dict[bytes, int] = dict(
        db.all("retrieval.referenced", {"uids": json.dumps([uid.hex() for uid in rows]), "counted": COUNTED})
    )
    words = split_words(plain)
    ranked = []
    for order, row in enumerate(rows.values()):
        tier = _tier(row[_NAME], terms.name)
        count = counts.get(row[_UID], 0)
        lacking = _lacking(row[_NAME], words) if tier == _WORDS else 0
        ranked.append(
            (
                (tier, lacking, row[_KIND] in _DOCUMENTS, is_test(row[_PATH]), -count if tier < _WORDS else 0, order),
                count,
                row,
            )
        )
    ranked.sort(key=lambda entry: entry[0])
    return [
        _found_symbol(rank, row, count, _REASONS[worth[0]])
        for rank, (worth, count, row) in enumerate(ranked[:MAX_DEFINITIONS], start=1)
    ]


def _rows(db: Database, terms: fts_expression.Terms, kind: int | None) -> dict[bytes, Row]:
    """Rows by uid: of the name itself, and of all its words; if no symbol has these, of a part of the name, or of any
    of the words.
    """
    search = Search(db, terms, Filters(kind), MAX_DEFINITIONS)
    rows = search.exact()
    if every := fts_expression.all_of(terms.words, prefix=True):
        column = " qualified_name" if len(terms.words) > 1 or terms.suffix else ""
        rows += search.ranked(f"{{name words{column}}} : ({every})")
    rows = rows or search.containing() or search.ranked(fts_expression.any_of(terms.words))
    result: dict[bytes, Row] = {}
    for row in rows:
        result.setdefault(row[_UID], row)
    return result


def _tier(name: str, query: str) -> int:
    if name == query:
        return _EXACT
    return _OTHER_CASE if name.lower() == query.lower() else _WORDS


def _lacking(name: str, words: list[str]) -> int:
    """The number of words that are no prefix of a word in the name."""
    own = split_words(name)
    return sum(not any(part.startswith(word) for part in own) for word in words)


def _found_symbol(rank: int, row: Row, count: int, reason: str) -> FoundSymbol:
    _, uid, name, qualified_name, kind, _, path, line_start, line_end, _, signature, returns = row
    return FoundSymbol(
        rank=rank,
        name=name,
        qualified_name=qualified_name,
        kind=LABELS[kind],
        path=path,
        lines=[line_start, line_end],
        signature=(signature or "") + (f" -> {returns}" if returns else ""),
        references=count,
        reason=reason,
        node_id=node_id(uid),
    )
