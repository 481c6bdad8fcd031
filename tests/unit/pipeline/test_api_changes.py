"""How many other files an edit has resolved again: none, as long as the edited file shows them what
it showed before.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.pipeline.batch import batch_writer
from tests.harness.namesakes import NAMESAKES
from tests.harness.stale import Judge
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

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
        "Cargo.toml": '[package]\nname = "shop"\n',
        "src/lib.rs": "pub mod part;\npub mod user;\npub struct Shelf { pub size: u32 }\n",
        "src/part.rs": (
            "use crate::Shelf;\nimpl Shelf {\n"
            "    pub fn lend(&self) -> u32 {\n        self.size\n    }\n}\n"
        ),
        "src/user.rs": "use crate::Shelf;\npub fn using(s: Shelf) -> u32 { s.lend() }\n",
    },
    "csharp": {
        "Shelf.cs": "namespace Shop;\npublic partial class Shelf { int size; }\n",
        "Part.cs": "namespace Shop;\npublic partial class Shelf {\n  public int Lend() {\n    return size;\n  }\n}\n",
        "User.cs": "namespace Shop;\nclass User { int Use(Shelf s) { return s.Lend(); } }\n",
    },
    "swift": {
        "Shelf.swift": "struct Shelf { var size: Int }\n",
        "Part.swift": "extension Shelf {\n  func lend() -> Int {\n    return size\n  }\n}\n",
        "User.swift": "func use(s: Shelf) -> Int { return s.lend() }\n",
    },
    "ruby": {
        "shelf.rb": "class Shelf\n  def size\n    1\n  end\nend\n",
        "part.rb": "class Shelf\n  def lend\n    size\n  end\nend\n", "user.rb": "def use\n  Shelf.new.lend\nend\n",
    },
    "python": {
        "shelf.py": "class Shelf:\n    size = 1\n",
        "part.py": "from shelf import Shelf\n\nclass Part(Shelf):\n    def lend(self):\n        return self.size\n",
        "user.py": "from part import Part\n\ndef use(s: Part):\n    return s.lend()\n",
    },
    "typescript": {
        "shelf.ts": "export class Shelf { size = 1; }\n",
        "part.ts": (
            'import { Shelf } from "./shelf";\nexport class Part extends Shelf {\n  lend() {\n    return this.size;\n'
            '  }\n}\n'
        ),
        "user.ts": 'import { Part } from "./part";\nexport function use(s: Part) { return s.lend(); }\n',
    },
}  # fmt: skip
EDITS: dict[str, Callable[[str], str]] = {
    "a line at the end": lambda text: text + "\n",
    "lines before everything": lambda text: "\n\n" + text,
    "a line more in a body": lambda text: (
        text.replace("size\n", "size\n\n").replace("return 1;\n", "\n  return 1;\n").replace("size;\n", "size;\n\n")
    ),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("language", SPLIT)
def test_an_edit_that_shows_others_nothing_new_reaches_no_other_file(
    make_bench: Make, monkeypatch: pytest.MonkeyPatch, language: str, edit: str
) -> None:
    bench = make_bench(SPLIT[language])
    (path,) = [path for path in SPLIT[language] if path.rpartition("/")[2].lower().startswith("part.")]
    reached: list[int] = []
    look = batch_writer.affected_files
    monkeypatch.setattr(
        batch_writer,
        "affected_files",
        lambda *arguments: reached.append(len(files_found := look(*arguments))) or files_found,
    )
    changed = EDITS[edit](SPLIT[language][path])
    assert changed != SPLIT[language][path]
    bench.write(path, changed)
    bench.catch_up()
    assert reached == [1]


def stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0].lower()


@pytest.fixture
def reached(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The ids of the files that were found to be resolved again, gathered until a test clears them."""
    files: set[int] = set()
    look = batch_writer.affected_files
    monkeypatch.setattr(
        batch_writer, "affected_files", lambda *arguments: files.update(files_found := look(*arguments)) or files_found
    )
    return files


