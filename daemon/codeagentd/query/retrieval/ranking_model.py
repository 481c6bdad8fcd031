"""The ranking model: the chance of each candidate to be what a question asks for.

There are kinds of questions: for the file about a topic, for the function that does something, for what a change or a
report is about. For each kind the model has a score of candidates, and the features of the question say how likely the
kind is; the chance of a candidate is the sum over the kinds. A score is a sum of step functions of one feature each.
They are fitted to questions whose answers are known (docs/decisions/0010) and kept as a table of numbers,
data/ranking.json; `python -m tests.ranking` makes it again.
"""

from __future__ import annotations

import functools
import math
from bisect import bisect_left
from collections.abc import Sequence
from importlib import resources
from typing import Final

import msgspec
from msgspec.structs import astuple

from .features import Described, OfFile, OfPiece, OfQuestion

TABLE: Final = "ranking.json"


class Steps(msgspec.Struct, frozen=True):
    """A step function: `values[n]` up to and including `bounds[n]`, the last value above all bounds; `unknown` for a
    feature of which nothing is known.
    """

    bounds: tuple[float, ...]
    values: tuple[float, ...]
    unknown: float = 0.0


class Kind(msgspec.Struct, frozen=True):
    """What says that a question is of a kind, and what answers it then: the steps of features of the question, a piece
    and a file, by their names.
    """

    question: dict[str, Steps]
    piece: dict[str, Steps]
    file: dict[str, Steps]


class Model(msgspec.Struct, frozen=True):
    """The kinds of questions, by name."""

    kinds: dict[str, Kind]

    def chances(self, described: Described) -> list[float]:
        """Return the chance of each piece, in the order of the files and their pieces; their sum is 1."""
        pieces = [astuple(features) for file in described.files for _, features in file.pieces]
        files = [(astuple(file.features), len(file.pieces)) for file in described.files]
        question, result = astuple(described.question), [0.0] * len(pieces)
        of_kinds = _shares([_sum(_of(kind.question, OfQuestion), question) for kind in self.kinds.values()])
        for of_kind, kind in zip(of_kinds, self.kinds.values(), strict=True):
            of_file, of_piece = _of(kind.file, OfFile), _of(kind.piece, OfPiece)
            shared = [score for file, count in files for score in [_sum(of_file, file)] * count]
            scores = [score + _sum(of_piece, piece) for score, piece in zip(shared, pieces, strict=True)]
            result = [chance + of_kind * share for chance, share in zip(result, _shares(scores), strict=True)]
        return result


class Models(msgspec.Struct, frozen=True):
    """The model for questions that have been compared in meaning, and the one for words alone."""

    meaning: Model
    words: Model


@functools.cache
def models() -> Models:
    """Return the models of this package."""
    return msgspec.json.decode((resources.files(__package__) / "data" / TABLE).read_bytes(), type=Models)


_Steps = list[tuple[int, tuple[float, ...], tuple[float, ...], float]]


def _of(steps: dict[str, Steps], features: type[msgspec.Struct]) -> _Steps:
    """The steps, each with the place of its feature, in the form that is the fastest to read."""
    place = features.__struct_fields__.index
    return [(place(name), step.bounds, step.values, step.unknown) for name, step in steps.items()]


def _sum(steps: _Steps, features: tuple[float | None, ...]) -> float:
    result = 0.0
    for at, bounds, values, unknown in steps:
        feature = features[at]
        result += unknown if feature is None else values[bisect_left(bounds, feature)]
    return result


def _shares(scores: Sequence[float]) -> list[float]:
    """Chances in proportion to the exponentials of scores (softmax)."""
    most = max(scores, default=0.0)
    powers = [math.exp(score - most) for score in scores]
    whole = math.fsum(powers)
    return [power / whole for power in powers]
