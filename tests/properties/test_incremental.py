"""After any sequence of edits, moves, deletions and branch switches the index says what a fresh one would say."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.harness.contents import content
from tests.harness.formats import PATHS, format_text
from tests.harness.programs import PROGRAMS, Program, tweak

ROOT = Path(__file__).resolve().parents[2]
GIT = [
    "git",
    "-c",
    "user.name=t",
    "-c",
    "user.email=t@example.invalid",
    "-c",
    "commit.gpgsign=false",
    "-c",
    "core.hooksPath=/dev/null",
]
NAMES = ("load", "store", "Shelf", "Book", "lend", "helper", "title", "Base")
PATIENCE_S = 60.0


def git(repo: Path, *arguments: str) -> str:
    return subprocess.run([*GIT, "-C", str(repo), *arguments], check=True, capture_output=True, text=True).stdout


def engine_for(repo: Path, place: Path) -> IndexingEngine:
    engine = IndexingEngine(repo, place, place, use_watcher=False)
    engine.start()
    assert engine.wait_caught_up(PATIENCE_S)
    return engine


def begun(repo: Path, place: Path, engines: list[IndexingEngine]) -> IndexingEngine:
    """An engine that has caught up, and that the end of the test closes."""
    engines.append(engine_for(repo, place))
    return engines[-1]


def history(repo: Path, most: int) -> list[str]:
    """This repository, cloned to `repo` at the first of its last commits; these, the oldest first."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout: no history to walk through")
    commits = git(ROOT, "rev-list", "--first-parent", f"--max-count={most}", "HEAD").split()[::-1]
    subprocess.run([*GIT, "clone", "-q", "--no-hardlinks", str(ROOT), str(repo)], check=True, capture_output=True)
    git(repo, "checkout", "-q", commits[0])
    return commits


def catch_up(engine: IndexingEngine) -> None:
    engine.request_scan()
    assert engine.wait_caught_up(PATIENCE_S)


def assert_equals_fresh(engine: IndexingEngine, repo: Path, place: Path) -> None:
    catch_up(engine)
    assert engine.status().failed_files == ()
    fresh = engine_for(repo, place)
    try:
        expected, found = content(fresh.index_path), content(engine.index_path)
    finally:
        fresh.close(10)
        shutil.rmtree(place)
    for part, rows in expected.items():
        assert found[part] == rows, part


def python_text(chance: random.Random, modules: list[str]) -> str:
    """A module whose names collide with those of the others as often as possible."""
    lines = []
    for module in chance.sample(modules, min(len(modules), 2)):
        name, alias = chance.choice(NAMES), chance.choice(("", " as helper", " as Base"))
        lines.append(
            chance.choice(
                (
                    f"from {module} import {name}{alias}",
                    f"from {module} import *",
                    f"import {module}",
                    f"from . import {module.rpartition('.')[2]}",
                )
            )
        )
    for name in chance.sample(NAMES, 3):
        if name[0].isupper():
            base = chance.choice(
                ("", "(Base)", "(Shelf, Book)", f"({chance.choice(modules)}.Book)", "(dict)", "(elsewhere.Base)")
            )
            lines += [
                "",
                f"class {name}{base}:",
                f"    def {chance.choice(NAMES[:2])}(self):",
                f"        self.{chance.choice(NAMES)}()",
                f"        return {chance.choice(NAMES)}()",
            ]
            lines += [
                f"    def {chance.choice(NAMES[4:6])}(self, other: Book):",
                "        other.lend()",
                f"        super().{chance.choice(NAMES)}()",
            ]
            lines += [
                f"    title = {chance.choice(NAMES)}()",
                f"    def __enter__(self){chance.choice(('', ' -> Shelf', ' -> Book'))}:",
                "        return self",
            ]
            lines += [
                f"    def {chance.choice(('__call__', '__iter__', '__getitem__'))}(self){chance.choice((' -> Shelf', ' -> list[Book]'))}: ..."
            ]
            lines += [
                "    def keep(self):",
                f"        self.title = {chance.choice(('None', '[]', 'Shelf()', 'self.lend() or Book()'))}",
            ]
        else:
            lines += [
                "",
                f"def {name}(item){chance.choice(('', '', ' -> Shelf', ' -> list[Book]'))}:",
                f"    return {chance.choice(NAMES)}(item).{chance.choice(NAMES)}",
                "",
            ]
    lines += [
        "def use(many: list[Shelf]):",
        f"    value = {chance.choice(NAMES)}()",
        f"    value.{chance.choice(NAMES)}().lend()",
        "    with value as opened:",
    ]
    lines += [
        f"        opened.{chance.choice(NAMES)}",
        "    for one in many:",
        f"        one.{chance.choice(NAMES)}()",
        f"shared = {chance.choice(NAMES)}()",
    ]
    lines += [
        "def run(item: Base, many: dict[str, Shelf]):",
        "    item().lend()",
        "    item[0].lend()",
        "    item.read()",
        "    many['a'].lend()",
    ]
    lines += [
        "    for one in item:",
        "        one.lend()",
        "try:",
        f"    import {chance.choice(('elsewhere', 'pkg.a'))} as helper",
        "except ImportError:",
    ]
    lines += [f"    {chance.choice(('helper', 'Shelf'))} = None"]
    lines += [
        "def test(item: Base):",
        f"    if isinstance(item, {chance.choice(('Shelf', 'Book', 'Base', '(Shelf, Book)'))}):",
        "        item.lend()",
    ]
    lines += [
        "@pytest.fixture" + chance.choice(("", "()", "(autouse=True)", "(name='store')")),
        f"def {chance.choice(NAMES)}({chance.choice(NAMES)}):",
        f"    return {chance.choice(NAMES)}()",
        f"@pytest.mark.usefixtures('{chance.choice(NAMES)}')",
        f"class TestShelf{chance.choice(('', '(Base)'))}:",
        f"    def test_lend(self, {chance.choice(NAMES)}, {chance.choice(NAMES[:2])}_too):",
        "        pass",
    ]
    return "\n".join(lines) + "\n"


