"""Affected tests, judged by execution: which tests the graph selects for a change of a function, against the tests that run the function.

`python -m tests.bench.execution CLONE… --lab DIR [--lost] [--json OUT]`. The suite of each clone is run once under coverage.py, in an environment of the
laboratory; what was recorded there is judged again without running it.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeagentd.model.file_kinds import can_be_run, holds_tests
from codeagentd.model.kinds import ReferenceKind, SymbolKind
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.query.refactor.affected_tests import named_after, select
from codeagentd.query.refactor.changed_symbols import blast, touched
from codeagentd.store.connection import Database
from tests.bench.lost_pairs import Cause, causes
from tests.bench.suites import SuiteFailed, load, record

PATIENCE_S: Final = 600.0
DEFAULT_DEPTH: Final = 3  # of the tool affected_tests
DEEPEST: Final = 16
DEPTHS: Final = (DEFAULT_DEPTH, 8, DEEPEST)
CALLABLE: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.PROPERTY})
AROUND: Final = CALLABLE | {SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.FIELD, SymbolKind.COMPONENT}
IMPORTS: Final = (ReferenceKind.IMPORT, ReferenceKind.REEXPORT)

Mask = int  # a set of tests: bit N stands for test N


class Symbol(NamedTuple):
    """A symbol of the index."""

    number: int
    parent: int | None
    path: str
    line: int
    first: int
    last: int
    name: str
    qualified_name: str
    kind: int


class Score:
    """The answers of one way to select tests, against the truth."""

    def __init__(self) -> None:
        self.pairs = 0
        self.found = 0
        self.selected = 0
        self.functions = 0
        self.empty = 0
        self.noted = 0
        self.share = 0.0

    def add(self, right: Mask, answer: Mask, suite: int, is_noted: bool) -> None:
        """Count the answer for one function."""
        self.functions += 1
        self.pairs += right.bit_count()
        self.found += (right & answer).bit_count()
        self.selected += answer.bit_count()
        self.share += answer.bit_count() / max(1, suite)
        self.empty += not answer
        self.noted += not answer and is_noted

    def join(self, other: Score) -> None:
        """Add the counts of another project."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def as_json(self) -> dict[str, float]:
        """The figures by name; shares of 1."""
        return {
            "functions": self.functions,
            "pairs": self.pairs,
            "recall": self.found / max(1, self.pairs),
            "precision": self.found / max(1, self.selected),
            "selected": self.share / max(1, self.functions),
            "empty": self.empty / max(1, self.functions),
            "empty_with_note": self.noted / max(1, self.empty),
        }


class Index:
    """The symbols of an index by place, and the imports between its files."""

    def __init__(self, db: Database) -> None:
        self.symbols = {
            row[0]: Symbol(*row)
            for row in db.connection.execute(
                "SELECT s.id, s.parent, f.path, s.line, s.line_start, s.line_end, s.name, s.qualified_name, s.kind"
                " FROM symbols s JOIN files f ON f.id = s.file WHERE s.id > 0"
            )
        }
        self.in_file: dict[str, list[Symbol]] = defaultdict(list)
        self.inside: dict[int, list[int]] = defaultdict(list)
        for symbol in self.symbols.values():
            self.in_file[symbol.path].append(symbol)
            if symbol.parent is not None:
                self.inside[symbol.parent].append(symbol.number)
        self._exact = {(one.path, one.line, one.name): one.number for one in self.symbols.values() if one.parent}
        for number, path, line in db.connection.execute(
            "SELECT s.symbol, f.path, s.line FROM spans s JOIN files f ON f.id = s.file WHERE s.symbol > 0"
        ):
            if number in self.symbols:
                self._exact.setdefault((path, line, self.symbols[number].name), number)
        self.importers: dict[str, set[str]] = defaultdict(set)
        for user, used in db.connection.execute(
            "SELECT DISTINCT f.path, t.path FROM refs r JOIN symbols s ON s.id = r.target JOIN files t ON t.id = s.file"
            f" JOIN files f ON f.id = r.id >> 20 WHERE r.kind IN ({', '.join(str(int(kind)) for kind in IMPORTS)})"
            " AND t.id > 0 AND t.id <> f.id"
        ):
            self.importers[used].add(user)

    def of_function(self, path: str, line: int, last: int, name: str) -> int | None:
        """The symbol of a function, or the innermost one around it."""
        exact = self._exact.get((path, line, name.rpartition(".")[2]))
        if exact is not None:
            return exact
        around = [one for one in self.in_file[path] if one.kind in AROUND and one.first <= line and last <= one.last]
        return max(around, key=lambda one: (one.first, -one.last)).number if around else None

    def chain(self, number: int) -> Iterator[int]:
        """A symbol and those around it, without the file."""
        symbol = self.symbols.get(number)
        while symbol is not None and symbol.parent is not None:
            yield symbol.number
            symbol = self.symbols.get(symbol.parent)

    def whole(self, number: int) -> list[int]:
        """A symbol and all inside of it."""
        found = [number]
        for one in found:
            found += self.inside.get(one, [])
        return found


