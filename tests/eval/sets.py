"""The sets of questions whose answers are known, as shared data describes them: semble's benchmark, docstrings, commits
and bug reports.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from tests.eval.metrics import Place, file_rank, function_rank, names_files, ndcg
from tests.eval.questions import Question, Target, questions

SEMBLE: Final = ("dev", "second")
HITS: Final = 10
REPORT_HITS: Final = 40  # of a bug report, whose files are counted
REPORT_TOKENS: Final = 2_000
FUNCTION_HITS: Final = 5


class Hit(NamedTuple):
    """A hit of an answer, with the last parts of the names of its symbols, and its chance to be what is asked for."""

    place: Place
    names: frozenset[str]
    chance: float = 0.0


class Asked(NamedTuple):
    """A question to the tree `root`, with what answers it: `targets`, or for a report also `functions` as (path, name)."""

    root: Path
    query: str
    targets: tuple[Target, ...]
    functions: tuple[tuple[str, str], ...] = ()


Judge = Callable[[Asked, Sequence[Hit]], tuple[float | None, ...]]


class Measure(NamedTuple):
    """What says how well a question is answered: the names of the figures, and what computes them from the hits; None
    where the question has no such answer.
    """

    figures: tuple[str, ...]
    judge: Judge


class Set(NamedTuple):
    """Questions by repository, with the measure of their answers. `hits` are asked for; if there is a `budget`, they
    are asked for once more with so many tokens, and what that answer names is a figure too.
    """

    name: str
    measure: Measure
    asked: dict[str, list[Asked]]
    hits: int = HITS
    budget: int = 0

    def only(self, repositories: str) -> Set:
        """The questions to these repositories, separated by commas; to all of them without a name."""
        if not repositories:
            return self
        wanted = repositories.split(",")
        return self._replace(asked={name: asked for name, asked in self.asked.items() if name in wanted})


def _of_benchmark(asked: Asked, hits: Sequence[Hit]) -> tuple[float | None, ...]:
    return (ndcg(asked.targets, [hit.place for hit in hits]),)


def _of_docstring(asked: Asked, hits: Sequence[Hit]) -> tuple[float | None, ...]:
    (target,) = asked.targets
    return (function_rank(Place(target.file, target.start or 1, target.end or 1), [hit.place for hit in hits]),)


def _of_commit(asked: Asked, hits: Sequence[Hit]) -> tuple[float | None, ...]:
    return (file_rank([target.file for target in asked.targets], [hit.place for hit in hits]),)


def _of_report(asked: Asked, hits: Sequence[Hit]) -> tuple[float | None, ...]:
    files, places = [target.file for target in asked.targets], [hit.place for hit in hits]
    return (*(names_files(files, places, first) for first in (1, 5, 10)), named(asked, hits[:FUNCTION_HITS]))


def named(asked: Asked, hits: Sequence[Hit]) -> float | None:
    """The share of the functions that answer which the hits name."""
    names = {(hit.place.path, name) for hit in hits for name in hit.names}
    return len(names.intersection(asked.functions)) / len(asked.functions) if asked.functions else None


BENCHMARK: Final = Measure(("NDCG@10",), _of_benchmark)
DOCSTRING: Final = Measure(("function MRR@10",), _of_docstring)
COMMIT: Final = Measure(("file MRR@10",), _of_commit)
REPORT: Final = Measure(("file @1", "file @5", "file @10", f"function @{FUNCTION_HITS}"), _of_report)


def sets(data: Path, lab: Path, mirrors: Path | None) -> Iterator[Set]:
    """Yield the sets of the folder `data` whose trees are in `lab`: semble/NAME as its make_corpora.sh makes them, and
    stripped/NAME and corpora/commit-NAME as that of the folder above does. Trees of bug reports are checked out from
    `mirrors` into lab/reports.
    """
    for split in SEMBLE:
        if (file := data / "semble" / f"{split}.jsonl").is_file():
            yield Set(f"semble, {split}", BENCHMARK, _semble(questions(file), lab / "semble"))
    for task, measure, folder in (
        ("doc", DOCSTRING, lab / "stripped"), ("commit", COMMIT, lab / "corpora"),
    ):  # fmt: skip
        asked = dict(_searches(task, sorted((data / "truth" / "dev" / "search").glob(f"{task}-*.jsonl")), folder))
        if asked:
            yield Set({"doc": "docstrings", "commit": "commits"}[task], measure, asked)
    if mirrors and (file := data / "issues" / "dev.jsonl").is_file():
        yield Set("bug reports", REPORT, _reports(file, mirrors, lab / "reports"), REPORT_HITS, REPORT_TOKENS)


def _semble(asked: dict[str, list[Question]], folder: Path) -> dict[str, list[Asked]]:
    return {
        name: [Asked(folder / name, one.query, tuple(one.targets)) for one in several]
        for name, several in asked.items()
        if (folder / name).is_dir()
    }


def _searches(task: str, files: Iterable[Path], folder: Path) -> Iterator[tuple[str, list[Asked]]]:
    for file in files:
        name = file.stem.removeprefix(f"{task}-")
        root = folder / (name if task == "doc" else file.stem)
        if root.is_dir():
            yield name, [_search(root, msgspec.json.decode(line)) for line in file.read_bytes().splitlines()]


def _search(root: Path, row: dict[str, object]) -> Asked:
    if "files" in row:
        return Asked(root, str(row["query"]), tuple(Target(path) for path in msgspec.convert(row["files"], list[str])))
    return Asked(root, str(row["query"]), (msgspec.convert(row, Docstring).target,))


class Docstring(msgspec.Struct):
    """The function that a docstring asks for."""

    file: str
    line_start: int
    line_end: int

    @property
    def target(self) -> Target:
        """It as a target."""
        return Target(self.file, self.line_start, self.line_end)


class Report(msgspec.Struct):
    """A bug report, with the files and functions (path:Qualified.name) that its fix changed."""

    id: str
    repo: str
    base_commit: str
    text: str
    files: list[str]
    functions: list[str]


def _reports(file: Path, mirrors: Path, trees: Path) -> dict[str, list[Asked]]:
    result: dict[str, list[Asked]] = {}
    for line in file.read_bytes().splitlines():
        report = msgspec.json.decode(line, type=Report)
        mirror = mirrors / report.repo.replace("/", "+") / "repo"
        if mirror.is_dir() and (root := _checked_out(mirror, report.base_commit, trees / report.id)):
            functions = (
                (path, name.rpartition(".")[2]) for path, _, name in (f.rpartition(":") for f in report.functions)
            )
            targets = tuple(map(Target, report.files))
            result.setdefault(report.repo, []).append(Asked(root, report.text, targets, tuple(functions)))
    return result


def _checked_out(mirror: Path, commit: str, tree: Path) -> Path | None:
    """The tree of a commit; None if the mirror does not have it."""
    if not tree.is_dir():
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", mirror, tree], check=True)
    done = subprocess.run(["git", "-C", tree, "checkout", "-q", "-f", commit], capture_output=True, check=False)
    return None if done.returncode else tree