def script_text(chance: random.Random, modules: list[str]) -> str:
    """The same in TypeScript."""
    lines = [
        f"import {{ {chance.choice(NAMES)} }} from './{chance.choice(modules)}';",
        f"export * from './{chance.choice(modules)}';",
    ]
    for name in chance.sample(NAMES, 3):
        if name[0].isupper():
            field = f"title = new {chance.choice(NAMES[2:4])}();"
            lines.append(
                f"export class {name} extends Base {{ {field} lend() {{ return this.{chance.choice(NAMES)}(); }} }}"
            )
        else:
            visit = chance.choice(("(item: Shelf, other: Book) => void", "Store", "Store | null"))
            lines.append(
                f"export function {name}(item: Book, visit: {visit}) {{ item.{chance.choice(NAMES)}.lend(); return {chance.choice(NAMES)}(item); }}"
            )
    lines.append(f"const made = {chance.choice(NAMES)}(); made.{chance.choice(NAMES)}().lend();")
    lines.append(f"export type Store = (item: {chance.choice(NAMES)}, other: Book) => void;")
    lines.append(f"{chance.choice(NAMES)}(made, (item, other) => {{ item.{chance.choice(NAMES)}(); other.lend(); }});")
    lines.append(f"function test(item: any) {{ if (item instanceof {chance.choice(NAMES)}) item.lend(); }}")
    return "\n".join(lines) + "\n"


def sharp_text(chance: random.Random) -> str:
    """The same in C#: partial classes and namespaces that several files share."""
    lines = [f"using Lib.{chance.choice(('A', 'B'))};", f"namespace Lib.{chance.choice(('A', 'B'))};"]
    for name in chance.sample(NAMES, 3):
        kind = chance.choice(("public partial class", "public partial class", "class", "interface"))
        base = chance.choice(("", "", f" : {chance.choice(NAMES)}"))
        body = (
            ""
            if kind == "interface"
            else f"{chance.choice(NAMES)} item; void {chance.choice(NAMES)}{chance.randrange(3)}() {{ item.{chance.choice(NAMES)}(); Lend(); }}"
        )
        lines.append(f"{kind} {name.title()}{base} {{ {body} void Lend() {{ }} }}")
    return "\n".join(lines) + "\n"


def go_text(chance: random.Random, folder: str) -> str:
    """The same in Go: packages of several files, methods away from their types."""
    lines = [
        f"package {chance.choice((folder, folder, folder, 'main'))}",
        f'import "x.example/m/{chance.choice(("shop", "kit"))}"',
    ]
    for name in chance.sample(NAMES, 4):
        shape = chance.choice(("type", "type", "method", "method", "func"))
        if shape == "type":
            body = chance.choice(
                (
                    f"struct {{ {chance.choice(NAMES)}; item *{chance.choice(NAMES)} }}",
                    f"interface {{ {chance.choice(NAMES)}() }}",
                    "int",
                )
            )
            lines.append(f"type {name} {body}")
        elif shape == "method":
            lines.append(
                f"func (it *{name}) {chance.choice(NAMES)}{chance.randrange(2)}() {{ it.{chance.choice(NAMES)}0(); kit.{chance.choice(NAMES)}() }}"
            )
        else:
            lines.append(
                f"func {name}(it {chance.choice(NAMES)}) *{chance.choice(NAMES)} {{ return {chance.choice(NAMES)}(it).{chance.choice(NAMES)}1() }}"
            )
    return "\n".join(lines) + "\n"


