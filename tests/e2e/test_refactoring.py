"""A renaming on the command line: planned, done, and found whole or not, as a CI job would."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.harness.world import Outcome, World


@pytest.fixture
def plan(world: World, shop: Path) -> Path:
    made = world.base / "plan.json"
    done = world.codeagentd("refactor", "plan", "compute_total", "sum_up", "--repo", str(shop), "--json")
    assert done.code == 0, done
    made.write_text(done.out)
    return made


def verify(world: World, shop: Path, *arguments: str) -> Outcome:
    return world.codeagentd("refactor", "verify", "--repo", str(shop), *arguments)


def edit(shop: Path, sites: list[dict[str, Any]]) -> None:
    for one in sorted(sites, key=lambda one: -one["column"]):
        place = shop / one["file"]
        lines = place.read_text().split("\n")
        text = lines[one["line"] - 1]
        lines[one["line"] - 1] = text[: one["column"]] + "sum_up" + text[one["column"] + len("compute_total") :]
        place.write_text("\n".join(lines))


def test_a_plan_is_verified_as_far_as_it_is_done(world: World, shop: Path, plan: Path) -> None:
    sites = json.loads(plan.read_text())["edits"]
    before = verify(world, shop, "--plan", str(plan))
    assert (before.code, before.out.splitlines()[0]) == (
        1,
        f"compute_total -> sum_up: not whole, 0 of {len(sites)} edits done, 0 to review: 4 undone",
    )
    edit(shop, sites)
    after = verify(world, shop, "--plan", str(plan))
    assert (after.code, after.out.strip()) == (
        0,
        f"compute_total -> sum_up: whole, {len(sites)} of {len(sites)} edits done, 0 to review",
    )
    assert verify(world, shop, "compute_total", "sum_up").code == 0
    (shop / "README.md").write_text("# Shop\n\nSee compute_total.\n")
    assert verify(world, shop, "--plan", str(plan)).code == 0
    (shop / "shop/late.py").write_text("from shop.pricing import compute_total\n")
    late = verify(world, shop, "--plan", str(plan), "--json")
    assert (late.code, [(one["file"], one["line"]) for one in late.json["left"]]) == (1, [("shop/late.py", 1)])


def test_places_to_review_fail_where_that_is_wanted(world: World, shop: Path) -> None:
    (shop / "README.md").write_text("# Shop\n\nSee compute_total.\n")
    world.index(shop)
    made = world.codeagentd("refactor", "plan", "compute_total", "sum_up", "--repo", str(shop), "--json")
    plan = world.base / "plan.json"
    plan.write_text(made.out)
    edit(shop, made.json["edits"])
    assert verify(world, shop, "--plan", str(plan)).code == 0
    strict = verify(world, shop, "--plan", str(plan), "--strict")
    assert strict.code == 1
    assert "To review:" in strict.out


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"old": "a", "new": "b"}', "[" * 100_000])
def test_what_is_no_plan_is_wrong_usage(shared_world: World, indexed_shop: Path, text: str) -> None:
    plan = shared_world.base / "plan.json"
    plan.write_text(text)
    done = verify(shared_world, indexed_shop, "--plan", str(plan))
    assert (done.code, done.out) == (2, "")
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "site",
    [
        {"file": 5},
        {"file": "../../etc/passwd", "line": 1, "column": 0, "confidence": "", "reason": "refers to it", "text": ""},
    ],
)
def test_a_plan_that_somebody_has_bent_reads_nothing_outside(
    shared_world: World, indexed_shop: Path, site: dict[str, Any]
) -> None:
    plan = shared_world.base / "plan.json"
    plan.write_text(json.dumps({"old": "root", "new": "compute_total", "edits": [site]}))
    done = verify(shared_world, indexed_shop, "--plan", str(plan))
    assert done.code == 1
    assert "root:" not in done.out + done.err
