"""Symbols whose names contain a text, at the beginning or elsewhere, the most likely first."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from codeagentd.model.results.lens_results import SymbolPlace
from codeagentd.query.retrieval import fts_expression
from codeagentd.store.connection import Database, Row

from .symbol_places import symbol_place

SCAN: Final = (
    2_000  # matching names that are examined, the shortest first: 3 ms; a longer name seldom is among the best
)
SCAN_OF_A_KIND: Final = 20_000  # the same when most names have no symbol of the kind
COUNTED: Final = 1_000  # references counted for one symbol: one with more comes first anyway
ANYWHERE: Final = 1_000_000

_WILD: Final = re.compile(r"[\\%_]")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]")


def matching(db: Database, root: Path, query: str, kind: int | None, begins: bool, limit: int) -> list[SymbolPlace]:
    """Return at most `limit` symbols whose name begins with `query`, or (not `begins`) contains it, best first.

    Order: the exact name, the name in other case, names that begin with the query, names with a word that begins with
    it, others. Within these: code before parts of documents, then shorter names, then more referenced symbols. If the
    query has a capital letter, case matters.
    """
    return [symbol_place(root, *place) for _, *place in _matching(db, query, kind, begins=begins, limit=limit)]


def matching_symbols(db: Database, query: str, *, begins: bool, limit: int) -> list[int]:
    """Return the numbers of the symbols that `matching` lists, in its order."""
    return [row[0] for row in _matching(db, query, None, begins=begins, limit=limit)]


def _matching(db: Database, query: str, kind: int | None, *, begins: bool, limit: int) -> list[Row]:
    """The rows of the statement lens.of_names."""
    result: list[Row] = []
    for documents, keys in _groups(_names(db, query, kind, begins)):
        if len(result) >= limit:
            break
        parameters = {
            "keys": json.dumps(keys),
            "kind": kind,
            "documents": documents,
            "counted": COUNTED,
            "limit": limit - len(result),
        }
        result += db.all("lens.of_names", parameters)
    return result


def _names(db: Database, query: str, kind: int | None, begins: bool) -> list[tuple[int, str, int]]:
    """Matching names as (closeness, name, key), the closest first, then the shorter."""
    strict = any(letter.isupper() for letter in query)
    like = _like(query, strict)
    parameters: dict[str, Any] = {
        "pattern": f"{like}%" if begins else f"%{like}%", "begins": f"{like}%", "text": query if strict else "",
        "furthest": 1 if begins else ANYWHERE, "scan": SCAN if kind is None else SCAN_OF_A_KIND,
    }  # fmt: skip
    match = fts_expression.trigrams((query,))
    rows = (
        db.all("lens.names_by_trigrams", parameters | {"match": match}) if match else db.all("lens.names", parameters)
    )
    measured = [(_closeness(name, query), name, key) for key, name in rows]
    return sorted(
        ((near, name, key) for near, name, key in measured if near < _NOWHERE),
        key=lambda entry: (entry[0], len(entry[1]), entry[1]),
    )


def _groups(names: list[tuple[int, str, int]]) -> Iterator[tuple[bool, list[int]]]:
    """Yield the groups of names in the order of answers, as (whether they are parts of documents, keys of the names).
    Within a group, only the number of references decides.
    """
    for _, close in groupby(names, key=lambda name: name[0]):
        alike = list(close)
        for _, group in groupby(alike, key=lambda entry: len(entry[1])):
            yield False, [key for *_, key in group]
        yield True, [key for *_, key in alike]


_ITSELF, _OTHER_CASE, _BEGINS, _BEGINS_A_WORD, _INSIDE, _NOWHERE = range(6)


def _closeness(name: str, query: str) -> int:
    if name == query:
        return _ITSELF
    strict = any(letter.isupper() for letter in query)
    plain, needle = (name, query) if strict else (name.lower(), query.lower())
    if plain == needle:
        return _OTHER_CASE
    if plain.startswith(needle):
        return _BEGINS
    at = plain.find(needle)
    if at < 0:
        return _NOWHERE
    while at > 0:
        if len(plain) != len(name) or _begins_a_word(name, at):
            return _BEGINS_A_WORD
        at = plain.find(needle, at + 1)
    return _INSIDE


def _begins_a_word(name: str, at: int) -> bool:
    """Whether a word begins at an offset: after punctuation or a digit, or at a capital after a small letter; in
    `URLParser` the second word begins at the P.
    """
    before, letter, after = name[at - 1], name[at], name[at + 1 : at + 2]
    return not before.isalpha() or (letter.isupper() and (before.islower() or after.islower()))


def _like(text: str, strict: bool) -> str:
    """A pattern for LIKE, which ignores case for ASCII only: other letters become wildcards, and are compared later."""
    escaped = _WILD.sub(lambda sign: f"\\{sign[0]}", text)
    return escaped if strict else _BEYOND_ASCII.sub("_", escaped)