def rust_text(chance: random.Random) -> str:
    """The same in Rust: impl blocks away from their types, use declarations in circles."""
    module = chance.choice(("a", "b", "c"))
    lines = [
        f"{chance.choice(('', 'pub '))}mod {module};",
        f"{chance.choice(('', 'pub '))}use crate::{chance.choice(('a', 'b', 'c'))}::{chance.choice((*NAMES, '*'))};",
        f"use super::{chance.choice((*NAMES, '*'))};",
    ]
    for name in chance.sample(NAMES, 4):
        method, other = chance.choice(NAMES), chance.choice(NAMES)
        lines.append(
            chance.choice(
                (
                    f"pub struct {name} {{ pub {method}: {other} }}",
                    f"pub trait {name}: {other} {{ fn {method}(&self) {{}} }}",
                    f"impl {name} {{ pub fn {method}(&self) -> {other} {{ self.{chance.choice(NAMES)}(); {name}::{chance.choice(NAMES)}() }} }}",
                    f"impl {other} for crate::{module}::{name} {{ fn {method}(&self) {{}} }}",
                    f"mod {name} {{ use super::*; pub fn {method}() {{ {other}() }} }}",
                    f"fn {name}(it: {other}) {{ it.{method}(); {method}!() }}",
                )
            )
        )
    return "\n".join(lines) + "\n"


def change(chance: random.Random, repo: Path) -> None:
    """One thing that happens to a working tree."""
    python = [f"pkg/{name}.py" for name in ("a", "b", "c", "__init__")] + [
        "pkg/sub/d.py",
        "pkg/sub/__init__.py",
        "top.py",
        "pkg/conftest.py",
        "conftest.py",
    ]
    scripts = [f"web/{name}.ts" for name in ("a", "b", "index")]
    sharps = [f"net/{name}.cs" for name in ("A", "B", "C")]
    goes = [f"{folder}/{name}.go" for folder in ("shop", "kit") for name in ("a", "b", "a_test")] + ["go.mod"]
    crates = [f"box/src/{name}.rs" for name in ("lib", "a", "b", "a/c", "a/b")] + ["box/Cargo.toml"]
    every = python + scripts + sharps + goes + crates + list(PATHS)
    existing = [path for path in every if (repo / path).exists()]
    act = chance.random()
    if act < 0.6 or not existing:
        path = chance.choice(every)
        texts = {
            ".py": lambda: python_text(chance, ["pkg", "pkg.a", "pkg.b", "pkg.c", "pkg.sub.d", "top"]),
            ".ts": lambda: script_text(chance, ["a", "b", "index"]),
            ".cs": lambda: sharp_text(chance),
            ".go": lambda: go_text(chance, path.partition("/")[0]),
            ".rs": lambda: rust_text(chance),
            "oml": lambda: f'[package]\nname = "{chance.choice(("box", "tin"))}"\n',
            "mod": lambda: f"module x.example/{chance.choice('mn')}\n",
        }
        text = format_text(chance, path) if path in PATHS else texts[path[-3:]]()
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text)
    elif act < 0.75:
        (repo / chance.choice(existing)).unlink()
    else:
        source, target = chance.choice(existing), chance.choice(every)
        if source[-3:] == target[-3:]:
            (repo / target).parent.mkdir(parents=True, exist_ok=True)
            (repo / source).rename(repo / target)


