"""How many other files an edit has resolved again: none, as long as the edited file shows them what it showed before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.pipeline import refresh

from .conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

# by language: where a type is defined, a file that adds to it, and one that uses both
SPLIT = {
    "go": {
        "go.mod": "module shop\n", "shelf.go": "package shop\n\ntype Shelf struct{ size int }\n",
        "part.go": "package shop\n\nfunc (s Shelf) Lend() int {\n\treturn s.size\n}\n",
        "user.go": "package shop\n\nfunc use(s Shelf) int { return s.Lend() }\n",
    },
    "cpp": {
        "shelf.h": "namespace shop {\nclass Shelf {\n public:\n  int lend();\n};\n}\n",
        "part.cpp": '#include "shelf.h"\nnamespace shop {\nint Shelf::lend() {\n  return 1;\n}\n}\n',
        "user.cpp": '#include "shelf.h"\nint use(shop::Shelf s) { return s.lend(); }\n',
    },
    "rust": {
        "Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": "pub mod part;\npub mod user;\npub struct Shelf { pub size: u32 }\n",
        "src/part.rs": "use crate::Shelf;\nimpl Shelf {\n    pub fn lend(&self) -> u32 {\n        self.size\n    }\n}\n",
        "src/user.rs": "use crate::Shelf;\npub fn using(s: Shelf) -> u32 { s.lend() }\n",
    },
    "csharp": {
        "Shelf.cs": "namespace Shop;\npublic partial class Shelf { int size; }\n",
        "Part.cs": "namespace Shop;\npublic partial class Shelf {\n  public int Lend() {\n    return size;\n  }\n}\n",
        "User.cs": "namespace Shop;\nclass User { int Use(Shelf s) { return s.Lend(); } }\n",
    },
    "swift": {
        "Shelf.swift": "struct Shelf { var size: Int }\n", "Part.swift": "extension Shelf {\n  func lend() -> Int {\n    return size\n  }\n}\n",
        "User.swift": "func use(s: Shelf) -> Int { return s.lend() }\n",
    },
    "ruby": {
        "shelf.rb": "class Shelf\n  def size\n    1\n  end\nend\n", "part.rb": "class Shelf\n  def lend\n    size\n  end\nend\n",
        "user.rb": "def use\n  Shelf.new.lend\nend\n",
    },
    "python": {
        "shelf.py": "class Shelf:\n    size = 1\n", "part.py": "from shelf import Shelf\n\nclass Part(Shelf):\n    def lend(self):\n        return self.size\n",
        "user.py": "from part import Part\n\ndef use(s: Part):\n    return s.lend()\n",
    },
    "typescript": {
        "shelf.ts": "export class Shelf { size = 1; }\n",
        "part.ts": 'import { Shelf } from "./shelf";\nexport class Part extends Shelf {\n  lend() {\n    return this.size;\n  }\n}\n',
        "user.ts": 'import { Part } from "./part";\nexport function use(s: Part) { return s.lend(); }\n',
    },
}  # fmt: skip
EDITS: dict[str, Callable[[str], str]] = {
    "a line at the end": lambda text: text + "\n",
    "lines before everything": lambda text: "\n\n" + text,
    "a line more in a body": lambda text: text.replace("size\n", "size\n\n").replace("return 1;\n", "\n  return 1;\n").replace("size;\n", "size;\n\n"),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("language", SPLIT)
def test_an_edit_that_shows_others_nothing_new_reaches_no_other_file(make_bench: Make, monkeypatch: pytest.MonkeyPatch, language: str, edit: str) -> None:
    bench = make_bench(SPLIT[language])
    (path,) = [path for path in SPLIT[language] if path.rpartition("/")[2].lower().startswith("part.")]
    reached: list[int] = []
    look = refresh.reached
    monkeypatch.setattr(refresh, "reached", lambda *asked: reached.append(len(found := look(*asked))) or found)
    changed = EDITS[edit](SPLIT[language][path])
    assert changed != SPLIT[language][path]
    bench.write(path, changed)
    bench.catch_up()
    assert reached == [1]


# by language: two types with a member of one name and who asks each for it, who asks something unknown, and who gets one of them from somewhere else
NAMESAKES = {
    "python": {
        "shelf.py": "class Shelf:\n    def lend(self):\n        pass\n", "book.py": "class Book:\n    def lend(self):\n        pass\n",
        "of_shelf.py": "from shelf import Shelf\n\ndef use(one: Shelf):\n    one.lend()\n",
        "of_book.py": "from book import Book\n\ndef use(one: Book):\n    one.lend()\n\ndef give():\n    return Book()\n",
        "of_heir.py": "from shelf import Shelf\n\nclass Case(Shelf):\n    def use(self):\n        self.lend()\n",
        "unknown.py": "def use(one):\n    one.lend()\n", "through.py": "from of_book import give\n\ngive().lend()\n",
    },
    "typescript": {
        "shelf.ts": "export class Shelf {\n  lend() {}\n}\n", "book.ts": "export class Book {\n  lend() {}\n}\n",
        "of_shelf.ts": 'import { Shelf } from "./shelf";\nexport function use(one: Shelf) { one.lend(); }\n',
        "of_book.ts": 'import { Book } from "./book";\nexport function use(one: Book) { one.lend(); }\nexport function give() { return new Book(); }\n',
        "of_heir.ts": 'import { Shelf } from "./shelf";\nclass Case extends Shelf {\n  use() { this.lend(); }\n}\n',
        "unknown.ts": "export function use(one: any) { one.lend(); }\n", "through.ts": 'import { give } from "./of_book";\ngive().lend();\n',
    },
    "go": {
        "go.mod": "module shop\n", "shelf.go": "package shop\n\ntype Shelf struct{}\n\nfunc (s Shelf) lend() {}\n",
        "book.go": "package shop\n\ntype Book struct{}\n\nfunc (b Book) lend() {}\n",
        "of_shelf.go": "package shop\n\nfunc useShelf(one Shelf) { one.lend() }\n",
        "of_book.go": "package shop\n\nfunc useBook(one Book) { one.lend() }\n\nfunc give() Book { return Book{} }\n",
        "of_heir.go": "package shop\n\ntype Case struct{ Shelf }\n\nfunc useCase(one Case) { one.lend() }\n",
        "unknown.go": "package shop\n\nfunc use() { elsewhere().lend() }\n", "through.go": "package shop\n\nfunc taken() { give().lend() }\n",
    },
    "java": {
        "shop/Shelf.java": "package shop;\nclass Shelf { void lend() {} }\n", "shop/Book.java": "package shop;\nclass Book { void lend() {} }\n",
        "shop/of_shelf.java": "package shop;\nclass OfShelf { void use(Shelf one) { one.lend(); } }\n",
        "shop/of_book.java": "package shop;\nclass OfBook { void use(Book one) { one.lend(); } static Book give() { return null; } }\n",
        "shop/of_heir.java": "package shop;\nclass Case extends Shelf { void use() { lend(); } }\n",
        "shop/unknown.java": "package shop;\nclass Unknown { void use() { elsewhere().lend(); } }\n",
        "shop/through.java": "package shop;\nclass Through { void use() { OfBook.give().lend(); } }\n",
    },
    "php": {
        "Shelf.php": "<?php\nclass Shelf { function lend() {} }\n", "Book.php": "<?php\nclass Book { function lend() {} }\n",
        "of_shelf.php": "<?php\nfunction use_shelf(Shelf $one) { $one->lend(); }\n",
        "of_book.php": "<?php\nfunction use_book(Book $one) { $one->lend(); }\nfunction give(): Book { return new Book(); }\n",
        "of_heir.php": "<?php\nclass Box extends Shelf { function use() { $this->lend(); } }\n",
        "unknown.php": "<?php\nfunction use_it($one) { $one->lend(); }\n", "through.php": "<?php\ngive()->lend();\n",
    },
    "rust": {
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "pub mod shelf;\npub mod book;\npub mod of_shelf;\npub mod of_book;\npub mod unknown;\npub mod through;\n",
        "src/shelf.rs": "pub struct Shelf;\nimpl Shelf {\n    pub fn lend(&self) {}\n}\n",
        "src/book.rs": "pub struct Book;\nimpl Book {\n    pub fn lend(&self) {}\n}\n",
        "src/of_shelf.rs": "use crate::shelf::Shelf;\npub fn using(one: Shelf) { one.lend(); }\n",
        "src/of_book.rs": "use crate::book::Book;\npub fn using(one: Book) { one.lend(); }\npub fn give() -> Book { Book }\n",
        "src/unknown.rs": "pub fn using() { elsewhere().lend(); }\n", "src/through.rs": "use crate::of_book::give;\npub fn taken() { give().lend(); }\n",
    },
}  # fmt: skip


def stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower()


@pytest.mark.parametrize("language", NAMESAKES)
def test_a_member_that_comes_or_goes_reaches_those_that_ask_its_type_for_it(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str
) -> None:
    bench = make_bench(NAMESAKES[language])
    known = {stem(path) for path in NAMESAKES[language]}
    reached: set[int] = set()
    look = refresh.reached
    monkeypatch.setattr(refresh, "reached", lambda *asked: reached.update(found := look(*asked)) or found)
    for changed, asking in (("shelf", {"shelf", "of_shelf", "of_heir"}), ("book", {"book", "of_book", "through"})):
        (path,) = [path for path in NAMESAKES[language] if stem(path) == changed]
        for number, text in enumerate((NAMESAKES[language][path].replace("lend", "put"), NAMESAKES[language][path])):
            reached.clear()
            bench.write(path, text)
            bench.catch_up()
            files = {stem(path) for file in reached for (path,) in bench.rows("SELECT path FROM files WHERE id = ?", file)}
            assert files == {changed, *asking} & known
            assert bench.is_as_fresh(tmp_path / f"{changed}{number}")


def test_the_last_member_of_a_name_reaches_whoever_asks_anything_for_it(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({"shelf.py": "class Shelf:\n    def lend(self):\n        pass\n", "unknown.py": "def use(one):\n    one.lend()\n"})
    bench.write("shelf.py", "class Shelf:\n    pass\n")
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "without")
    bench.write("shelf.py", "class Shelf:\n    def lend(self):\n        pass\n")
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "with")


def test_a_function_inside_of_a_shell_function_reaches_whoever_calls_it(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({"user.sh": "lend_book x\n"})
    bench.write("shelf.sh", "open_shelf() {\n  lend_book() { :; }\n}\n")
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "fresh")
    assert bench.rows("SELECT s.qualified_name FROM refs r JOIN symbols s ON s.id = r.target WHERE s.name = 'lend_book'") == [("open_shelf.lend_book",)]


def test_a_value_that_rests_on_a_member_takes_those_along_that_ask_it(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({
        "shelf.py": "class Book:\n    def turn(self):\n        pass\n\nclass Shelf:\n    pass\n",
        "other.py": "class Case:\n    def first(self):\n        pass\n    def turn(self):\n        pass\n",
        "first.py": "from shelf import Shelf\n\nchosen = Shelf().first()\n",
        "user.py": "from first import chosen\n\nchosen.turn()\n",
    })  # fmt: skip
    bench.write("shelf.py", "class Book:\n    def turn(self):\n        pass\n\nclass Shelf:\n    def first(self) -> Book: ...\n")
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "fresh")
    assert bench.rows("SELECT s.qualified_name FROM refs r JOIN symbols s ON s.id = r.target WHERE s.name = 'turn'") == [("shelf.Book.turn",)]


DESK = {
    "java": {
        "shop/Item.java": "package shop;\nclass Item { }\n", "shop/Book.java": "package shop;\nclass Book { }\n",
        "shop/Desk.java": "package shop;\nclass Desk { Book first() { return null; } void put(Item one) { } void put(Object one) { } }\n",
        "shop/User.java": "package shop;\nclass User { void use(Desk desk) { desk.put(desk.first()); } }\n",
    },
    "kt": {
        "Item.kt": "package shop\nopen class Item\n", "Book.kt": "package shop\nclass Book\n",
        "Desk.kt": "package shop\nclass Desk {\n  fun first(): Book = Book()\n  fun put(one: Item) {}\n  fun put(one: Any) {}\n}\n",
        "User.kt": "package shop\nfun use(desk: Desk) { desk.put(desk.first()) }\n",
    },
}  # fmt: skip
CHANGES = {
    "java": [
        ("shop/Book.java", "class Book {", "class Book extends Item {"), ("shop/Desk.java", "put(Item one)", "lay(Item one)"),
        ("shop/Desk.java", "Book first", "String first"), ("shop/Desk.java", "String first", "Book first"), ("shop/Desk.java", "lay", "put"),
        ("shop/Item.java", "Item", "Thing"), ("shop/Item.java", "Thing", "Item"),
    ],
    "kt": [
        ("Book.kt", "class Book", "class Book : Item()"), ("Desk.kt", "put(one: Item)", "lay(one: Item)"), ("Desk.kt", "lay", "put"),
        ("Item.kt", "Item", "Thing"), ("Item.kt", "Thing", "Item"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", DESK)
def test_what_tells_overloads_apart_takes_the_calls_along_that_rest_on_it(make_bench: Make, tmp_path: Path, language: str) -> None:
    bench = make_bench(DESK[language])
    for number, (path, old, new) in enumerate(CHANGES[language]):  # the file of the call mentions neither the argument's type nor the parameters'
        bench.write(path, (bench.root / path).read_text().replace(old, new))
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"fresh{number}")
    assert bench.rows("SELECT signature FROM refs r JOIN symbols s ON s.id = r.target WHERE s.name = 'put'") in ([("(Item one)",)], [("(one: Item)",)])
