"""Errors and suggestions for a name that no symbol has: the definitions with the most similar names."""

from __future__ import annotations

import posixpath
from typing import Any, Final

from codeagent_protocol.errors import NotFound
from codeagentd.base.suggestions import LONGEST, closest, did_you_mean
from codeagentd.model.identifier_words import split_words
from codeagentd.query.retrieval import fts_expression
from codeagentd.store.connection import Database

from .lookup import MAX_NEAR, SEPARATORS, Subject, candidates, named

SCAN: Final = 2_000  # names that share a half with the mistyped one
COMPARED: Final = 300  # those among them with the most similar length
SHORTEST_HALF: Final = 3  # letters: the length of the pieces in the index of names


def unknown(db: Database, name: str, parameter: str) -> NotFound:
    """Return the error for the unknown `name`. Its candidates are definitions with the name's last part, with its
    words, or with nearly its letters; for a path, the most similar paths.
    """
    message = f"no symbol has the node_id or name {name!r}"
    if "/" in name and (paths := near_paths(db, name)):
        return NotFound(
            message,
            remedy=f"did you mean {paths[0]!r}? pass a path of the repository",
            parameter=parameter,
            paths=paths,
        )
    *qualifiers, last = SEPARATORS.split(name)
    if qualifiers and last and (rows := named(db, last, limit=MAX_NEAR)):
        remedy = f"use a node_id of `candidates`, which are called {last!r}, or search_symbols"
        result, total = [Subject(*row[:-1]) for row in rows], rows[0][-1]
    else:
        result = near(db, last or name)
        remedy, total = (
            f"did you mean {result[0].name!r}? use a node_id of `candidates`, or search_symbols" if result else "",
            len(result),
        )
    if not result:
        return NotFound(message, remedy="search_symbols finds node ids by name", parameter=parameter)
    return NotFound(
        message, remedy=remedy, parameter=parameter, candidates=candidates(db, result), total_candidates=total
    )


def near(db: Database, name: str) -> list[Subject]:
    """Return the definitions whose names have the words of `name` in another spelling (`GetOrder`, `get_order`), then
    those with nearly the same letters.
    """
    if len(name) > LONGEST:
        return []
    names = list(dict.fromkeys([*_same_words(db, name), *closest(name, _alike(db, name), MAX_NEAR)]))
    result = [Subject(*row[:-1]) for name in names[:MAX_NEAR] for row in named(db, name, limit=MAX_NEAR)]
    return result[:MAX_NEAR]


def suggestion(db: Database, name: str) -> str:
    """Return the question "did you mean …?" with names of the index that are similar to `name`; '' without any."""
    last = SEPARATORS.split(name)[-1] or name
    return did_you_mean(last, {subject.name for subject in near(db, last)})


def near_paths(db: Database, path: str) -> list[str]:
    """Return the indexed files with a path similar to `path`: first those of the same file name, else those of a
    similar file name.
    """
    folder, name = posixpath.split(path)
    rows = [row[0] for row in db.all("files.called", {"name": name})]
    if not rows:
        alike = db.all("files.called_alike", {"begin": name[:SHORTEST_HALF], "limit": COMPARED})
        names = closest(name, [posixpath.basename(candidate) for (candidate,) in alike], 1)
        rows = [row[0] for name in names for row in db.all("files.called", {"name": name})]
    return sorted(rows, key=lambda row: (-_shared(row, folder), row))[:MAX_NEAR]


def _shared(path: str, folder: str) -> int:
    return len(set(path.split("/")[:-1]) & set(folder.split("/")))


def _same_words(db: Database, name: str) -> list[str]:
    words = split_words(name)
    if len(words) < 2:
        return []
    match = f"{{name words}} : {fts_expression.quoted(' '.join(words))}"
    rows = db.all("symbols.having_words", (match, SCAN))
    return list(dict.fromkeys(other for (other,) in rows if split_words(other) == words))


def _alike(db: Database, name: str) -> list[str]:
    """Names that have the same first or second half as a name: a single typing error leaves one half unchanged."""
    half = max(SHORTEST_HALF, len(name) // 2)
    halves = dict.fromkeys(piece for piece in (name[:half], name[-half:]) if len(piece) >= SHORTEST_HALF)
    match = " OR ".join(
        f"({fts_expression.trigrams((piece,))})" for piece in halves if fts_expression.trigrams((piece,))
    )
    parameters: dict[str, Any] = {"match": match, "scan": SCAN, "length": len(name), "limit": COMPARED}
    return [other for (other,) in db.all("symbols.named_alike", parameters)] if match else []
