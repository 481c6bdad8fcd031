"""The fit of the ranking model: step functions by gradient boosting with trees of two leaves, for kinds of questions.

The scores of a kind are fitted with LambdaMART (Burges, From RankNet to LambdaRank to LambdaMART, 2010), the features
of a question with a multinomial logistic loss. Which kind a question is of, only its set tells at first; then it is the
kind whose scores find its answer, in turns (expectation maximisation; Jordan and Jacobs, Hierarchical mixtures of
experts, 1994).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import lightgbm
import numpy as np

from codeagentd.query.retrieval.ranking_model import Kind, Model, Steps
from tests.ranking.examples import COLUMNS, FILE, PIECE, QUESTION, Question


class Effort(NamedTuple):
    """How a kind is fitted: the mean of so many runs, with so many trees each, from so many candidates of a question,
    the best by their first score; and the share of features that a tree may choose from. `counts`: how much a question
    of the kind counts where kinds are told apart.
    """

    runs: int
    trees: int
    candidates: int
    features: float
    counts: float


# The benchmark has 800 questions, a tenth of what the others have, so the mean of runs tells more; agents ask for
# topics more often than for one function.
KINDS: Final = {
    "topic": Effort(5, 500, 150, 0.3, 1.5),
    "function": Effort(1, 400, 80, 0.6, 1.0),
    "change": Effort(1, 400, 80, 0.6, 1.0),
}
TURNS: Final = 3
OF_QUESTION: Final = 300
COMMON: Final[dict[str, Any]] = {
    "num_leaves": 2, "learning_rate": 0.1, "num_threads": 1, "deterministic": True, "verbose": -1,
    "max_bin": 63,
}  # fmt: skip
RANKED: Final[dict[str, Any]] = {
    "objective": "lambdarank", "lambdarank_truncation_level": 12, "label_gain": [0, 1], "min_data_in_leaf": 100,
    "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0,
}  # fmt: skip
CLASSED: Final[dict[str, Any]] = {"objective": "multiclass", "num_class": len(KINDS), "min_data_in_leaf": 40}
# more of these speaks for a piece; of LESS, less; of the others both may
MORE: Final = frozenset({
    *(f"piece.{name}" for name in ("text", "level", "name", "name_share", "defined", "meaning", "similarity", "near",
                                   "mentioned")),
    *(f"file.{name}" for name in ("text", "others", "stem", "stem_share", "folder", "like", "like_share", "names_share",
                                  "first_text", "meaning", "meanings", "similarity", "most_similar", "users",
                                  "linked")),
})  # fmt: skip
LESS: Final = frozenset({"file.is_test", "file.is_aside", "file.is_prose", "piece.rank"})
DIGITS: Final = 4
LEAST_EFFECT: Final = 0.1  # between the lowest and the highest step of a feature that is kept
LEAST: Final = 1e-6  # share of a kind that still counts


class _Split(NamedTuple):
    bound: float
    low: float  # value up to it
    high: float
    unknown: float


class Fitted(NamedTuple):
    """The trees of each kind, by run, and those of the features of questions; `columns` of the features in use."""

    kinds: list[list[lightgbm.Booster]]
    question: lightgbm.Booster
    columns: list[int]

    def of_kinds(self, rows: np.ndarray) -> list[np.ndarray]:
        """The chance of each candidate, for each kind of question."""
        used = rows[:, self.columns]
        return [_shares(np.mean([run.predict(used) for run in runs], axis=0)) for runs in self.kinds]

    def chances(self, rows: np.ndarray, question: np.ndarray) -> np.ndarray:
        """The chance of each candidate."""
        of_kinds = self.question.predict(question[None, :])[0]
        return np.asarray(sum(of_kind * one for of_kind, one in zip(of_kinds, self.of_kinds(rows), strict=True)))


def fitted(questions: Sequence[Question]) -> Fitted:
    """Return trees that are fitted to these questions."""
    columns = [at for at in range(len(COLUMNS)) if _varies(questions, at)]
    kinds = [
        [_run([one for one in questions if one.kind == kind], columns, effort, run) for run in range(effort.runs)]
        for kind, effort in enumerate(KINDS.values())
    ]
    model = Fitted(kinds, _question(questions, np.eye(len(KINDS))[[one.kind for one in questions]]), columns)
    found = np.array([[chances[one.answers].sum() for chances in model.of_kinds(one.rows)] for one in questions])
    for _ in range(TURNS):
        share = model.question.predict(np.array([one.question for one in questions])) * np.maximum(found, LEAST)
        model = model._replace(question=_question(questions, share / share.sum(axis=1, keepdims=True)))
    return model


def table(model: Fitted) -> Model:
    """Return the fitted trees as step functions."""
    names = [COLUMNS[at] for at in model.columns]
    kinds = {}
    for at, (name, runs) in enumerate(zip(KINDS, model.kinds, strict=True)):
        rows = _steps([tree for run in runs for tree in _trees(run)], names, len(runs))
        question = _steps(_trees(model.question)[at :: len(KINDS)], QUESTION)
        kinds[name] = Kind(question, _part(rows, "piece", PIECE), _part(rows, "file", FILE))
    return Model(kinds)


def _varies(questions: Sequence[Question], at: int) -> bool:
    return any(np.ptp(known) > 0 for one in questions if (known := one.rows[~np.isnan(one.rows[:, at]), at]).size)


def _run(questions: Sequence[Question], columns: list[int], effort: Effort, run: int) -> lightgbm.Booster:
    usable = [one for one in questions if one.answers[: effort.candidates].any()]
    signs = [1 if COLUMNS[at] in MORE else -1 if COLUMNS[at] in LESS else 0 for at in columns]
    data = lightgbm.Dataset(
        np.concatenate([one.rows[: effort.candidates, columns] for one in usable]),
        np.concatenate([one.answers[: effort.candidates] for one in usable]),
        group=[len(one.rows[: effort.candidates]) for one in usable],
    )
    options = {"monotone_constraints": signs, "feature_fraction": effort.features, "seed": run}
    return lightgbm.train(COMMON | RANKED | options, data, effort.trees)


def _question(questions: Sequence[Question], shares: np.ndarray) -> lightgbm.Booster:
    """The trees that tell the shares of kinds from the features of a question."""
    rows, of = np.array([one.question for one in questions]), [one.kind for one in questions]
    counts = np.array([effort.counts for effort in KINDS.values()]) / np.bincount(of, minlength=len(KINDS))
    of_all = (shares * counts[of, None] * len(questions) / len(KINDS)).T.ravel()
    kinds, used = np.repeat(np.arange(len(KINDS)), len(rows)), of_all > LEAST
    data = lightgbm.Dataset(np.concatenate([rows] * len(KINDS))[used], kinds[used], weight=of_all[used])
    return lightgbm.train(COMMON | CLASSED, data, OF_QUESTION)


def _shares(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(initial=-np.inf))
    return np.asarray(powers / powers.sum())


def _trees(model: lightgbm.Booster) -> list[dict[str, Any]]:
    return [tree["tree_structure"] for tree in model.dump_model()["tree_info"]]


def _steps(trees: Sequence[dict[str, Any]], names: Sequence[str], runs: int = 1) -> dict[str, Steps]:
    """The sum of trees of one split each, divided by the number of runs, as step functions."""
    splits: dict[str, list[_Split]] = {}
    for tree in trees:
        if "split_feature" in tree:
            low, high = tree["left_child"]["leaf_value"] / runs, tree["right_child"]["leaf_value"] / runs
            # where no value was unknown, LightGBM takes an unknown one for 0
            goes_low = tree["default_left"] if tree["missing_type"] == "NaN" else tree["threshold"] >= 0
            split = _Split(tree["threshold"], low, high, low if goes_low else high)
            splits.setdefault(names[tree["split_feature"]], []).append(split)
    joined = {name: _joined(splits[name]) for name in names if name in splits}
    return {name: steps for name, steps in joined.items() if np.ptp([*steps.values, steps.unknown]) >= LEAST_EFFECT}


def _joined(splits: Sequence[_Split]) -> Steps:
    bounds = sorted({split.bound for split in splits})
    values = [
        sum(split.low if at < len(bounds) and bounds[at] <= split.bound else split.high for split in splits)
        for at in range(len(bounds) + 1)
    ]
    unknown = sum(split.unknown for split in splits)
    return Steps(
        tuple(float(f"{bound:.{DIGITS + 2}g}") for bound in bounds),
        tuple(round(value, DIGITS) for value in values),
        round(unknown, DIGITS),
    )


def _part(steps: Mapping[str, Steps], of: str, names: Sequence[str]) -> dict[str, Steps]:
    return {name: steps[f"{of}.{name}"] for name in names if f"{of}.{name}" in steps}
