"""Python projects: name and source roots from pyproject.toml, setup.cfg and setup.py; setup.py is read as text, never
run.
"""

from __future__ import annotations

import ast
import posixpath
import re
from bisect import bisect_left
from typing import Any, Final

from codeagentd.base.limits import MAX_SETUP_LENGTH

from .manifests import Broken, Manifests, join, name_of, table, texts
from .project import Project

_CALL: Final = re.compile(r"\bsetup\s*\(")  # in Python of another age
PYTHON_MANIFESTS: Final = ("pyproject.toml", "setup.cfg", "setup.py")


def python_project(manifests: Manifests, folder: str) -> Project | None:
    """Return the project of `folder`, which has at least one of PYTHON_MANIFESTS; None when they only configure tools.

    Errors: Broken.
    """
    pyproject, setup, script = (posixpath.join(folder, name) for name in PYTHON_MANIFESTS)
    settings = manifests.toml(pyproject) if pyproject in manifests else {}
    sections = _or_empty(manifests, setup)
    call = _setup_call(manifests, script)
    # or it is a module
    is_script = call is not None and (call.get("is_named") or posixpath.join(folder, "__init__.py") not in manifests)
    if not (
        {"project", "build-system"} & settings.keys()
        or table(settings, "tool", "poetry")
        or "metadata" in sections
        or is_script
    ):
        return None
    call = call or {}
    name = (
        name_of(table(settings, "project").get("name"))
        or name_of(table(settings, "tool", "poetry").get("name"))
        or name_of(sections.get("metadata", {}).get("name"))
        or name_of(call.get("name"))
        or posixpath.basename(folder)
        or "."
    )
    declared = [*_declared_in_pyproject(settings), *_declared_in_setup(sections, call)]
    roots = dict.fromkeys(root for path in declared if (root := join(folder, path)) is not None)
    if not roots:
        roots = dict.fromkeys(_conventional(manifests, folder))
    return Project(
        "", "python", name, folder, next(path for path in (pyproject, setup, script) if path in manifests), tuple(roots)
    )


def _or_empty(manifests: Manifests, path: str) -> dict[str, dict[str, str]]:
    """Return the sections of setup.cfg, {} for a broken file. It often stands beside a better manifest, so an error is
    only noted.
    """
    try:
        return manifests.ini(path) if path in manifests else {}
    except Broken as problem:
        manifests.problems[path] = str(problem)
        return {}


def _declared_in_pyproject(settings: dict[str, Any]) -> list[str]:
    """Return the source roots that pyproject.toml declares in the tables of the known build tools."""
    tool = table(settings, "tool")
    setuptools = table(tool, "setuptools")
    hatch = [
        table(tool, "hatch", "build"),
        *(target for target in table(tool, "hatch", "build", "targets").values() if isinstance(target, dict)),
    ]
    packages = table(tool, "poetry").get("packages")
    poetry = [part for part in packages if isinstance(part, dict)] if isinstance(packages, list) else []
    return [
        *texts(table(setuptools, "package-dir").get("")),
        *texts(table(setuptools, "packages", "find").get("where")),
        *(source for part in poetry for source in texts(part.get("from"))),
        *(posixpath.dirname(package) for target in hatch for package in texts(target.get("packages"))),
        *(source for target in hatch for source in [*texts(target.get("sources")), *table(target.get("sources"))]),
        *(source for target in hatch for source in texts(target.get("dev-mode-dirs"))),
        *texts(table(tool, "pdm", "build").get("package-dir")),
        *texts(table(tool, "maturin").get("python-source")),
        *texts(table(tool, "uv", "build-backend").get("module-root")),
    ]  # fmt: skip


def _declared_in_setup(sections: dict[str, dict[str, str]], call: dict[str, Any]) -> list[str]:
    """Return the source roots that setup.cfg and setup.py declare."""
    lines = sections.get("options", {}).get("package_dir", "").splitlines()
    pairs = [line.partition("=") for line in lines]
    return [
        *(where.strip() for name, equals, where in pairs if equals and not name.strip()),
        *sections.get("options.packages.find", {}).get("where", "").split(),
        *texts(table(call, "package_dir").get("")),
        *texts(call.get("packages")),
    ]


def _setup_call(manifests: Manifests, path: str) -> dict[str, Any] | None:
    """Return the literal arguments of setup(…): name, package_dir, and `packages` as the folder in which find_packages
    looks; `is_named`: whether one of them is present. None for a script that does not call setup.
    """
    if path not in manifests:
        return None
    try:
        text = manifests.text(path)
        if len(text) > MAX_SETUP_LENGTH:
            raise Broken(f"larger than {MAX_SETUP_LENGTH} characters")
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        manifests.problems[path] = f"not Python: {error}"
        return {"is_named": True} if _CALL.search(text) else None
    except Broken as problem:
        manifests.problems[path] = str(problem)
        return {}
    arguments: dict[str, Any] = {}
    is_called = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) == "setup":
            is_called = True
            for keyword in node.keywords:
                if keyword.arg in ("name", "package_dir", "packages"):
                    arguments["is_named"] = True
                if keyword.arg in ("name", "package_dir") and (value := _literal(keyword.value)):
                    arguments.setdefault(keyword.arg, value)
        elif isinstance(node, ast.Call) and _called(node) in ("find_packages", "find_namespace_packages"):
            wheres = [*node.args[:1], *(keyword.value for keyword in node.keywords if keyword.arg == "where")]
            arguments.setdefault("packages", next((_literal(where) for where in wheres), None))
    return arguments if is_called else None


def _called(node: ast.Call) -> str:
    return (
        node.func.id
        if isinstance(node.func, ast.Name)
        else node.func.attr
        if isinstance(node.func, ast.Attribute)
        else ""
    )


def _literal(node: ast.expr) -> str | dict[str, str] | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.Dict):
        pairs = [
            (_literal(key), _literal(value))
            for key, value in zip(node.keys, node.values, strict=True)
            if key is not None
        ]
        return {key: value for key, value in pairs if isinstance(key, str) and isinstance(value, str)}
    return None


def _conventional(manifests: Manifests, folder: str) -> list[str]:
    """Return src as the source root, when it contains modules and is no package itself."""
    source = posixpath.join(folder, "src")
    if f"{source}/__init__.py" in manifests:
        return []
    at = bisect_left(manifests.paths, f"{source}/")
    while at < len(manifests.paths) and manifests.paths[at].startswith(f"{source}/"):
        if manifests.paths[at].endswith(".py"):
            return [source]
        at += 1
    return []
