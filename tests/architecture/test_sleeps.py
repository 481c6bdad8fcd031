"""Tests wait for what happens, through tests/harness/waiting.py, and do not sleep."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WAITING = "tests/harness/waiting.py"  # the one module that sleeps
EXAMPLES = "tests/architecture/test_sleeps.py"  # the examples below
MAY_SLEEP = re.compile(r"sleep|while .*:\s+pass\b")
LOOK = re.compile(r"\b(alive|exists|is_\w+)\(")  # a call that changes nothing
POLLING = re.compile(r"\bwhile\b[^\n]*:\s[^\n]*\bsleep\(", re.MULTILINE)


def sleeps(tree: ast.Module) -> Iterator[int]:
    """The lines of calls that sleep, of loops that only spin, and of programs in strings that poll.

    `asyncio.sleep(0)` is none: it lets other tasks run. A program in a string that sleeps without looking stands for
    one that lasts.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="sleep") | ast.Name(id="sleep"), args=arguments):
                if not (arguments and isinstance(arguments[0], ast.Constant) and arguments[0].value == 0):
                    yield node.lineno
            case ast.While(test=condition, body=[ast.Pass()]) if LOOK.search(ast.unparse(condition)):
                yield node.lineno
            case ast.Constant(value=str(text)) if POLLING.search(text):
                yield node.lineno


def test_no_test_sleeps() -> None:
    found = [
        f"{name}:{line}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if (name := path.relative_to(ROOT).as_posix()) not in (WAITING, EXAMPLES)
        for text in [path.read_text()]
        if MAY_SLEEP.search(text)  # most files need no parsing
        for line in sleeps(ast.parse(text))
    ]
    assert found == [], f"wait for an event, or with a function of {WAITING}"


@pytest.mark.parametrize(
    "source",
    [
        "time.sleep(0.01)",
        "while not done: sleep(SECONDS)",
        "async def wait(): await asyncio.sleep(1)",
        "while process.is_alive(): pass",
        "PROGRAM = '''while not ready():\\n    time.sleep(1)'''",
    ],
)
def test_each_way_to_sleep_is_found(source: str) -> None:
    assert list(sleeps(ast.parse(source)))


@pytest.mark.parametrize("source", ["await_ = asyncio.sleep(0)", "LASTS = 'import time; time.sleep(600)'"])
def test_what_only_yields_or_lasts_is_no_sleep(source: str) -> None:
    assert not list(sleeps(ast.parse(source)))
