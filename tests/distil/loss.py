"""What a static model loses against its teacher: docstring questions answered by vectors alone, MRR@10.

A question is the first sentence of a function's docstring, its answer the function in a copy without docstrings. A
result counts where it covers half of the function or lies half in it, and is not far longer.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from codeagentd.base.paths import Jail
from codeagentd.embed.model import Model
from codeagentd.pipeline.embedding.passages import passages
from codeagentd.pipeline.embedding.symbol_queue import KINDS, LAST, UNNAMED
from tests.distil.learning import encoded
from tests.distil.texts import Text, indexed, without_question
from tests.eval.metrics import Place, function_rank

ASKED: Final = 1_500  # questions of a repository
COUNTED: Final = 10  # results of a question


class Corpus(NamedTuple):
    """The passages of an indexed tree, each with its file and lines, and the questions about it."""

    name: str
    passages: list[str]
    places: list[Place]
    questions: list[dict[str, Any]]


class Loss(NamedTuple):
    """What a model answers about a corpus, and how many passages it embeds in a second of the processor."""

    mrr: float
    rate: float


def corpus(name: str, root: Path, truth: Path, place: Path) -> Corpus:
    """Index the tree at `root`, with its index in `place`, and read the questions about it from `truth`."""
    database = indexed(root, place)
    symbols = [symbol for symbol, _ in database.all("vectors.ranked", (KINDS, LAST, UNNAMED, -1))]
    rows = {row[0]: row for row in database.all("vectors.symbols", (json.dumps(symbols),))}
    files = json.dumps([*{row[1] for row in rows.values()}])
    paths = {file: path for file, path, _, _ in database.all("vectors.files", (files,))}
    made = passages(database, Jail(root), "", [(row[0], row[1]) for row in rows.values()])
    places = [Place(paths[rows[one.symbol][1]], rows[one.symbol][7], rows[one.symbol][9]) for one in made]
    questions = [json.loads(line) for line in truth.read_text(encoding="utf-8").splitlines()]
    return Corpus(name, [one.text for one in made], places, questions)


def loss(model: Model, corpus: Corpus) -> Loss:
    """Return how well `model` answers the questions about `corpus`."""
    began = time.process_time()
    vectors = encoded(model, corpus.passages)
    took = time.process_time() - began
    asked = encoded(model, [question["query"] for question in corpus.questions])
    reciprocal = 0.0
    for question, likeness in zip(corpus.questions, asked @ vectors.T, strict=True):
        best = np.argsort(-likeness, kind="stable")[:COUNTED]
        wanted = Place(question["file"], question["line_start"], question["line_end"])
        reciprocal += function_rank(wanted, [corpus.places[number] for number in best])
    return Loss(reciprocal / len(corpus.questions), len(corpus.passages) / took)


def held_out(model: Model, texts: Sequence[Text]) -> float:
    """Return MRR@10 of the first comments of a repository, each to be answered by its own symbol without its comment,
    among these and the passages of symbols without one.
    """
    asked = [text for text in texts if text.answer >= 0][:ASKED]
    known = [texts[text.answer].text for text in asked] + [texts[number].text for number in without_question(texts)]
    likeness = encoded(model, [text.text for text in asked]) @ encoded(model, known).T
    ranks = 1 + (likeness > np.diag(likeness)[:, None]).sum(axis=1)
    return float(np.where(ranks <= COUNTED, 1 / ranks, 0).mean())
