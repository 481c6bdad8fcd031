"""Tokens per row of the tools that list: characters / 4 of whole answers, divided by their rows, over a seeded sample."""

from __future__ import annotations

import argparse
import json
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

import msgspec

from tests.eval.known_answers import Repository
from tests.eval.searches import files
from tests.eval.sessions import session
from tests.eval.tables import table

SAMPLE: Final = 40
SEED: Final = 20_26
FEW: Final = 5  # an answer with fewer rows is mostly its frame
DEFINITION: Final = re.compile(
    r"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:def|class|function|interface|enum)\s+([A-Za-z_]\w+)",
    re.MULTILINE,
)
LIMITS: Final = {
    "get_callers": 35,
    "get_references": 35,
    "get_dependents": 35,
    "get_dependencies": 35,
    "get_file_outline": 20,
    "get_directory_tree": 20,
}
ROW_KEYS: Final = frozenset({"name", "node_id", "path", "file_path", "site"})


class Cost(msgspec.Struct, frozen=True):
    """What a tool's rows cost in one repository: all tokens over all rows, and the median over answers of FEW rows or more."""

    repository: str
    tool: str
    answers: int
    empty: int
    errors: int
    rows: int
    tokens: int
    median: float

    @property
    def mean(self) -> float:
        """Tokens per row, frames of the answers included."""
        return self.tokens / self.rows if self.rows else 0.0


def measured(repository: Repository, options: argparse.Namespace) -> Iterator[Cost]:
    """The cost of each tool's rows in a repository."""
    root = (options.corpora / repository.repository).resolve()
    asking = sampled(root, repository.suffixes)
    with session(options.indexes, root, "--tools", ",".join(LIMITS)) as (window, _):
        for tool in LIMITS:
            found = [window.ask(tool, arguments) for arguments in asking[tool]]
            answers = [(row_count(text), len(text) / 4) for text, failed in found if not failed]
            full = [(count, tokens) for count, tokens in answers if count]
            each = [tokens / count for count, tokens in full if count >= FEW]
            yield Cost(
                repository.repository, tool, len(answers), len(answers) - len(full), len(found) - len(answers),
                sum(count for count, _ in full), round(sum(tokens for _, tokens in full)), median(each) if each else 0.0,
            )  # fmt: skip


def sampled(root: Path, suffixes: Sequence[str]) -> dict[str, list[dict[str, str]]]:
    """The arguments of each tool: names defined once in the repository, files of source, folders."""
    source = sorted(path for path in files(root) if path.endswith(tuple(suffixes)) and (root / path).is_file())
    defined = Counter(name for path in source for name in DEFINITION.findall((root / path).read_text(errors="replace")))
    used = Counter(word for path in source for word in re.findall(r"\w+", (root / path).read_text(errors="replace")))
    names = sorted(name for name, count in defined.items() if count == 1 and used[name] > 2)
    folders = sorted({str(parent) for path in source for parent in Path(path).parents if str(parent) != "."})
    chance = random.Random(SEED)
    symbols, paths, places = (chance.sample(one, min(SAMPLE, len(one))) for one in (names, source, folders))
    by_name = [{"node_id": name} for name in symbols]
    listed = {tool: by_name for tool in LIMITS if tool not in ("get_file_outline", "get_directory_tree")}
    return listed | {
        "get_file_outline": [{"path": one} for one in paths],
        "get_directory_tree": [{"path": one} for one in places],
    }


def row_count(text: str) -> int:
    """The rows of an answer: objects of a list, strings of a list grouped by file, or lines of text. Sites of an object are no rows."""
    try:
        value = json.loads(text)
    except ValueError:
        return sum(bool(line.strip()) for line in text.splitlines())
    return _rows(value["results"] if isinstance(value, dict) and "results" in value else value)


def _rows(value: Any) -> int:
    if isinstance(value, str):
        return max(1, sum(bool(line.strip()) for line in value.splitlines()))
    if isinstance(value, list):
        return sum(_rows(child) for child in value)
    if isinstance(value, dict):
        if ROW_KEYS & value.keys():
            return 1 + sum(_rows(child) for key, child in value.items() if key in ("children", "members"))
        return sum(_rows(child) for child in value.values() if isinstance(child, list | dict | str))
    return 0


def row_lines(costs: Sequence[Cost], markdown: bool = False) -> str:
    """The table of costs beside the limits."""
    heading = ["repository", "tool", "answers", "empty", "errors", "rows", "tokens/row", "median", "limit", ""]
    return table(heading, [_line(one) for one in costs], markdown=markdown)


def _line(one: Cost) -> list[str]:
    within = "" if not one.rows else "within" if one.mean <= LIMITS[one.tool] else "OVER"
    counts = (one.answers, one.empty, one.errors, one.rows)
    figures = (f"{one.mean:.1f}", f"{one.median:.1f}", str(LIMITS[one.tool]), within)
    return [one.repository, one.tool, *map(str, counts), *figures]
