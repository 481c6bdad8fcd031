"""Definitions that have to have one name are renamed together, and words that name two things are written out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
FILES = {
    "go.mod": "module example.com/shop\n\ngo 1.20\n",
    "shop.go": (
        'package shop\n\nimport "sync"\n\ntype Base struct{ ID int }\n\ntype Shelf struct {\n\tBase\n\t*sync.Mutex\n\tTall bool\n}\n\n'
        "func show(s Shelf) int {\n\ts = Shelf{Base: Base{ID: 1}}\n\treturn s.Base.ID\n}\n"
    ),
    "lib.rs": (
        "pub trait Shape {\n    type Unit;\n    fn unit(&self) -> Self::Unit;\n}\npub struct Dot;\nimpl Shape for Dot {\n    type Unit = u32;\n"
        "    fn unit(&self) -> u32 { 1 }\n}\nimpl Iterator for Dot {\n    type Item = u32;\n    fn next(&mut self) -> Option<u32> { None }\n}\n"
    ),
    "Kind.java": (
        "enum Kind {\n  SMALL { @Override int size() { return 1; } }, BIG;\n  int size() { return 2; }\n}\n"
        "class Over {\n  <T> T[] get(char c, T[] d) { return get(\"\", d); }\n  <T> T[] get(char c, Supplier<T[]> d) { return null; }\n"
        "  <T> T[] get(String s, Supplier<T[]> d) { return null; }\n  <T> T[] get(String s, T[] d) { return d; }\n}\n"
    ),
    "draw.py": (
        "from typing import Protocol\n\n\nclass Drawable(Protocol):\n    def draw(self): ...\n\n\n"
        "class Circle:\n    def draw(self): ...\n\n    def turn(self): ...\n\n\nclass Square:\n    def turn(self): ...\n"
    ),
    "more.ts": "import { Shape } from './shape'\ndeclare module './shape' { interface Shape { added?: number } }\n",
    "shape.ts": "export interface Shape { area(): number }\nexport interface Dot { area(): number }\n",
    "model.ts": (
        "export interface Box { width: number }\nexport const limit = 1\nexport const make = () => ({ limit })\n"
        "export function show({ width }: Box) { return width }\n"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("families"), FILES) as found:
        yield found


def plan(ctx: Context, name: str) -> dict[str, Any]:
    found: dict[str, Any] = call(CATALOGUE["plan_rename"], ctx, {"name": name, "to": "other"}).structured
    assert found["found"], name
    return found


def places(found: dict[str, Any], kind: str = "edits") -> list[tuple[int, int]]:
    return [(one["line"], one.get("column", 0)) for one in found[kind]]


@pytest.mark.parametrize("name", ["Base@shop.go", "Shelf.Base"])
def test_a_type_and_the_fields_that_embed_it_have_one_name(ctx: Context, name: str) -> None:
    found = plan(ctx, "example.com/shop.Base" if name.startswith("Base") else name)
    assert places(found) == [(5, 5), (8, 1), (14, 11), (14, 17), (15, 10)]
    assert found["confidence"] == "EXTRACTED"


def test_a_field_that_embeds_a_type_from_outside_cannot_be_renamed_alone(ctx: Context) -> None:
    assert "the type that it embeds" in plan(ctx, "Shelf.Mutex")["review"][0]["reason"]
    assert plan(ctx, "Shelf.Tall")["confidence"] == "EXTRACTED"


@pytest.mark.parametrize("name", ["Shape::Unit", "Dot::Unit"])
def test_an_associated_type_is_renamed_with_those_that_fulfil_it(ctx: Context, name: str) -> None:
    found = plan(ctx, name)
    assert {(2, 9), (7, 9)} <= set(places(found))
    assert not [one for one in found["review"] if "outside" in one["reason"]]


def test_an_associated_type_of_a_trait_from_outside_is_not_sure(ctx: Context) -> None:
    assert "outside of the repository" in plan(ctx, "Dot::Item")["review"][0]["reason"]


def test_a_word_that_names_a_member_and_a_variable_is_to_be_written_out(ctx: Context) -> None:
    found = plan(ctx, "limit")
    assert places(found) == [(2, 13)]
    assert [(one["line"], one["reason"]) for one in found["review"]] == [
        (3, "refers to it, in short: write limit: other")
    ]
    found = plan(ctx, "Box.width")
    assert places(found) == [(1, 23)]
    assert (4, "refers to it, in short: write other: width") in [
        (one["line"], one["reason"]) for one in found["review"]
    ]


def test_a_declaration_in_another_module_may_add_to_a_type(ctx: Context) -> None:
    found = call(CATALOGUE["plan_rename"], ctx, {"name": "Shape", "to": "other", "file": "shape.ts"}).structured
    assert ("more.ts", 2, "a declaration of this name, which may add to it") in [
        (one["file"], one["line"], one["reason"]) for one in found["review"]
    ]
    assert not plan(ctx, "shape.Dot")["review"]


@pytest.mark.parametrize("name", ["Kind.size", "Kind.SMALL.size"])
def test_a_member_of_an_enum_and_those_in_the_bodies_of_its_constants_have_one_name(ctx: Context, name: str) -> None:
    assert places(plan(ctx, name)) == [(2, 24), (3, 6)]


def test_a_call_that_may_be_meant_for_another_overload_is_for_review(ctx: Context) -> None:
    found = call(CATALOGUE["plan_rename"], ctx, {"name": "get", "to": "other", "file": "Kind.java"}).structured
    plans = [
        call(CATALOGUE["plan_rename"], ctx, {"name": "get", "to": "other", "id": one["id"]}).structured
        for one in found["candidates"]
    ]
    assert len(plans) == 4
    for one in plans:
        assert any(place["line"] == 6 for place in [*one["edits"], *one["review"]])


def test_members_that_a_protocol_or_interface_may_demand_are_for_review(ctx: Context) -> None:
    reason = "a member of this name, which may be demanded by the same interface"
    for name, line in (("Drawable.draw", 9), ("Circle.draw", 5)):
        assert [(one["line"], one["reason"]) for one in plan(ctx, name)["review"]] == [(line, reason)]
    assert not plan(ctx, "Circle.turn")["review"]
