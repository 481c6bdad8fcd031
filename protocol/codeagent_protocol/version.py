"""The product's version and the wire protocol's number."""

from __future__ import annotations

__version__ = "0.1.0"

PROTOCOL = 1


def version_of(product: str) -> tuple[int, ...]:
    """Return the product version `product` as numbers to compare. A suffix after the numbers does not count, and a text
    without numbers is older than all versions.
    """
    numbers: list[int] = []
    for part in product.split(".")[:3]:
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits or len(digits) > 9:
            break
        numbers.append(int(digits))
        if digits != part:
            break
    return tuple(numbers)
