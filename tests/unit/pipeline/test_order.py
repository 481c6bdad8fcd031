"""What a file's references lead to does not depend on which files were resolved before it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest

from codeagentd.pipeline.rows.index_rows import key_of, unpack_ids
from codeagentd.pipeline.rows.project_map import ProjectMap
from codeagentd.pipeline.rows.stored_symbol_table import StoredSymbolTable
from codeagentd.pipeline.workers.file_reader import Reader
from codeagentd.resolve.name_lookup import NameResolver
from codeagentd.resolve.references import Linker, Links
from codeagentd.store.connection import Database
from tests.harness.stored_rows import stored_rows
from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

REPOSITORIES = {
    "C#: a base is looked up from inside of the type": {
        "Base.cs": "namespace Common { public interface IConfiguration { void Save(); string Name { get; } } }\n",
        "Server.cs": (
            "using Common;\n"
            "namespace Server { public interface IServer : IConfiguration { int "
            "Port { get; } } }\n"
        ),
        "Manager.cs": "using Server;\nnamespace Server { public class Manager : IServer { public int Port => 1; } }\n",
        "User.cs": (
            "using Server;\n"
            "namespace Web { class User { void Use(IServer s, Manager m) { s.Save(); m.Save(); s.Name.Trim(); } } }\n"
        ),
    },
    "C#: what a type inherits is not known in its own header": {
        "Item.cs": "namespace Shop { public class Item { public int Audio { get; set; } public void Lend() {} } }\n",
        "Audio.cs": "namespace Shop.Audio { public class Audio : Shop.Item { } }\n",
        "Book.cs": "namespace Shop { public class Book : Audio.Audio { } }\n",
        "User.cs": "namespace Shop { class User { void Use(Book b) { b.Lend(); b.Audio.ToString(); } } }\n",
    },
    "TypeScript: modules hand on each other": {
        "a.ts": 'export * from "./b";\nexport * from "./c";\n',
        "b.ts": 'export * from "./a";\nexport function own() {}\n',
        "c.ts": 'export class Shelf { lend() {} }\nexport * from "./b";\n',
        "user.ts": (
            'import { Shelf as One, own } from "./b";\nimport { Shelf } from "./a";\nnew One().lend();\n'
            'new Shelf().lend();\nown();\n'
        ),
    },
    "Python: values rest on each other": {
        "a.py": (
            "from b import second\nfirst = second.other\nclass Shelf:\n"
            "    other = first\n    def lend(self): pass\n"
        ),
        "b.py": "from a import first, Shelf\nsecond = Shelf()\nthird = first or second\n",
        "c.py": "from b import third, second\nthird.lend()\nsecond.other.lend()\n",
        "d.py": "from a import first\nfirst.lend()\n",
    },
    "Rust: globs in a circle": {
        "Cargo.toml": '[package]\nname = "shop"\n', "src/lib.rs": "pub mod a;\npub mod b;\npub use a::*;\n",
        "src/a.rs": "pub use crate::b::*;\npub fn lend() {}\n", "src/b.rs": "pub use crate::a::*;\npub struct Shelf;\n",
        "src/main.rs": "use shop::Shelf;\nuse shop::b::lend;\nfn main() { let s = Shelf; lend(); }\n",
    },
    "Scala and Java: a package has a class of each": {
        "src/Book.scala": (
            "package shop\nclass Book { def read(): Unit = () }\n"
            "object Book { def blank: Book = new Book() }\n"
        ),
        "src/Desk.scala": "package shop\nclass Desk { val first = Book.blank }\n",
        "src/Rack.scala": "package shop\nclass Rack { val last: Book = Book.blank }\n",
        "test/Book.java": "package shop;\npublic class Book { public static Book blank() { return new Book(); } }\n",
    },
}  # fmt: skip


@pytest.mark.parametrize("name", REPOSITORIES)
def test_references_do_not_depend_on_the_order_of_the_files(make_bench: Make, name: str) -> None:
    bench = make_bench(REPOSITORIES[name])
    reader = Reader(str(bench.root), Database(str(bench.place / "blobs.db")), 1 << 20)
    with bench.engine.readers.read() as database:
        files = [file.id for file in stored_rows(database).files() if file.language]
        results = [in_order(database, reader, order) for order in itertools.permutations(files)]
    assert results[0]
    assert all(result == results[0] for result in results)


@pytest.mark.parametrize("name", REPOSITORIES)
def test_references_do_not_depend_on_which_file_came_first(make_bench: Make, tmp_path: Path, name: str) -> None:
    bench = make_bench({})
    for path, text in sorted(REPOSITORIES[name].items(), reverse=True):
        bench.write(path, text)
        bench.catch_up()
    assert bench.is_as_fresh(tmp_path / "fresh")


def in_order(database: Database, reader: Reader, files: tuple[int, ...]) -> dict[int, Links]:
    """What each file's references lead to, when they are resolved in this order."""
    world = StoredSymbolTable(database, ProjectMap.unpack(database.value("writer.meta", ("projects",))))
    linker = Linker(NameResolver(world), key_of)
    links_by_file = {}
    for file in files:
        digest, symbols = world.content(file)
        facts = reader.recall(digest, world.file(file).language)
        assert facts is not None
        links = linker.link(world.file(file), facts, unpack_ids(symbols))
        # the dependencies on members may have more entries than the file needs
        links_by_file[file] = links._replace(member_dependencies=frozenset())
    return links_by_file
