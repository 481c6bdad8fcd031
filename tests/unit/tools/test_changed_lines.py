"""Which tests a change of some lines needs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.past import committed, run, write
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
PRICE = """RATE = 2
LIMIT = 9


def net(price):
    return price


def gross(price):
    def rounded(value):
        return round(value)

    return rounded(price * RATE)


class Cart:
    size = 3

    def add(self, price):
        return net(price)

    def clear(self):
        return self.size
"""
FILES = {
    "shop/__init__.py": "",
    "shop/price.py": PRICE,
    "shop/old name é.py": "def old():\n    return 1\n\n\ndef older():\n    return 2\n",
    "tests/test_net.py": "from shop.price import net\n\n\ndef test_net():\n    assert net(1) == 1\n",
    "tests/test_gross.py": "from shop.price import gross\n\n\ndef test_gross():\n    assert gross(1) == 2\n",
    "tests/test_add.py": "from shop.price import Cart\n\n\ndef test_add():\n    assert Cart().add(1) == 1\n",
    "tests/test_clear.py": "from shop.price import Cart\n\n\ndef test_clear():\n    assert Cart().clear() == 3\n",
    "tests/test_limit.py": "from shop.price import LIMIT\n\n\ndef test_limit():\n    assert LIMIT == 9\n",
}
ALL = {path for path in FILES if path.startswith("tests/")}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    place = tmp_path_factory.mktemp("lines")
    committed(place / "repo", FILES)
    with surroundings(place, {}, watched=True) as found:
        yield found


def needed(ctx: Context, files: dict[str, str | None]) -> set[str]:
    """The test files that are selected for these contents; the repository is as it was afterwards."""
    write(ctx.root, files)
    try:
        assert ctx.engine.sync(30).caught_up
        found = call(CATALOGUE["affected_tests"], ctx, {"base": "HEAD"}).structured
        return {*found["files"], *found.get("farther", [])}
    finally:
        run(ctx.root, "checkout", "-q", ".")
        run(ctx.root, "clean", "-qfd")


@pytest.mark.parametrize(
    ("old", "new", "tests"),
    [
        ("    return price\n", "    return price + 0\n", {"tests/test_net.py", "tests/test_add.py"}),
        ("round(value)", "round(value, 2)", {"tests/test_gross.py"}),
        ("        return net(price)\n", "        return net(price + 1)\n", {"tests/test_add.py"}),
        ("LIMIT = 9", "LIMIT = 10", {"tests/test_limit.py"}),
        ("    size = 3\n", "    size = 4\n", {"tests/test_add.py", "tests/test_clear.py"}),
        ("    def clear(self):\n        return self.size\n", "", ALL),
        ("def gross", "\ndef other(price):\n    return 0\n\n\ndef gross", ALL),
        ("def gross(price):\n", "print(1)\n\n\ndef gross(price):\n", ALL),
        ("def net(price):", "def plain(price):", ALL),
    ],
    ids=[
        "the body of a function", "a function inside another one", "a method", "a variable", "a field",
        "a removed method that a test mentions", "a new function that nothing calls", "a statement of the file",
        "a function that is called something else, and that a test mentions",
    ],
)  # fmt: skip
def test_a_change_needs_the_tests_of_what_its_lines_are_part_of(
    ctx: Context, old: str, new: str, tests: set[str]
) -> None:
    assert old in PRICE
    assert needed(ctx, {"shop/price.py": PRICE.replace(old, new, 1)}) == tests


def test_named_files_count_whole(ctx: Context) -> None:
    found = call(CATALOGUE["affected_tests"], ctx, {"files": ["shop/price.py"]}).structured
    assert {*found["files"], *found.get("farther", [])} == ALL


def test_a_new_file_and_one_with_an_unusual_name_count(ctx: Context) -> None:
    test = {
        "tests/test_old.py": "import importlib\n\n\ndef test_old():\n    assert importlib.import_module('shop.old name é')\n"
    }
    assert needed(ctx, {"shop/old name é.py": "def old():\n    return 3\n", **test}) == {"tests/test_old.py"}


def test_a_file_that_is_gone_leaves_the_others_as_they_are(ctx: Context) -> None:
    assert needed(ctx, {"shop/price.py": PRICE.replace("round(value)", "0"), "tests/test_net.py": None}) == {
        "tests/test_gross.py"
    }
