"""The order of a question's candidates, by the ranking model, and the hits that they become.

What counts how much is in data/ranking.json; docs/decisions/0010-ranking.md says how that was fitted.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from codeagentd.model.kinds import SymbolKind

from .features import Candidate, Facts, described
from .question import Query
from .ranking_model import models

# score of a chunk that defines the name in the question; the best chunk of a text search has 1.0
DEFINED: Final = 2.5
OTHER_CASE: Final = 0.6  # factor if the name is in another case, or in another scope than in the question
UNUSED: Final = (
    # factor for a definition without references, when another definition of the name has some: the most used is meant
    0.6
)
VALUE: Final = 0.5  # factor for a field or a variable
AMONG_WORDS: Final = 0.2  # factor if the name is only a part of the question
# exponent for common names: the full score up to N ** (1 - COMMON) of N chunks; "an Observable that ..." does not ask
# for its definition
COMMON: Final = 0.7
PER_FILE: Final = 4  # hits of one file in an answer
JOINED: Final = 80  # lines up to which neighbouring chunks of a file become one hit
CANDIDATES: Final = 200  # chunks of the text search that are ranked

_SEPARATORS: Final = re.compile(r"::|->|[.#\\]")
_VALUES: Final = frozenset(
    {SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.ENUM_MEMBER, SymbolKind.KEY}
)


class Defined(NamedTuple):
    """One place that defines a name."""

    file: int
    line: int
    name: str
    kind: int
    qualified_name: str
    references: int


def definition(query: Query, name: str, place: Defined, most: int) -> float:
    """Return the score of a chunk that defines `name`, a name in the question, at `place`. `most`: the number of
    references to the most used definition of the name.
    """
    best_score = DEFINED if place.name == name else DEFINED * OTHER_CASE
    best_score *= VALUE if place.kind in _VALUES else 1.0
    best_score *= UNUSED + (1 - UNUSED) * math.log1p(place.references) / math.log1p(most) if most else 1.0
    if query.path and not f".{_SEPARATORS.sub('.', place.qualified_name)}".endswith(f".{query.path}"):
        best_score *= OTHER_CASE
    return best_score if query.is_name else best_score * AMONG_WORDS


def distinctiveness(having: int, total: int) -> float:
    """Return how distinctive a name in a question in words is, from 0 to 1, if `having` of `total` chunks contain it. A
    name that occurs everywhere distinguishes nothing.
    """
    return min(1.0, (1 - math.log1p(having) / math.log1p(total)) / COMMON) ** 2 if total else 0.0


def rank(facts: Facts, candidates: Iterable[Candidate], limit: int) -> list[Candidate]:
    """Return the best `limit` of `candidates`, best first, each with its score and its reasons."""
    whole = described(facts, candidates)
    model = models().meaning if facts.has_meaning else models().words
    pieces = [candidate for file in whole.files for candidate, _ in file.pieces]
    for candidate, chance in zip(pieces, model.chances(whole), strict=True):
        candidate.score = chance
    for file in whole.files:
        if file.features.stem:
            named = "file name" if file.features.stem == 1.0 else "part of the file name"
            file.pieces[0][0].reasons.append(named)
    return hits(pieces, limit, is_name=facts.query.is_name)


def hits(candidates: Iterable[Candidate], limit: int, *, is_name: bool) -> list[Candidate]:
    """Return the first hits by score, with a limit for each file. Neighbouring chunks of a file become one hit. A
    question that is a name wants its definition first, of several the one that is used most, and by itself.
    """
    result: list[Candidate] = []
    count: dict[int, int] = defaultdict(int)
    for candidate in sorted(candidates, key=_order_for_name if is_name else _order):
        if len(result) == limit and candidate.file not in count:
            continue
        if not is_name and (
            neighbour := next((hit for hit in result if hit.file == candidate.file and _touch(hit, candidate)), None)
        ):
            neighbour.line_start, neighbour.line_end = (
                min(neighbour.line_start, candidate.line_start),
                max(neighbour.line_end, candidate.line_end),
            )
        elif len(result) < limit and count[candidate.file] < PER_FILE:
            count[candidate.file] += 1
            result.append(candidate)
    return result


def _touch(candidate: Candidate, other: Candidate) -> bool:
    first, last = min(candidate.line_start, other.line_start), max(candidate.line_end, other.line_end)
    return (
        candidate.line_end + 1 == other.line_start or other.line_end + 1 == candidate.line_start
    ) and last - first < JOINED


def _order(candidate: Candidate) -> tuple[float, str, int]:
    return -candidate.score, candidate.path, candidate.line_start


def _order_for_name(candidate: Candidate) -> tuple[float, float, str, int]:
    return -candidate.defined, *_order(candidate)
