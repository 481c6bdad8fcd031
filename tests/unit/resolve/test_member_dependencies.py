"""The members that a file depends on: all that its references were resolved by, also by results that were cached."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from codeagentd import resolve
from codeagentd.model.ids import member_dependency_hash
from codeagentd.pipeline.rows.index_rows import key_of
from codeagentd.resolve.interface import BY_NAME
from tests.harness.symbol_table import InMemorySymbolTable

# modules with lookups that others call; these record what they read, so that other queries need not
LOOKUPS: Final = {"name_lookup.py", "types/member_lookup.py"}

CHAINS: Final = {
    "py": {
        "shelf.py": "class Shelf:\n    def lend(self):\n        return Book()\nclass Book:\n    def turn(self): ...\n",
        "store.py": "from shelf import Shelf\nfirst = Shelf().lend()\n",
        "a.py": "from store import first\nfirst.turn()\n",
        "b.py": "from store import first\nfirst.turn()\n",
    },
    "ts": {
        "shelf.ts": "export class Book { turn() {} }\nexport class Shelf { lend() { return new Book(); } }\n",
        "store.ts": "import { Shelf } from './shelf';\nexport const first = new Shelf().lend();\n",
        "a.ts": "import { first } from './store';\nfirst.turn();\n",
        "b.ts": "import { first } from './store';\nfirst.turn();\n",
    },
}


def dependencies(table: InMemorySymbolTable, path: str) -> frozenset[int]:
    file = table.file_at(path)
    assert file
    return table.links(file.id).member_dependencies


@pytest.mark.parametrize("ending", CHAINS)
def test_a_file_that_uses_a_cached_type_depends_on_what_the_type_depends_on(ending: str) -> None:
    table = InMemorySymbolTable(CHAINS[ending])
    first, second = dependencies(table, f"a.{ending}"), dependencies(table, f"b.{ending}")
    assert first == second
    lend = member_dependency_hash(table.find("Shelf").id, key_of("lend"))
    turn = member_dependency_hash(table.find("Book").id, key_of("turn"))
    assert {lend, turn} <= second


def test_a_constructor_is_looked_up_whether_the_type_has_one_or_not() -> None:
    source = "enum Size { case large }\nclass Shelf {}\nfunc use() { Shelf(size: .large) }\n"
    table = InMemorySymbolTable({"a.swift": source})
    assert member_dependency_hash(table.find("Shelf").id, key_of("init")) in dependencies(table, "a.swift")


def test_a_constant_of_ruby_is_looked_up_in_all_enclosing_scopes() -> None:
    table = InMemorySymbolTable({"a.rb": "class Shelf\n  def lend\n    SIZE\n  end\nend\n", "b.rb": "SIZE = 3\n"})
    found = dependencies(table, "a.rb")
    assert member_dependency_hash(BY_NAME, key_of("SIZE")) in found
    assert member_dependency_hash(table.find("Shelf").id, key_of("SIZE")) in found


def test_a_member_is_looked_up_in_a_java_class_that_may_come_to_have_it() -> None:
    table = InMemorySymbolTable(
        {
            "shop/Shelf.java": "package shop;\npublic class Shelf { public static void open() {} }\n",
            "shop/Other.java": "package shop;\npublic class Other { public static void lend() {} }\n",
            "Use.java": "import static shop.Shelf.lend;\nclass Use { void use() { lend(); } }\n",
        }
    )
    assert member_dependency_hash(table.find("Shelf").id, key_of("lend")) in dependencies(table, "Use.java")


def test_only_the_lookups_record_what_they_read() -> None:
    root = Path(resolve.__file__).parent
    recording = {
        str(path.relative_to(root)) for path in root.rglob("*.py") if re.search(r"queries\.record\(", path.read_text())
    }
    assert recording == LOOKUPS
