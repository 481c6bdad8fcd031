"""Chains that only generators produce lose some of their own answers, and do not affect other code."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.unit.pipeline.conftest import Bench  # type: ignore[import-not-found]  # importlib mode resolves it

Make = Callable[[dict[str, str]], Bench]

LINKS = 1_500
SHELF = "class Shelf:\n    def lend(self): pass\n\ndef use(shelf: Shelf):\n    shelf.lend()\n"
HOSTILE = {
    "values": f"last = 1\nv{LINKS} = last\n"
    + "".join(f"v{n} = v{n + 1}\n" for n in reversed(range(LINKS)))
    + "v0.lend()\n",
    "bases": "class C0: pass\n"
    + "".join(f"class C{n}(C{n - 1}): pass\n" for n in range(1, LINKS))
    + f"C{LINKS - 1}().lend()\n",
    "results": "".join(f"def f{n}(): return f{n + 1}()\n" for n in range(LINKS))
    + f"def f{LINKS}(): return 1\nf0().lend()\n",
    "fields": "".join(f"class C{n}:\n    x = C{n + 1}.x\n" for n in range(LINKS))
    + f"class C{LINKS}: x = 1\nC0.x.lend()\n",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_chain_of_1500_keeps_nothing_else_from_its_answers(make_bench: Make, name: str) -> None:
    bench = make_bench({"hostile.py": HOSTILE[name], "shelf.py": SHELF})
    assert "shelf.Shelf.lend" in bench.stored.targets("lend")
