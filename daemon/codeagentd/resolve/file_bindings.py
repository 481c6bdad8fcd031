"""Bindings of one file that are known before any lookup: imports that share a name, overloads, members by receiver."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from codeagentd.model.facts import FIRST_BOUND, FIRST_REFERENCE, THROUGH_CALL, THROUGH_ITEM, FileFacts
from codeagentd.model.kinds import SymbolKind

from .packed_references import references_of

_FUNCTIONS: Final = frozenset({SymbolKind.FUNCTION, SymbolKind.METHOD})


def members_read(facts: FileFacts) -> dict[int, int]:
    """Return a dictionary from the index of a reference to the index of the name of the member that is read from it."""
    through = THROUGH_CALL | THROUGH_ITEM
    return {
        reference.receiver - FIRST_REFERENCE: reference.name
        for reference in references_of(facts)
        if reference.receiver >= FIRST_REFERENCE and not reference.flags & through
    }


def opened(facts: FileFacts, others: Container[str]) -> set[int]:
    """Return the indexes of the references from which members are read that are not named like `others`."""
    plain = {number for number, name in enumerate(facts.names) if name in others}
    through = THROUGH_CALL | THROUGH_ITEM
    return {
        reference.receiver - FIRST_REFERENCE
        for reference in references_of(facts)
        if reference.receiver >= FIRST_REFERENCE and not reference.flags & through and reference.name not in plain
    }


def rivals(facts: FileFacts, separate: bool) -> dict[int, list[int]]:
    """Return a dictionary from a binding to the indexes of the other imports that bind the same name in the same scope.
    Only the running program determines which of them applies.

    With `separate` re-exports count too: the names of modules and functions are apart, and both may have the name.
    """
    groups: dict[tuple[int, str], list[int]] = {}
    for index, fact in enumerate(facts.imports):
        if fact.local and (separate or not fact.exported):
            groups.setdefault((fact.source, fact.local), []).append(index)
    result = {FIRST_BOUND + len(facts.symbols) + first: others for first, *others in groups.values() if others}
    for index, symbol in enumerate(facts.symbols) if groups else ():
        if others := groups.get((symbol.parent, symbol.name)):
            result[FIRST_BOUND + index] = others
    return result


def overloads(facts: FileFacts) -> dict[int, list[int]]:
    """Return a dictionary from the binding of a function to the indexes of all functions with its name in its scope, if
    there are several in the file.
    """
    groups: dict[tuple[int, str], list[int]] = {}
    for index, symbol in enumerate(facts.symbols):
        if symbol.kind in _FUNCTIONS:
            groups.setdefault((symbol.parent, symbol.name), []).append(index)
    return {FIRST_BOUND + index: group for group in groups.values() if len(group) > 1 for index in group}
