"""Examples to learn ranking from: the candidates of a question with their features, and which of them answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import numpy as np
from msgspec.structs import astuple

from codeagentd.model.embedding import PACKAGED
from codeagentd.query.retrieval.features import Candidate, File, OfFile, OfPiece, OfQuestion, described, first_score
from codeagentd.query.retrieval.nearest_vectors import Meaning
from codeagentd.query.retrieval.ranking import hits
from codeagentd.query.retrieval.retrieve import Gathered, gather
from codeagentd.query.retrieval.tokens import estimate
from codeagentd.toolkit.context import Context
from codeagentd.tools.retrieval.hybrid_query import begin_meaning
from tests.eval.budgets import indexed
from tests.eval.metrics import Place
from tests.eval.questions import Target
from tests.eval.sets import DOCSTRING, Asked, Hit, Set
from tests.harness.models import wanted

PIECE: Final = OfPiece.__struct_fields__
FILE: Final = OfFile.__struct_fields__
QUESTION: Final = OfQuestion.__struct_fields__
COLUMNS: Final = (*(f"piece.{name}" for name in PIECE), *(f"file.{name}" for name in FILE))


class Question(NamedTuple):
    """What is learned from one question: features, a row for each candidate, the best first by their first score, and
    of itself; which candidates answer; the number of its set's kind.
    """

    rows: np.ndarray
    question: np.ndarray
    answers: np.ndarray
    kind: int


class Example(msgspec.Struct, array_like=True):
    """A question's candidates, for the ranking with vectors or the one without. `features`: a row of COLUMNS for each,
    float32, NaN where nothing is known, the best candidate first by its first score; `question`: those of QUESTION;
    `answers`: whether each answers. The rest is what a judge needs.
    """

    has_meaning: bool
    is_name: bool
    pieces: list[Candidate]
    features: bytes
    question: bytes
    answers: list[bool]
    targets: list[Target]
    functions: list[tuple[str, str]]

    def learned(self, kind: int) -> Question:
        """What is learned from it, as a question of the kind with this number."""
        rows = np.frombuffer(self.features, np.float32).reshape(len(self.pieces), len(COLUMNS))
        return Question(rows, np.frombuffer(self.question, np.float32), np.array(self.answers, bool), kind)

    def judged(self, of_set: Set, scores: Sequence[float]) -> tuple[float | None, ...]:
        """The figures of the answer that these scores give."""
        pieces = [
            msgspec.structs.replace(one, score=float(score)) for one, score in zip(self.pieces, scores, strict=True)
        ]
        found = [
            Hit(Place(one.path, one.line_start, one.line_end), frozenset(name for name, _ in one.names))
            for one in hits(pieces, of_set.hits, is_name=self.is_name)
        ]
        return of_set.measure.judge(Asked(Path(), "", tuple(self.targets), tuple(self.functions)), found)


def examples(of_set: Set, root: Path, several: Sequence[Asked], place: Path) -> Iterator[Example]:
    """Yield the examples of questions to the tree at `root`, two for each: with and without vectors. Its index is kept
    in `place`.
    """
    with indexed(root, place, wanted(place, PACKAGED), estimate) as ctx:
        for asked in several:
            for meaning in (begin_meaning(ctx, asked.query), lambda: None):
                yield _example(of_set, asked, ctx, meaning)


def _example(of_set: Set, asked: Asked, ctx: Context, meaning: Callable[[], Meaning | None]) -> Example:
    with ctx.read() as db:
        gathered: Gathered = gather(db, asked.query, meaning)
    files, question = described(gathered.facts, gathered.candidates)
    query = gathered.facts.query
    every = [(candidate, features, file.features) for file in files for candidate, features in file.pieces]
    every.sort(key=lambda piece: -first_score(query, piece[1]))
    rows = [[*astuple(features), *astuple(of_file)] for _, features, of_file in every]
    pieces = [candidate for candidate, _, _ in every]
    for piece in pieces:
        piece.reasons = []
    answers = _answers(of_set, asked, files)
    return Example(
        gathered.facts.has_meaning,
        query.is_name,
        pieces,
        np.array(rows, np.float32).tobytes(),
        np.array(astuple(question), np.float32).tobytes(),
        [piece.id in answers for piece in pieces],
        list(asked.targets),
        list(asked.functions),
    )


def _answers(of_set: Set, asked: Asked, files: Sequence[File]) -> set[int]:
    """The pieces that answer. A function is answered by each piece that shows it; a file, or a part of one, by its best
    piece by its first score, and by the best one that defines what was changed in it.
    """
    pieces = [piece for file in files for piece, _ in file.pieces]
    if of_set.measure is DOCSTRING:
        hit = {piece.id: Hit(Place(piece.path, piece.line_start, piece.line_end), frozenset()) for piece in pieces}
        return {number for number, one in hit.items() if any(of_set.measure.judge(asked, [one]))}
    result = set[int]()
    for target in asked.targets:
        meets = [piece for piece in pieces if target.is_met(piece.path, piece.line_start, piece.line_end)]
        named = {name for path, name in asked.functions if path == target.file}
        defines = [piece for piece in meets if not named.isdisjoint(name for name, _ in piece.names)]
        result |= {piece.id for piece in (*meets[:1], *defines[:1])}
    return result
