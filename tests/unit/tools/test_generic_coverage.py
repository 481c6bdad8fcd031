"""No answer about a generic language claims more than its names show: what is not found may be there nevertheless."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from codeagentd.toolkit.context import Context
from tests.harness.asking import ask
from tests.harness.served import surroundings

FILES = {
    "shelf.nim": "# Lends a book.\nproc lend*(days: int): int =\n  days\n\nproc unused(): int =\n  3\n",
    "desk.nim": "import shelf\n\nproc serve(): int =\n  lend(3)\n",
    "tests/test_shelf.nim": "proc test_lend() =\n  discard lend(1)\n",
    "shop.py": "def sell():\n    return 1\n\n\ndef unused_too():\n    return sell()\n",
}
SAID = "coverage generic"


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("generic"), FILES) as found:
        yield found


def answer(ctx: Context, tool: str, **arguments: Any) -> str:
    return json.dumps(ask(ctx, tool, **arguments).structured)


@pytest.mark.parametrize("name", ["unused", "lend"])
@pytest.mark.parametrize(
    ("tool", "argument"),
    [
        ("get_callers", "node_id"),
        ("get_callees", "node_id"),
        ("get_references", "node_id"),
        ("get_dependents", "node_id"),
        ("get_dependencies", "node_id"),
        ("get_implementations", "node_id"),
        ("code.symbol.findReferences", "symbol"),
        ("code.relation.callHierarchy", "symbol"),
        ("find_refs", "name"),
        ("impact_of", "target"),
        ("describe_symbol", "name"),
        ("find_callers", "name"),
        ("find_callees", "name"),
        ("get_neighbors", "label"),
        ("affected", "symbol"),
        ("plan_rename", "name"),
        ("predict_edit", "symbol"),
    ],
)
def test_what_is_said_of_uses_is_said_with_its_coverage(ctx: Context, tool: str, argument: str, name: str) -> None:
    further = {
        "plan_rename": {"to": "give"},
        "predict_edit": {"kind": "delete"},
        "code.symbol.findReferences": {"context_path": str(ctx.root / "shelf.nim")},
    }.get(tool, {})
    said = answer(ctx, tool, **{argument: name}, **further)
    assert SAID in said, said


@pytest.mark.parametrize("tool", ["predict_impact", "affected_tests"])
def test_what_a_change_of_a_file_touches_is_said_with_it(ctx: Context, tool: str) -> None:
    assert SAID in answer(ctx, tool, files=["shelf.nim"])
    assert SAID not in answer(ctx, tool, files=["shop.py"])


def test_nothing_is_known_to_break(ctx: Context) -> None:
    for name in ("unused", "lend"):
        told = ask(ctx, "predict_edit", symbol=name, kind="delete").structured
        assert "not known what breaks" in told["message"]
        assert not told["will_break"]
    assert ask(ctx, "predict_edit", symbol="lend", kind="delete").structured["reviewing"] >= 1


def test_the_tests_of_a_change_are_not_all(ctx: Context) -> None:
    assert ask(ctx, "affected_tests", files=["shelf.nim"]).structured["partial"] is True


def test_a_renaming_is_not_certain(ctx: Context) -> None:
    for name in ("unused", "lend"):
        assert ask(ctx, "plan_rename", name=name, to="give").structured["confidence"] != "EXTRACTED"


def test_an_outline_says_that_it_may_lack_something(ctx: Context) -> None:
    assert SAID in answer(ctx, "get_file_outline", path="shelf.nim")
    assert SAID not in answer(ctx, "get_file_outline", path="shop.py")


def test_other_languages_are_as_they_were(ctx: Context) -> None:
    for tool, argument in (("get_callers", "node_id"), ("find_refs", "name"), ("impact_of", "target")):
        assert SAID not in answer(ctx, tool, **{argument: "sell"})


def test_the_status_has_the_tier(ctx: Context) -> None:
    tiers = {count.language: count.tier for count in ctx.engine.status().languages}
    assert tiers["nim"] == "generic"
    assert tiers["python"] == "deep"
