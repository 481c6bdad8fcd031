"""The tests to run for what changed since a commit: `python -m tests.harness.changed [COMMIT]` (default: main, or HEAD on main) prints their files.

These are test files that changed, and those that import a changed module themselves. Tests that reach it by way of others are left to `make test`.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("daemon", "shim", "protocol")
SLOW = ("tests/e2e/", "tests/faults/", "tests/bench/", "tests/demo/")  # of whole processes: not within a minute


def selected(root: Path, changed: set[str]) -> list[str]:
    """The test files of a checkout that changed or import a changed module, by path."""
    modules = {name for path in changed for name in _names(path)}
    tests = [str(path.relative_to(root)) for path in sorted((root / "tests").rglob("test_*.py"))]
    quick = [path for path in tests if not path.startswith(SLOW)]
    return [path for path in quick if path in changed or modules.intersection(_imported(root / path))]


def changed_files(root: Path, commit: str) -> set[str]:
    """The paths that differ from where a commit and HEAD part, and those that git does not track yet."""
    base = _git(root, "merge-base", commit, "HEAD")[0]
    return {*_git(root, "diff", "--name-only", base), *_git(root, "ls-files", "--others", "--exclude-standard")}


def _git(root: Path, *arguments: str) -> list[str]:
    return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=True).stdout.split("\n")[
        :-1
    ]


def _names(path: str) -> Iterator[str]:
    """The dotted name of a module, where a path is one of ours or of the tests."""
    parts = Path(path).with_suffix("").parts
    if path.endswith(".py") and parts:
        parts = parts[1:] if parts[0] in SOURCES else parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


if __name__ == "__main__":
    print(*selected(ROOT, changed_files(ROOT, *(sys.argv[1:] or ["main"]))), sep="\n")
