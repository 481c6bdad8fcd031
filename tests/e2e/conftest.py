"""What end-to-end tests start from: a world of their own, and a small shop whose call graph is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.harness.browser import Browser, browser
from tests.harness.opened_page import HOSTILE, ODD_FILES, TURNED, Opened, remember, sign_in
from tests.harness.world import World

SHOP = {
    "README.md": "# Shop\n\nA tiny project.\n",
    "shop/__init__.py": '"""Shop."""\n',
    "shop/pricing.py": '''"""Prices."""


class Discount:
    """Base discount."""

    def apply(self, amount: float) -> float:
        """Return the reduced amount."""
        return amount


class HolidayDiscount(Discount):
    """Ten percent off."""

    def apply(self, amount: float) -> float:
        return amount * 0.9


def compute_total(amounts: list[float]) -> float:
    """Sum all amounts after the holiday discount."""
    discount = HolidayDiscount()
    return sum(discount.apply(amount) for amount in amounts)
''',
    "shop/orders/__init__.py": "",
    "shop/orders/checkout.py": '''"""Checkout."""

from shop.pricing import compute_total


def checkout_cart(cart: dict[str, float]) -> float:
    """Charge the customer for the cart."""
    return compute_total(list(cart.values()))


def checkout_twice(cart: dict[str, float]) -> float:
    return checkout_cart(cart) + checkout_cart(cart)
''',
    "web/cart.ts": """export interface Priced { price: number }

export class CartView implements Priced {
  price = 0;
  renderCart(items: Priced[]): number { return sumPrices(items); }
}

export function sumPrices(items: Priced[]): number {
  return items.reduce((sum, item) => sum + item.price, 0);
}
""",
}


@pytest.fixture
def shop(world: World) -> Path:
    """The shop as a git repository."""
    return world.repository("shop", SHOP)


@pytest.fixture(scope="module")
def shared_world() -> Iterator[World]:
    """A world that the tests of one module share."""
    with World() as world:
        yield world


@pytest.fixture(scope="module")
def indexed_shop(shared_world: World) -> Path:
    """The shop, indexed, with its daemon running; for tests that change nothing."""
    repo = shared_world.repository("shop", SHOP)
    shared_world.index(repo)
    return repo


@pytest.fixture(scope="module")
def filled(shared_world: World) -> tuple[World, Path]:
    """A repository with its index, a memory, a task, and names that want to be more than text."""
    repo = shared_world.repository("shop", SHOP | ODD_FILES)
    shared_world.commit(repo)
    with (repo / "shop/orders/checkout.py").open("a") as file:  # a change that is not committed
        file.write("\n\ndef checkout_often(cart):\n    return checkout_twice(cart)\n")
    shared_world.index(repo)
    window = shared_world.connect(repo, "--toolsets", "all")
    remember(window, "compute_total sums before it rounds")
    remember(window, f"About {HOSTILE} and {TURNED}")
    window.must("create_task", {"project": "shop", "name": f"Look at {HOSTILE} {TURNED}", "description": "of names"})
    window.close()
    return shared_world, repo


@pytest.fixture(scope="module")
def opened(filled: tuple[World, Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    with browser(tmp_path_factory.mktemp("chromium")) as chrome:
        yield sign_in(chrome, *filled)


@pytest.fixture
def page(opened: Opened) -> Iterator[Opened]:
    """The first page. What a test does with it has nothing to complain about, and asks only this server."""
    opened.go("/")
    opened.chrome.log("browser")
    opened.chrome.requests()
    yield opened
    assert [entry["message"] for entry in opened.chrome.log("browser")] == []
    assert {url[: len(opened.base) + 1] for url in opened.chrome.requests()} <= {f"{opened.base}/"}


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Browser]:
    """A browser that knows nobody."""
    with browser(tmp_path) as chrome:
        yield chrome