@pytest.mark.parametrize("language", NAMESAKES)
def test_a_member_that_comes_or_goes_reaches_those_that_ask_its_type_for_it(
    make_bench: Make, reached: set[int], tmp_path: Path, language: str
) -> None:
    bench = make_bench(NAMESAKES[language])
    known = {stem(path) for path in NAMESAKES[language]}
    for changed, asking in (
        ("shelf", {"shelf", "of_shelf", "of_heir", "handed", "typed"}),
        ("book", {"book", "of_book", "through"}),
    ):
        (path,) = [path for path in NAMESAKES[language] if stem(path) == changed]
        for number, text in enumerate((NAMESAKES[language][path].replace("lend", "put"), NAMESAKES[language][path])):
            reached.clear()
            bench.write(path, text)
            bench.catch_up()
            files = {stem(path) for path in {bench.stored.path_of(file) for file in reached} - {""}}
            assert files == {changed, *asking} & known
            assert bench.is_as_fresh(tmp_path / f"{changed}{number}")


def test_the_last_member_of_a_name_reaches_whoever_asks_anything_for_it(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench(
        {
            "shelf.py": "class Shelf:\n    def lend(self):\n        pass\n",
            "unknown.py": "def use(one):\n    one.lend()\n",
        }
    )
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
    assert bench.stored.targets("lend_book") == ["open_shelf.lend_book"]


def test_a_value_that_rests_on_a_member_takes_those_along_that_ask_it(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({
        "shelf.py": "class Book:\n    def turn(self):\n        pass\n\nclass Shelf:\n    pass\n",
        "other.py": "class Case:\n    def first(self):\n        pass\n    def turn(self):\n        pass\n",
        "first.py": "from shelf import Shelf\n\nchosen = Shelf().first()\n",
        "user.py": "from first import chosen\n\nchosen.turn()\n",
    })  # fmt: skip
    bench.write(
        "shelf.py", "class Book:\n    def turn(self):\n        pass\n\nclass Shelf:\n    def first(self) -> Book: ...\n"
    )
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "fresh")
    assert bench.stored.targets("turn") == ["shelf.Book.turn"]


FIXTURE = "import pytest\nfrom shop import Book, Box\n\n@pytest.fixture\ndef shelf():\n    return {}()\n"


def test_a_fixture_that_comes_goes_or_gives_something_else_takes_the_tests_along_that_ask_for_it(
    make_bench: Make, tmp_path: Path
) -> None:
    bench = make_bench({
        "shop.py": "class Book:\n    def read(self):\n        pass\n\nclass Box:\n    def read(self):\n        pass\n",
        "conftest.py": FIXTURE.format("Book"),
        "tests/conftest.py": "import pytest\n\n@pytest.fixture\ndef first(shelf):\n    return shelf\n",
        "tests/test_shelf.py": "def test_it(first, shelf):\n    first.read()\n    shelf.read()\n",
    })  # fmt: skip
    steps = (
        ("conftest.py", FIXTURE.format("Box"), ["shop.Box.read"]), ("conftest.py", "", []),
        ("conftest.py", FIXTURE.format("Book"), ["shop.Book.read"]),
        ("tests/deep/conftest.py", FIXTURE.format("Box"), ["shop.Book.read"]),
        ("tests/conftest.py", FIXTURE.format("Box"), ["shop.Box.read"]),
    )  # fmt: skip
    for number, (path, text, expected) in enumerate(steps):
        bench.write(path, text)
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"fresh{number}")
        assert [*dict.fromkeys(bench.stored.targets("read"))] == expected


def test_a_call_signature_takes_those_along_that_hand_a_function_to_it(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({
        "book.ts": "export class Book { turn() {} }\nexport class Box { turn() {} }\n",
        "visit.ts": "import { Book, Box } from './book';\nexport type Visit = (one: Book) => void;\n",
        "visitor.ts": (
            "import { Visit } from './visit';\n"
            "export interface Visitor { <V extends Visit>(at: number, ...visits: V[]): void }\n"
        ),
        "shelf.ts": "import { Visitor } from './visitor';\nexport class Shelf { each!: Visitor }\n",
        "made.ts": "import { Shelf } from './shelf';\nexport const shelf = new Shelf();\n",
        "user.ts": "import { shelf } from './made';\nshelf.each(1, one => one.turn());\n",
    })  # fmt: skip
    of_book, of_box, plain = ["book.Book.turn"], ["book.Box.turn"], "(at: number, one: () => void) => void"
    steps = (
        ("visit.ts", "one: Book", "one: Box", of_box), ("visit.ts", "one: Box", "at: number, one: Box", []),
        ("visit.ts", "at: number, one: Box", "one: Book", of_book),
        ("visitor.ts", "...visits", "between: number, ...visits", []), ("visitor.ts", "between: number, ", "", of_book),
        ("visitor.ts", "extends Visit", "", []), ("visitor.ts", "<V ", "<V extends Visit", of_book),
        ("visitor.ts", "export interface", "interface", []), ("visitor.ts", "interface", "export interface", of_book),
        ("book.ts", "class Book", "class Other", []), ("book.ts", "class Other", "class Book", of_book),
        ("shelf.ts", "each!: Visitor", f"each!: {plain}", []), ("shelf.ts", plain, "Visitor", of_book),
    )  # fmt: skip
    for number, (path, old, new, expected) in enumerate(steps):
        bench.write(path, (bench.root / path).read_text().replace(old, new, 1))
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"fresh{number}")
        assert [*dict.fromkeys(bench.stored.targets("turn"))] == expected, (path, new)


