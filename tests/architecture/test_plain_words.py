"""The sources speak plainly: their words, file names and imports are what a stranger expects."""

from __future__ import annotations

import ast
import gc
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("daemon", "shim", "protocol")

# Words that say nothing of what a value is. There may only be fewer of them: lower the number with each change.
PRIVATE = {
    "given", "said", "told", "asked", "held", "meant", "made", "behind", "found", "one", "around", "wanted", "kept", "anew", "taken", "handed",
}  # fmt: skip
PRIVATE_AT_MOST = 76
WIDTH = 120
MODULES_OF_A_PACKAGE = 25
SAME_FILE_NAMES = 2
CONDITIONS = 2


@cache
def modules() -> dict[Path, ast.Module]:
    """The syntax trees of our modules."""
    return {
        path: ast.parse(path.read_text()) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))
    }


@pytest.fixture(autouse=True, scope="module")
def trees_without_collector() -> Iterator[None]:
    """Nothing of a tree is garbage, and to look for some takes longer than all else, also when the process ends."""
    gc.disable()
    yield
    modules.cache_clear()
    gc.enable()


def identifiers(tree: ast.Module) -> Iterator[str]:
    """The names that a module defines or uses."""
    for node in ast.walk(tree):
        match node:
            case ast.Name():
                yield node.id
            case ast.Attribute():
                yield node.attr
            case ast.arg():
                yield node.arg
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name


def imported(path: Path, tree: ast.Module, names: frozenset[str]) -> Iterator[str]:
    """The modules of this program that a module imports, including those for type checking only."""
    package = module_name(path) if path.name == "__init__.py" else module_name(path).rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")
            prefix = parents[: len(parents) - node.level + 1] if node.level else []
            base = ".".join([*prefix, *filter(None, [node.module])])
            yield from ({base, *(f"{base}.{alias.name}" for alias in node.names)} & names)


def conditions(node: ast.AST) -> int:
    """How many conditional expressions are inside of each other below a node."""
    return isinstance(node, ast.IfExp) + max(map(conditions, ast.iter_child_nodes(node)), default=0)


def module_name(path: Path) -> str:
    """The dotted name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def circles() -> list[set[str]]:
    """The groups of modules that import each other."""
    files = {module_name(path): path for path in modules() if path.name != "__init__.py"}
    graph = {name: set(imported(path, modules()[path], frozenset(files))) - {name} for name, path in files.items()}

    @cache
    def reached(name: str) -> frozenset[str]:
        seen, due = set[str](), [name]
        while due:
            following = graph[due.pop()] - seen
            seen |= following
            due += following
        return frozenset(seen)

    groups = {frozenset(other for other in reached(name) if name in reached(other)) for name in files}
    return [set(group) for group in groups if group]


def test_no_module_begins_with_a_question() -> None:
    firsts = {str(path): (ast.get_docstring(tree) or "").partition("\n")[0] for path, tree in modules().items()}
    assert [path for path, first in firsts.items() if not first or first.endswith("?")] == []


def test_private_words_as_identifiers_only_get_fewer() -> None:
    counted = Counter(
        name.strip("_").lower()
        for tree in modules().values()
        for name in identifiers(tree)
        if name.strip("_").lower() in PRIVATE
    )
    assert counted.total() <= PRIVATE_AT_MOST, counted.most_common()


def test_no_line_is_longer_than_a_screen() -> None:
    long = [
        f"{path}:{number}"
        for path in modules()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > WIDTH
    ]
    assert long == []


def test_conditional_expressions_are_at_most_two_deep() -> None:
    deep = [
        f"{path}:{node.lineno}"
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.IfExp) and conditions(node) > CONDITIONS
    ]
    assert deep == []


def test_no_package_has_more_modules_than_one_can_look_through() -> None:
    counted = Counter(path.parent for path in modules() if path.name != "__init__.py")
    assert {str(folder): count for folder, count in counted.items() if count > MODULES_OF_A_PACKAGE} == {}


def test_a_file_name_of_the_daemon_stands_for_two_things_at_most() -> None:
    languages = {path.name for path in (ROOT / "daemon/codeagentd/languages/data").iterdir()}
    families = {"jvm", "ecmascript", "npm", "cargo"}  # named after the languages whose rule they are
    counted = Counter(path.stem for path in modules() if path.is_relative_to(ROOT / "daemon"))
    repeated = {name: count for name, count in counted.items() if count > SAME_FILE_NAMES}
    assert repeated.keys() - languages - families == {"__init__"}


def test_modules_import_each_other_in_no_circle() -> None:
    assert circles() == []
