"""Types and namespaces with parts in several files, and overloads that call each other: each part counts."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from tests.unit.tools.indexed import indexed
from tests.unit.tools.surroundings import Caller

SHELVES = {
    "cs/Shop.csproj": '<Project Sdk="Microsoft.NET.Sdk"></Project>\n',
    "cs/IShelf.cs": "namespace Books;\n\npublic interface IShelf\n{\n    void Put(string book);\n}\n",
    "cs/Shelf.cs": """namespace Books
{
    public partial class Shelf : IShelf
    {
        public void Put(string book) { Count(1); }

        public void Put(string book, int copies) { Put(book); }
    }
}
""",
    "cs/Shelf.Counting.cs": """namespace Books
{
    public partial class Shelf
    {
        internal void Count(int number) { }
    }
}
""",
    "cs/Unused.cs": "namespace Books;\n\npublic class Unused { }\n",
    "cs/Desk.cs": """using Books;

namespace Desks;

public class Desk
{
    public void Return(IShelf shelf) { shelf.Put("Emma"); }

    public void Fill(Shelf shelf) { shelf.Put("Emma", 3); }
}
""",
    "cs/Idle.cs": "using Books;\n\nnamespace Desks;\n\npublic class Idle { }\n",
    "native/cart.h": "#pragma once\nclass Cart {\npublic:\n    int total() const;\n};\nint price(int item);\n",
    "native/cart.cpp": '#include "cart.h"\nint Cart::total() const { return price(1); }\nint price(int item) { return item; }\n',
    "native/main.cpp": '#include "cart.h"\nint main() { Cart cart; return cart.total(); }\n',
}


@pytest.fixture(scope="module")
def shelves(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    with indexed(tmp_path_factory.mktemp("shelves"), SHELVES) as caller:
        yield caller


def labels(caller: Caller, tool: str, key: str, **arguments: object) -> set[str]:
    return {item["label"] for item in caller.ok(tool, **arguments)[key]}


def files(caller: Caller, path: str, direction: str) -> list[str]:
    found = caller.results("code.relation.importDependencies", file_path=path, direction=direction)
    return [os.path.basename(item["file_path"]) for item in found]


def test_overloads_that_call_each_other_are_in_the_call_hierarchy(shelves: Caller) -> None:
    found = shelves.results("code.relation.callHierarchy", symbol_name="Books.Shelf.Put")
    callers = {(item["qualified_name"], item["range"]["start_line"]) for item in found}
    assert ("Books.Shelf.Put", 7) in callers, "Put(book, copies) calls Put(book)"
    assert {name for name, _ in callers} == {"Books.Shelf.Put", "Desks.Desk.Return", "Desks.Desk.Fill"}


def test_a_function_that_calls_itself_is_its_own_caller_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    source = "def count(number):\n    return number and count(number - 1)\n\n\ndef start():\n    return count(9)\n"
    with indexed(tmp_path_factory.mktemp("own"), {"count.py": source}) as caller:
        found = caller.results("code.relation.callHierarchy", symbol_name="count", depth=3)
        assert [(item["name"], item["depth"]) for item in found] == [("count", 1), ("start", 1)]


def test_a_namespace_is_imported_from_the_files_that_are_used(shelves: Caller) -> None:
    assert files(shelves, "cs/Desk.cs", "imports") == ["IShelf.cs", "Shelf.Counting.cs", "Shelf.cs"]
    for path in ("cs/IShelf.cs", "cs/Shelf.cs", "cs/Shelf.Counting.cs"):
        assert files(shelves, path, "imported_by") == ["Desk.cs"], path
    assert files(shelves, "cs/Unused.cs", "imported_by") == []


def test_a_namespace_without_a_used_file_is_named_in_the_note(shelves: Caller) -> None:
    answer = shelves.ok("code.relation.importDependencies", file_path="cs/Idle.cs")
    assert answer == {"results": [], "note": "imported, but no reference to one of their files is known: Books"}
    assert "note" not in shelves.ok("code.relation.importDependencies", file_path="cs/Desk.cs")


@pytest.mark.parametrize("path", ["cs/Shelf.cs", "cs/Shelf.Counting.cs"])
@pytest.mark.parametrize("tool", ["affected", "impact_of", "get_dependents", "find_refs", "predict_impact"])
def test_the_file_of_any_part_stands_for_the_type(shelves: Caller, tool: str, path: str) -> None:
    if tool == "predict_impact":
        assert "Books.Shelf" in labels(shelves, tool, "changed", files=[path])
        found = labels(shelves, tool, "blast", files=[path])
    elif tool == "affected":
        found = labels(shelves, tool, "affected", label=path)
    elif tool == "impact_of":
        found = {node["name"] for node in shelves.ok(tool, target=path)["nodes"]}
    elif tool == "get_dependents":
        found = {item["qualified_name"] for item in shelves.results(tool, node_id=path)}
    else:
        found = {site["within"] for site in shelves.ok(tool, symbol=path)["sites"]}
    assert any("Desk.Fill" in name for name in found), found


@pytest.mark.parametrize("tool", ["affected", "predict_impact"])
def test_a_header_stands_for_what_it_declares(shelves: Caller, tool: str) -> None:
    if tool == "affected":
        found = labels(shelves, tool, "affected", label="native/cart.h")
    else:
        found = labels(shelves, tool, "blast", files=["native/cart.h"])
        assert {"Cart::total()", "price()"} <= labels(shelves, tool, "changed", files=["native/cart.h"])
    assert "main()" in found


@pytest.mark.parametrize("tool", ["get_node", "get_source", "describe_node"])
def test_a_part_is_not_taken_for_the_whole(shelves: Caller, tool: str) -> None:
    assert shelves.ok(tool, label="Books.Shelf")["note"] == "also at cs/Shelf.Counting.cs:3-6"
    assert "note" not in shelves.ok(tool, label="Desks.Desk")
