"""The fit of a static model: vectors of tokens whose sums are near the teacher's vectors of whole texts, and by which a
question is nearer to its own answer than to others.

Plain numpy: mini-batches, Adam on the rows that a batch has, gradients written out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

BATCH: Final = 512  # texts or pairs; the answers of a batch are the wrong ones of each other's questions
RATE: Final = 0.003  # of a step, for rows of unit length; it rises for a tenth of the steps, then falls to zero
TEMPERATURE: Final = 0.05
KEPT: Final = (0.9, 0.999)  # of the means of gradients and of their squares at each step
NEVER: Final = -1e4  # for what is no wrong answer
TINY: Final = 1e-9


class Bags(NamedTuple):
    """Texts as their distinct tokens: those of text n are `ids[starts[n]:starts[n + 1]]`, with their weights."""

    ids: Any
    weights: Any
    starts: Any

    def take(self, numbers: Any) -> Bags:
        """Return these of the texts."""
        lengths = self.starts[numbers + 1] - self.starts[numbers]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.repeat(self.starts[numbers] - starts[:-1], lengths) + np.arange(starts[-1])
        return Bags(self.ids[places], self.weights[places], starts)

    def thinned(self, share: float, chance: np.random.Generator) -> Bags:
        """Return the texts without this share of their tokens, taken at random; the first one stays."""
        stays = chance.random(len(self.ids)) >= share
        stays[self.starts[:-1]] = True
        lengths = np.add.reduceat(stays.astype(np.int64), self.starts[:-1])
        return Bags(self.ids[stays], self.weights[stays], np.concatenate([[0], np.cumsum(lengths)]))


def bags(parts: Iterable[tuple[Any, Any, Any]]) -> Bags:
    """Return the texts whose tokens a static model has weighed, part by part."""
    ids, weights, starts = zip(*parts, strict=True)
    ends = np.cumsum([len(part) for part in ids])
    begins = [part + end - len(tokens) for part, tokens, end in zip(starts, ids, ends, strict=True)]
    return Bags(np.concatenate(ids), np.concatenate(weights), np.concatenate([*begins, ends[-1:]]))


def joined(first: Bags, second: Bags) -> Bags:
    """Return the texts of both, one after the other."""
    return Bags(
        np.concatenate([first.ids, second.ids]), np.concatenate([first.weights, second.weights]),
        np.concatenate([first.starts, first.starts[-1] + second.starts[1:]]),
    )  # fmt: skip


class Table:
    """The vectors that are fitted, with the state of Adam."""

    def __init__(self, vectors: Any, steps: int) -> None:
        self.vectors = vectors.astype(np.float32)
        self._mean = np.zeros_like(self.vectors)
        self._square = np.zeros_like(self.vectors)
        self._steps, self._step = steps, 0

    def sums(self, bag: Bags) -> Any:
        """Return the sum of each text."""
        return np.add.reduceat(self.vectors[bag.ids] * bag.weights[:, None], bag.starts[:-1])

    def descend(self, bag: Bags, gradients: Any) -> None:
        """Make a step against the `gradients` of the texts' sums."""
        rows = np.repeat(np.arange(len(bag.starts) - 1), np.diff(bag.starts))
        order = np.argsort(bag.ids, kind="stable")
        ids, first = np.unique(bag.ids[order], return_index=True)
        gradient = np.add.reduceat(gradients[rows[order]] * bag.weights[order][:, None], first)
        self._step += 1
        done = self._step / self._steps
        rate = RATE * (done / 0.1 if done < 0.1 else 0.5 * (1 + math.cos(math.pi * (done - 0.1) / 0.9)))
        self._mean[ids] = KEPT[0] * self._mean[ids] + (1 - KEPT[0]) * gradient
        self._square[ids] = KEPT[1] * self._square[ids] + (1 - KEPT[1]) * gradient**2
        mean = self._mean[ids] / (1 - KEPT[0] ** self._step)
        self.vectors[ids] -= rate * mean / (np.sqrt(self._square[ids] / (1 - KEPT[1] ** self._step)) + TINY)


def directions(sums: Any) -> tuple[Any, Any]:
    """Return the vectors at unit length, and their lengths."""
    lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), TINY)
    return sums / lengths, lengths


def through_length(gradients: Any, unit: Any, lengths: Any) -> Any:
    """Return the gradients of sums, from those of the same at unit length."""
    return (gradients - unit * (gradients * unit).sum(axis=1, keepdims=True)) / lengths


def likeness_step(table: Table, bag: Bags, wanted: Any, weight: float) -> float:
    """Make the texts' vectors more like those that are `wanted`; return the mean cosine before."""
    unit, lengths = directions(table.sums(bag))
    table.descend(bag, through_length(-weight * wanted / len(wanted), unit, lengths))
    return float((unit * wanted).sum(axis=1).mean())


def pair_step(table: Table, asked: Bags, answers: Bags, weight: float, names: Any) -> float:
    """Make each question nearer to its own answer than to the others; return the share that was nearest. `answers` are
    those of the questions, in their order, and after them texts that answer none; a question that is there twice, by
    its number in `names`, has more than one answer.
    """
    count = len(asked.starts) - 1
    both = joined(asked, answers)
    unit, lengths = directions(table.sums(both))
    questions, found = unit[:count], unit[count:]
    logits = questions @ found.T / TEMPERATURE
    right = np.arange(count)
    twice = names[:, None] == names[None]
    twice[right, right] = False
    logits[:, :count][twice] = NEVER
    blame = _shares(logits) / 2
    blame[:, :count] += _shares(logits[:, :count].T).T / 2
    blame[right, right] -= 1
    blame *= weight / (count * TEMPERATURE)
    gradients = np.concatenate([blame @ found, blame.T @ questions])
    table.descend(both, through_length(gradients, unit, lengths))
    return float((logits.argmax(axis=1) == right).mean())


def _shares(logits: Any) -> Any:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def batches(count: int, chance: np.random.Generator, size: int = BATCH) -> Iterator[Any]:
    """Yield the numbers below `count` in a random order, in batches of nearly the same size, none of a single one."""
    parts = np.array_split(chance.permutation(count), max(1, round(count / size)))
    yield from (part for part in parts if len(part) > 1)
