"""A plan is not sure where code may put the name together, or has it with dashes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeagentd.toolkit.call import run as call
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
FILES = {
    "walk.py": (
        'class Walk:\n    def visit(self, kind):\n        return getattr(self, f"visit_{kind}")()\n\n    def visit_tree(self):\n        return 1\n\n'
        '    def close_leaf(self):\n        return getattr(self, "close_" + "leaf")\n\n    def plain_leaf(self):\n        return 2\n'
    ),
    "late.py": (
        'def __getattr__(name):\n    return globals()[f"_{name}"]\n\n\ndef _old_total():\n    return 1\n'
    ),
    "sum.py": 'def read():\n    return globals()["_first" + "_total"]\n\n\n_first_total = 3\n',
    "apart.py": "def _own_total():\n    return 1\n\n\nmessage = f\"close_{_own_total()}\"\n",
    "cli.py": "def init_shop():\n    return 1\n\n\ndef other_shop():\n    return 2\n",
    "README.md": "Run `shop init-shop --now`.\n",
    "on.ts": "export class On {\n  call(kind: string) { return (this as any)[`on${kind}`]() }\n  onOpen() { return 1 }\n  offOpen() { return 1 }\n}\n",
    "make.c": "#define MAKE(name) int make_##name(void);\nint make_one(void) { return 1; }\nint take_one(void) { return 1; }\n",
}  # fmt: skip
UNSURE = {
    "visit_tree": ("walk.py", 3, "a name that begins with visit_ is put together here"),
    "close_leaf": ("walk.py", 9, "a name that begins with close_ is put together here"),
    "_old_total": ("late.py", 2, "a name that begins with _ is put together here"),
    "_first_total": ("sum.py", 2, "a name that begins with _first is put together here"),
    "init_shop": ("README.md", 1, "the name with dashes in the text"),
    "onOpen": ("on.ts", 2, "a name that begins with on is put together here"),
    "make_one": ("make.c", 1, "a name that begins with make_ is put together here"),
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("computed"), FILES) as found:
        yield found


def reviewed(ctx: Context, name: str) -> list[tuple[str, int, str]]:
    found = call(CATALOGUE["plan_rename"], ctx, {"name": name, "to": "another"}).structured
    assert found["found"], name
    return [(one["file"], one["line"], one["reason"]) for one in found["review"]]


@pytest.mark.parametrize("name", UNSURE)
def test_where_a_name_may_be_put_together_is_for_review(ctx: Context, name: str) -> None:
    assert UNSURE[name] in reviewed(ctx, name)


@pytest.mark.parametrize("name", ["plain_leaf", "_own_total", "other_shop", "offOpen", "take_one"])
def test_other_names_are_sure(ctx: Context, name: str) -> None:
    assert reviewed(ctx, name) == []
