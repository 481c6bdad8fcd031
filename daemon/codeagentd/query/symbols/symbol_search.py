"""Text search for symbols."""

from __future__ import annotations

import heapq
import itertools
import json
import re
from typing import Any, Final, NamedTuple

from codeagent_protocol.errors import InvalidParameter
from codeagentd.model.ids import name_key, node_id
from codeagentd.model.results.symbol_results import SymbolHit
from codeagentd.query.retrieval import fts_expression
from codeagentd.store.connection import Database, QueryError

from .lookup import LABELS, Filters

SCAN: Final = 3_000  # matches ranked per search: 2 ms at 60,000 symbols, while ranking all of a common word takes 25
SCAN_FILTERED: Final = 20_000  # the same when filters exclude most of them
SHORTEST_PREFIX: Final = 3  # letters of a word's last part from which words that begin with it are looked up
SHORTEST_CONTAINED: Final = 3  # letters of a word from which names that contain it are found
NARROW: Final = 100_000  # number of the last symbol up to which prefixes are always looked up: a letter takes 10 ms

_PARTS: Final = re.compile(r"[^\W_]+")
_NOT_CALLED: Final = 2  # sorts after 0 and 1, the values for symbols with the name

Row = tuple[Any, ...]  # the score (lower is better), then the columns of a hit in search.sql


class Searched(NamedTuple):
    """The best hits, best first; `note` states how the text was read, if not as written."""

    hits: list[SymbolHit]
    note: str = ""


def search(db: Database, text: str, narrowed: Filters, limit: int) -> Searched:
    """Return the best hits for `text`: symbols of exactly this name first, then by BM25.

    A plain text without hits is tried again as a prefix, as a part of a name, and as any of its words. A text that
    looks like an FTS5 expression but is invalid is read as its words. Errors: invalid_parameter for a text without a
    word.
    """
    terms = fts_expression.parse(text)
    if terms.is_plain:
        return Searched(_by_words(Search(db, terms, narrowed, limit)))
    try:
        return Searched([_hit(row) for row in Search(db, terms, narrowed, limit).ranked(terms.text)])
    except QueryError:
        words = fts_expression.as_words(text)
    if not words.is_plain:
        raise InvalidParameter(
            "query has operators and nothing to look for",
            remedy='pass a name or words; in an FTS5 expression quote what is not an operator, e.g. "user-service"; '
            "columns are " + ", ".join(fts_expression.COLUMNS),
            parameter="query",
        )
    return Searched(
        _by_words(Search(db, words, narrowed, limit)),
        f"the query is no FTS5 expression and was read as words: {' '.join(words.words)}",
    )


def _by_words(symbol_search: Search) -> list[SymbolHit]:
    """The hits of a plain text."""
    terms = symbol_search.terms
    words = terms.words
    rows = (
        _named(symbol_search, terms)
        or (
            symbol_search.ranked(fts_expression.all_of(words, prefix=True)) if not symbol_search.has_wide_prefix else []
        )
        or symbol_search.containing()
        or symbol_search.ranked(len(words) > 1 and fts_expression.any_of(words))
    )
    return [_hit(row) for row in rows + symbol_search.outside(symbol_search.limit - len(rows))]


class Search:
    """One search: its text, filters and limit, with the methods that run its queries."""

    def __init__(self, db: Database, terms: fts_expression.Terms, narrowed: Filters, limit: int) -> None:
        self._db = db
        self.terms = terms
        self.limit = limit
        self._weigh = "search.narrowed" if narrowed.are_set else "search.ranked"
        self._parameters: dict[str, Any] = {
            "keys": json.dumps([name_key(name) for name in terms.names]), "names": json.dumps(terms.names),
            "suffix": terms.suffix, "scan": SCAN_FILTERED if narrowed.are_set else SCAN, "limit": limit,
            "kind": narrowed.kind, "language": narrowed.language, "project": narrowed.project,
        }  # fmt: skip

    def ranked(self, match: str | bool) -> list[Row]:
        """Return the hits of the full-text expression `match`, none for an empty one. Symbols of exactly the name come
        first, code before documents, then the rest; each by BM25.

        A symbol of exactly the name that was not reached among very many matches gets their best score.
        """
        figures: dict[int, float] = (
            dict(self._db.all(self._weigh, {**self._parameters, "match": match})) if match else {}
        )
        if not figures:
            return []
        called = self._called()
        best = min(figures.values())
        figures |= {symbol: best for symbol in called if symbol > 0 and symbol not in figures}
        return self._shown(
            heapq.nsmallest(
                self.limit, [(called.get(symbol, _NOT_CALLED), figure, symbol) for symbol, figure in figures.items()]
            )
        )

    @property
    def has_wide_prefix(self) -> bool:
        """Whether the only word ends in so few letters (`mutex_l`) that FTS5 would merge the rows of too many words
        that begin with them. The names that contain the word are then looked up instead.
        """
        word = self.terms.words[-1]
        return (
            len(self.terms.words) == 1
            and len(word) >= SHORTEST_CONTAINED
            and len((_PARTS.findall(word) or [""])[-1]) < SHORTEST_PREFIX
            and self._db.value("search.last", (), 0) > NARROW
        )

    def exact(self) -> list[Row]:
        """Return the symbols of exactly the name, in no particular order."""
        return self._shown([(_NOT_CALLED, 0.0, symbol) for symbol in itertools.islice(self._called(), self.limit)])

    def containing(self) -> list[Row]:
        """Return the hits whose name contains the only word."""
        match = fts_expression.trigrams(self.terms.words)
        return self._unranked("search.substring", {"match": match, "text": self.terms.words[0]}) if match else []

    def outside(self, room: int) -> list[Row]:
        """Return at most `room` external symbols with exactly this name."""
        return (
            self._unranked("search.outside", {"text": self.terms.text, "limit": room})
            if room > 0 and not self._parameters["project"]
            else []
        )

    def _called(self) -> dict[int, int]:
        """The symbols that may be an exact hit, by number: 1 for a part of a document, since keys in documents often
        have the names of definitions.
        """
        return dict(self._db.all("search.called", self._parameters)) if self.terms.names else {}

    def _shown(self, best: list[tuple[int, float, int]]) -> list[Row]:
        rows = {
            symbol: columns
            for symbol, *columns in self._db.all("search.shown", {"ids": json.dumps([symbol for *_, symbol in best])})
        }
        return [(figure, *rows[symbol]) for _, figure, symbol in best]

    def _unranked(self, name: str, extra: dict[str, Any]) -> list[Row]:
        return [(0.0, *row) for row in self._db.all(name, {**self._parameters, **extra})]


def _named(symbol_search: Search, terms: fts_expression.Terms) -> list[Row]:
    """The hits of all words as written; for a name without letters (`_`, `$`), which has no words, the symbols of
    exactly that name.
    """
    match = fts_expression.all_of(terms.words)
    return symbol_search.ranked(match) if match or not terms.name else symbol_search.exact()


def _hit(row: Row) -> SymbolHit:
    figure, uid, name, qualified_name, kind, language, path, line_start, line_end, access, signature, returns = row
    return SymbolHit(
        node_id(uid),
        name,
        qualified_name,
        LABELS[kind],
        language,
        path,
        line_start,
        line_end,
        access,
        signature,
        returns,
        round(figure, 4),
    )