def test_what_a_value_that_can_be_called_gives_takes_those_along_that_ask_it(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({
        "book.ts": "export class Book { turn() {} }\nexport class Box { turn() {} }\n",
        "maker.ts": "import { Book, Box } from './book';\nexport interface Maker { (name: string): Book }\n",
        "make.ts": "import { Maker } from './maker';\nexport const make: Maker = null!;\n",
        "user.ts": "import { make } from './make';\nmake('').turn();\n",
    })  # fmt: skip
    for number, (old, new) in enumerate(((": Book", ": Box"), (": Box", ": any"), (": any", ": Book"))):
        bench.write("maker.ts", (bench.root / "maker.ts").read_text().replace(old, new))
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"fresh{number}")
    assert bench.stored.targets("turn") == ["book.Book.turn"]


def test_the_type_of_a_member_takes_the_objects_along_that_have_a_function_there(
    make_bench: Make, tmp_path: Path
) -> None:
    bench = make_bench({
        "book.ts": "export class Book { turn() {} }\nexport class Box { turn() {} }\n",
        "options.ts": "import { Book, Box } from './book';\n"
        "export interface Visits { visit: (one: Book) => void }\nexport interface Options { inner: Visits }\n",
        "open.ts": "import { Options } from './options';\nexport function open(options: Options) {}\n",
        "user.ts": "import { open } from './open';\nopen({ inner: { visit: one => one.turn() } });\n",
        "typed.ts": (
            "import { Options } from './options';\n"
            "export const options: () => Options = () => ({ inner: { visit(one) { one.turn(); } } });\n"
        ),
    })  # fmt: skip
    steps = (
        ("visit: (one: Book)", "visit: (one: Box)", ["book.Box.turn"]), ("visit:", "other:", []),
        ("other:", "visit:", ["book.Box.turn"]), ("inner: Visits", "inner: Options", []),
        ("inner: Options", "inner: Visits", ["book.Box.turn"]),
        ("visit: (one: Box) => void", "visit(one: Book): void", ["book.Book.turn"]),
    )  # fmt: skip
    for number, (old, new, expected) in enumerate(steps):
        bench.write("options.ts", (bench.root / "options.ts").read_text().replace(old, new, 1))
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"fresh{number}")
        assert bench.stored.targets("turn") == expected * 2, new