@pytest.mark.parametrize("seed", range(4))
def test_an_incremental_index_equals_a_fresh_one_after_random_changes(
    seed: int, repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    chance = random.Random(seed)
    for _ in range(6):
        change(chance, repo)
    engine = begun(repo, tmp_path / "kept", engines)
    for step in range(10):
        for _ in range(chance.choice((1, 1, 2, 4))):
            change(chance, repo)
        if chance.random() < 0.3:
            git(repo, "add", "-A")
            git(repo, "commit", "-q", "--allow-empty", "-m", str(step))
        if chance.random() < 0.2 and git(repo, "branch", "--list", "main"):
            git(repo, "stash", "-q", "-u") if git(repo, "status", "--porcelain") else None
            git(repo, "checkout", "-q", "-B", f"b{step}", "main")
        assert_equals_fresh(engine, repo, tmp_path / f"fresh{step}")
    assert engine.watermark().generation > 0


def edit(chance: random.Random, repo: Path, program: Program) -> None:
    """One small thing that happens to a program: an edit in one place, a deletion, a move; a new text where nothing was."""
    path = chance.choice(program.paths)
    existing = [name for name in program.paths if (repo / name).exists()]
    fresh = program.text(chance, path)
    act = chance.random()
    if (repo / path).exists() and act < 0.8:
        (repo / path).write_text(tweak(chance, (repo / path).read_text(), fresh))
    elif (repo / path).exists() and act < 0.9:
        (repo / path).unlink()
    else:
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        others = [name for name in existing if name[-3:] == path[-3:]]
        if others and act < 0.5:
            (repo / chance.choice(others)).rename(repo / path)
        else:
            (repo / path).write_text("".join(f"{line}\n" for line in fresh))


@pytest.mark.parametrize("language", PROGRAMS)
def test_an_incremental_index_equals_a_fresh_one_after_small_edits(
    language: str, repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    chance, program = random.Random(language), PROGRAMS[language]
    for _ in range(len(program.paths) * 2):
        edit(chance, repo, program)
    engine = begun(repo, tmp_path / "kept", engines)
    for step in range(2):
        for _ in range(step * 2 + 1):
            edit(chance, repo, program)
        assert_equals_fresh(engine, repo, tmp_path / f"fresh{step}")
    assert engine.watermark().generation > 0


SHELF_PY = "from .book import Book\n\n\nclass Shelf(Base):\n    first: Book\n\n    def lend(self) -> Book:\n        return self.first.read()\n"
BOOK_PY = "class Book:\n    def read(self) -> 'Book': ...\n    def keep(self): ...\n"
MAIN_PY = "from lib.shelf import Shelf\n\n\ndef go(shelf: Shelf):\n    shelf.lend().read()\n    shelf.keep()\n"
SHELF_GO = (
    "package lib\n\ntype Shelf struct{ Base; First *Book }\n\nfunc (s *Shelf) Lend() *Book { return s.First.Read() }\n"
)
BOOK_GO = "package lib\n\ntype Book struct{}\n\nfunc (b *Book) Read() *Book { return b }\n\ntype Base struct{}\n\nfunc (b Base) Keep() {}\n"
MAIN_GO = 'package main\n\nimport "x.example/m/lib"\n\nfunc main() { s := &lib.Shelf{}; s.Lend().Read(); s.Keep() }\n'


def write(repo: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text)


def commit(repo: Path, files: dict[str, str] | None = None) -> None:
    """Write files and commit everything."""
    write(repo, files or {})
    git(repo, "add", "-A")
    git(repo, "commit", "-q", "-m", "change")


def branching_history(repo: Path) -> None:
    """Two languages, three branches: one moves packages, one changes bases and results, one merges both."""
    commit(
        repo,
        {
            "lib/__init__.py": "",
            "lib/shelf.py": SHELF_PY,
            "lib/book.py": BOOK_PY,
            "main.py": MAIN_PY,
            "go.mod": "module x.example/m\n",
        },
    )
    commit(repo, {"lib/shelf.go": SHELF_GO, "lib/book.go": BOOK_GO, "cmd/main.go": MAIN_GO})
    git(repo, "checkout", "-q", "-b", "moves")
    (repo / "store").mkdir()
    git(repo, "mv", "lib/book.py", "lib/__init__.py", "lib/shelf.py", "store")
    git(repo, "mv", "lib/book.go", "lib/pages.go")
    commit(repo, {"main.py": MAIN_PY.replace("lib.", "store.")})
    git(repo, "mv", "store", "shop")
    commit(repo)
    git(repo, "checkout", "-q", "-b", "bases", "main")
    commit(
        repo,
        {
            "lib/shelf.py": SHELF_PY.replace("(Base)", "(Book)"),
            "lib/shelf.go": SHELF_GO.replace("Base; ", "").replace("*Book { return", "Base { return"),
        },
    )
    commit(repo, {"lib/book.py": BOOK_PY.replace("read", "open"), "lib/book.go": BOOK_GO.replace("Read", "Open")})
    git(repo, "checkout", "-q", "-b", "both", "moves")
    git(repo, "merge", "-q", "--no-edit", "bases")
    git(repo, "rm", "-q", "lib/pages.go")
    commit(repo)


def test_an_incremental_index_equals_a_fresh_one_after_every_checkout(
    repo: Path, tmp_path: Path, engines: list[IndexingEngine]
) -> None:
    branching_history(repo)
    engine = begun(repo, tmp_path / "kept", engines)
    for step, commit_ in enumerate(("moves", "bases", "both", "main")):
        git(repo, "checkout", "-q", commit_)
        assert_equals_fresh(engine, repo, tmp_path / f"fresh{step}")
    assert {"lib.shelf.Shelf.lend", "x.example/m/lib.Shelf.Lend"} <= {
        row[7] for row in content(engine.index_path)["refs"]
    }
