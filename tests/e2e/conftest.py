"""What end-to-end tests start from: a world of their own, and a small shop whose call graph is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

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
