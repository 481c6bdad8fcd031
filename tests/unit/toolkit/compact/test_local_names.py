"""Names below their file: without what repeats the path, and never empty or another's."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeagentd.model.kinds import SymbolKind
from codeagentd.toolkit.compact.names import local_name, within
from tests.harness.served import served
from tests.harness.stored_rows import StoredSymbol, rows_of_engine

# file, its source, and the name below it of each definition in it
MARKED: Final = (
    ("shop/cart.py", "class Cart:\n    def total(self): ...\n", {"Cart", "Cart.total"}),
    ("shop/__init__.py", "class Till:\n    def ring(self): ...\n", {"Till", "Till.ring"}),
    ("top.py", "def top(): ...\n", {"top"}),
    ("web/app.ts", "export class Wall { lend(n: number) { return n } }\n", {"Wall", "Wall.lend"}),
    ("web/index.tsx", "export function Page() { return null }\n", {"Page"}),
    ("web/types.d.ts", "export interface Shelf { lend(n: number): void }\n", {"Shelf", "Shelf.lend"}),
    ("web/types.d.mts", "export interface Rack { fill(n: number): void }\n", {"Rack", "Rack.fill"}),
    ("web/kind.ts", "let ts: any;\nexport function use() { ts = 1 }\n", {"ts", "use"}),
    ("kind.py", "py = 1\n", {"py"}),
    ("web/old.js", "export function old() {}\n", {"old"}),
    ("web/Box.vue", '<script setup lang="ts">\nfunction open() {}\n</script>\n', {"open"}),
    ("java/src/main/java/com/acme/Shop.java", "package com.acme;\nclass Shop { void sell() {} }\n", {"Shop", "Shop.sell"}),
    ("java/src/main/java/com/acme/Kiosk.kt", "package com.acme\nclass Kiosk { fun shut() {} }\n", {"com.acme", "Kiosk", "Kiosk.shut"}),
    ("scala/com/acme/Mart.scala", "package com.acme\nclass Mart { def trade() = 1 }\n", {"Mart", "Mart.trade"}),
    ("cs/Acme/Stock.cs", "namespace Acme;\nclass Stock { void Count() {} }\n", {"Acme", "Stock", "Stock.Count"}),
    ("cs/Elsewhere.cs", "namespace Far.Away;\nclass Depot { void Fill() {} }\n", {"Far.Away", "Far.Away.Depot", "Far.Away.Depot.Fill"}),
    ("lending/go.mod", "module example.com/lending.v3\n", set()),
    ("lending/desk.go", "package lending\n\ntype Desk struct{}\n\nfunc (d Desk) Serve() {}\n", {"example.com/lending.v3", "Desk", "Desk.Serve"}),
    ("lending/store/store.go", "package store\n\ntype Store struct{}\n\nfunc (s Store) Get() {}\n", {"example.com/lending.v3/store", "Store", "Store.Get"}),
    ("crate/Cargo.toml", "[package]\nname = 'crate-of-books'\n", {"package", "package.name"}),
    ("crate/src/lib.rs", "pub mod shelf;\npub struct Root;\n", {"Root"}),
    ("crate/src/shelf.rs", "pub struct Shelf;\nimpl Shelf { pub fn lend(&self) {} }\n", {"Shelf", "Shelf::lend"}),
    ("crate/src/deep/mod.rs", "pub fn sunk() {}\n", {"sunk"}),
    ("crate/src/main.rs", "fn main() {}\n", {"main"}),
    ("crate/tests/lending.rs", "fn lends() {}\n", {"lends"}),
    ("main.c", "struct main_state { int n; };\nint main(void) { return 0; }\n", {"main_state", "main_state.n", "main"}),
    ("node/node.c", "struct node { int value; };\n", {"node", "node.value"}),
    ("cpp/box.cpp", "namespace acme { class Box { void open() {} }; }\n", {"acme", "acme::Box", "acme::Box::open"}),
    ("php/Acme/Desk.php", "<?php\nnamespace Acme;\nclass Desk { function lend() {} }\n", {"Acme", "Desk", "Desk.lend"}),
    ("rb/shop.rb", "module Acme\n  class Vat\n    def due; end\n  end\nend\n", {"Acme", "Acme.Vat", "Acme.Vat.due"}),
    ("Slot.swift", "class Slot { func take() {} }\n", {"Slot", "Slot.take"}),
    ("Grid/Grid.swift", "class Grid { func draw() {} }\n", {"Grid", "Grid.draw"}),
    ("run.sh", "run() { echo 1; }\n", {"run"}),
    ("notes/guide.md", "# Guide\n\n## First steps\n", {"Guide", "Guide#First steps"}),
    ("notes/conf.toml", "[tool]\nlevel = 1\n", {"tool", "tool.level"}),
    ("notes/look.css", ".wide { color: red }\n", {".wide"}),
)  # fmt: skip
FILES: Final = {path: source for path, source, _ in MARKED}
OF_FILES: Final = (SymbolKind.FILE, SymbolKind.MODULE, SymbolKind.COMPONENT)


@pytest.fixture(scope="module")
def symbols(tmp_path_factory: pytest.TempPathFactory) -> list[StoredSymbol]:
    with served(tmp_path_factory.mktemp("names"), FILES) as engine:
        return rows_of_engine(engine).symbols()


@pytest.mark.parametrize(("path", "names"), [(path, names) for path, _, names in MARKED if names])
def test_a_definition_is_called_as_in_its_file(symbols: list[StoredSymbol], path: str, names: set[str]) -> None:
    own = [symbol for symbol in symbols if symbol.path == path]
    of_file = [symbol for symbol in own if symbol.is_file and symbol.kind in OF_FILES]
    assert {local_name(symbol.qualified_name, path) for symbol in own if symbol not in of_file} == names
    assert {within(symbol.qualified_name, path) for symbol in of_file} == {"(module)"}


def test_a_name_that_does_not_begin_with_the_path_stays_whole() -> None:
    assert local_name("requests.get", "shop/cart.py") == "requests.get"
    assert local_name("shop.carts.Cart", "shop/cart.py") == "shop.carts.Cart"
    assert local_name("web/application.Wall", "web/app.ts") == "web/application.Wall"
    assert local_name("rack::Shelf", "crate/src/shelf.rs") == "rack::Shelf"


PARTS: Final = st.sampled_from(("a", "b", "shop", "Cart", "src", "main", "__init__", "mod", "lib", "x.y", "é", ""))
PATHS: Final = st.builds(
    lambda folders, suffix: "/".join(folders) + suffix,
    st.lists(PARTS, min_size=1, max_size=4),
    st.sampled_from(
        (".py", ".pyi", ".ts", ".d.ts", ".vue", ".java", ".cs", ".go", ".rs", ".c", ".php", ".md", ".ipynb", "")
    ),
)
NAMES: Final = st.builds(
    lambda parts, sign: sign.join(parts),
    st.lists(PARTS, min_size=1, max_size=6),
    st.sampled_from((".", "::", "/", "#")),
)


@given(NAMES | st.text(max_size=30), PATHS)
def test_a_local_name_is_the_end_of_the_whole_one(name: str, path: str) -> None:
    assert name.endswith(local_name(name, path))
    assert local_name(name, "") == name or not name
    assert within(name, path)


@given(PATHS, st.sampled_from((".", "::", "#", "/")), st.sampled_from(("Cart", "total")))
def test_what_a_file_contains_is_never_called_as_the_file(path: str, sign: str, name: str) -> None:
    assert local_name(f"{path}{sign}{name}", path).endswith(name)
    if not path.endswith((".py", ".pyi", ".ts", ".vue")):  # in which the file's own symbol is the module
        assert local_name(path, path) == ""
