"""Types, inheritance, calls and imports as the future part of page 001 names them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.query.graph import call_hierarchy
from codeagentd.query.hierarchy import import_hierarchy, type_hierarchy
from tests.unit.tools.indexed import indexed
from tests.unit.tools.surroundings import Caller

ZOO = {
    "zoo/animals.py": """import abc

import requests


class Animal(abc.ABC):
    name: str = "x"


class Swimmer:
    pass


class Duck(Animal, Swimmer):
    friend: Animal = None


class Mallard(Duck):
    pass


class Session(requests.Session):
    pass


def hatch() -> Duck:
    return Duck()


def nest():
    hatch()
    return hatch()


def season():
    nest()


def year():
    season()


duck = Duck()
number = 3
""",
    "zoo/keeper.py": "from zoo.animals import Duck, hatch\n\n\ndef feed():\n    return hatch()\n",
    "zoo/gate.py": "import zoo.keeper\n",
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    with indexed(tmp_path_factory.mktemp("zoo"), ZOO) as caller:
        yield caller


def steps(items: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(item["name"], item["depth"]) for item in items]


def test_the_type_of_a_value_is_what_it_is_declared_with_made_by_or_returns(zoo: Caller) -> None:
    for name, type_name, via in (
        ("duck", "Duck", "Duck()"),
        ("hatch", "Duck", "Duck"),
        ("Duck.friend", "Animal", "Animal"),
    ):
        (found,) = zoo.results("code.type.definition", symbol_name=name)
        assert (found["name"], found["kind"], found["via"]) == (type_name, "class", via), name
    (itself,) = zoo.results("code.type.definition", symbol_name="Swimmer")
    assert (itself["name"], itself["range"], "via" in itself) == ("Swimmer", {"start_line": 10, "end_line": 11}, False)


def test_a_value_of_unknown_type_has_none_and_a_note(zoo: Caller) -> None:
    answer = zoo.ok("code.type.definition", symbol_name="number")
    assert answer == {"results": [], "note": "no type is known of this variable"}


def test_a_hierarchy_goes_up_and_down(zoo: Caller) -> None:
    found = zoo.results("code.type.hierarchy", symbol_name="Duck")
    assert [(item["name"], item["direction"], item["depth"]) for item in found] == [
        ("Animal", "supertype", 1), ("Swimmer", "supertype", 1), ("Mallard", "subtype", 1),
    ]  # fmt: skip
    assert (found[0]["edge_type"], found[0]["confidence"], found[0]["range"]) == (
        "inherits",
        "exact",
        {"start_line": 6, "end_line": 7},
    )


def test_a_hierarchy_over_several_steps_says_by_which_way(zoo: Caller) -> None:
    found = zoo.results("code.type.hierarchy", symbol_name="Mallard", direction="supertypes", depth=3)
    assert steps(found) == [("Duck", 1), ("Animal", 2), ("Swimmer", 2), ("ABC", 3)]
    assert [item.get("via") for item in found[1:]] == ["zoo.animals.Duck", "zoo.animals.Duck", "zoo.animals.Animal"]
    assert found[-1]["file_path"] == "external:python/abc"


def test_a_definition_of_another_package_has_subtypes_here(zoo: Caller) -> None:
    found = zoo.results("code.type.hierarchy", symbol_name="requests.Session", direction="subtypes")
    assert steps(found) == [("Session", 1)]


def test_a_hierarchy_comes_in_pages_and_stops_at_its_cap(zoo: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = zoo.pages("code.type.hierarchy", symbol_name="Mallard", depth=5, limit=1)
    assert [page[0]["name"] for page in pages] == ["Duck", "Animal", "Swimmer", "ABC"]
    monkeypatch.setattr(type_hierarchy, "RELATIVES", 2)
    answer = zoo.ok("code.type.hierarchy", symbol_name="Mallard", depth=5)
    assert len(answer["results"]) == 2
    assert "more than 2 supertypes" in answer["note"]


def test_a_hierarchy_has_the_types_that_implement_an_interface_by_their_methods_alone(tmp_path: Path) -> None:
    with indexed(
        tmp_path,
        {"a.go": "package a\n\ntype Lender interface{ Lend() }\ntype Shelf struct{}\n\nfunc (s Shelf) Lend() {}\n"},
    ) as caller:
        found = caller.results("code.type.hierarchy", symbol_name="Lender")
        assert [(one["name"], one["direction"], one["edge_type"]) for one in found] == [
            ("Shelf", "subtype", "implements")
        ]
        assert [one["name"] for one in caller.results("get_implementations", node_id="Lender")] == ["Shelf"]


def test_a_chain_is_one_way_up(zoo: Caller) -> None:
    found = zoo.results("code.relation.inheritanceChain", symbol_name="Mallard")
    assert [[link["name"] for link in item["chain"]] for item in found] == [
        ["Mallard", "Duck", "Animal", "ABC"],
        ["Mallard", "Duck", "Swimmer"],
    ]
    assert [link.get("edge_type") for link in found[1]["chain"]] == [None, "inherits", "inherits"]


def test_a_chain_that_goes_on_says_so(zoo: Caller) -> None:
    assert [
        item.get("truncated", False)
        for item in zoo.results("code.relation.inheritanceChain", symbol_name="Mallard", depth=2)
    ] == [True, False]
    answer = zoo.ok("code.relation.inheritanceChain", symbol_name="Mallard", limit=1)
    assert (len(answer["results"]), answer["note"]) == (1, "2 chains, the first 1 shown")


def test_a_type_that_inherits_from_itself_ends_its_chain(tmp_path: Path) -> None:
    with indexed(tmp_path, {"A.java": "class A extends B {}\nclass B extends A {}\n"}) as caller:
        (only,) = caller.results("code.relation.inheritanceChain", symbol_name="A", kind="class")
        assert [link["name"] for link in only["chain"]] == ["A", "B"]
        assert steps(
            caller.results("code.type.hierarchy", symbol_name="A", kind="class", depth=5, direction="supertypes")
        ) == [("B", 1)]


def test_callers_are_listed_by_depth_with_their_places(zoo: Caller) -> None:
    found = zoo.results("code.relation.callHierarchy", symbol_name="hatch", depth=3)
    assert steps(found) == [("nest", 1), ("feed", 1), ("season", 2), ("year", 3)]
    assert found[0]["sites"] == [{"line": 31, "column": 4}, {"line": 32, "column": 11}]
    assert (found[0].get("via"), found[2]["via"], found[3]["via"]) == (None, "zoo.animals.nest", "zoo.animals.season")


def test_callees_are_listed_by_depth(zoo: Caller) -> None:
    found = zoo.results("code.relation.callHierarchy", symbol_name="year", direction="outgoing", depth=5)
    assert steps(found)[:3] == [("season", 1), ("nest", 2), ("hatch", 3)]


def test_a_call_hierarchy_comes_in_pages_and_stops_at_its_caps(zoo: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [
        page[0]["name"] for page in zoo.pages("code.relation.callHierarchy", symbol_name="hatch", depth=3, limit=1)
    ] == ["nest", "feed", "season", "year"]
    monkeypatch.setattr(call_hierarchy, "FOLLOWED", 2)
    answer = zoo.ok("code.relation.callHierarchy", symbol_name="hatch", depth=3)
    assert (steps(answer["results"]), "only 2 symbols were followed" in answer["note"]) == (
        [("nest", 1), ("feed", 1), ("season", 2)],
        True,
    )
    monkeypatch.setattr(call_hierarchy, "RELATIVES", 1)
    assert "more than 1 symbols" in zoo.ok("code.relation.callHierarchy", symbol_name="hatch")["note"]


def test_many_places_of_one_caller_are_counted(tmp_path: Path) -> None:
    with indexed(tmp_path, {"a.py": "def f():\n    pass\n\n\ndef g():\n" + "    f()\n" * 60}) as caller:
        (only,) = caller.results("code.relation.callHierarchy", symbol_name="f")
        assert (len(only["sites"]), only["total_sites"]) == (call_hierarchy.SITES, 60)


def files(caller: Caller, items: list[dict[str, Any]]) -> list[str]:
    paths = [item["file_path"] for item in items]
    return [path if path.startswith("external:") else os.path.relpath(path, caller.ctx.root) for path in paths]


def test_a_files_imports_and_importers_are_listed_with_what_is_imported(zoo: Caller) -> None:
    found = zoo.results("code.relation.importDependencies", file_path="zoo/animals.py")
    assert files(zoo, found) == ["external:python/abc", "external:python/requests", "zoo/keeper.py"]
    assert [(item["direction"], item["line"]) for item in found] == [("imports", 1), ("imports", 3), ("imported_by", 1)]
    assert {"Duck", "hatch"} <= set(found[2]["names"])


def test_imports_over_several_steps_say_by_which_way(zoo: Caller) -> None:
    found = zoo.results("code.relation.importDependencies", file_path="zoo/gate.py", direction="imports", depth=2)
    assert [(path, item["depth"]) for path, item in zip(files(zoo, found), found, strict=True)] == [
        ("zoo/keeper.py", 1),
        ("zoo/animals.py", 2),
    ]
    assert found[1]["via"] == found[0]["file_path"]


def test_a_package_has_importers(zoo: Caller) -> None:
    found = zoo.results(
        "code.relation.importDependencies", file_path="external:python/requests", direction="imported_by"
    )
    assert files(zoo, found) == ["zoo/animals.py"]


def test_imports_come_in_pages_and_stop_at_their_cap(zoo: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = zoo.pages("code.relation.importDependencies", file_path="zoo/animals.py", limit=1)
    assert [files(zoo, page) for page in pages] == [
        ["external:python/abc"],
        ["external:python/requests"],
        ["zoo/keeper.py"],
    ]
    monkeypatch.setattr(import_hierarchy, "RELATIVES", 1)
    assert "more than 1 files" in zoo.ok("code.relation.importDependencies", file_path="zoo/animals.py")["note"]