class Truth:
    """The tests of a project, and which of them execute which symbols."""

    def __init__(self, recorded: dict[str, Any], index: Index) -> None:
        self.symbol_of = [index.of_function(*function) for function in recorded["functions"]]
        self.tests: list[tuple[int | None, str, str]] = [
            (None if function < 0 else self.symbol_of[function], path, scope)
            for function, path, scope in recorded["tests"]
        ]
        self.executed: dict[int, Mask] = defaultdict(int)
        for function, found in recorded["executed"]:
            symbol = self.symbol_of[function]
            if symbol is not None:
                self.executed[symbol] |= sum(1 << test for test in found)
        self.in_file: dict[str, Mask] = defaultdict(int)
        self.of_symbol: dict[int, Mask] = defaultdict(int)
        classes = {(one.path, one.name): one.number for one in index.symbols.values() if one.kind == SymbolKind.CLASS}
        for test, (symbol, path, scope) in enumerate(self.tests):
            self.in_file[path] |= 1 << test
            starts = [symbol, classes.get((path, scope.rpartition(".")[2]))]
            if symbol is None and not scope:  # the test is the file
                for one in index.in_file[path]:
                    self.of_symbol[one.number] |= 1 << test
            inside = index.whole(symbol) if symbol is not None else []  # functions in a test are the test
            for number in {*inside, *(one for start in starts if start is not None for one in index.chain(start))}:
                self.of_symbol[number] |= 1 << test

    def of_files(self, paths: Iterable[str]) -> Mask:
        """The tests of some files."""
        return _union(self.in_file.get(path, 0) for path in paths)

    def of_symbols(self, numbers: Iterable[int]) -> Mask:
        """The tests that some symbols are or contain."""
        return _union(self.of_symbol.get(number, 0) for number in numbers)

    def judged(self, index: Index) -> list[Symbol]:
        """The functions of the project, and of no test, that a test executes."""
        return [
            index.symbols[number]
            for number, found in sorted(self.executed.items())
            if found and index.symbols[number].kind in AROUND and not holds_tests(index.symbols[number].path)
        ]


def _union(masks: Iterable[Mask]) -> Mask:
    whole = 0
    for mask in masks:
        whole |= mask
    return whole


def importing(path: str, importers: dict[str, set[str]]) -> set[str]:
    """The files that import a file, directly or not."""
    found, todo = {path}, [path]
    while todo:
        new = importers.get(todo.pop(), set()) - found
        found |= new
        todo += new
    return found


