"""Definitions by the parser of Python, of whose syntax Starlark's is a part."""

from __future__ import annotations

import ast
import platform
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.eval.languages.facts import Definition

TOOL: Final = f"Python {platform.python_version()}"


def definitions(root: Path, paths: Sequence[str]) -> Iterator[tuple[Definition, str]]:
    """Yield the functions, the variables of files, and the targets: calls of a file with a literal name."""
    for path in paths:
        tree = ast.parse((root / path).read_text(errors="replace"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                yield Definition(path, node.lineno, node.name), "function"
        for statement in tree.body:
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    if isinstance(target, ast.Name):
                        yield Definition(path, target.lineno, target.id), "variable"
            elif isinstance(statement, ast.Expr):
                yield from _target(path, statement.value)


def _target(path: str, value: ast.expr) -> Iterator[tuple[Definition, str]]:
    call = value.elt if isinstance(value, ast.ListComp) else value
    for keyword in call.keywords if isinstance(call, ast.Call) else ():
        if keyword.arg == "name" and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str):
            yield Definition(path, keyword.value.lineno, keyword.value.value), "target"
