"""Questions with known answers: tests/eval/answers/*.toml, one file for each repository at one commit.

A question has the one call that an agent would make (`tool`, `arguments`), what it would search for without an index
(`grep`), the words of a peer's command line (`peer`), and what a right answer has to name (`known`).
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.eval.judging import Known

DATA: Final = Path(__file__).parent / "answers"


class Search(msgspec.Struct, frozen=True):
    """A search for a pattern, in the repository or below `path`: a whole word, a part of words in any case, or a regular expression."""

    pattern: str
    path: str = "."
    part: bool = False
    regex: bool = False


class KnownQuestion(msgspec.Struct, frozen=True):
    """A question to one repository."""

    number: int
    text: str
    tool: str
    arguments: dict[str, Any]
    grep: Search
    known: Known
    peer: list[str] = []


class Repository(msgspec.Struct, frozen=True):
    """The questions about one repository, and the commit at which their answers hold."""

    repository: str
    url: str
    commit: str
    suffixes: list[str]
    question: list[KnownQuestion]


def repositories(data: Path = DATA) -> list[Repository]:
    """Every repository of the data."""
    return [msgspec.convert(tomllib.loads(path.read_text()), Repository) for path in sorted(data.glob("*.toml"))]
