"""Which tests are selected where no chain of written calls leads from a test to the change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.past import committed
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
SHOP = {
    "shop/__init__.py": "",
    # the language calls these: no source says so
    "shop/shelf.py": "class Shelf:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *_):\n        tidy()\n\n\n"
    "def tidy():\n    pass\n",
    "tests/test_shelf.py": "from shop.shelf import Shelf\n\n\ndef test_shelf():\n    with Shelf():\n        pass\n",
    # a library calls this one
    "shop/job.py": "from threading import Thread\n\nfrom shop.work import work\n\n\nclass Job(Thread):\n    def run(self):\n        work()\n\n\n"
    "class Night(Job):\n    pass\n",
    "shop/work.py": "def work():\n    pass\n",
    "tests/test_job.py": "from shop.job import Night\n\n\ndef test_job():\n    Night().start()\n",
    # nothing is known to call this one
    "shop/plugin.py": "class Plugin:\n    def hook(self):\n        return 1\n\n\ndef plugins():\n    return [Plugin()]\n",
    "tests/test_plugin.py": "from shop.plugin import plugins\n\n\ndef test_plugins():\n"
    "    assert [getattr(one, 'hook')() for one in plugins()] == [1]\n",
    # a call of this one may mean another one
    "shop/turn.py": "def turn():\n    return 1\n",
    "shop/twins.py": "from shop.turn import turn\n\n\nclass One:\n    def spin(self):\n        return turn()\n\n\n"
    "class Two:\n    def spin(self):\n        return 2\n\n\ndef ones():\n    return [One()]\n",
    "shop/spinning.py": "def spin_all(items):\n    return [item.spin() for item in items]\n",
    "tests/test_twins.py": "from shop.spinning import spin_all\nfrom shop.twins import ones\n\n\ndef test_twins():\n"
    "    assert spin_all(ones()) == [1]\n",
    # a long way
    **{
        f"shop/step{number}.py": f"from shop.step{number + 1} import step{number + 1}\n\n\n"
        f"def step{number}():\n    return step{number + 1}()\n"
        for number in range(5)
    },
    "shop/step5.py": "def step5():\n    return 1\n",
    "tests/test_steps.py": "from shop.step0 import step0\n\n\ndef test_steps():\n    assert step0() == 1\n",
    # imported, and found by its name in a text
    "shop/table.py": "def entry():\n    return 1\n",
    "shop/registry.py": "from shop import table\n\n\ndef find(name):\n    return vars(table)[name]\n",
    "tests/test_registry.py": "from shop import registry\n\nFOUND = registry\n",
    "README.md": "# Shop\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    place = tmp_path_factory.mktemp("selection")
    committed(place / "repo", SHOP)
    with surroundings(place, {}) as found:
        yield found


def selected(ctx: Context, *files: str, **arguments: Any) -> dict[str, Any]:
    return call(CATALOGUE["affected_tests"], ctx, {"files": [*files], **arguments}).structured


@pytest.mark.parametrize(
    ("changed", "test"),
    [
        ("shop/shelf.py", "tests/test_shelf.py"),
        ("shop/work.py", "tests/test_job.py"),
        ("shop/plugin.py", "tests/test_plugin.py"),
    ],
    ids=["special methods", "members that a library calls", "members that nothing is known to call"],
)
def test_a_test_that_has_an_object_of_the_type_is_selected(ctx: Context, changed: str, test: str) -> None:
    found = selected(ctx, changed)
    assert test in found["files"]
    assert not found.get("partial")


def test_a_call_that_may_mean_one_of_several_members_is_followed_through_objects(ctx: Context) -> None:
    found = selected(ctx, "shop/turn.py")
    assert "test_twins()" in [one["label"] for one in found["tests"]]
    assert "note" not in found


def test_such_a_test_is_inferred_and_says_why(ctx: Context) -> None:
    tests = {one["label"]: one for one in selected(ctx, "shop/work.py")["tests"]}
    assert tests["test_job()"]["confidence"] == "INFERRED"
    assert tests["test_job()"]["reason"] == "has objects that may run it"


def test_tests_beyond_the_wanted_distance_are_told_apart_by_their_files(ctx: Context) -> None:
    found = selected(ctx, "shop/step5.py")
    assert (found["tests"], found["files"], found["farther"]) == ([], [], ["tests/test_steps.py"])
    far = selected(ctx, "shop/step5.py", depth=16)
    assert "test_steps()" in [one["label"] for one in far["tests"]]
    assert far["files"] == ["tests/test_steps.py"]
    assert "farther" not in far


def test_where_no_test_is_known_to_run_a_change_those_that_import_it_are_selected(ctx: Context) -> None:
    found = selected(ctx, "shop/table.py")
    assert [*found["files"], *found.get("farther", [])] == ["tests/test_registry.py"]
    assert "no test is known to run it" in found["note"]


def test_a_change_of_a_document_needs_no_test(ctx: Context) -> None:
    found = selected(ctx, "README.md")
    assert (found["files"], found.get("note", ""), found.get("partial", False)) == ([], "", False)


def test_a_change_of_code_without_any_test_is_not_called_whole(tmp_path: Path) -> None:
    files = {"shop/alone.py": "def lonely():\n    return 1\n", "tests/test_other.py": "def test_other():\n    pass\n"}
    with surroundings(tmp_path, files) as ctx:
        found = selected(ctx, "shop/alone.py")
    assert (found["files"], found["partial"]) == ([], True)
    assert "no test is known to run it, nor to import it" in found["note"]


def test_without_any_tests_that_is_known(tmp_path: Path) -> None:
    with surroundings(tmp_path, {"shop/alone.py": "def lonely():\n    return 1\n"}) as ctx:
        found = selected(ctx, "shop/alone.py")
    assert (found["files"], found.get("partial", False)) == ([], False)
    assert found["note"] == "no file of the repository is known as one of tests"
