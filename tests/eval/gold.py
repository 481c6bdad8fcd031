"""What the answer to a question cites: files of the repository, and lines of them.

Files: every path, and every bare name with the suffix of a source file, that the repository has. A path counts from the
first of its folders that the repository knows (`/x/flask/src/flask/app.py`, `flask/app.py`). A bare name or a shortened
path counts when one file alone ends with it; where several do, it counts for those that the answer also cites in full, and
else for none. What does not exist is dropped.

Lines: `path:12`, `path:12-20`, `line 12`, `lines 12-20 and 30`, of the file named with them ("lines 3-5 in `app.py`"), or of
the last one before them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

SUFFIXES: Final = (
    "py", "pyi", "pyx", "pxd", "rst", "md", "txt", "c", "h", "cpp", "cfg", "toml", "ini", "json", "yaml", "yml", "html", "js", "ts", "css",
    "sql", "sh", "in", "tex", "ipynb", "xml", "jinja",
)  # fmt: skip
TOKEN: Final = re.compile(rf"(?<![\w./-])/?(?:[\w.-]+/)*[\w-][\w.-]*\.(?:{'|'.join(SUFFIXES)})\b(?!\.?[\w/])")
SUFFIXED: Final = re.compile(r"[`*\"']*:(\d+)(?:\s*[-–]\s*(\d+))?")
LINES: Final = re.compile(r"\blines?\s+((?:\d+(?:\s*[-–]\s*\d+)?(?:\s*(?:,\s*and|,|and|&)\s*(?=\d))?)+)", re.IGNORECASE)
RANGE: Final = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")
OF: Final = re.compile(r"\)?\s*(?:in|of|from)\s+(?:the\s+)?[`*\"']*$")
LONGEST: Final = 400  # lines of one citation: more is the whole file

Line = tuple[str, int]


class Cited(NamedTuple):
    """The files and the lines that an answer cites."""

    files: frozenset[str]
    lines: frozenset[Line]


class Names:
    """The files of a repository, by the ends of their paths."""

    def __init__(self, files: Collection[str]) -> None:
        self.files = frozenset(files)
        self._ending: dict[str, set[str]] = defaultdict(set)
        for path in files:
            parts = path.split("/")
            for at in range(len(parts)):
                self._ending["/".join(parts[at:])].add(path)

    def meant(self, token: str) -> set[str]:
        """The files that a token may mean: itself, or those that end with it; longer paths lose their first folders."""
        parts = token.removeprefix("./").strip("/").split("/")
        for at in range(len(parts)):
            rest = "/".join(parts[at:])
            if rest in self.files and (at == 0 or len(parts) - at > 1):
                return {rest}
            if (at == 0 or len(parts) - at > 1) and rest in self._ending:
                return self._ending[rest]
        return set()


def cited(answer: str, names: Names) -> Cited:
    """The files and lines that an answer cites."""
    tokens = [(match, names.meant(match[0])) for match in TOKEN.finditer(answer)]
    files = {path for _, meant in tokens if len(meant) == 1 for path in meant}
    places = [(match, next(iter(meant & files))) for match, meant in tokens if len(meant & files) == 1]
    return Cited(frozenset(files), frozenset(_lines(answer, places)))


def _lines(answer: str, places: list[tuple[re.Match[str], str]]) -> Iterator[Line]:
    for match, path in places:
        if suffixed := SUFFIXED.match(answer, match.end()):
            yield from _spread(path, suffixed[1], suffixed[2])
    for match in LINES.finditer(answer):
        after = next(
            (
                path
                for place, path in places
                if 0 <= place.start() - match.end() < 40 and OF.match(answer[match.end() : place.start()])
            ),
            "",
        )
        before = next((path for place, path in reversed(places) if place.end() <= match.start()), "")
        if path := after or before:
            for first, last in RANGE.findall(match[1]):
                yield from _spread(path, first, last)


def _spread(path: str, first: str, last: str | None) -> Iterator[Line]:
    start, end = int(first), int(last or first)
    if 0 < start <= end < start + LONGEST:
        yield from ((path, line) for line in range(start, end + 1))
