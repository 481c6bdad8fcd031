"""The test files to run for what changed since a commit: `python -m tests.harness.changed [COMMIT]` prints them, the nearest first.

Nearest are test files that changed; then those in the folder that mirrors a changed package, beginning with the one named after the changed module
and with those that import it; then other test files that import a changed module themselves. Tests that reach it by way of others, and tests of
whole processes, are left to `make test`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path, PurePath
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = ("daemon", "shim", "protocol")
FILES_AT_MOST: Final = 40  # so many are collected in some seconds
SLOW: Final = tuple(
    f"tests/{folder}/" for folder in ("e2e", "faults", "properties", "recall", "transcripts", "bench", "demo")
)  # not within a minute; one that changed itself is run all the same
ALWAYS: Final = frozenset(
    f"tests/architecture/test_{name}.py"
    for name in ("changelog", "glossary", "plain_words", "raw_sql", "sleeps", "tests_page", "walks")
)  # cheap, and any change can break them
LANGUAGES: Final = "tests/languages/"
BESIDES: Final = {  # what else shows whether a package works: folders or files of tests, by the beginning of a changed path
    "daemon/codeagentd/extract/": LANGUAGES,
    "daemon/codeagentd/languages/": LANGUAGES,
    "daemon/codeagentd/resolve/": LANGUAGES,
    "daemon/codeagentd/store/sql/": "tests/architecture/test_sql_plans.py",
    "daemon/codeagentd/tools/": "tests/snapshots/",
    "docs/": "tests/architecture/",
    "README.md": "tests/architecture/",
    "CONTRIBUTING.md": "tests/architecture/",
}


class Nearness(IntEnum):
    """How near a test file is to a change."""

    CHANGED = 0
    NAMESAKE = 1  # in the mirroring folder, and named after the module
    IMPORTS = 2  # in the mirroring folder, and imports the module
    ALWAYS = 3
    FOLDER = 4  # in the mirroring folder
    BESIDES = 5
    IMPORTS_ELSEWHERE = 6


def selected(root: Path, changed: set[str]) -> list[str]:
    """The test files of a checkout to run for changed paths, the nearest first."""
    tests = [path.relative_to(root).as_posix() for path in sorted((root / "tests").rglob("test_*.py"))]
    modules = {name for path in changed for name in _names(path)}
    folders = {folder for path in changed for folder in _mirrors(path, tests)}
    stems = {PurePath(path).stem for path in changed if path.startswith(SOURCES)}
    besides = tuple(there for here, there in BESIDES.items() if any(path.startswith(here) for path in changed))

    def nearness(test: str) -> Nearness | None:
        if test in changed:
            return Nearness.CHANGED
        if test in ALWAYS:
            return Nearness.ALWAYS if changed else None
        if test.startswith(SLOW):
            return None
        mirrors = any(folder in map(str, PurePath(test).parents) for folder in folders)
        if mirrors and PurePath(test).stem.removeprefix("test_") in stems:
            return Nearness.NAMESAKE
        if _imported(root / test, modules):
            return Nearness.IMPORTS if mirrors else Nearness.IMPORTS_ELSEWHERE
        if mirrors:
            return Nearness.FOLDER
        return Nearness.BESIDES if test.startswith(besides) else None

    ranked = [(rank, test) for test in tests if (rank := nearness(test)) is not None]
    return [test for _, test in sorted(ranked)]


def languages_of(changed: set[str]) -> set[str]:
    """The languages whose data or cases changed: `python` for `daemon/codeagentd/languages/python/defs.scm`."""
    return {
        PurePath(path).parent.name
        for path in changed
        if path.startswith((LANGUAGES, "daemon/codeagentd/languages/")) and not path.endswith(".py")
    }


def changed_files(root: Path, commit: str) -> set[str]:
    """The paths that differ from where a commit and HEAD part, and those that git does not track yet."""
    base = _git(root, "merge-base", commit, "HEAD")[0]
    return {*_git(root, "diff", "--name-only", base), *_git(root, "ls-files", "--others", "--exclude-standard")}


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def _names(path: str) -> Iterator[str]:
    """The dotted name of a module, if a path is one of this program or of the tests."""
    parts = PurePath(path).with_suffix("").parts
    if path.endswith(".py") and parts:
        parts = parts[1:] if parts[0] in SOURCES else parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _mirrors(path: str, tests: list[str]) -> Iterator[str]:
    """The innermost folder of tests that mirrors the package of a changed file; of a file that tests share, their folder."""
    match PurePath(path).parts:
        case ["daemon", "codeagentd", *inner, _]:
            folder = PurePath("tests/unit", *inner)
        case ["shim" | "protocol" as product, _, *_]:
            folder = PurePath("tests/unit", product)
        case ["tests", *_] if not PurePath(path).name.startswith("test_"):
            folder = PurePath(path).parent
        case _:
            return
    while str(folder) not in ("tests/unit", "tests", "."):
        if any(test.startswith(f"{folder}/") for test in tests):
            yield str(folder)
            return
        folder = folder.parent


def _imported(path: Path, modules: set[str]) -> set[str]:
    """Those of the modules that a file imports itself."""
    text = path.read_text()
    if not any(module.rpartition(".")[2] in text for module in modules):
        return set()  # most files need no parsing
    return modules.intersection(_imports(ast.parse(text)))


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def main() -> None:
    """Print pytest's arguments on one line, and on stderr what is left out."""
    changed = changed_files(ROOT, *(sys.argv[1:] or ["main"]))
    files = selected(ROOT, changed)
    if further := files[FILES_AT_MOST:]:
        print(
            f"{FILES_AT_MOST} of {len(files)} test files are near the change; make test also runs {', '.join(further)}",
            file=sys.stderr,
        )
    print(*(f"--prefer={language}" for language in sorted(languages_of(changed))), *files[:FILES_AT_MOST])


if __name__ == "__main__":
    main()
