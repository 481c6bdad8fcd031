"""A pytest plugin that records which functions call which, and the reader of what coverage.py has recorded beside it.

It runs in the environment of the project that is traced, so it needs the standard library, pytest and coverage alone. As a script it joins both records:
`python called_functions.py ROOT CALLS COVERAGE TRUTH`.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

ROOT = os.environ.get("TRACED_ROOT", "")
CALLS = os.environ.get("TRACED_CALLS", "")

Function = tuple[str, int]  # path, first line of its code
Site = tuple[int, int, int, int]  # first line, last line, first column, end column of the calling expression


class Calls:
    """Calls between functions of the project, with the expression of the call and the library function in between."""

    def __init__(self, root: str) -> None:
        self.root = root.rstrip("/") + "/"
        self.edges: dict[tuple[CodeType, CodeType | None, int, str], Site | None] = {}
        self.tests: dict[str, tuple[str, int]] = {}
        self._inside: dict[CodeType, bool] = {}

    def is_inside(self, code: CodeType) -> bool:
        """Whether this code stands in a file of the project."""
        known = self._inside.get(code)
        if known is None:
            path = code.co_filename
            known = path.startswith(self.root) and "/site-packages/" not in path and code.co_name != "<module>"
            self._inside[code] = known
        return known

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Record one call: what `sys.setprofile` reports."""
        if event != "call" or not self.is_inside(frame.f_code):
            return
        library, caller = "", frame.f_back
        while caller is not None and not self.is_inside(caller.f_code):
            if not library:
                library = f"{caller.f_globals.get('__name__', '')}.{caller.f_code.co_name}"
            caller = caller.f_back
        key = (frame.f_code, caller.f_code if caller else None, caller.f_lasti if caller else -1, library)
        if key not in self.edges:
            self.edges[key] = _site(caller) if caller else None

    def as_json(self) -> dict[str, Any]:
        """The record in a form that a file can hold."""
        return {
            "tests": self.tests,
            "edges": [
                [self._place(callee), self._place(caller) if caller else None, site, library]
                for (callee, caller, _, library), site in list(self.edges.items())
            ],
        }

    def _place(self, code: CodeType) -> list[Any]:
        return [code.co_filename.removeprefix(self.root), code.co_firstlineno, code.co_name]


def _site(frame: FrameType) -> Site | None:
    positions = list(frame.f_code.co_positions())
    at = frame.f_lasti // 2
    site = positions[at] if 0 <= at < len(positions) else (None,)
    return None if None in site else site  # type: ignore[return-value]


CALLED = Calls(ROOT)


def pytest_collection_finish(session: Any) -> None:
    """Remember where each test is defined, and begin to record calls."""
    for item in session.items:
        if function := getattr(item, "function", None):
            code = getattr(inspect.unwrap(function), "__code__", None)
            if code is not None and CALLED.is_inside(code):
                CALLED.tests[item.nodeid] = (code.co_filename.removeprefix(CALLED.root), code.co_firstlineno)
    threading.setprofile(CALLED)
    sys.setprofile(CALLED)


def pytest_runtest_setup() -> None:
    """Record calls again after a test that has set a profiler of its own."""
    sys.setprofile(CALLED)


def pytest_sessionfinish() -> None:
    """Write the record."""
    sys.setprofile(None)
    if CALLS:
        Path(CALLS).write_text(json.dumps(CALLED.as_json()), encoding="utf-8")


class Definition(NamedTuple):
    """A function in a source file: its decorators' first line, the line of its name, the first line of its body, its last line."""

    first: int
    line: int
    body: int
    last: int
    name: str


def definitions(source: str) -> list[Definition]:
    """The functions of a Python file, outer ones before inner ones."""
    found: list[Definition] = []

    def visit(node: ast.AST, scope: str) -> None:
        for child in ast.iter_child_nodes(node):
            inner = scope
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inner = f"{scope}.{child.name}".lstrip(".")
                if not isinstance(child, ast.ClassDef):
                    first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
                    found.append(Definition(first, child.lineno, child.body[0].lineno, child.end_lineno or 0, inner))
            visit(child, inner)

    visit(ast.parse(source), "")
    return found


