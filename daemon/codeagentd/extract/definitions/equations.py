"""Equations: the signature and the equations of one function, in languages that define functions by cases."""

from __future__ import annotations

from .c_declarators import SIGNATURE
from .draft import CALLABLES, Draft


def join_equations(drafts: list[Draft]) -> list[Draft]:
    """Return `drafts`, which are in document order, with one draft for each run of equations of one function. It begins
    with the signature directly before them, and its name is that in the first equation.
    """
    results: list[Draft] = []
    for draft in drafts:
        first = results[-1] if results else None
        if first is not None and _continues(first, draft):
            _extend(first, draft)
        else:
            results.append(draft)
    return results


def _continues(first: Draft, draft: Draft) -> bool:
    return (
        draft.kind in CALLABLES
        and first.name == draft.name
        and first.kind == draft.kind
        and first.parent is draft.parent
        and SIGNATURE not in draft.modifiers
    )


def _extend(first: Draft, equation: Draft) -> None:
    first.end = equation.end
    first.own = first.place = first.body = (first.start, first.end)
    if SIGNATURE in first.modifiers:
        if first.parent is None:  # a class declares its methods by their signatures
            first.name_start, first.name_end = equation.name_start, equation.name_end
        first.modifiers = tuple(word for word in first.modifiers if word != SIGNATURE)
