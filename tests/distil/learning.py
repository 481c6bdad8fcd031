"""A static model learned from the texts of many repositories and from what a teacher says of a part of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np

from codeagentd.embed.model import Model
from codeagentd.embed.static_model import StaticModel
from tests.distil import tables
from tests.distil.changes import Change
from tests.distil.fitting import Bags, Table, bags, batches, directions, likeness_step, pair_step
from tests.distil.texts import Text, without_question

DIMENSIONS: Final = 256  # directions in which the teacher's vectors differ most: .986 of their length
CONFIG: Final = {"tokens": 256, "repeated": 0.5, "half_at": 16, "splits_names": True}
ROUNDS: Final = 3
LIKE_TEACHER: Final = 10.0  # weight of the teacher's vectors
PAIRS: Final = 1.0  # weight of comments and their symbols
CHANGES: Final = 0.5  # weight of subjects of commits and the symbols that these changed
OTHERS: Final = 512  # passages that answer none of a batch's questions: symbols without a comment are found, too
LEFT_OUT: Final = 0.3  # share of the tokens of a pair that are left out at each step, so that no single word decides
RARE: Final = 1e-2  # share of texts with a token, from which on its first vector gets shorter the more there are
TAUGHT: Final = 900  # passages of a repository that the teacher embeds, and as many questions
AT_ONCE: Final = 1_000


class Questions(NamedTuple):
    """Questions about one repository: `pairs` are numbers of a question's text and its answer's, `others` those of
    passages that answer none.
    """

    pairs: Any
    others: Any
    weight: float


class Lesson(NamedTuple):
    """What there is to learn from; `wanted` are the teacher's vectors of the texts with the numbers `taught`."""

    texts: list[str]
    questions: list[Questions]
    taught: Any
    wanted: Any


def teach(teacher: Model, file: Path) -> None:
    """Write the teacher's vectors of some of the texts in `file` beside it."""
    texts = read(file)
    order = random.Random(file.stem).sample(range(len(texts)), len(texts))
    long = [number for number in order if texts[number].kind in {"passage", "bare"}]
    short = [number for number in order if texts[number].kind not in {"passage", "bare"}]
    numbers = long[:TAUGHT] + short[:TAUGHT]
    vectors = encoded(teacher, [texts[number].text for number in numbers])
    np.savez(file.with_suffix(".npz"), numbers=np.array(numbers), vectors=vectors.astype(np.float16))


def teach_tokens(teacher: Model, folder: Path, file: Path) -> None:
    """Write the teacher's vectors of the vocabulary's tokens, each as a text."""
    np.save(file, encoded(teacher, [token.removeprefix("##") for token in tables.vocabulary(folder)]))


def encoded(model: Model, texts: Sequence[str]) -> Any:
    """Return the vectors of `texts`, as many at once as the model takes."""
    parts = (texts[at : at + model.batch] for at in range(0, len(texts), model.batch))
    return np.stack([vector for part in parts for vector in model.encode(part)])


def read(file: Path) -> list[Text]:
    """Return the texts of a repository."""
    decoder = msgspec.json.Decoder(Text)
    return [decoder.decode(line) for line in file.read_bytes().splitlines()]


def read_changes(file: Path) -> list[Change]:
    """Return the changes of a repository; none where they were not read."""
    decoder = msgspec.json.Decoder(Change)
    return [decoder.decode(line) for line in file.read_bytes().splitlines()] if file.exists() else []


def lesson(files: Sequence[Path]) -> Lesson:
    """Return all that was read and taught of the repositories whose texts are in `files`."""
    texts, questions, taught, wanted = list[str](), list[Questions](), list[Any](), list[Any]()
    for file in files:
        first, read_texts = len(texts), read(file)
        texts += [text.text for text in read_texts]
        pairs = [(first + number, first + text.answer) for number, text in enumerate(read_texts) if text.answer >= 0]
        others = first + np.array(without_question(read_texts), dtype=np.int64)
        questions.append(Questions(np.array(pairs), others, PAIRS))
        if file.with_suffix(".npz").exists():
            with np.load(file.with_suffix(".npz")) as answers:
                taught.append(first + answers["numbers"])
                wanted.append(answers["vectors"].astype(np.float32))
        pairs = []
        for change in read_changes(file.with_suffix(".changes")):
            question = len(texts)
            texts += [change.subject, *change.passages]
            pairs += [(question, question + 1 + number) for number in range(len(change.passages))]
        questions.append(Questions(np.array(pairs, dtype=np.int64).reshape(-1, 2), others, CHANGES))
    return Lesson(texts, questions, np.concatenate(taught), np.concatenate(wanted))


def learned(lesson: Lesson, tokens: Any, model: StaticModel, rounds: int = ROUNDS) -> Any:
    """Return the vectors of the vocabulary, of which `tokens` are the teacher's; `model` reads the texts."""
    chance = np.random.default_rng(1)
    parts = (lesson.texts[at : at + AT_ONCE] for at in range(0, len(lesson.texts), AT_ONCE))
    bag = bags(map(model.weighted_tokens, parts))
    _, _, axes = np.linalg.svd(lesson.wanted[::3], full_matrices=False)
    basis = axes[:DIMENSIONS].T
    wanted, _ = directions(lesson.wanted @ basis)
    plan = list[tuple[Questions | None, Any]]()  # None: the teacher's texts
    for _ in range(rounds):
        steps: list[tuple[Questions | None, Any]] = [(None, numbers) for numbers in batches(len(wanted), chance)]
        steps += [(asked, pairs) for asked in lesson.questions for pairs in batches(len(asked.pairs), chance)]
        plan += [steps[number] for number in chance.permutation(len(steps))]
    table = Table(_first_vectors(tokens, basis, bag), len(plan))
    for questions, numbers in plan:
        if questions is None:
            likeness_step(table, bag.take(lesson.taught[numbers]), wanted[numbers], LIKE_TEACHER)
            continue
        asked, right = questions.pairs[numbers].T
        others = chance.choice(questions.others, min(OTHERS, len(questions.others)), replace=False)
        found = bag.take(np.concatenate([right, others])).thinned(LEFT_OUT, chance)
        pair_step(table, bag.take(asked).thinned(LEFT_OUT, chance), found, questions.weight, asked)
    return table.vectors


def _first_vectors(tokens: Any, basis: Any, bag: Bags) -> Any:
    """Return what the fit begins with: the teacher's vectors of the tokens, shorter for tokens of many texts."""
    unit, _ = directions((tokens - tokens.mean(axis=0)) @ basis)
    share = np.bincount(bag.ids, minlength=len(tokens)) / (len(bag.starts) - 1)
    result = unit * np.sqrt(RARE / (RARE + share))[:, None]
    return result / np.sqrt((result**2).sum(axis=1).mean())