def innermost(functions: list[Definition], line: int) -> int | None:
    """The number of the innermost function with this line in its body, or with its only line here."""
    best = None
    for number, one in enumerate(functions):
        if one.body <= line <= one.last and (best is None or one.first >= functions[best].first):
            best = number
    return best


def identity_of(context: str) -> str:
    """The test of a coverage context: without its phase."""
    return context.rpartition("|")[0] or context


class Register:
    """Functions of the project by number; files are read once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.listed: list[list[Any]] = []
        self._numbers: dict[tuple[str, int], int] = {}
        self._files: dict[str, list[Definition]] = {}

    def of_file(self, path: str) -> list[Definition]:
        """The functions of a file."""
        if path not in self._files:
            try:
                self._files[path] = definitions((self.root / path).read_text(encoding="utf-8"))
            except (OSError, SyntaxError, ValueError):
                self._files[path] = []
        return self._files[path]

    def number(self, path: str, one: Definition) -> int:
        """The number of a function, a new one for one not seen before."""
        key = (path, one.line)
        if key not in self._numbers:
            self._numbers[key] = len(self.listed)
            self.listed.append([path, one.line, one.last, one.name])
        return self._numbers[key]

    def at(self, path: str, first: int, name: str) -> int | None:
        """The number of the function whose code begins at a line; for a lambda or comprehension the one around it."""
        functions = self.of_file(path)
        for one in functions:
            if one.first == first and one.name.rpartition(".")[2] == name:
                return self.number(path, one)
        around = innermost(functions, first)
        return None if around is None else self.number(path, functions[around])


def truth(root: Path, calls: dict[str, Any], lines: dict[str, dict[int, list[str]]]) -> dict[str, Any]:
    """Which tests execute which functions, and the calls between these; `lines`: contexts by file and line."""
    register = Register(root)
    tests: dict[tuple[int, str, str], int] = {}  # function, file and class that the runner names -> test
    by_id: dict[str, int] = {}
    for identity, (path, first) in calls["tests"].items():
        file, *scopes, name = identity.partition("[")[0].split("::")
        function = register.at(path, first, name)
        if function is not None:
            by_id[identity] = tests.setdefault((function, file, ".".join(scopes)), len(tests))
    executed: dict[int, set[int]] = {}
    for path, by_line in lines.items():
        functions = register.of_file(path)
        for line, contexts in by_line.items():
            number = innermost(functions, line)
            found = {by_id[identity_of(one)] for one in contexts if identity_of(one) in by_id}
            if number is not None and found:
                executed.setdefault(register.number(path, functions[number]), set()).update(found)
    edges: dict[str, list[Any]] = {}
    for callee, caller, site, library in calls["edges"]:
        target = register.at(*callee)
        source = register.at(*caller) if caller else None
        if target is not None and (source is not None or not caller):
            edge = [target, -1 if source is None else source, site, library]
            edges[json.dumps(edge)] = edge
    return {
        "functions": register.listed,
        "tests": list(tests),
        "executed": [[number, sorted(found)] for number, found in sorted(executed.items())],
        "calls": list(edges.values()),
    }


def main() -> None:
    """Join the record of calls with the record of coverage.py."""
    coverage = importlib.import_module("coverage")  # of the traced project's environment

    root, calls, recorded, target = map(Path, sys.argv[1:])
    data = coverage.CoverageData(str(recorded))
    data.read()
    lines = {
        os.path.relpath(path, root): data.contexts_by_lineno(path)
        for path in data.measured_files()
        if path.startswith(f"{root}/")
    }
    found = truth(root, json.loads(calls.read_text(encoding="utf-8")), lines)
    target.write_text(json.dumps(found, separators=(",", ":")), encoding="utf-8")
    print(f"{len(found['tests'])} tests, {len(found['executed'])} executed functions, {len(found['calls'])} calls")


if __name__ == "__main__":
    main()
