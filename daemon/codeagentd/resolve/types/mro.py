"""The order in which a type's bases are searched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

DEEPEST: Final = 100  # bases of bases whose orders are merged; deeper ones come depth first

Bases = Callable[[int], tuple[int, ...]]


def linearise(start: int, bases: Bases) -> tuple[int, ...]:
    """Return the types by the C3 linearisation from `start` on (Python's method resolution order; for single
    inheritance the plain chain). Where C3 has no result, the order is depth first.

    Source: K. Barrett et al., "A Monotonic Superclass Linearization for Dylan", OOPSLA 1996.
    """
    result = _c3(start, bases, frozenset(), {})
    return tuple(result if result is not None else _depth_first(start, bases))


def breadth_first(start: int, bases: Bases) -> tuple[int, ...]:
    """Return the type `start`, its bases, their bases and so on: the shallowest member wins (The Go Programming
    Language Specification, "Selectors").
    """
    order = [start]
    for current in order:
        order += [base for base in dict.fromkeys(bases(current)) if base not in order]
    return tuple(order)


def _c3(current: int, bases: Bases, above: frozenset[int], known: dict[int, tuple[int, ...]]) -> list[int] | None:
    if current in known:
        return list(known[current])
    if current in above or len(above) > DEEPEST:
        return None
    direct = list(bases(current))
    orders = []
    for base in direct:
        order = _c3(base, bases, above | {current}, known)
        if order is None:
            return None
        orders.append(order)
    merged = orders[0] if len(orders) == 1 else _merge([*orders, direct])
    if merged is None:
        return None
    known[current] = (current, *merged)
    return [current, *merged]


def _merge(lists: list[list[int]]) -> list[int] | None:
    result: list[int] = []
    lists = [entries for entries in lists if entries]
    while lists:
        head = next((entries[0] for entries in lists if not any(entries[0] in other[1:] for other in lists)), None)
        if head is None:
            return None
        result.append(head)
        lists = [rest for entries in lists if (rest := [entry for entry in entries if entry != head])]
    return result


def _depth_first(start: int, bases: Bases) -> list[int]:
    order: list[int] = []
    waiting = [start]
    while waiting:
        current = waiting.pop(0)
        if current not in order:
            order.append(current)
            waiting[:0] = bases(current)
    return order
