"""The names that are offered at a place: members of the receiver's type, else names in scope, else exported ones.

In the documents `|` is the place.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.model.documents import LOCAL_VARIABLE, Completion, DocumentText
from codeagentd.model.kinds import SymbolKind
from codeagentd.pipeline.documents.name_completion import completions_at
from tests.harness.document_index import documents_of

PYTHON = {
    "lib/__init__.py": "",
    "lib/shelf.py": """class Base:
    def count(self) -> int: ...
    def _hidden(self): ...


class Shelf(Base):
    LIMIT = 3

    def __init__(self):
        self.books = []

    def lend(self, book: str) -> 'Shelf':
        return self


def helper_of(shelf): ...
def _inner_helper(shelf): ...
""",
}
DESK = """import os
from lib.shelf import Shelf


class Desk:
    def serve(self, shelf: Shelf, n):
        for book in n:
            pass
        {}


def later(shelf): ...
"""
TYPESCRIPT = {
    "lib/shelf.ts": """export class Base { count(): number { return 1 } }
export class Shelf extends Base {
  private secret = 1;
  books: string[] = [];
  static make(): Shelf { return new Shelf() }
  lend(book: string): Shelf { return this }
}
"""
}
TILL = """import { Shelf } from './shelf';
export class Till {
  total = 1;
  pay(shelf: Shelf) {
    %s
  }
}
"""
GO = {"go.mod": "module lib.example/m\n", "shelf.go": "package m\ntype Shelf struct { Books []string; n int }\nfunc (s *Shelf) Lend(n int) *Shelf { return s }\n"}  # fmt: skip
RUST = {
    "Cargo.toml": '[package]\nname = "lib"\n',
    "src/shelf.rs": "pub struct Shelf { pub books: u32, n: u32 }\nimpl Shelf { pub fn make() -> Shelf { todo!() } pub fn lend(&self) {} fn hide(&self) {} }\n",
}
JAVA = {
    "a/Shelf.java": "package a;\npublic class Shelf { private int secret; public int books; public Shelf lend(int n) { return this; } }\n"
}
C = {"shelf.h": "struct shelf { int books; };\nint lend_shelf(struct shelf *s);\n"}


def completions(directory: Path, files: dict[str, str], path: str, text: str) -> list[Completion]:
    before, _, after = text.partition("|")
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n") - 1
    with documents_of(directory, files) as documents:
        return completions_at(documents.resolver, DocumentText(path, "", before + after), line, column)


def names(directory: Path, files: dict[str, str], path: str, text: str) -> list[str]:
    return [completion.name for completion in completions(directory, files, path, text)]


@pytest.mark.parametrize(
    ("files", "path", "text", "wanted"),
    [
        pytest.param(PYTHON, "lib/desk.py", DESK.format("shelf.|"), "LIMIT books lend count", id="python: a parameter"),
        pytest.param(PYTHON, "lib/desk.py", DESK.format("x = shelf.|"), "LIMIT books lend count", id="python: a value"),
        pytest.param(PYTHON, "lib/desk.py", DESK.format("shelf.lend(1).le|"), "LIMIT books lend count", id="python: a call"),
        pytest.param(PYTHON, "lib/desk.py", DESK.format("self.|"), "serve", id="python: self"),
        pytest.param(PYTHON, "lib/desk.py", DESK.format("n.|"), "", id="python: a receiver of unknown type"),
        pytest.param(PYTHON, "lib/desk.py", DESK.format("os.|"), "", id="python: a module of the library"),
        pytest.param(PYTHON, "lib/desk.py", "from lib.shelf import |\n", "Base Shelf helper_of _inner_helper", id="python: an import"),
        pytest.param(TYPESCRIPT, "lib/till.ts", TILL % "shelf.|", "books lend count", id="typescript: a parameter"),
        pytest.param(TYPESCRIPT, "lib/till.ts", TILL % "shelf?.|", "books lend count", id="typescript: what may be missing"),
        pytest.param(TYPESCRIPT, "lib/till.ts", TILL % "Shelf.|", "make", id="typescript: a type"),
        pytest.param(TYPESCRIPT, "lib/till.ts", TILL % "this.|", "total pay", id="typescript: this"),
        pytest.param(GO, "desk.go", "package m\nfunc serve(shelf *Shelf) {\n\tshelf.Lend(1).|\n}\n", "Books n Lend", id="go: a call"),
        pytest.param(RUST, "src/lib.rs", "mod shelf;\nuse shelf::Shelf;\nfn serve(s: &Shelf) {\n    s.|\n}\n", "books lend make", id="rust: a value"),
        pytest.param(JAVA, "a/Desk.java", "package a;\nclass Desk { void serve(Shelf shelf) {\n  shelf.lend(1).|\n  int y = 1;\n} }\n", "books lend", id="java: before a statement"),
        pytest.param(C, "main.c", '#include "shelf.h"\nint serve(struct shelf *s) {\n  return s->|\n}\n', "books", id="c: an arrow"),
    ],
)  # fmt: skip
def test_after_a_member_operator_there_are_the_members_of_the_type(
    files: dict[str, str], path: str, text: str, wanted: str, tmp_path: Path
) -> None:
    assert sorted(names(tmp_path, files, path, text)) == sorted(wanted.split())


def test_names_in_scope_come_nearest_first(tmp_path: Path) -> None:
    assert names(tmp_path, PYTHON, "lib/desk.py", DESK.format("|")) == [
        "self", "shelf", "n", "book", "Desk", "later", "os", "Shelf",
    ]  # fmt: skip


def test_exported_names_of_the_repository_need_three_letters(tmp_path: Path) -> None:
    assert "helper_of" not in names(tmp_path / "1", PYTHON, "lib/desk.py", DESK.format("he|"))
    offered = names(tmp_path / "2", PYTHON, "lib/desk.py", DESK.format("HEL|"))
    assert "helper_of" in offered
    assert "_inner_helper" not in names(tmp_path / "3", PYTHON, "lib/desk.py", DESK.format("_inn|"))


def test_members_are_names_in_scope_where_the_language_sees_them(tmp_path: Path) -> None:
    text = "package a;\nclass Desk extends Shelf { int own;\n  void serve(int n) {\n    |\n  } }\n"
    assert {"n", "own", "serve", "books", "lend"} <= set(names(tmp_path, JAVA, "a/Desk.java", text))


@pytest.mark.parametrize(
    ("files", "path", "text"),
    [
        pytest.param(GO, "desk.go", "package m\nfunc serve() {\n\t|\n}\nfunc later() {}\n", id="go: a package"),
        pytest.param({}, "a.cpp", "namespace m {\nint later();\nint serve() {\n  |\n}\n}\n", id="cpp: a namespace"),
        pytest.param({}, "a.rs", "mod m {\n  fn later() {}\n  fn serve() {\n    |\n  }\n}\n", id="rust: a module"),
    ],
)
def test_what_stands_beside_a_function_in_its_namespace_is_in_scope(
    files: dict[str, str], path: str, text: str, tmp_path: Path
) -> None:
    assert {"serve", "later"} <= set(names(tmp_path, files, path, text))


@pytest.mark.parametrize("line", ['"shelf.|"', "# shelf.|", "# she|", '"she|"'])
def test_nothing_is_offered_in_comments_and_literals(line: str, tmp_path: Path) -> None:
    assert names(tmp_path, PYTHON, "lib/desk.py", DESK.format(line)) == []


def test_completions_say_what_they_are(tmp_path: Path) -> None:
    offered = {c.name: c for c in completions(tmp_path / "1", PYTHON, "lib/desk.py", DESK.format("shelf.|"))}
    assert offered["lend"].kind == SymbolKind.METHOD
    assert offered["lend"].target > 0
    assert offered["lend"].detail == "(self, book: str) -> 'Shelf'"
    offered = {c.name: c for c in completions(tmp_path / "2", PYTHON, "lib/desk.py", DESK.format("|"))}
    assert offered["shelf"] == Completion("shelf", LOCAL_VARIABLE, 0, "Shelf")
    assert offered["os"] == Completion("os", SymbolKind.MODULE, 0, "os")


def test_a_place_outside_of_the_text_has_no_names(tmp_path: Path) -> None:
    with documents_of(tmp_path, PYTHON) as documents:
        text = DocumentText("lib/desk.py", "", DESK)
        assert completions_at(documents.resolver, text, 99, 0) == []
        assert completions_at(documents.resolver, text, 0, 0) == []
