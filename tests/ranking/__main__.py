"""Makes the ranking model again: `python -m tests.ranking STEP --place FOLDER …`, with the steps in their order.

questions  questions and trees of the repositories in repositories.tsv, whose bare copies are in MIRRORS/owner+name/repo
examples   the features of what the product finds for each question, those of `make eval` included: DATA and CORPORA are
           as there
folds      what the fit answers about repositories that it has not seen, N at a time; questions of development sets are
           never learned from
fit        the table, written to OUT

Options of a step are given as --mirrors, --data, --corpora, --folds N, --out FILE.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from codeagentd.query.retrieval.ranking_model import Models
from tests.eval.metrics import interval
from tests.eval.sets import Asked, Set, sets
from tests.eval.tables import table as lines
from tests.ranking import fitting, questions
from tests.ranking.examples import Example, Question, examples

LEARNED: Final = "learned from: "
MODES: Final = {True: "with vectors", False: "by words"}
HEADING: Final = ("questions", "figure", "repositories", "with vectors", "by words")


class Known(NamedTuple):
    """An example, with its set, its repository, and what is learned from it."""

    of_set: Set
    repository: str
    example: Example
    question: Question

    @property
    def is_learned(self) -> bool:
        """Whether it may be learned from: the benchmark and the repositories of this package's list."""
        return self.of_set.name.startswith((LEARNED, "semble"))


def all_sets(data: Path, corpora: Path, mirrors: Path | None, place: Path) -> Iterator[Set]:
    """Yield the sets of `make eval`, then those that are only learned from."""
    yield from sets(data, corpora, mirrors)
    for one in questions.training_sets(place):
        yield one._replace(name=f"{LEARNED}{one.name}")


def make_examples(place: Path, every: Iterable[Set]) -> None:
    """Write the examples of each tree that are not there yet."""
    for one in every:
        for name, root, asked in trees(one):
            if not (file := _file(place, one, name, root)).exists():
                found = [*examples(one, root, asked, place / "indexes" / root.parent.name / root.name)]
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(msgspec.msgpack.encode(found))
                print(f"{one.name}: {name}, {len(asked)} questions", flush=True)


def trees(one: Set) -> Iterator[tuple[str, Path, list[Asked]]]:
    """Yield the questions of a set by repository and tree."""
    for name, several in one.asked.items():
        for root in dict.fromkeys(asked.root for asked in several):
            yield name, root, [asked for asked in several if asked.root == root]


def known(place: Path, every: Iterable[Set], *, has_meaning: bool) -> Iterator[Known]:
    """Yield the examples with vectors, or those without."""
    for one in every:
        for name, root, _ in trees(one):
            if (file := _file(place, one, name, root)).exists():
                for example in msgspec.msgpack.decode(file.read_bytes(), type=list[Example]):
                    if example.has_meaning == has_meaning:
                        yield Known(one, _bare_name(name), example, example.learned(_kind(one)))


def fold_figures(all_known: Sequence[Known], count: int) -> dict[tuple[str, str], dict[str, list[float]]]:
    """The figures of each set by repository, for repositories that were not learned from."""
    names = sorted({one.repository for one in all_known if one.is_learned})
    random.Random(1).shuffle(names)
    result: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for fold in range(min(count, len(names))):
        out = set(names[fold::count])
        model = fitting.fitted([one.question for one in all_known if one.is_learned and one.repository not in out])
        for one in all_known:
            if one.repository in out or (not fold and not one.is_learned):
                scores = model.chances(one.question.rows, one.question.question)
                values = one.example.judged(one.of_set, scores.tolist())
                for figure, value in zip(one.of_set.measure.figures, values, strict=True):
                    if value is not None:
                        result[one.of_set.name.partition(", ")[0], figure][one.repository].append(value)
        print(f"{fold + 1} of {min(count, len(names))}", file=sys.stderr, flush=True)
    return result


def main() -> None:
    """Run one step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["questions", "examples", "folds", "fit"])
    for name in ("--place", "--mirrors", "--data", "--corpora", "--out"):
        parser.add_argument(name, type=Path, required=name == "--place")
    parser.add_argument("--folds", type=int, default=5)
    given = parser.parse_args()
    if given.step == "questions":
        return questions.make(given.mirrors, given.place)
    every = [*all_sets(given.data, given.corpora, given.mirrors, given.place)]
    if given.step == "examples":
        return make_examples(given.place, every)
    both = {mode: [*known(given.place, every, has_meaning=mode)] for mode in MODES}
    if given.step == "fit":
        fits = [
            fitting.table(fitting.fitted([one.question for one in several if one.is_learned]))
            for several in both.values()
        ]
        given.out.write_bytes(msgspec.json.encode(Models(*fits)) + b"\n")
        return None
    figures = [fold_figures(several, given.folds) for several in both.values()]
    rows = [
        [name, figure, str(len(values)), str(interval(values)), str(interval(figures[1][name, figure]))]
        for (name, figure), values in figures[0].items()
    ]
    print(lines(HEADING, rows))
    return None


def _file(place: Path, one: Set, name: str, root: Path) -> Path:
    return place / "examples" / f"{one.name.replace(', ', '-')}-{name.replace('/', '+')}-{root.name}.msgpack"


def _bare_name(name: str) -> str:
    """The name of a repository without its owner or its language: a fold leaves it out under each name."""
    return name.rpartition("+")[2].rpartition("/")[2].removeprefix("py-").removeprefix("ts-")


def _kind(one: Set) -> int:
    name = one.name.removeprefix(LEARNED).partition(",")[0]
    return {"semble": 0, "docstrings": 1}.get(name, 2)


if __name__ == "__main__":
    main()