DESK = {
    "java": {
        "shop/Item.java": "package shop;\nclass Item { }\n", "shop/Book.java": "package shop;\nclass Book { }\n",
        "shop/Desk.java": (
            "package shop;\n"
            "class Desk { Book first() { return null; } void put(Item one) { } void put(Object one) { } }\n"
        ),
        "shop/User.java": "package shop;\nclass User { void use(Desk desk) { desk.put(desk.first()); } }\n",
    },
    "kt": {
        "Item.kt": "package shop\nopen class Item\n", "Book.kt": "package shop\nclass Book\n",
        "Desk.kt": (
            "package shop\nclass Desk {\n  fun first(): Book = Book()\n  fun put(one: Item) {}\n"
            "  fun put(one: Any) {}\n}\n"
        ),
        "User.kt": "package shop\nfun use(desk: Desk) { desk.put(desk.first()) }\n",
    },
}  # fmt: skip
CHANGES = {
    "java": [
        ("shop/Book.java", "class Book {", "class Book extends Item {"),
        ("shop/Desk.java", "put(Item one)", "lay(Item one)"), ("shop/Desk.java", "Book first", "String first"),
        ("shop/Desk.java", "String first", "Book first"), ("shop/Desk.java", "lay", "put"),
        ("shop/Item.java", "Item", "Thing"), ("shop/Item.java", "Thing", "Item"),
    ],
    "kt": [
        ("Book.kt", "class Book", "class Book : Item()"), ("Desk.kt", "put(one: Item)", "lay(one: Item)"),
        ("Desk.kt", "lay", "put"), ("Item.kt", "Item", "Thing"), ("Item.kt", "Thing", "Item"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("language", DESK)
def test_what_tells_overloads_apart_takes_the_calls_along_that_rest_on_it(
    make_bench: Make, tmp_path: Path, language: str
) -> None:
    bench = make_bench(DESK[language])
    # the file of the call mentions neither the argument's type nor the parameters'
    for number, (path, old, new) in enumerate(CHANGES[language]):
        bench.write(path, (bench.root / path).read_text().replace(old, new))
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"fresh{number}")
    (target,) = [reference.target_id for reference in bench.stored.references() if reference.target_name == "put"]
    (signature,) = [symbol.signature for symbol in bench.stored.symbols() if symbol.id == target]
    assert signature in ("(Item one)", "(one: Item)")


COMPANION = {
    "Shelf.kt": "package shop\nclass Shelf { companion object { fun lend() {} } }\n",
    "Book.kt": "package shop\nclass Book { fun lend() {} }\n",
    "of_shelf.kt": "package shop\nfun useShelf() { Shelf.lend() }\n",
    "of_book.kt": "package shop\nfun useBook(one: Book) { one.lend() }\n",
}  # fmt: skip
# what is found in another way than by asking the type that holds it: all files, the one that has a member first with
# and then without it, and who is reached
BESIDE = {
    "an extension of C#": (
        {
            "Shelf.cs": "namespace Shop;\nclass Shelf {}\nclass Book { public void Lend() {} }\n",
            "Lending.cs": "namespace Shop;\nstatic class Lending { public static void Lend(this Shelf one) {} }\n",
            "of_shelf.cs": "namespace Shop;\nclass OfShelf { void Use(Shelf one) { one.Lend(); } }\n",
            "of_book.cs": "namespace Shop;\nclass OfBook { void Use(Book one) { one.Lend(); } }\n",
        },
        "Lending.cs", ("this Shelf one", "Shelf one"), {"Lending.cs", "of_shelf.cs"},
    ),
    "an extension of Kotlin in an object": (
        {
            "Shelf.kt": "package shop\nclass Shelf\nclass Book { fun lend() {} }\n",
            "Lending.kt": "package shop\nobject Lending { fun Shelf.lend() {} }\n",
            "of_shelf.kt": "package shop\nimport shop.Lending.*\nfun useShelf(one: Shelf) { one.lend() }\n",
            "of_book.kt": "package shop\nfun useBook(one: Book) { one.lend() }\n",
        },
        "Lending.kt", ("fun Shelf.lend() {}", ""), {"Lending.kt", "of_shelf.kt"},
    ),
    "a companion's member": (
        COMPANION,
        "Shelf.kt", ("fun lend() {}", ""), {"Shelf.kt", "of_shelf.kt"},
    ),
    "a companion": (
        COMPANION,
        "Shelf.kt", ("companion object { fun lend() {} }", ""), {"Shelf.kt", "of_shelf.kt"},
    ),
    "a member of C++ that goes with its class": (
        {
            "shelf.hpp": "#pragma once\nclass Shelf {\n public:\n  void lend();\n};\n",
            "book.hpp": "#pragma once\nclass Book {\n public:\n  void lend();\n};\n",
            "of_book.cpp": '#include "book.hpp"\nvoid useBook(Book one) { one.lend(); }\n',
        },
        "shelf.hpp", ("class Shelf {\n public:\n  void lend();\n};\n", ""), {"shelf.hpp"},
    ),
    "a member that an example in a document names": (
        {
            "Shelf.kt": "package shop\nclass Shelf { fun lend() {} }\n",
            "Book.kt": "package shop\nclass Book { fun lend() {} }\n",
            "README.md": "# Shop\n\n```kotlin\nclass Case { fun lend() {} }\nval opened = Case().lend()\n```\n",
            "of_shelf.kt": "package shop\nfun useShelf(one: Shelf) { one.lend() }\n",
        },
        "Shelf.kt", ("fun lend() {}", ""), {"Shelf.kt", "of_shelf.kt"},
    ),
    "what Scala imports relative to its package": (
        {
            "Shelf.scala": "package shop\nobject Shelf { def lend() = {} }\n",
            "Book.scala": "package shop\nclass Book { def lend() = {} }\n",
            "of_shelf.scala": "package shop\nimport Shelf.lend\nclass OfShelf { def use() = { lend() } }\n",
            "of_book.scala": "package shop\nclass OfBook { def use(one: Book) = { one.lend() } }\n",
        },
        "Shelf.scala", ("def lend() = {}", ""), {"Shelf.scala", "of_shelf.scala"},
    ),
    "a member of an extension of a type from elsewhere": (
        {
            "Named.swift": "extension Named {\n  func lend() {}\n}\n", "Shelf.swift": "class Shelf: Named {}\n",
            "Book.swift": "class Book { func lend() {} }\n",
            "of_shelf.swift": "func useShelf(one: Shelf) { one.lend() }\n",
            "of_book.swift": "func useBook(one: Book) { one.lend() }\n",
        },
        "Named.swift", ("func lend() {}", ""), {"Named.swift", "of_shelf.swift"},
    ),
    "a constant of the types around": (
        {
            "shop.rb": "module Shop\n  FIRST = 1\nend\n", "book.rb": "class Book\n  FIRST = 2\nend\n",
            "shelf.rb": "module Shop\n  class Shelf\n    def first\n      FIRST\n    end\n  end\nend\n",
            "of_book.rb": "def use_book\n  Book.new\nend\n",
        },
        "shop.rb", ("FIRST = 1", ""), {"shop.rb", "shelf.rb"},
    ),
    "what a type of Ruby extends itself with": (
        {
            "lending.rb": "module Lending\n  def lend\n  end\nend\n", "book.rb": "class Book\n  def lend\n  end\nend\n",
            "shelf.rb": "class Shelf\n  extend Lending\nend\n", "of_shelf.rb": "def use_shelf\n  Shelf.lend\nend\n",
            "of_book.rb": "def use_book\n  Book.new.lend\nend\n",
        },
        "lending.rb", ("  def lend\n  end\n", ""), {"lending.rb", "of_shelf.rb"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", BESIDE)
def test_what_is_found_beside_its_type_reaches_those_that_would_find_it(
    make_bench: Make, reached: set[int], tmp_path: Path, what: str
) -> None:
    files, path, (present, absent), expected = BESIDE[what]
    assert present in files[path]
    bench = make_bench(files)
    for number, text in enumerate((files[path].replace(present, absent), files[path])):
        reached.clear()
        bench.write(path, text)
        bench.catch_up()
        assert {bench.stored.path_of(file) for file in reached} - {""} == expected
        assert bench.is_as_fresh(tmp_path / str(number))


def test_a_namespace_reaches_those_that_say_its_last_name(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench({
        "Shelf.cs": "namespace Shop;\nclass Shelf { void Use() { Lending.Desk.Open(); } }\n",
        "Desk.cs": "namespace Shop.Other;\nclass Desk { public static void Open() {} }\n",
    })  # fmt: skip
    for name in ("Lending", "Other"):
        bench.write("Desk.cs", f"namespace Shop.{name};\nclass Desk {{ public static void Open() {{}} }}\n")
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / name)


def test_a_definition_whose_declaration_is_gone_is_resolved_again(make_bench: Make, tmp_path: Path) -> None:
    header = "class Shelf {\n public:\n  int lend(int count);\n  int size;\n};\n"
    bench = make_bench(
        {"shelf.hpp": header, "shelf.cpp": '#include "shelf.hpp"\nint Shelf::lend(int count) { return size; }\n'}
    )
    for number, text in enumerate((header.replace("int count", "long count"), header)):
        bench.write("shelf.hpp", text)
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / str(number))


# by what hands it on: files of which one hands something on by another name, and the line with the definition
RENAMED = {
    "an export of TypeScript from elsewhere": (
        {
            "shelf.ts": "export const SHELF = 1;\nexport const BOOK = 2;\n",
            "shop.ts": 'export { SHELF as first } from "./shelf";\n',
            "user.ts": 'import { first } from "./shop";\nconsole.log(first);\n',
        },
        "shelf.ts", "export const SHELF = 1;\n",
    ),
    "an import of TypeScript that is exported": (
        {
            "shelf.ts": "export class Shelf {}\nexport class Book {}\n",
            "shop.ts": 'import { Shelf } from "./shelf";\nexport { Shelf as Case };\n',
            "user.ts": 'import { Case } from "./shop";\nnew Case();\n',
        },
        "shelf.ts", "export class Shelf {}\n",
    ),
    "a default of TypeScript": (
        {
            "shelf.ts": "export class Shelf {}\nexport class Book {}\n",
            "shop.ts": 'import { Shelf } from "./shelf";\nexport default Shelf;\n',
            "user.ts": 'import Case from "./shop";\nnew Case();\n',
        },
        "shelf.ts", "export class Shelf {}\n",
    ),
    "an import of Python": (
        {
            "shop/shelf.py": "class Shelf:\n    pass\n\nclass Book:\n    pass\n",
            "shop/__init__.py": "from .shelf import Shelf as Case\n", "user.py": "import shop\n\nshop.Case()\n",
            "heir.py": "from shop import Case\n\nclass Heir(Case):\n    pass\n",
            "through.py": "from heir import Heir\n\nHeir().lend()\n",
        },
        "shop/shelf.py", "class Shelf:\n    pass\n",
    ),
    "an import of Python under two names": (
        {
            "shelf.py": (
                "class Shelf:\n    def lend(self):\n        pass\n\nclass Book:\n"
                "    def lend(self):\n        pass\n"
            ),
            "shop.py": "from shelf import Shelf as Case\n", "desk.py": "from shop import Case as Box\n",
            "user.py": "from desk import Box\n\nBox().lend()\n",
        },
        "shelf.py", "class Shelf:\n    def lend(self):\n        pass\n",
    ),
    "a use of Rust": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n',
            "src/lib.rs": "pub mod shelf;\npub mod user;\npub use shelf::Shelf as Case;\n",
            "src/shelf.rs": "pub struct Shelf;\npub struct Book;\n",
            "src/user.rs": "use crate::Case;\npub fn using(one: Case) {}\n",
        },
        "src/shelf.rs", "pub struct Shelf;\n",
    ),
    "a using of C# for a whole project": (
        {
            "Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
            "Shelf.cs": "namespace Shop;\nclass Shelf {}\nclass Book {}\n",
            "Usings.cs": "global using Case = Shop.Shelf;\n", "User.cs": "class User { void Use(Case one) {} }\n",
        },
        "Shelf.cs", "class Shelf {}\n",
    ),
    "a value whose type goes by another name": (
        {
            "shop/Shelf.kt": "package shop\nclass Shelf { fun lend() {} }\nclass Book { fun lend() {} }\n",
            "desk/Desk.kt": "package desk\nimport shop.Shelf as Case\nfun give(): Case = TODO()\n",
            "desk/User.kt": "package desk\nfun use() { give().lend() }\n",
        },
        "shop/Shelf.kt", "class Shelf { fun lend() {} }\n",
    ),
    "a forward of Sass": (
        {
            "_shelf.scss": "$width: 1;\n$height: 2;\n", "_shop.scss": '@forward "shelf" as case-*;\n',
            "user.scss": '@use "shop";\na { width: shop.$case-width; }\n',
        },
        "_shelf.scss", "$width: 1;\n",
    ),
    "a table of Lua": (
        {
            "shelf.lua": "local M = {}\nfunction M.lend() end\nfunction M.take() end\nreturn M\n",
            "shop.lua": 'local shelf = require("shelf")\nreturn { give = shelf.lend }\n',
            "user.lua": 'local shop = require("shop")\nshop.give()\n',
        },
        "shelf.lua", "function M.lend() end\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", RENAMED)
def test_what_is_handed_on_by_another_name_reaches_those_that_say_only_that(
    make_bench: Make, tmp_path: Path, what: str
) -> None:
    files, path, definition = RENAMED[what]
    assert make_bench(files).follows(path, definition, "", tmp_path)


def test_an_import_that_is_exported_by_another_name_reaches_those_that_take_it_by_that(
    make_bench: Make, tmp_path: Path
) -> None:
    shop = 'import { Shelf } from "./shelf";\nexport { Shelf as Case };\n'
    user = 'import { Case } from "./shop";\nnew Case();\n'
    bench = make_bench({"shelf.ts": "export class Shelf {}\nexport class Book {}\n", "shop.ts": shop, "user.ts": user})
    for number, text in enumerate((shop.replace("{ Shelf }", "{ Book as Shelf }"), shop)):
        bench.write("shop.ts", text)
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / str(number))


PARTS = {
    "Shelf.cs": "namespace Shop;\nclass Shelf { public void Lend() {} }\nclass Book { public void Lend() {} }\n",
    "Box1.cs": "namespace Shop;\npartial class Box {}\n", "Box2.cs": "namespace Shop;\npartial class Box : Shelf {}\n",
    "User.cs": "namespace Shop;\nclass User { void Use(Box one) { one.Lend(); } }\n",
}  # fmt: skip


def test_a_base_that_another_part_of_a_type_says_takes_those_along_that_ask_the_type(
    make_bench: Make, tmp_path: Path
) -> None:
    bench = make_bench(PARTS)
    for number, name in enumerate(("Case", "Shelf")):
        bench.write("Shelf.cs", PARTS["Shelf.cs"].replace("class Shelf", f"class {name}"))
        bench.catch_up()
        assert bench.is_as_fresh(tmp_path / f"named{number}")
        assert [*Judge(bench.engine.index_path, bench.place / "blobs.db").stale()] == []


def test_what_a_type_inherits_is_known_when_its_first_part_is_another(make_bench: Make, tmp_path: Path) -> None:
    bench = make_bench(PARTS)
    (bench.root / "Box1.cs").unlink()
    bench.catch_up()
    assert [*Judge(bench.engine.index_path, bench.place / "blobs.db").stale()] == []
    bench.write("Shelf.cs", PARTS["Shelf.cs"].replace("public void Lend() {}", "", 1))
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "without")


# by language: a type of which another part stays when the definition goes, and who says its name
DEFINED = {
    "swift": (
        {"Shelf.swift": "class Shelf {}\nextension Shelf { func lend() {} }\n",
         "User.swift": "func use(one: Shelf) { one.lend() }\n"},
        "Shelf.swift", "class Shelf {}\n",
    ),
    "swift, in two files": (
        {
            "Shelf.swift": "class Shelf {}\nclass Book {}\n", "Lending.swift": "extension Shelf { func lend() {} }\n",
            "User.swift": "func use(one: Shelf) { one.lend() }\n",
        },
        "Shelf.swift", "class Shelf {}\n",
    ),
    "rust": (
        {
            "Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": "pub mod shelf;\npub mod user;\n",
            "src/shelf.rs": "pub struct Shelf;\nimpl Shelf {\n    pub fn lend(&self) {}\n}\n",
            "src/user.rs": "use crate::shelf::Shelf;\npub fn using(one: Shelf) { one.lend() }\n",
        },
        "src/shelf.rs", "pub struct Shelf;\n",
    ),
    "go": (
        {
            "go.mod": "module shop\n", "shelf.go": "package shop\n\ntype Shelf struct{}\n\nfunc (s Shelf) lend() {}\n",
            "user.go": "package shop\n\nfunc use(one Shelf) { one.lend() }\n",
        },
        "shelf.go", "type Shelf struct{}\n",
    ),
    "cpp": (
        {
            "shelf.hpp": "#pragma once\nclass Shelf {\n public:\n  void lend();\n};\nclass Shelf;\n",
            "user.cpp": '#include "shelf.hpp"\nvoid use(Shelf one) { one.lend(); }\n',
        },
        "shelf.hpp", "class Shelf {\n public:\n  void lend();\n};\n",
    ),
    "ruby": (
        {
            "shelf.rb": "class Shelf\n  def lend\n  end\nend\n",
            "more.rb": "module Shelf\n  def self.open\n  end\nend\n", "user.rb": "def use\n  Shelf.new.lend\nend\n",
        },
        "shelf.rb", "class Shelf\n  def lend\n  end\nend\n",
    ),
    "csharp": (
        {
            "Shelf.cs": "namespace Shop;\npublic partial interface Shelf { void Lend(); }\nclass Book {}\n",
            "More.cs": "namespace Shop;\npartial class Shelf {}\n",
            "User.cs": "namespace Shop;\nclass User { void Use(Shelf one) { one.Lend(); } }\n",
        },
        "Shelf.cs", "public partial interface Shelf { void Lend(); }\n",
    ),
}  # fmt: skip

# by language: a module of several files with one that imports it, and a file of the module that comes before its others
FIRSTS = {
    "swift": (
        {
            "Package.swift": (
                'let package = Package(name: "Shop", targets: [.target(name: "Shop"), .testTarget(name: "ShopTests", '
                'dependencies: ["Shop"])])\n'
            ),
            "Sources/Shop/Shelf.swift": "public struct Shelf {}\n",
            "Tests/ShopTests/ShelfTests.swift": "import Shop\nfunc use(one: Shelf) {}\n",
        },
        "Sources/Shop/Book.swift", "public struct Book {}\n",
    ),
    "go": (
        {
            "go.mod": "module shop\n", "shelf/shelf.go": "package shelf\n\ntype Shelf struct{}\n",
            "user.go": 'package shop\n\nimport "shop/shelf"\n\nfunc use(one shelf.Shelf) {}\n',
        },
        "shelf/book.go", "package shelf\n\ntype Book struct{}\n",
    ),
    "hcl": (
        {"main.tf": 'module "shelf" {\n  source = "./shelf"\n  size = 1\n}\n',
         "shelf/shelf.tf": 'variable "size" {}\n'},
        "shelf/book.tf", 'variable "book" {}\n',
    ),
    "hcl, its main file": (
        {"main.tf": 'module "shelf" {\n  source = "./shelf"\n}\n', "shelf/book.tf": 'variable "book" {}\n'},
        "shelf/main.tf", 'variable "size" {}\n',
    ),
    "php": (
        {
            "composer.json": '{"autoload": {"psr-4": {"Shop\\\\": "src/"}}}\n',
            "src/Shelf.php": "<?php\nnamespace Shop;\nclass Shelf {}\n",
            "user.php": "<?php\nuse Shop\\Shelf;\nnew Shelf();\n",
        },
        "src/Book.php", "<?php\nnamespace Shop;\nclass Book {}\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", DEFINED)
def test_a_type_that_goes_but_for_a_part_of_it_reaches_those_that_say_its_name(
    make_bench: Make, tmp_path: Path, what: str
) -> None:
    files, path, definition = DEFINED[what]
    assert make_bench(files).follows(path, definition, "", tmp_path)


@pytest.mark.parametrize("language", FIRSTS)
def test_a_file_that_comes_to_stand_for_its_module_reaches_those_that_import_the_module(
    make_bench: Make, tmp_path: Path, language: str
) -> None:
    files, path, text = FIRSTS[language]
    bench = make_bench(files)
    bench.write(path, text)
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "with")
    (bench.root / path).unlink()
    bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "without")


