"""Memory tools on a database of their own and a real index of a small shop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from codeagentd.memory.memory_store import memory_store_at
from codeagentd.toolkit.context import Context
from tests.harness.served import surroundings
from tests.harness.team import team_memories
from tests.unit.memory.notebook import Notebook

SHOP = {
    "shop/pricing.py": "def compute_total(amounts):\n    return sum(amounts)\n\n\ndef round_half_up(amount):\n    return int(amount + 0.5)\n",
    "shop/orders.py": (
        "from shop.pricing import compute_total\n\n\n"
        "class Order:\n    def total(self):\n        return compute_total(self.lines)\n\n    def close(self):\n        return self.total()\n"
    ),
    "shop/store.py": "class Shelf:\n    def close(self):\n        return 1\n",
    "docs/pricing.md": "# Pricing\n\nTotals are sums.\n",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("shop"), SHOP) as found:
        yield found


@pytest.fixture(params=["sqlite", "postgres"])
def notebook(request: pytest.FixtureRequest, shop: Context, tmp_path: Path) -> Iterator[Notebook]:
    """A window with memories of its own: in a file, and on a server."""
    if request.param == "postgres":
        with team_memories("shop") as memories:
            yield Notebook(msgspec.structs.replace(shop, memory=memories))
        return
    memories = memory_store_at(tmp_path / "data", "shop")
    yield Notebook(msgspec.structs.replace(shop, memory=memories))
    memories.store.close()


@pytest.fixture
def local_notebook(shop: Context, tmp_path: Path) -> Iterator[Notebook]:
    """A window with memories in a file."""
    memories = memory_store_at(tmp_path / "data", "shop")
    yield Notebook(msgspec.structs.replace(shop, memory=memories))
    memories.store.close()
