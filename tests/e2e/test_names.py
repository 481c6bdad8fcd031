"""Paths as people write them, from the folder where they are: on the command line, and through a window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.world import Outcome, World

FILES = {
    "shop/__init__.py": "",
    "shop/pricing.py": "def total(items):\n    return sum(items)\n",
    "shop/checkout.py": "from shop.pricing import total\n\n\ndef pay(cart):\n    return total(cart)\n",
    "tests/test_pricing.py": "from shop.checkout import pay\n\n\ndef test_pay():\n    assert pay([1]) == 1\n",
}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    with World() as found:
        found.repository("shop", FILES)
        found.index(found.base / "shop")
        yield found


def said(world: World, *words: str, folder: str = "shop") -> Outcome:
    return world.codeagentd(*words, cwd=world.base / "shop" / folder)


def test_the_tests_of_a_file_named_from_a_folder_are_found_from_there(world: World) -> None:
    for path in ("pricing.py", "shop/pricing.py", "../shop/pricing.py", str(world.base / "shop/shop/pricing.py")):
        done = said(world, "affected", "--tests", path)
        assert (done.code, done.out) == (0, "../tests/test_pricing.py\n"), done
    assert (world.base / "shop/shop" / "../tests/test_pricing.py").exists()


@pytest.mark.parametrize("path", ["nope/xyz.py", "pricng.py"])
def test_a_path_that_is_not_known_ends_in_an_error_and_leaves_no_subset(world: World, path: str) -> None:
    for words in (("affected", "--tests", path, "pricing.py"), ("affected", "--tests", path)):
        done = said(world, *words)
        assert (done.code, done.out) == (1, "")
        assert f"no file of the repository, nor of its last commit, and left out: {path}" in done.err
    for words in (
        ("predict", path),
        ("affected", path),
        ("impact", path),
        ("call", "get_dependents", f"node_id={path}"),
        ("call", "affected", f"label={path}"),
    ):
        done = said(world, *words)
        assert done.code == 1, done
        assert path in done.out + done.err
    done = said(world, "call", "affected_tests", f'{{"files": ["{path}"]}}')
    assert done.code == 1
    assert path in done.err


def test_every_command_takes_a_path_from_the_current_folder(world: World) -> None:
    for words in (
        ("affected", "pricing.py"), ("predict", "pricing.py"), ("impact", "pricing.py"), ("refs", "pricing.py"), ("describe", "pricing.py"),
        ("path", "pricing.py", "checkout.py"), ("call", "get_dependents", "node_id=pricing.py"), ("call", "get_file_outline", "path=pricing.py"),
    ):  # fmt: skip
        done = said(world, *words)
        assert done.code == 0, done


def test_a_window_takes_a_path_from_the_top_before_one_from_its_folder(world: World) -> None:
    root: Path = world.base / "shop"
    with_both = root / "shop" / "shop" / "pricing.py"
    with_both.parent.mkdir()
    with_both.write_text("def other():\n    return 1\n")
    window = world.window(None, "--toolsets", "all", cwd=root / "shop")
    window.initialize()
    assert "shop.checkout" in [
        one["qualified_name"] for one in window.must("get_dependents", {"node_id": "pricing.py"}).items
    ]
    assert [one["name"] for one in window.must("get_file_outline", {"path": "shop/pricing.py"}).items] == ["total"]


def test_the_tests_of_a_change_wait_for_the_first_index() -> None:
    files = {f"many/part{number}.py": f"def part{number}():\n    return {number}\n" for number in range(300)}
    with World() as world:
        world.repository("shop", FILES | files)
        done = said(world, "affected", "--tests", "shop/pricing.py", folder=".")
        assert (done.code, done.out, done.err) == (0, "tests/test_pricing.py\n", "")
        near = said(world, "affected", "--tests", "--depth", "1", "shop/pricing.py", folder=".")
        assert (near.code, near.out, near.err) == (0, "", "no test is that near; files of tests farther away: 1\n")
