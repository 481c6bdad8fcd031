"""Rename plans, judged by compilers and test suites: the edits of plans that claim to be sure are made, and the project is built and tested.

`python -m tests.bench.rename_builds CLONE… --lab DIR [--count 40] [--seed 3] [--batch 6] [--words] [--json OUT]`. The checks of each project, by the name of its clone, are
in rename_builds.toml. Each clone is copied; symbols are drawn by the seed, in turn from each kind, outside of tests. A plan claims to be sure when it is
EXTRACTED, which includes that nothing has to be reviewed. Plans that edit different lines are made and checked together, and one by one when a check fails.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from codeagentd.model.file_kinds import holds_tests
from codeagentd.model.ids import node_id
from codeagentd.model.kinds import SymbolKind
from codeagentd.model.results.change_results import RenamePlan
from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

KINDS: Final = (
    SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS, SymbolKind.FIELD, SymbolKind.CONSTANT,
    SymbolKind.PROPERTY, SymbolKind.VARIABLE, SymbolKind.INTERFACE, SymbolKind.STRUCT, SymbolKind.ENUM,
    SymbolKind.ENUM_MEMBER, SymbolKind.TYPE, SymbolKind.TRAIT, SymbolKind.MACRO, SymbolKind.RECORD,
)  # fmt: skip
DRAWN: Final = (
    "SELECT s.uid, s.name, s.kind, f.path FROM symbols s JOIN files f ON f.id = s.file WHERE s.id > 0 AND f.language IN (SELECT value FROM json_each(?)) "
    f"AND s.name GLOB '[a-zA-Z_]*' AND s.name NOT GLOB '*[^a-zA-Z0-9_]*' AND s.kind IN ({', '.join(str(int(kind)) for kind in KINDS)}) ORDER BY s.uid"
)
WORDS: Final = ("the same word in the text", "the name with dashes in the text")
SUFFIX: Final = "Zq"
HEADING: Final = (
    "| project | plans | claim to be sure | of these pass | kinds | leave words to review | of these pass |\n"
    "|---|---|---|---|---|---|---|"
)
CHECK_S: Final = 600.0
RECIPES: Final = Path(__file__).with_suffix(".toml")


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command that judges a project, in the shell of the system and the folder of the copy: $LAB is the laboratory.

    `wrong` matches a line that states a fault; a check fails when there are more of them than before. Without one, its exit code has to be 0. `suffixes`: it is
    only run when such a file is edited; none: always.
    """

    run: str
    wrong: str = ""
    suffixes: tuple[str, ...] = ()


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a project is judged: the languages whose symbols are renamed, and the checks, the cheapest first.

    `setup` is a command that prepares the copy; `below`: the folders whose symbols are drawn, none: all.
    """

    languages: tuple[str, ...]
    checks: tuple[Check, ...]
    setup: str = ""
    below: tuple[str, ...] = ()


class Renaming(NamedTuple):
    """A plan for a symbol, and what came of it: "unsure", "passed", or the output of the check that failed."""

    kind: str
    path: str
    plan: RenamePlan

    @property
    def is_sure(self) -> bool:
        return self._is_whole and self.plan.confidence == "EXTRACTED" and not self.plan.review

    @property
    def _is_whole(self) -> bool:
        """Whether the answer lists the plan whole: long answers are cut, and say so."""
        return self.plan.found and "are listed" not in self.plan.note

    @property
    def leaves_words(self) -> bool:
        """Whether its edits are sure, and words in texts are all that is for review."""
        is_certain = self._is_whole and not self.plan.collisions and bool(self.plan.review)
        return (
            is_certain
            and all(edit.confidence == "EXTRACTED" for edit in self.plan.edits)
            and all(site.reason in WORDS for site in self.plan.review)
        )

    @property
    def lines(self) -> set[tuple[str, int]]:
        return {(site.file, site.line) for site in self.plan.edits}

    @property
    def title(self) -> str:
        return f"{self.kind} {self.plan.old} in {self.path}"


class Unfit(Exception):
    """A project cannot be judged here."""


class Judge:
    """The checks of one copy. What fails before any renaming is not counted."""

    def __init__(self, root: Path, lab: Path, recipe: Recipe) -> None:
        self._root, self._lab, self._recipe = root, lab, recipe
        if recipe.setup:
            self._shell(recipe.setup)
        self._before = [self._faults(check)[0] for check in recipe.checks]
        for check, before in zip(recipe.checks, self._before, strict=True):
            if before and not check.wrong:
                raise Unfit(f"fails before any renaming: {check.run}")

    def fault(self, edited: Collection[Path]) -> str:
        """Return the output of the first check that is worse than before the files were edited; '' if none is."""
        for check, before in zip(self._recipe.checks, self._before, strict=True):
            if check.suffixes and not any(file.suffix in check.suffixes for file in edited):
                continue
            faults, output = self._faults(check)
            if faults > before:
                return output
        return ""

    def _faults(self, check: Check) -> tuple[int, str]:
        code, output = self._shell(check.run)
        if not check.wrong:
            return int(code != 0), output
        found = [line for line in output.split("\n") if re.search(check.wrong, line)]
        return len(found) or int(code != 0), "\n".join(found)

    def _shell(self, command: str) -> tuple[int, str]:
        environment = os.environ | {"LAB": str(self._lab), "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(
                ["nice", "sh", "-c", command], cwd=self._root, env=environment, text=True, errors="replace",
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=CHECK_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return 1, "timed out"
        return done.returncode, done.stdout


def copied(clone: Path, root: Path) -> None:
    """Copy the files of a clone that git knows; all, where it is no clone."""
    listed = subprocess.run(["git", "-C", str(clone), "ls-files", "-z"], capture_output=True, text=True, check=False)
    names = listed.stdout.split("\0") if (clone / ".git").exists() else []
    if not names:
        shutil.copytree(clone, root, symlinks=True)
    for name in filter(None, names):
        if (clone / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(clone / name, root / name)


def drawn(ctx: Context, recipe: Recipe, seed: int) -> Iterator[tuple[bytes, str, SymbolKind, str]]:
    """Yield symbols in an order that the seed determines, in turn from each kind."""
    with ctx.read() as db:
        rows: list[Any] = db.connection.execute(DRAWN, (json.dumps(recipe.languages),)).fetchall()
    kinds: dict[SymbolKind, list[tuple[bytes, str, SymbolKind, str]]] = defaultdict(list)
    for uid, name, kind, path in rows:
        if not holds_tests(path) and (not recipe.below or path.startswith(recipe.below)):
            kinds[SymbolKind(kind)].append((uid, name, SymbolKind(kind), path))
    chance = random.Random(seed)
    for group in kinds.values():
        chance.shuffle(group)
    groups = [kinds[kind] for kind in KINDS if kinds[kind]]
    for turn in range(max(map(len, groups), default=0)):
        yield from (group[turn] for group in groups if turn < len(group))


def planned(ctx: Context, recipe: Recipe, count: int, seed: int) -> Iterator[Renaming]:
    """Yield the plans for `count` symbols."""
    tool = load("codeagentd.tools")["plan_rename"]
    for number, (uid, name, kind, path) in enumerate(drawn(ctx, recipe, seed)):
        if number == count:
            return
        answer = run(tool, ctx, {"name": name, "to": name + SUFFIX, "id": node_id(uid)})
        yield Renaming(kind.label, path, msgspec.convert(answer.structured, RenamePlan))


def batches(renamings: Sequence[Renaming], size: int) -> Iterator[list[Renaming]]:
    """Divide the plans into groups that edit different lines."""
    left = list(renamings)
    while left:
        batch: list[Renaming] = []
        taken: set[tuple[str, int]] = set()
        for one in list(left):
            if len(batch) < size and taken.isdisjoint(one.lines):
                batch.append(one)
                taken |= one.lines
                left.remove(one)
        yield batch


def edited(root: Path, renamings: Sequence[Renaming]) -> dict[Path, bytes]:
    """Make the edits of the plans. Returns what the files were before."""
    before: dict[Path, bytes] = {}
    for plan in (one.plan for one in renamings):
        for site in sorted(plan.edits, key=lambda site: -site.column):
            place = root / site.file
            before.setdefault(place, place.read_bytes())
            lines = place.read_bytes().decode().split("\n")
            text = lines[site.line - 1]
            assert text[site.column :].startswith(plan.old), (site, text)
            lines[site.line - 1] = text[: site.column] + plan.new + text[site.column + len(plan.old) :]
            place.write_bytes("\n".join(lines).encode())
    return before


def outcomes(root: Path, judge: Judge, renamings: Sequence[Renaming], size: int) -> Iterator[tuple[Renaming, str]]:
    """Yield each sure plan with the fault that its edits lead to, '' for none."""
    for batch in batches(renamings, size):
        before = edited(root, batch)
        fault = judge.fault(before)
        for place, data in before.items():
            place.write_bytes(data)
        if fault and len(batch) > 1:
            yield from outcomes(root, judge, batch[: len(batch) // 2], size)
            yield from outcomes(root, judge, batch[len(batch) // 2 :], size)
        else:
            yield from ((one, fault) for one in batch)


def judged(
    clone: Path, lab: Path, recipe: Recipe, arguments: argparse.Namespace
) -> tuple[list[Renaming], list[tuple[Renaming, str]]]:
    """Plan, edit and check. Returns all plans, and those that failed with their faults."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place) / "repo"
        copied(clone, root)
        with surroundings(Path(place), {}) as ctx:
            renamings = list(planned(ctx, recipe, arguments.count, arguments.seed))
        sure = [one for one in renamings if one.is_sure or (arguments.words and one.leaves_words)]
        failed: list[tuple[Renaming, str]] = []
        judge = Judge(root, lab, recipe)
        for one, fault in outcomes(root, judge, sure, arguments.batch):
            if fault:
                failed.append((one, fault))
                print(f"\n{clone.name}: {one.title}: {one.plan.message}\n{fault[-1500:]}", file=sys.stderr, flush=True)
    return renamings, failed