# by what changes: files, the one that changes, what stands there, and what else for a while
SEVERAL = {
    "a member of one of several types": (
        {
            "shelf.py": "class Shelf:\n    def lend(self): ...\n",
            "box.py": "class Box:\n    def lend(self): ...\n    def open(self): ...\n",
            "user.py": (
                "from box import Box\nfrom shelf import Shelf\n\ndef use(one: Shelf | Box):\n    one.lend()\n"
                "    one.open()\n"
            ),
        },
        "box.py", "    def lend(self): ...\n", "",
    ),
    "a name for several types": (
        {
            "shelf.py": (
                "class Shelf:\n    def lend(self): ...\nclass Box:\n"
                "    def lend(self): ...\n    def open(self): ...\n"
            ),
            "kinds.py": (
                "from shelf import Box, Shelf\nfrom typing import Type, Union\n\n"
                "Kinds = Type[Union[Shelf, Box]]\n"
            ),
            "made.py": "from kinds import Kinds\n\ndef made(kinds: Kinds):\n    one = kinds()\n    return one\n",
            "user.py": "from made import made\n\ndef use(some):\n    made(some).lend()\n    made(some).open()\n",
        },
        "kinds.py", "Union[Shelf, Box]", "Shelf",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", SEVERAL)
def test_what_any_of_several_types_has_follows_each_of_them(make_bench: Make, tmp_path: Path, what: str) -> None:
    files, path, before, after = SEVERAL[what]
    assert make_bench(files).follows(path, before, after, tmp_path)
