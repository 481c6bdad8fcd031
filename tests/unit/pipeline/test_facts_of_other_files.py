"""What a callee, a variant, a function with several results or a reopened class says in another file reaches those who
never mention what it says.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.stale import Judge
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

# by what says it: files, and the change of one of them, (path, before, after)
CASES = {
    "a closure's parameter in Swift": (
        {
            "Types.swift": "class Shelf { func lend() {} }\nclass Book { func lend() {} }\n",
            "Callee.swift": "func prep(_ body: (Shelf) -> Void) {}\n",
            "User.swift": "func use() { prep { $0.lend() } }\n",
        },
        ("Callee.swift", "(Shelf)", "(Book)"),
    ),
    "a lambda's parameter in Kotlin": (
        {
            "Types.kt": "package shop\nclass Shelf { fun lend() {} }\nclass Book { fun lend() {} }\n",
            "Callee.kt": "package shop\nfun prep(block: (Shelf) -> Unit) {}\n",
            "User.kt": "package shop\nfun use() { prep { it.lend() } }\n",
        },
        ("Callee.kt", "(Shelf)", "(Book)"),
    ),
    "a type that a closure's parameter begins to mean in Scala": (
        {
            "Types.scala": "package shop\nclass Book { def lend(): Unit = () }\n",
            "Callee.scala": "package shop\nobject Helper { def prep(f: Shelf => Unit): Unit = () }\n",
            "User.scala": "package shop\nclass User { def use() = Helper.prep { s => s.lend() } }\n",
        },
        ("Types.scala", "class Book", "class Shelf"),
    ),
    "how one of two classes of a name is made in Kotlin": (
        {
            "one/Few.kt": "package shop\nclass Few(val count: Int)\n",
            "two/Few.kt": "package shop\nclass Few\n",
            "User.kt": "package shop\nfun use() { Few() }\n",
        },
        ("two/Few.kt", "class Few", "class Few()"),
    ),
    "what a package hands on to a function that imports it in Python": (
        {
            "shop/__init__.py": "from .shelf import Shelf\n",
            "shop/shelf.py": "class Shelf:\n    def lend(self): ...\n",
            "user.py": "def use():\n    from shop import Shelf as Local\n    Local().lend()\n",
        },
        ("shop/__init__.py", "from .shelf import Shelf\n", ""),
    ),
    "what all of a module is in Lua": (
        {
            "shelf.lua": "local M = {}\nfunction M.lend() end\nreturn M\n",
            "again.lua": 'return require("shelf")\n',
            "main.lua": 'local mine = require("again")\nmine.lend()\n',
        },
        ("again.lua", 'return require("shelf")', "local x = 1"),
    ),
    "what all of a module is in JavaScript": (
        {
            "users.js": "const router = require('express').Router();\nmodule.exports = router;\n",
            "app.js": "const users = require('./users');\nusers.get('/');\n",
        },
        ("users.js", "const router", "router"),
    ),
    "a part of a variant in Rust": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "pub mod types;\npub mod choice;\npub mod user;\n",
            "src/types.rs": (
                "pub struct Shelf;\nimpl Shelf { pub fn lend(&self) {} }\npub struct Book;\n"
                "impl Book { pub fn lend(&self) {} }\n"
            ),
            "src/choice.rs": "use crate::types::{Book, Shelf};\npub enum Choice { One(Shelf), Two(Book) }\n",
            "src/user.rs": (
                "use crate::choice::Choice;\n"
                "pub fn using(c: Choice) { match c { Choice::One(x) => x.lend(), _ => {} } }\n"
            ),
        },
        ("src/choice.rs", "One(Shelf)", "One(Book)"),
    ),
    "a type that a part of a variant begins to mean in Rust": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "pub mod types;\npub mod choice;\npub mod user;\n",
            "src/types.rs": (
                "pub struct Other;\nimpl Other { pub fn lend(&self) {} }\npub struct Book;\n"
                "impl Book { pub fn lend(&self) {} }\n"
            ),
            "src/choice.rs": "use crate::types::Shelf;\npub enum Choice { One(Shelf), Two }\n",
            "src/user.rs": (
                "use crate::choice::Choice;\n"
                "pub fn using(c: Choice) { match c { Choice::One(x) => x.lend(), _ => {} } }\n"
            ),
        },
        ("src/types.rs", "Other", "Shelf"),
    ),
    "the second result in Go": (
        {
            "go.mod": "module shop\n",
            "types.go": (
                "package shop\n\ntype Shelf struct{}\ntype Book struct{}\n\nfunc (s *Shelf) Lend() {}\n"
                "func (b *Book) Lend() {}\n"
            ),
            "callee.go": "package shop\n\nfunc Both() (int, *Shelf) { return 0, nil }\n",
            "user.go": "package shop\n\nfunc use() {\n\t_, one := Both()\n\tone.Lend()\n}\n",
        },
        ("callee.go", "*Shelf", "*Book"),
    ),
    "a reopened class of a module from elsewhere in Ruby": (
        {
            "helper.rb": "class Minitest::Spec\n  def shelve\n  end\nend\n",
            "user.rb": "class ShelfTest < Minitest::Test\n  def test_it\n    shelve\n  end\nend\n",
        },
        ("helper.rb", "Spec", "Test"),
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_what_is_said_elsewhere_is_followed(make_bench: Make, tmp_path: Path, what: str) -> None:
    files, (path, before, after) = CASES[what]
    assert make_bench(files).follows(path, before, after, tmp_path)


def test_what_a_type_inherits_is_kept_beside_one_of_its_files_alone(make_bench: Make) -> None:
    bench = make_bench(
        {
            "b/Shelf.cs": "partial class Shelf : Base {}\nclass Base { public void Lend() {} }\n",
            "User.cs": "class User { void Go(Shelf s) { s.Lend(); } }\n",
        }
    )
    judge = Judge(bench.engine.index_path, bench.place / "blobs.db")
    for text in ("partial class Shelf {}\n", "partial class Sh", "partial class Shelf { int at; }\n"):
        bench.write("a/Shelf.cs", text)
        bench.catch_up()
        assert [*judge.stale()] == [], text
