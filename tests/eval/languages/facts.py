"""What a tool or an index says of a repository: definitions, and uses of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple


class Definition(NamedTuple):
    """A name that a file defines on a line (from 1)."""

    path: str
    line: int
    name: str


class Use(NamedTuple):
    """A name that occurs at a place (line from 1, column from 0), and where it is defined: (path, line). `target` is
    None where that is outside of the repository.
    """

    path: str
    line: int
    column: int
    name: str
    target: tuple[str, int] | None


class Score(NamedTuple):
    """Counts that add up over repositories: ours and how many of them are right, theirs and how many of them we have."""

    ours: int = 0
    right: int = 0
    theirs: int = 0
    had: int = 0

    def plus(self, other: Score) -> Score:
        """The score of both together."""
        return Score(*map(sum, zip(self, other, strict=True)))

    @property
    def precision(self) -> float:
        """The share of ours that is right."""
        return self.right / self.ours if self.ours else 0.0

    @property
    def recall(self) -> float:
        """The share of theirs that we have."""
        return self.had / self.theirs if self.theirs else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


class Differences(NamedTuple):
    """The score of one repository, with what only one side says."""

    score: Score
    wrong: Sequence[Definition | Use]
    missing: Sequence[Definition | Use]


def of_definitions(
    ours: Collection[tuple[Definition, str]],
    theirs: Collection[tuple[Definition, str]],
    our_kinds: Collection[str],
    their_kinds: Collection[str],
    below: int = 0,
) -> Differences:
    """Compare definitions, each with its kind. Only definitions of the named kinds count (without names: all), but
    those of any kind of the other side make them right. Theirs may be up to `below` lines below ours.
    """
    places = _of_kinds(ours, ())
    theirs = [(_moved(definition, places, below), kind) for definition, kind in theirs]
    chosen, expected = _of_kinds(ours, our_kinds), _of_kinds(theirs, their_kinds)
    wrong, missing = chosen - _of_kinds(theirs, ()), expected - _of_kinds(ours, ())
    score = Score(len(chosen), len(chosen) - len(wrong), len(expected), len(expected) - len(missing))
    return Differences(score, sorted(wrong), sorted(missing))


def _moved(definition: Definition, places: Collection[Definition], below: int) -> Definition:
    """A definition at the nearest line of its name, not above so many lines."""
    lines = range(definition.line, definition.line - below - 1, -1)
    return next((one for line in lines if (one := definition._replace(line=line)) in places), definition)


def _of_kinds(found: Collection[tuple[Definition, str]], kinds: Collection[str]) -> set[Definition]:
    return {definition for definition, kind in found if not kinds or kind in kinds}


def of_uses(ours: Collection[tuple[Use, frozenset[tuple[str, int]]]], theirs: Collection[Use]) -> Differences:
    """Compare uses by line and target, in the files that the other side has looked at. Each of ours comes with all
    places of its target, of which one has to be theirs.
    """
    judged = {use.path for use in theirs}
    expected = {(use.path, use.line, use.target): use for use in theirs if use.target}
    chosen = {(use.path, use.line, use.target): (use, places) for use, places in ours if use.path in judged}
    found = {(use.path, use.line, place) for use, places in chosen.values() for place in places}
    wrong = [
        use for use, places in chosen.values() if not any((use.path, use.line, place) in expected for place in places)
    ]
    missing = [use for key, use in expected.items() if key not in found]
    score = Score(len(chosen), len(chosen) - len(wrong), len(expected), len(expected) - len(missing))
    return Differences(score, sorted(wrong), sorted(missing))
