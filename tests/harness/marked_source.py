"""How source files are read whose comments say what extraction and resolution should make of them; tests/languages/test_cases.py explains the marks."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from codeagentd.languages.language import languages
from codeagentd.model.kinds import ReferenceKind

EDGE_KINDS = tuple(kind.name.lower() for kind in ReferenceKind)
CONFIDENCES = ("exact", "inferred", "ambiguous")

_FILE = re.compile(r"^=== +(\S+)\s*$")
_MARK = re.compile(
    r"[ \t]*(?:\{/\*@ (?P<jsx>.*?)\*/\}|/\*@ (?P<c>.*?)\*/|\(\*@ (?P<ml>.*?)\*\)|<!--@ (?P<html>.*?)-->|(?://|#|--|;|%|!)@ (?P<line>.*?))[ \t]*$"
)
_WORD = re.compile(r'(?:[^\s"]|"[^"]*")+')


class Expectation(msgspec.Struct, frozen=True):
    """One thing that should be true of a line; `words` are the expectation's, quotes removed."""

    path: str
    line: int
    words: tuple[str, ...]
    text: str

    @property
    def is_edge(self) -> bool:
        """Whether it speaks about a reference and its target."""
        return "->" in self.words

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text}"


class Case(msgspec.Struct, frozen=True):
    """The files of one case without their marks, and what the marks say."""

    files: dict[str, str]
    expectations: tuple[Expectation, ...]
    closed: frozenset[str]  # files in which nothing else may resolve


class Edge(msgspec.Struct, frozen=True):
    """An edge expectation, taken apart."""

    kind: str
    targets: tuple[str, ...]
    confidence: str
    origin: str
    source: str


def read_case(path: Path) -> Case:
    """Take a case or gap file apart."""
    files: dict[str, str] = {}
    expectations: list[Expectation] = []
    closed = set()
    for name, lines in _files(path):
        kept, marks = _without_marks(lines)
        files[name] = "".join(kept)
        for line, text in marks:
            for part in re.split(r"\s+;\s+", text.strip()):
                words = tuple(word.replace('"', "") if word != '""' else "" for word in _WORD.findall(part))
                if words == ("only",):
                    closed.add(name)
                elif words:
                    expectations.append(Expectation(name, line, words, part))
    if not expectations:
        raise ValueError(f"{path} expects nothing")
    return Case(files, tuple(expectations), frozenset(closed))


def _files(path: Path) -> list[tuple[str, list[str]]]:
    """(name, lines) of every file of a case."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    found: list[tuple[str, list[str]]] = []
    for line in lines:
        if match := _FILE.match(line):
            found.append((match[1], []))
        elif found:
            found[-1][1].append(line)
    return found or [(f"main{languages()[path.parent.name].extensions[0]}", lines)]


def _without_marks(lines: list[str]) -> tuple[list[str], list[tuple[int, str]]]:
    """(the lines of the file, (line, text) of its marks); a mark alone on its line is about the next one and leaves no line behind."""
    kept: list[str] = []
    marks: list[tuple[int, str]] = []
    for line in lines:
        match = _MARK.search(line.rstrip("\n"))
        if match is None:
            kept.append(line)
            continue
        text = next(text for text in match.groups() if text is not None)
        code = line[: match.start()]
        if code.strip():
            kept.append(f"{code}\n")
            marks.append((len(kept), text))
        else:
            marks.append((len(kept) + 1, text))
    return kept, marks


def read_edge(expectation: Expectation) -> Edge:
    """`call -> A.run, B.run ambiguous member from C.go`, taken apart."""
    kind, arrow, *rest = expectation.words
    if arrow != "->" or kind not in EDGE_KINDS or not rest:
        raise ValueError(
            f"{expectation}: an edge is `KIND -> TARGET [CONFIDENCE] [ORIGIN] [from SOURCE]`, KIND one of {', '.join(EDGE_KINDS)}"
        )
    source = ""
    if "from" in rest:
        at = rest.index("from")
        source = " ".join(rest[at + 1 :])
        rest = rest[:at]
    targets = [rest.pop(0)]
    while targets[-1].endswith(",") and rest:
        targets.append(rest.pop(0))
    confidence = rest.pop(0) if rest and rest[0] in CONFIDENCES else ""
    origin = rest.pop(0) if rest else ""
    if rest:
        raise ValueError(f"{expectation}: what is {' '.join(rest)!r}?")
    return Edge(kind, tuple(target.rstrip(",") for target in targets), confidence, origin, source)
