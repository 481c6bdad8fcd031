"""What values of the language itself are asked for: `text.strip()` of something unknown is no sure call of the one `strip` that the repository has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.languages.builtin_members import members
from codeagentd.languages.language import languages
from codeagentd.model.kinds import ReferenceKind
from tests.harness.stored_rows import stored_rows
from tests.unit.tools.indexed import indexed
from tests.unit.tools.surroundings import Caller

FILES = {
    "shop/shelf.py": "class Shelf:\n    def strip(self):\n        pass\n\n    def tidy(self):\n        pass\n",
    "shop/use.py": "def clean(anything):\n    anything.strip()\n    anything.tidy()\n",
}
UNKNOWN = {  # a type with two methods, one of whose names values of the language have, and a call of each on something of unknown type
    "Shelf.java": "class Shelf { void trim() {} void tidy() {} }\nclass Use { void use() { each(one -> { one.trim(); one.tidy(); }); } }\n",
    "shelf.cpp": "struct Shelf { void clear(); void tidy(); };\nvoid use() { auto one = get(); one.clear(); one.tidy(); }\n",
    "shelf.cs": "class Shelf { void Trim() {} void Tidy() {} }\nclass Use { void M(dynamic one) { one.Trim(); one.Tidy(); } }\n",
    "shelf.js": "class Shelf { trim() {} tidy() {} }\nfunction use(one) { one.trim(); one.tidy(); }\n",
    "shelf.kt": "class Shelf { fun trim() {}\n fun tidy() {} }\nfun use() { val one = outside()\n one.trim()\n one.tidy() }\n",
    "shelf.php": "<?php class Shelf { function getMessage() {} function tidy() {} }\nfunction used($one) { $one->getMessage(); $one->tidy(); }\n",
    "shelf.py": "class Shelf:\n    def strip(self): ...\n    def tidy(self): ...\ndef use(one):\n    one.strip()\n    one.tidy()\n",
    "shelf.rs": "struct Shelf;\nimpl Shelf { fn trim(&self) {} fn tidy(&self) {} }\nfn used() { each(|one| { one.trim(); one.tidy(); }); }\n",
    "shelf.ts": "class Shelf { trim() {} tidy() {} }\nfunction use(one: any) { one.trim(); one.tidy(); }\n",
    "shelf.vue": "<script>\nclass Shelf { trim() {} tidy() {} }\nfunction use(one) { one.trim(); one.tidy(); }\n</script>\n",
}


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Caller]:
    with indexed(tmp_path_factory.mktemp("members"), FILES) as caller:
        yield caller


def id_of(call: Caller, name: str) -> str:
    (found,) = call.ok("lookup_symbol", qualified_name=name)["results"]
    return str(found["node_id"])


def test_its_callers_are_ambiguous_and_those_of_a_name_of_its_own_inferred(call: Caller) -> None:
    for name, sure in (("strip", "ambiguous"), ("tidy", "inferred")):
        found = call.ok("get_callers", node_id=id_of(call, f"shop.shelf.Shelf.{name}"))["results"]
        assert [(one["qualified_name"], one["confidence"]) for one in found] == [("shop.use.clean", sure)]


def test_callees_say_so_from_the_other_side(call: Caller) -> None:
    found = call.ok("get_callees", node_id=id_of(call, "shop.use.clean"))["results"]
    assert {one["qualified_name"]: one["confidence"] for one in found} == {
        "shop.shelf.Shelf.strip": "ambiguous",
        "shop.shelf.Shelf.tidy": "inferred",
    }


def test_descriptions_say_so_from_both_sides(call: Caller) -> None:
    for name, sure in (("strip", "ambiguous"), ("tidy", "inferred")):
        (caller,) = call.ok("describe_symbol", symbol=f"shop.shelf.Shelf.{name}")["callers"]
        (callee,) = [
            one
            for one in call.ok("describe_symbol", symbol="shop.use.clean")["callees"]
            if one["name"] == f"shop.shelf.Shelf.{name}"
        ]
        assert (caller["confidence"], callee["confidence"]) == (sure, sure)


def test_references_say_so_too(call: Caller) -> None:
    found = {
        name: call.ok("get_references", node_id=id_of(call, f"shop.shelf.Shelf.{name}"))["results"]
        for name in ("strip", "tidy")
    }
    assert {name: [one["confidence"] for one in places] for name, places in found.items()} == {
        "strip": ["ambiguous"],
        "tidy": ["inferred"],
    }


def test_a_renaming_does_not_take_them_for_uses(call: Caller) -> None:
    sure = {
        name: call.ok("plan_rename", name=f"shop.shelf.Shelf.{name}", to="sweep")["review"]
        for name in ("strip", "tidy")
    }
    assert {name: [one["confidence"] for one in sites] for name, sites in sure.items()} == {
        "strip": ["AMBIGUOUS"],
        "tidy": ["INFERRED"],
    }


@pytest.mark.parametrize("path", UNKNOWN)
def test_each_language_knows_what_its_values_have(tmp_path: Path, path: str) -> None:
    with indexed(tmp_path, {path: UNKNOWN[path]}) as caller, caller.ctx.read() as db:
        open_calls = [
            (reference.confidence, str(reference.name))
            for reference in stored_rows(db).references()
            if reference.target_id is None and reference.kind == ReferenceKind.CALL and reference.name
        ]
    assert [(name.lower() == "tidy", confidence) for confidence, name in sorted(open_calls)] == [
        (True, 1),
        (False, 2),
    ]


@pytest.mark.parametrize("language", sorted(languages()))
def test_what_is_called_and_what_is_read_are_names_of_the_language(language: str) -> None:
    found = members(language)
    assert bool(found.called) == bool(languages()[language].members)
    assert all(name.isidentifier() for name in found.called | found.read)
