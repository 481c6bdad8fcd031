"""Symbols similar to one: by meaning if both have vectors, else by structure."""

from __future__ import annotations

import json
from typing import Final, Literal, NamedTuple

from codeagentd.model.embedding import of_numbers
from codeagentd.model.ids import node_id, numbers_of
from codeagentd.model.results.symbol_results import SimilarSymbol
from codeagentd.query.retrieval.nearest_vectors import nearest
from codeagentd.query.retrieval.question import stems_of
from codeagentd.store.connection import Database, Row

from .lookup import LABELS, Subject

COMMON: Final = 200  # number of users above which a symbol counts as used by everything, and is ignored
CANDIDATES: Final = 100  # symbols that share most of the used symbols, or have the same name
USES: Final = 0.6  # weight of commonly used symbols
NAMES: Final = 0.3  # weight of the words of the names
SHAPES: Final = 0.1  # weight of the same kind and number of parameters

Basis = Literal["meaning", "structure"]


class Similar(NamedTuple):
    """The symbols, the most similar first, and the basis of the comparison; `note` states why there are none."""

    symbols: list[SimilarSymbol]
    basis: Basis
    note: str = ""


def similar(db: Database, subject: Subject, limit: int) -> Similar:
    """Return at most `limit` symbols most similar to `subject`.

    Similarity is the cosine of the vectors, or the share of common structure; it is 1 for the same body and name.
    """
    own = db.value("vectors.vector_of", (subject.id,))
    if own:
        similarities = {
            near.symbol: 1 - near.distance for near in nearest(db, of_numbers(own), limit, besides=subject.id)
        }
    else:
        similarities = _alike_in_structure(db, subject, limit)
    rows = {row[0]: row[1:] for row in db.all("similar.hits", (json.dumps([*similarities]),))}
    symbols = [_hit(rows[symbol], figure) for symbol, figure in similarities.items() if symbol in rows]
    if own:
        return Similar(symbols, "meaning", "" if symbols else "no other symbol has a vector to compare with")
    return Similar(symbols, "structure", "" if symbols else _reason(db, subject))


def _reason(db: Database, subject: Subject) -> str:
    """The reason why no symbol is similar in structure."""
    used = db.all("similar.uses", (*numbers_of(subject.file), subject.id))
    what = "uses nothing that few others use too" if used else "uses nothing by name"
    return (
        f"nothing to compare by: {subject.qualified_name} {what}, no other of its kind has its name, and it has no "
        "vector"
    )


def _alike_in_structure(db: Database, subject: Subject, limit: int) -> dict[int, float]:
    first, last = numbers_of(subject.file)
    parameters = {
        "symbol": subject.id,
        "first": first,
        "last": last,
        "common": COMMON,
        "limit": CANDIDATES,
        "key": subject.key,
        "kind": subject.kind,
    }
    candidates = {
        row[0] for row in (*db.all("similar.companions", parameters), *db.all("similar.namesakes", parameters))
    }
    shapes: dict[int, Row] = {
        row[0]: row for row in db.all("similar.shapes", (json.dumps([subject.id, *sorted(candidates)]),))
    }
    own = shapes.pop(subject.id)
    uses = _uses(db, own)
    figures = {symbol: _likeness(own, row, uses, _uses(db, row)) for symbol, row in shapes.items()}
    best = sorted(figures, key=lambda symbol: (-figures[symbol], symbol))[:limit]
    return {symbol: figures[symbol] for symbol in best}


def _uses(db: Database, row: Row) -> frozenset[int]:
    return frozenset(key for (key,) in db.all("similar.uses", (*numbers_of(row[1]), row[0])))


def _likeness(own: Row, other: Row, own_uses: frozenset[int], uses: frozenset[int]) -> float:
    """The similarity from 0 to 1 of two symbols, given by rows of similar.shapes and the names that they use."""
    _, _, kind, name, parameters, body = own
    _, _, other_kind, other_name, other_parameters, other_body = other
    if body == other_body and name == other_name:
        return 1.0
    shape = (int(kind == other_kind) + int(parameters == other_parameters)) / 2
    return (
        USES * _overlap(own_uses, uses)
        + NAMES * _overlap(frozenset(stems_of(name)), frozenset(stems_of(other_name)))
        + SHAPES * shape
    )


def _overlap(own: frozenset[object], other: frozenset[object]) -> float:
    """Jaccard's index of two sets."""
    return len(own & other) / len(own | other) if own or other else 0.0


def _hit(row: Row, figure: float) -> SimilarSymbol:
    path, line_start, uid, name, qualified_name, kind, language, line_end, access, signature, returns = row
    return SimilarSymbol(
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
        similarity=round(figure, 4),
    )
