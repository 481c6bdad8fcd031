"""Files and definitions of the code, as the pages for maintainers name them."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DAEMON = ROOT / "daemon" / "codeagentd"


def location(path: str) -> Path:
    """The file of a path as the pages write it: below the daemon's package unless it begins with a product's folder."""
    return (ROOT if path.startswith(("shim/", "protocol/")) else DAEMON) / path


@functools.cache
def definitions(path: str) -> frozenset[str]:
    """Functions, classes, methods and assigned names of a module, members with their class."""
    found: set[str] = set()
    for node in ast.parse(location(path).read_text()).body:
        if isinstance(node, ast.ClassDef):
            found |= {node.name} | {
                f"{node.name}.{member.name}"
                for member in node.body
                if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef)
            }
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return frozenset(found)
