"""What a renaming would edit, and what it leaves to eyes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.toolkit.call import Answer
from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.asking import validate
from tests.harness.planted import Forge
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
SHOP = {
    "shop/price.py": "def compute_total(items):\n    return sum(items)\n\n\ndef used():\n    return compute_total([compute_total([])])\n",
    "shop/view.py": '"""Shows compute_total."""\nfrom shop.price import compute_total as ct, used\n\n\ndef show():\n    return ct([used()])\n',
    "shop/other.py": "from shop.price import compute_total\n\n\ndef grand(items):\n    return compute_total(items)\n",
    "shop/apart.py": "def compute_total(a):\n    return a\n\n\nx = compute_total(1)\n",
    "shop/taken.py": "from shop.price import used\n\ngrand_total = used()\n",
    "shop/shapes.py": (
        "class Shape:\n    def area(self):\n        return 0\n\n    def twice(self):\n        return self.area() * 2\n\n\n"
        "class Square(Shape):\n    def area(self):\n        return 4\n\n\ndef unknown(thing):\n    return thing.area()\n"
    ),
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef basket():\n    return []\n",
    "tests/test_basket.py": (
        'import pytest\n\n\n@pytest.mark.usefixtures("basket")\ndef test_marked():\n    pass\n\n\n'
        "def test_empty(basket):\n    assert not basket\n"
    ),
    "README.md": "Call `compute_total` with items.\n",
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("renaming"), SHOP) as found:
        yield found


def plan(ctx: Context, name: str, to: str, **arguments: Any) -> Answer:
    return call(CATALOGUE["plan_rename"], ctx, {"name": name, "to": to, **arguments})


def places(sites: list[dict[str, Any]]) -> set[tuple[str, int, int]]:
    return {(one["file"], one.get("line", 0), one.get("column", 0)) for one in sites}


def test_every_sure_place_is_an_edit_and_the_alias_is_left(ctx: Context) -> None:
    answer = plan(ctx, "compute_total", "sum_up", file="price")
    found = answer.structured
    assert places(found["edits"]) == {
        ("shop/price.py", 1, 4), ("shop/price.py", 6, 11), ("shop/price.py", 6, 26),
        ("shop/view.py", 2, 23), ("shop/other.py", 1, 23), ("shop/other.py", 5, 11),
    }  # fmt: skip
    assert answer.rendered.startswith(
        "Rename compute_total -> sum_up [INFERRED], 6 edit(s) across 3 file(s), 2 to review, "
    )


def test_the_edits_make_code_that_says_the_same(ctx: Context) -> None:
    found = plan(ctx, "compute_total", "sum_up", file="price").structured
    texts = {path: text.split("\n") for path, text in SHOP.items()}
    for one in sorted(found["edits"], key=lambda one: -one.get("column", 0)):
        line = texts[one["file"]][one["line"] - 1]
        column = one.get("column", 0)
        texts[one["file"]][one["line"] - 1] = line[:column] + "sum_up" + line[column + len("compute_total") :]
    assert "compute_total" not in "\n".join(texts["shop/price.py"] + texts["shop/other.py"])
    assert texts["shop/apart.py"] == SHOP["shop/apart.py"].split("\n")


def test_words_in_texts_are_for_review_and_a_namesake_is_left(ctx: Context) -> None:
    found = plan(ctx, "compute_total", "sum_up", file="price").structured
    assert places(found["review"]) == {("README.md", 1, 6), ("shop/view.py", 1, 9)}


def test_a_method_takes_its_overrides_along_and_asks_about_unknown_receivers(ctx: Context) -> None:
    found = plan(ctx, "Shape.area", "surface").structured
    assert places(found["edits"]) == {("shop/shapes.py", 2, 8), ("shop/shapes.py", 6, 20), ("shop/shapes.py", 10, 8)}
    assert places(found["review"]) >= {("shop/shapes.py", 15, 17)}
    assert found["confidence"] == "AMBIGUOUS"


def test_a_name_that_is_exported_under_itself_is_renamed_twice(tmp_path: Path) -> None:
    files = {
        "shop/__init__.py": "from .price import total as total\nfrom .price import total as sum_of\n",
        "shop/price.py": "def total():\n    return 1\n",
        "use.py": "from shop import total\n\ntotal()\n",
    }
    with surroundings(tmp_path, files) as ctx:
        found = plan(ctx, "total", "amount").structured
    assert {place for place in places(found["edits"]) if place[0] == "shop/__init__.py"} == {
        ("shop/__init__.py", 1, 19), ("shop/__init__.py", 1, 28), ("shop/__init__.py", 2, 19),
    }  # fmt: skip


def test_a_name_that_is_taken_is_a_collision(ctx: Context) -> None:
    assert plan(ctx, "compute_total", "used", file="price").structured["confidence"] == "AMBIGUOUS"
    assert plan(ctx, "used", "grand_total").structured["collisions"] == [
        "grand_total means something in shop/taken.py, line 3"
    ]


def test_a_name_that_would_hide_another_or_be_hidden_is_a_collision(tmp_path: Path) -> None:
    files = {
        "shop/price.py": "import os\nfrom math import floor\n\n\ndef total(items):\n    return floor(sum(items))\n",
        "shop/use.py": (
            "from shop.price import total\n\n\ndef show(items):\n    amount = total(items)\n    return amount\n\n\n"
            "def other(due):\n    return due.amount\n"
        ),
        "shop/shapes.py": (
            "class Shape:\n    def area(self, side):\n        return 0\n\n    def twice(self, surface):\n        return self.area(surface) * 2\n\n\n"
            "class Square(Shape):\n    def cover(self):\n        return 4\n"
        ),
    }  # fmt: skip
    with surroundings(tmp_path, files) as ctx:
        told = {(old, new): plan(ctx, old, new).structured["collisions"] for old, new in COLLIDING}
    assert told == COLLIDING


COLLIDING = {
    ("total", "floor"): ["floor means something in shop/price.py, line 2"],
    ("total", "os"): ["os means something in shop/price.py, line 1"],
    ("total", "amount"): ["amount is said in shop/use.py, line 5, by a function that says total"],
    ("total", "due"): [],
    ("Shape.area", "cover"): ["cover is there already, above or below: shop/shapes.py, line 10"],
    ("Shape.area", "surface"): [],
}


def test_several_of_a_name_are_told_and_none_is_guessed(ctx: Context) -> None:
    found = plan(ctx, "compute_total", "sum_up").structured
    assert not found["found"]
    assert {one["file"] for one in found["candidates"]} == {"shop/price.py", "shop/apart.py"}
    by_id = plan(ctx, "compute_total", "sum_up", id=found["candidates"][0]["id"]).structured
    assert by_id["found"]


def test_the_lines_of_a_plan_hold_no_secret(tmp_path: Path) -> None:
    forge = Forge()
    key, body = forge.stripe_key(), forge.key_lines()
    block = "-----BEGIN PRIVATE" + f" KEY-----\n{body} charge\n-----END PRIVATE" + " KEY-----"
    files = {
        "shop/pay.py": f'def charge(amount, key="{key}"):\n    return amount\n\n\ncharge(1, "{key}")\n',
        "shop/late.yaml": f"run: charge\nurl: https://ada:tu{'lips99'}@shop.example/charge\n",
        "shop/keys.py": f'KEY = """{block}"""\n',
    }
    with surroundings(tmp_path, files) as ctx:
        answer = plan(ctx, "charge", "bill")
    sites = [*answer.structured["edits"], *answer.structured["review"]]
    assert {(one["file"], one["line"]) for one in sites} >= {
        ("shop/pay.py", 1),
        ("shop/pay.py", 5),
        ("shop/late.yaml", 2),
    }
    assert 'def charge(amount, key="[redacted]"):' in [one["text"] for one in sites]
    for told in (answer.text, answer.rendered):
        assert key not in told
        assert "lips99" not in told
        assert body[-20:] not in told


@pytest.mark.parametrize("to", ["", "1st", "a b", "a.b", "a\n", "used"])
def test_a_new_name_that_is_none_is_refused(ctx: Context, to: str) -> None:
    assert plan(ctx, "used", to).code == "invalid_parameter"


def test_what_is_no_definition_is_told(ctx: Context) -> None:
    assert plan(ctx, "nobody", "somebody").rendered == "No node matches 'nobody'."
    assert "no definition" in plan(ctx, "shop/price.py", "somebody").rendered


@pytest.mark.parametrize("name", ["nowhere_to_be_found", "shop/price.py"])
def test_a_plan_for_what_cannot_be_renamed_has_the_promised_shape_too(ctx: Context, name: str) -> None:
    answer = plan(ctx, name, "other")
    assert answer.structured["found"] is False
    validate("plan_rename", answer.structured)


def test_a_fixture_is_renamed_in_parameters_and_marks_and_its_values_are_to_review(ctx: Context) -> None:
    answer = plan(ctx, "basket", "cart")
    found = answer.structured
    assert places(found["edits"]) == {
        ("tests/conftest.py", 5, 4), ("tests/test_basket.py", 4, 26), ("tests/test_basket.py", 9, 15),
    }  # fmt: skip
    assert ("tests/test_basket.py", 10, 15) in places(found["review"])
    assert "[INFERRED]" in answer.rendered