def row(name: str, renamings: Sequence[Renaming], failed: Collection[Renaming], *, words: bool) -> str:
    """A row of the Markdown table."""
    sure, others = ([one for one in renamings if one.is_sure], [one for one in renamings if one.leaves_words])
    kinds = ", ".join(f"{count} {kind}" for kind, count in Counter(one.kind for one in sure).most_common())
    shares = [f"{len(found)} ({len(found) / max(len(renamings), 1):.0%})" for found in (sure, others)]
    passed = [sum(one not in failed for one in found) for found in (sure, others)]
    rates = [
        f"{count} ({count / len(found):.1%})" if found and is_judged else "-"
        for count, found, is_judged in zip(passed, (sure, others), (True, words), strict=True)
    ]
    return f"| {name} | {len(renamings)} | {shares[0]} | {rates[0]} | {kinds} | {shares[1]} | {rates[1]} |"


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--lab", type=Path, required=True, help="directory of the environments that checks use")
    parser.add_argument("--count", type=int, default=40, help="plans for each project")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--batch", type=int, default=6, help="plans that are checked together")
    parser.add_argument("--words", action="store_true", help="judge plans as well that leave only words to review")
    parser.add_argument("--recipes", type=Path, default=RECIPES, help="the checks of each project")
    parser.add_argument("--json", type=Path, help="write the plans and faults to this file")
    arguments = parser.parse_args()
    recipes = msgspec.convert(tomllib.loads(arguments.recipes.read_text(encoding="utf-8")), dict[str, Recipe])
    everything: list[Renaming] = []
    failures: list[Renaming] = []
    kept: dict[str, Any] = {}
    print(HEADING, flush=True)
    for clone in arguments.clones:
        try:
            renamings, failed = judged(clone.resolve(), arguments.lab.resolve(), recipes[clone.name], arguments)
        except Unfit as error:
            print(f"skip {clone.name}: {error}", file=sys.stderr)
            continue
        print(row(clone.name, renamings, [one for one, _ in failed], words=arguments.words), flush=True)
        everything += renamings
        failures += [one for one, _ in failed]
        kept[clone.name] = {
            "failed": [(one.title, fault) for one, fault in failed],
            "plans": [{"title": one.title, "sure": one.is_sure, "plan": one.plan} for one in renamings],
        }
    print(row("all", everything, failures, words=arguments.words))
    if arguments.json:
        arguments.json.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1))


if __name__ == "__main__":
    main()
