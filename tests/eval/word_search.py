"""What a reader without an index sees: the lines that have the most different words of a question, as `path:line:text`.

A stand-in for ripgrep on the question's words, and a generous one: the lines come ranked, those with words that look like
identifiers (`ensure_ascii`, `HTTPAdapter`, `app.json`) before others, and only the first 8,000 characters are read.
"""

from __future__ import annotations

import heapq
import re
import subprocess
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tests.eval.shown import CHARACTERS

STOP_WORDS: Final = """
a about after all also an and any are as at be because been before being between both but by can could did do does each for from had has
have how if in into is it its more most not of on one only or other out over should so some such than that the their them then there
these they this through to under up use used uses using was way were what when where which while who why will with within without would
class classes code file files function functions method methods module design ensure implementation mechanism purpose relationship role
"""
STOP: Final = frozenset(STOP_WORDS.split())
WORD: Final = re.compile(r"[A-Za-z_][\w.]*\w")
IDENTIFIER: Final = re.compile(r"_|\.\w|[a-z][A-Z]|[A-Z]{2}|\d")
LONGEST_LINE: Final = 200
LONGEST_FILE: Final = 2_000_000


class Source(NamedTuple):
    """A file: its bytes, the same in lower case, and where its lines begin."""

    data: bytes
    lower: bytes
    starts: list[int]


def source_of(data: bytes) -> Source:
    """A file for searching."""
    return Source(data, data.lower(), [0, *(match.end() for match in re.finditer(b"\n", data))])


def sources_of(root: Path, files: frozenset[str]) -> dict[str, Source]:
    """The files of a repository; binary and huge ones are left out, as ripgrep does."""
    places = [(path, root / path) for path in sorted(files)]
    small = [
        (path, place)
        for path, place in places
        if place.is_file() and not place.is_symlink() and place.stat().st_size <= LONGEST_FILE
    ]
    read = [(path, place.read_bytes()) for path, place in small]
    return {path: source_of(data) for path, data in read if b"\0" not in data}


def words_of(question: str) -> dict[str, int]:
    """The words to search for, lower case, with a weight: an identifier counts as two words."""
    words = [match[0] for match in WORD.finditer(question) if len(match[0]) > 2]
    return {word.lower(): 2 if IDENTIFIER.search(word) else 1 for word in words if word.lower() not in STOP}


def word_search(question: str, sources: Mapping[str, Source]) -> str:
    """The best lines, best first, cut at the budget."""
    weights = {word.encode(): weight for word, weight in words_of(question).items()}
    lines = CHARACTERS // 20  # no line that is read is ranked lower
    best = heapq.nsmallest(lines, (one for path, source in sources.items() for one in _ranked(path, source, weights)))
    return "\n".join(f"{path}:{line}:{_line(sources[path], line)}" for _, path, line in best)[:CHARACTERS]


def ripgrep(question: str, root: Path, program: str) -> str:
    """What ripgrep prints for the lines with any of the question's words, in the order of paths, cut at the budget."""
    words = [argument for word in words_of(question) for argument in ("-e", word)]
    command = [program, "--no-heading", "-n", "-i", "-F", "--sort", "path", "--max-columns", str(LONGEST_LINE), *words]
    with subprocess.Popen(
        [*command, "."], cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as running:
        assert running.stdout
        text = running.stdout.read(4 * CHARACTERS).decode(errors="replace")
        running.terminate()
    return "\n".join(line.removeprefix("./") for line in text.split("\n"))[:CHARACTERS]


def _ranked(path: str, source: Source, weights: Mapping[bytes, int]) -> Iterator[tuple[int, str, int]]:
    """The lines of a file that have words: the weight of the different ones, negated."""
    found: Counter[int] = Counter()
    for word, weight in weights.items():
        at = source.lower.find(word)
        while at >= 0:
            line = bisect_right(source.starts, at)
            found[line] += weight
            at = source.lower.find(word, source.starts[line]) if line < len(source.starts) else -1
    for line, weight in found.items():
        yield -weight, path, line


def _line(source: Source, line: int) -> str:
    end = source.starts[line] - 1 if line < len(source.starts) else len(source.data)
    return source.data[source.starts[line - 1] : end].decode(errors="replace")[:LONGEST_LINE]
