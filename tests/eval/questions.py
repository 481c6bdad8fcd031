"""Questions with the files, or spans of files, that answer them: JSON lines {repo, query, targets: [{file, start?, end?}]}, below a folder of repositories."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec


class Target(msgspec.Struct, frozen=True):
    """What answers: a file, or the lines of it from `start` to `end`."""

    file: str
    start: int | None = None
    end: int | None = None

    def is_met(self, path: str, first: int, last: int) -> bool:
        """Whether lines `first` to `last` of a file have a part of it."""
        return path == self.file and (
            self.start is None or self.end is None or (first <= self.end and last >= self.start)
        )


class Question(msgspec.Struct, frozen=True):
    """A question to one repository."""

    repo: str
    query: str
    targets: list[Target]

    def recall(self, places: Iterable[tuple[str, int, int]]) -> float:
        """The share of the targets that these places meet."""
        told = list(places)
        return sum(any(target.is_met(*place) for place in told) for target in self.targets) / len(self.targets)


def questions(path: Path) -> dict[str, list[Question]]:
    """The questions of a file, by repository; lines that are no question (a notice) are passed over."""
    found: dict[str, list[Question]] = {}
    for line in path.read_bytes().splitlines():
        value = msgspec.json.decode(line) if line.strip() else {}
        if "query" in value:
            question = msgspec.convert(value, Question)
            found.setdefault(question.repo, []).append(question)
    return found