class Prepared:
    """What the ways to select need of a project: the index, the truth, the texts of its tests."""

    def __init__(self, root: Path, db: Database, recorded: dict[str, Any], peer: str = "") -> None:
        self.root, self.db, self.peer = root, db, peer
        self.index = Index(db)
        self.truth = Truth(recorded, self.index)
        self.paths = [path for (path,) in db.all("change.paths")]
        self.of_tests = {one.number for one in self.index.symbols.values() if holds_tests(one.path)}
        self._words: dict[str, Mask] = defaultdict(int)
        for path, mask in self.truth.in_file.items():
            for word in set(re.findall(r"\w+", (root / path).read_text(encoding="utf-8", errors="replace"))):
                self._words[word] |= mask
        self._of_file: dict[str, dict[str, Mask]] = {}

    def saying(self, name: str) -> Mask:
        """The tests of files with a word in them."""
        return self._words.get(name, 0)

    def of_file(self, path: str) -> dict[str, Mask]:
        """What is selected for a change anywhere in a file."""
        if path not in self._of_file:
            chosen = select(self.db, [path], touched(self.db, [path]), DEFAULT_DEPTH)
            self._of_file[path] = {
                "affected_tests of the file": self.truth.of_files(
                    one for one in (*chosen.files, *chosen.farther) if can_be_run(one)
                ),
                "path conventions": self.truth.of_files(named_after([path], self.paths)),
                "import-only graph": self.truth.of_files(importing(path, self.index.importers)),
            }
            if self.peer:
                self._of_file[path]["peer"] = self.truth.of_files(self._of_peer(path))
        return self._of_file[path]

    def _of_peer(self, path: str) -> list[str]:
        """The lines that the peer's command prints for a changed file."""
        command = [word.format(name=self.root.name, file=path) for word in shlex.split(self.peer)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")

    def selections(self, symbol: Symbol) -> Iterator[tuple[str, Mask, str]]:
        """The tests of each way to select for a change of a function, and a note on what may be missing."""
        own = touched(self.db, [symbol.path])._replace(symbols=self.index.whole(symbol.number), has_code=True)
        chosen = select(self.db, [], own, DEFAULT_DEPTH)
        reached = [one.reached for one in chosen.tests if one.reached is not None]
        for depth in DEPTHS:
            near = [one for one in reached if one.distance <= depth]
            yield f"affected_tests, depth {depth}", self.truth.of_symbols(one.symbol for one in near), chosen.note
        written, _ = blast(self.db, own.symbols, DEEPEST, by_use=True)
        yield "written calls alone, depth 16", self.truth.of_symbols(one.symbol for one in written), chosen.note
        yield "affected_tests, files", self.truth.of_files((*chosen.files, *chosen.farther)), chosen.note
        for way, found in self.of_file(symbol.path).items():
            yield way, found, ""
        yield "grep by name", self.saying(symbol.name), ""


class Judged(NamedTuple):
    """The figures of one project, and why pairs were lost."""

    scores: dict[str, Score]
    functions: int
    tests: int
    causes: list[Cause]


def judge(root: Path, recorded: dict[str, Any], *, lost: bool, peer: str = "") -> Judged:
    """Index a clone and compare each way to select with the recorded truth."""
    scores: dict[str, Score] = defaultdict(Score)
    missed: dict[int, dict[int, Mask]] = {depth: {} for depth in DEPTHS}
    with tempfile.TemporaryDirectory() as place:
        engine = IndexingEngine(root, Path(place) / "index", Path(place) / "blobs", use_watcher=False)
        engine.start()
        try:
            assert engine.wait_caught_up(PATIENCE_S)
            with engine.readers.read() as db:
                prepared = Prepared(root, db, recorded, peer)
                truth = prepared.truth
                functions = truth.judged(prepared.index)
                for symbol in functions:
                    right = truth.executed[symbol.number]
                    for way, answer, note in prepared.selections(symbol):
                        scores[way].add(right, answer, len(truth.tests), bool(note))
                        for depth in DEPTHS:
                            if way == f"affected_tests, depth {depth}":
                                missed[depth][symbol.number] = right & ~answer
                found = list(causes(root, db, prepared.index, truth, recorded["calls"], missed)) if lost else []
        finally:
            engine.close(10)
    return Judged(dict(scores), len(functions), len(prepared.truth.tests), found)


HEADING: Final = (
    "| project | selection | functions | pairs | recall | precision | share of the suite | empty | of these with a note |\n"
    "|---|---|---|---|---|---|---|---|---|"
)


def table(project: str, scores: dict[str, Score]) -> list[str]:
    """Rows of a Markdown table."""
    rows = []
    for way, score in scores.items():
        one = score.as_json()
        rows.append(
            f"| {project} | {way} | {score.functions} | {score.pairs} | {one['recall']:.1%} | {one['precision']:.1%} | {one['selected']:.1%}"
            f" | {one['empty']:.1%} | {one['empty_with_note']:.0%} |"
        )
    return rows


def merged(found: Collection[Cause]) -> list[Cause]:
    """The causes of several projects, most pairs first."""
    joined: dict[str, Cause] = {}
    for cause in found:
        known = joined.get(cause.name, Cause(cause.name, 0, 0, []))
        joined[cause.name] = Cause(
            cause.name, known.pairs + cause.pairs, known.alone + cause.alone, [*known.examples, *cause.examples]
        )
    return sorted(joined.values(), key=lambda one: -one.pairs)


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--lab", type=Path, required=True, help="directory of environments and truths")
    parser.add_argument("--python", default=sys.executable, help="Python of new environments")
    parser.add_argument("--lost", action="store_true", help="say why pairs are lost")
    parser.add_argument(
        "--peer", default="", help="a command that prints the test files of a changed {file} of the project {name}"
    )
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    arguments = parser.parse_args()
    total: dict[str, Score] = defaultdict(Score)
    figures: dict[str, Any] = {}
    why: list[Cause] = []
    print(HEADING)
    for clone in arguments.clones:
        root = clone.resolve()
        try:
            recorded = load(record(root, arguments.lab.resolve(), arguments.python))
        except SuiteFailed as error:
            print(f"skip {root.name}: {error}", file=sys.stderr)
            continue
        judged = judge(root, recorded, lost=arguments.lost, peer=arguments.peer)
        for way, score in judged.scores.items():
            total[way].join(score)
        print("\n".join(table(root.name, judged.scores)), flush=True)
        figures[root.name] = {
            "tests": judged.tests,
            "ways": {way: score.as_json() for way, score in judged.scores.items()},
            "lost": [cause._asdict() for cause in judged.causes],
        }
        why += judged.causes
    print("\n".join(table("all", total)))
    for cause in merged(why):
        print(f"{cause.pairs:7} {cause.alone:7}  {cause.name}")
        print("\n".join(f"{'':17}{example}" for example in cause.examples[:6]))
    if arguments.json:
        figures["all"] = {"ways": {way: score.as_json() for way, score in total.items()}}
        arguments.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
