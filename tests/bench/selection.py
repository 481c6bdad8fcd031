"""How well are the tests of a change selected? `python -m tests.bench.selection CLONE… [--commits 50]`: clones that may be checked out at will.

For each of the newest commits that change code and tests which were there before, the index is brought to the commit's parent and asked which tests the
changed code needs. What the commit's author changed among the tests is held against the answer: a proxy, since tests that ought to run need not change.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from codeagentd.languages.language import language_of
from codeagentd.model.file_kinds import PROSE_LANGUAGES, can_be_run, holds_tests
from codeagentd.pipeline.engine.engine import IndexingEngine
from codeagentd.query.refactor.affected_tests import BY_NAME, named_after, runnable, tests
from codeagentd.query.refactor.changed_symbols import blast, touched
from codeagentd.store.connection import Database

PATIENCE_S: Final = 300.0
DEPTHS: Final = (1, 2, 3)


class Change(NamedTuple):
    """A commit: its parent, the code that it changes, the tests that it changes."""

    parent: str
    code: list[str]
    tests: set[str]


class Outcome(NamedTuple):
    """Of one commit and one way to select: tests found of those changed, those changed, those selected, all there are."""

    found: int
    changed: int
    selected: int
    suite: int


def git(root: Path, *arguments: str) -> str:
    """What git says."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        ["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True, env=environment
    ).stdout


def changes(root: Path, tip: str, count: int) -> Iterator[Change]:
    """The newest commits that change both code and tests, by files that were there before."""
    for line in git(root, "rev-list", "--no-merges", "--parents", tip).splitlines():
        commit, *parents = line.split()
        if count and len(parents) == 1:
            paths = [
                path
                for path in git(
                    root, "diff", "--name-only", "-z", "--no-renames", "--diff-filter=MD", parents[0], commit
                ).split("\0")
                if path
            ]
            checked = {path for path in paths if holds_tests(path) and can_be_run(path) and _is_code(path)}
            code = [path for path in paths if not holds_tests(path) and _is_code(path)]
            if checked and code:
                count -= 1
                yield Change(parents[0], code, checked)


def _is_code(path: str) -> bool:
    language = language_of(path)
    return language is not None and language not in PROSE_LANGUAGES


def selections(db: Database, code: Sequence[str]) -> Iterator[tuple[str, set[str]]]:
    """The test files of each way to select."""
    paths = [path for (path,) in db.all("change.paths")]
    yield "by name", set(named_after(code, paths))
    inside = touched(db, code)
    for by_use in (False, True):
        for depth in DEPTHS:
            reached, _ = blast(db, inside.symbols, depth, by_use=by_use)
            found = tests(db, code, inside.symbols, reached)
            name = f"{'by use' if by_use else 'by dependence'}, depth {depth}"
            yield name, set(runnable([one for one in found if one.relation != BY_NAME], [], []))
            yield f"{name}, and by name", set(runnable(found, [], []))


def measured(root: Path, count: int) -> dict[str, list[Outcome]]:
    """The outcomes of one project by way to select."""
    outcomes: dict[str, list[Outcome]] = {}
    tip = git(root, "rev-parse", "HEAD").strip()
    git(root, "checkout", "-q", "--detach")
    with tempfile.TemporaryDirectory() as place:
        engine = IndexingEngine(root, Path(place) / "index", Path(place) / "blobs", use_watcher=False)
        engine.start()
        try:
            for change in changes(root, tip, count):
                git(root, "checkout", "-q", "-f", change.parent)
                engine.request_scan()
                assert engine.wait_caught_up(PATIENCE_S)
                with engine.readers.read() as db:
                    suite = {
                        path
                        for (path,) in db.all("change.paths")
                        if holds_tests(path) and can_be_run(path) and _is_code(path)
                    }
                    for way, selected in selections(db, change.code):
                        seen = selected & suite
                        outcomes.setdefault(way, []).append(
                            Outcome(len(seen & change.tests), len(change.tests & suite), len(seen), len(suite))
                        )
        finally:
            engine.close(10)
            git(root, "checkout", "-q", "-f", tip)
    return outcomes


def table(project: str, outcomes: dict[str, list[Outcome]]) -> list[str]:
    """Rows of a Markdown table."""
    rows = []
    for way, found in outcomes.items():
        whole = sum(one.found for one in found) / max(1, sum(one.changed for one in found))
        mean = sum(one.found / one.changed for one in found if one.changed) / max(
            1, sum(1 for one in found if one.changed)
        )
        share = sum(one.selected / one.suite for one in found if one.suite) / max(1, len(found))
        rows.append(f"| {project} | {len(found)} | {way} | {whole:.0%} | {mean:.0%} | {share:.1%} |")
    return rows


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=50)
    arguments = parser.parse_args()
    print(
        "| project | commits | selection | recall of all changed tests | mean recall of a commit | share of the suite |\n|---|---|---|---|---|---|"
    )
    for clone in arguments.clones:
        print("\n".join(table(clone.name, measured(clone.resolve(), arguments.commits))), flush=True)


if __name__ == "__main__":
    main()
