"""Whether a renaming is whole, on indexes of what was edited."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeagentd.model.results.change_results import Planned, Verified
from codeagentd.query.refactor.rename_verification import verified
from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.past import write
from tests.harness.planted import Forge
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
SHOP = {
    "shop/price.py": "def compute_total(items):\n    return sum(items)\n\n\ndef used():\n    return compute_total([compute_total([])])\n",
    "shop/view.py": '"""Shows compute_total."""\nfrom shop.price import compute_total as ct, used\n\n\ndef show():\n    return ct([used()])\n',
    "shop/other.py": "from shop.price import compute_total\n\n\ndef grand(items):\n    return compute_total(items)\n",
    "shop/apart.py": "def compute_total(a):\n    return a\n\n\nx = compute_total(1)\n",
    "shop/shapes.py": (
        "class Shape:\n    def area(self):\n        return 0\n\n    def twice(self):\n        return self.area() * 2\n\n\n"
        "class Square(Shape):\n    def area(self):\n        return 4\n\n\ndef unknown(thing):\n    return thing.area()\n"
        "\n\ndef known():\n    return Square().area()\n"
    ),
    "README.md": "Call `compute_total` with items.\n",
}
Edit = Callable[[Mapping[str, str | None]], None]


@pytest.fixture
def ctx(tmp_path: Path) -> Iterator[Context]:
    with surroundings(tmp_path, SHOP) as found:
        yield found


def plan(ctx: Context, name: str, to: str, **arguments: Any) -> Planned:
    """A plan as it comes back from a file."""
    answer = call(CATALOGUE["plan_rename"], ctx, {"name": name, "to": to, **arguments})
    return msgspec.convert(json.loads(answer.text), Planned)


def renamed(planned: Planned, *, but: tuple[str, int] = ("", 0)) -> dict[str, str]:
    """The files with every edit of the plan made, but for one line."""
    texts = {one.file: SHOP[one.file].split("\n") for one in planned.edits}
    for one in sorted(planned.edits, key=lambda one: -one.column):
        if (one.file, one.line) != but:
            line = texts[one.file][one.line - 1]
            texts[one.file][one.line - 1] = line[: one.column] + planned.new + line[one.column + len(planned.old) :]
    return {path: "\n".join(lines) for path, lines in texts.items()}


def check(ctx: Context, planned: Planned, files: Mapping[str, str | None]) -> Verified:
    write(ctx.root, files)
    ctx.engine.index_files(
        [path for path, text in files.items() if text is not None], b"test", len(files) + hash(str(files)) % 10**6
    )
    assert ctx.engine.sync(30).caught_up
    assert ctx.engine.text_ready(30)
    with ctx.read() as db:
        return verified(db, planned, ctx.lines)


def spots(found: list[Any]) -> list[tuple[str, int]]:
    return [(one.file, one.line) for one in found]


def test_a_renaming_with_every_edit_is_whole_and_texts_stay_for_review(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    found = check(ctx, planned, renamed(planned))
    assert found.whole, found
    assert (found.planned, found.done) == (6, 6)
    assert spots(found.review) == [("README.md", 1), ("shop/view.py", 1)]
    assert found.message == "compute_total -> sum_up: whole, 6 of 6 edits done, 2 to review"


def test_before_the_edits_nothing_is_done(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    found = check(ctx, planned, {})
    assert not found.whole
    assert (found.done, len(found.undone)) == (0, 7)  # six places, and no definition


def test_an_edit_that_was_forgotten_is_told(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    found = check(ctx, planned, renamed(planned, but=("shop/other.py", 5)))
    assert spots(found.undone) == [("shop/other.py", 5)]
    assert (found.done, found.undone[0].reason) == (5, "compute_total still stands here")


def test_lines_that_moved_are_found_again(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    files = renamed(planned)
    files["shop/other.py"] = '"""New."""\n\nimport os\n\n' + files["shop/other.py"]
    files["shop/price.py"] = files["shop/price.py"].replace(
        "    return sum_up([sum_up([])])", "    return sum_up(\n        [sum_up([])],\n    )"
    )
    found = check(ctx, planned, files)
    assert found.whole, found


def test_a_definition_that_was_forgotten_leaves_references_to_nothing(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    found = check(ctx, planned, renamed(planned, but=("shop/price.py", 1)))
    assert not found.whole
    assert ("shop/price.py", 1) in spots(found.undone)
    assert {("shop/other.py", 1), ("shop/other.py", 5)} <= set(spots(found.unresolved))


def test_a_name_that_means_something_else_there_captures(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    files = renamed(planned)
    files["shop/other.py"] += "\n\ndef sum_up(a):\n    return a\n"
    found = check(ctx, planned, files)
    assert not found.whole
    assert spots(found.captured) == [("shop/other.py", 5)]
    assert found.collisions == ["sum_up means something else: shop/other.py, line 8"]


def test_a_namesake_in_the_same_scope_is_a_collision(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    files = renamed(planned)
    files["shop/price.py"] += "\n\nclass sum_up:\n    pass\n"
    assert [one.partition(":")[0] for one in check(ctx, planned, files).collisions] == ["sum_up is there twice"]


def test_an_alias_by_the_old_name_is_left(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    found = check(
        ctx,
        planned,
        renamed(planned)
        | {"shop/late.py": "from shop.price import sum_up as compute_total\n\nprint(compute_total([]))\n"},
    )
    assert not found.whole
    assert set(spots(found.left)) == {("shop/late.py", 3)}


def test_code_that_came_after_the_plan_and_uses_the_old_name_is_left(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    files = renamed(planned) | {"shop/late.py": "from shop.price import compute_total\n\nprint(compute_total([]))\n"}
    files["shop/price.py"] += "\n\ndef more():\n    return compute_total([1])\n"
    found = check(ctx, planned, files)
    assert set(spots(found.left)) == {("shop/late.py", 1), ("shop/late.py", 3), ("shop/price.py", 10)}


def test_a_namesake_elsewhere_is_left_in_peace(ctx: Context) -> None:
    found = check(ctx, Planned("compute_total", "sum_up"), renamed(plan(ctx, "compute_total", "sum_up", file="price")))
    assert found.whole, found
    assert set(spots(found.review)) == {("README.md", 1), ("shop/view.py", 1)}


def test_the_names_alone_find_imports_that_lead_nowhere_and_a_definition_that_stayed(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    files = renamed(planned)
    files["shop/other.py"] = SHOP["shop/other.py"]
    found = check(ctx, Planned("compute_total", "sum_up"), files)
    assert set(spots(found.left)) == {("shop/other.py", 1), ("shop/other.py", 5)}
    files["shop/price.py"] += "\n\ndef compute_total(items):\n    return sum_up(items)\n"
    found = check(ctx, Planned("compute_total", "sum_up"), files)
    assert ("shop/price.py", 9) in spots(found.left)


def test_a_type_with_constructors_goes_by_its_name_alone(ctx: Context) -> None:
    source = "class Shelf {\n  Shelf() {}\n  Shelf(int size) {}\n  static Shelf make() { return new Shelf(); }\n}\n"
    found = check(
        ctx, Planned("Rack", "Shelf"), {"Shelf.java": source, "Use.java": "class Use { Object a = new Rack(); }\n"}
    )
    assert (found.found, found.whole) == (True, True)
    assert spots(found.review) == [("Use.java", 1)]


def test_an_import_that_is_now_taken_for_another_package_is_left(ctx: Context) -> None:
    files = {
        "core/Rack.java": "package com.core;\npublic class Rack {}\n",
        "web/Use.java": "package com.web;\nimport com.core.Shelf;\nclass Use { Shelf one = new Shelf(); }\n",
    }
    found = check(ctx, Planned("Shelf", "Rack"), files)
    assert set(spots(found.left)) == {("web/Use.java", 2), ("web/Use.java", 3)}


def test_a_new_name_that_nothing_has_is_not_found(ctx: Context) -> None:
    found = check(ctx, Planned("compute_total", "nothing_like_it"), {})
    assert (found.found, found.whole) == (False, False)
    assert found.message == "No node matches 'nothing_like_it'."


def test_a_method_and_its_override_are_renamed_together(ctx: Context) -> None:
    planned = plan(ctx, "Shape.area", "surface")
    assert spots(planned.edits) == [("shop/shapes.py", line) for line in (2, 6, 10, 19)]
    files = renamed(planned)
    named = check(ctx, planned, files)
    assert named.whole, named
    assert spots(named.review) == [("shop/shapes.py", 15)]
    everywhere = check(ctx, planned, {"shop/shapes.py": files["shop/shapes.py"].replace("area", "surface")})
    assert (everywhere.whole, everywhere.review) == (True, [])


def test_an_override_that_keeps_the_old_name_is_left(ctx: Context) -> None:
    planned = plan(ctx, "Shape.area", "surface")
    found = check(ctx, planned, renamed(planned, but=("shop/shapes.py", 10)))
    assert ("shop/shapes.py", 10) in spots(found.undone)


def test_a_method_that_now_hides_another_is_a_collision(ctx: Context) -> None:
    planned = plan(ctx, "Shape.area", "surface")
    files = renamed(planned)
    files["shop/shapes.py"] += "\n\nclass Cube(Shape):\n    def surface(self):\n        return 5\n"
    found = check(ctx, planned, files)
    assert [one.partition(":")[0] for one in found.collisions] == [
        "surface overrides another member, or is overridden by it"
    ]


def test_a_file_that_is_gone_is_told(ctx: Context) -> None:
    planned = plan(ctx, "compute_total", "sum_up", file="price")
    files: dict[str, str | None] = {**renamed(planned), "shop/other.py": None}
    assert set(spots(check(ctx, planned, files).undone)) == {("shop/other.py", 1), ("shop/other.py", 5)}


def test_lines_with_secrets_are_found_again_and_are_not_shown(tmp_path: Path) -> None:
    key = Forge().stripe_key()
    use = f'compute_total("{key}")\n'
    with surroundings(tmp_path, {"shop/price.py": "def compute_total(key):\n    return key\n\n\n" + use}) as ctx:
        planned = plan(ctx, "compute_total", "sum_up")
        moved = check(ctx, planned, {"shop/price.py": "def sum_up(key):\n    return key\n\n\nimport os\n\n" + use})
    assert [(one.line, one.text) for one in moved.undone] == [(7, 'compute_total("[redacted]")')]


def test_a_file_that_the_plan_renames_is_followed_and_missed_where_it_is_not_renamed(tmp_path: Path) -> None:
    text = "public class Circle {\n  Circle twice() { return new Circle(); }\n}\n"
    done = text.replace("Circle", "Round")
    with surroundings(tmp_path, {"java/Circle.java": text}) as ctx:
        planned = plan(ctx, "Circle", "Round")
        found = check(ctx, planned, {"java/Circle.java": done})
        assert [one.reason for one in found.undone] == [
            "rename the file to Round.java: a public type has to be in a file of its name"
        ]
        found = check(ctx, planned, {"java/Circle.java": None, "java/Round.java": done})
        assert found.whole, found
