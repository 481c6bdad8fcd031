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
from tests.distil.fitting import Bags, Table, bags, batches, directions, likeness_step, pair_step
from tests.distil.texts import Text

DIMENSIONS: Final = 256  # directions in which the teacher's vectors differ most: .986 of their length
CONFIG: Final = {"tokens": 256, "repeated": 0.5, "half_at": 16, "splits_names": True}
ROUNDS: Final = 3
LIKE_TEACHER: Final = 10.0  # weight of the teacher's vectors
PAIRS: Final = 0.1  # weight of questions and their answers
LEFT_OUT: Final = 0.3  # share of the tokens of a pair that are left out at each step, so that no single word decides
RARE: Final = 1e-3  # share of texts with a token, from which on its first vector gets shorter the more there are
TAUGHT: Final = 900  # passages of a repository that the teacher embeds, and as many questions
AT_ONCE: Final = 1_000


class Lesson(NamedTuple):
    """What there is to learn from: `pairs` are numbers of a question's text and its answer's, by repository; `wanted`
    are the teacher's vectors of the texts with the numbers `taught`.
    """

    texts: list[str]
    pairs: list[Any]
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


def lesson(place: Path) -> Lesson:
    """Return all that was read and taught."""
    texts, pairs, taught, wanted = list[str](), list[Any](), list[Any](), list[Any]()
    for file in sorted(place.glob("*.jsonl")):
        first, read_texts = len(texts), read(file)
        texts += [text.text for text in read_texts]
        pairs.append(
            np.array([(first + n, first + text.answer) for n, text in enumerate(read_texts) if text.answer >= 0])
        )
        with np.load(file.with_suffix(".npz")) as answers:
            taught.append(first + answers["numbers"])
            wanted.append(answers["vectors"].astype(np.float32))
    return Lesson(texts, pairs, np.concatenate(taught), np.concatenate(wanted))


def learned(lesson: Lesson, tokens: Any, model: StaticModel, rounds: int = ROUNDS) -> Any:
    """Return the vectors of the vocabulary, of which `tokens` are the teacher's; `model` reads the texts."""
    chance = np.random.default_rng(1)
    parts = (lesson.texts[at : at + AT_ONCE] for at in range(0, len(lesson.texts), AT_ONCE))
    bag = bags(map(model.weighted_tokens, parts))
    _, _, axes = np.linalg.svd(lesson.wanted[::3], full_matrices=False)
    basis = axes[:DIMENSIONS].T
    wanted, _ = directions(lesson.wanted @ basis)
    pairs, plan = np.concatenate(lesson.pairs), list[tuple[bool, Any]]()
    ends = np.cumsum([len(group) for group in lesson.pairs])
    groups = [np.arange(end - len(group), end) for group, end in zip(lesson.pairs, ends, strict=True)]
    for _ in range(rounds):
        steps = [(False, numbers) for numbers in batches([np.arange(len(wanted))], chance)]
        steps += [(True, numbers) for numbers in batches(groups, chance) if len(numbers) > 1]
        plan += [steps[number] for number in chance.permutation(len(steps))]
    table = Table(_first_vectors(tokens, basis, bag), len(plan))
    for is_pairs, numbers in plan:
        if is_pairs:
            asked, answers = (bag.take(pairs[numbers, side]).thinned(LEFT_OUT, chance) for side in (0, 1))
            pair_step(table, asked, answers, PAIRS)
        else:
            likeness_step(table, bag.take(lesson.taught[numbers]), wanted[numbers], LIKE_TEACHER)
    return table.vectors


def _first_vectors(tokens: Any, basis: Any, bag: Bags) -> Any:
    """Return what the fit begins with: the teacher's vectors of the tokens, shorter for tokens of many texts."""
    unit, _ = directions((tokens - tokens.mean(axis=0)) @ basis)
    share = np.bincount(bag.ids, minlength=len(tokens)) / (len(bag.starts) - 1)
    result = unit * np.sqrt(RARE / (RARE + share))[:, None]
    return result / np.sqrt((result**2).sum(axis=1).mean())
