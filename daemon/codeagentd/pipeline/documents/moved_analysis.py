"""The analysis of an earlier version of a text, moved onto the present one: for answers that cannot wait."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from codeagentd.model.documents import Definition, DocumentAnalysis

NOWHERE = 0  # the line of a definition whose name is in what has changed


class _Change(NamedTuple):
    """The one difference of two texts: where it begins in both, and where it ends in the old and in the new one, as
    (line from 1, column from 0).
    """

    start: tuple[int, int]
    old_end: tuple[int, int]
    new_end: tuple[int, int]

    def place(self, line: int, column: int, length: int) -> tuple[int, int] | None:
        """The new place of a name; None for one that touches what has changed."""
        if (line, column + length) < self.start:
            return line, column
        if (line, column) <= self.old_end:
            return None
        shift = self.new_end[1] - self.old_end[1] if line == self.old_end[0] else 0
        return line + self.new_end[0] - self.old_end[0], column + shift

    def line(self, line: int) -> int:
        """The new number of a line; that of the end of the change for one inside it."""
        if line <= self.start[0]:
            return line
        return max(self.start[0], line + self.new_end[0] - self.old_end[0])


def moved(analysis: DocumentAnalysis, old: str, new: str) -> DocumentAnalysis:
    """Return `analysis`, which is of the text `old`, for the text `new`: with the places that names have there. Names
    that touch what differs are left out; the definitions among them stay in the list, at the line NOWHERE.
    """
    if old == new:
        return analysis
    change = _difference(old, new)
    uses = []
    for use in analysis.uses:
        if place := change.place(use.line, use.column, 1):
            uses.append(msgspec.structs.replace(use, line=place[0], column=place[1]))
    variables = []
    for variable in analysis.variables:
        length = len(variable.name)
        places = [
            (*place, is_binding)
            for line, column, is_binding in variable.places
            if (place := change.place(line, column, length))
        ]
        if places:
            first, last = change.line(variable.line_start), change.line(variable.line_end)
            variables.append(msgspec.structs.replace(variable, places=tuple(places), line_start=first, line_end=last))
    definitions = [_definition(definition, change) for definition in analysis.definitions]
    return msgspec.structs.replace(analysis, definitions=definitions, uses=uses, variables=variables)


def _definition(definition: Definition, change: _Change) -> Definition:
    line, column = change.place(definition.line, definition.column, len(definition.name)) or (NOWHERE, 0)
    return msgspec.structs.replace(
        definition, line=line, column=column, line_start=change.line(definition.line_start),
        line_end=change.line(definition.line_end),
    )  # fmt: skip


def _difference(old: str, new: str) -> _Change:
    start = _common(old, new)
    most = min(len(old), len(new)) - start
    end = _common(old[len(old) - most :][::-1], new[len(new) - most :][::-1])
    return _Change(_place(old, start), _place(old, len(old) - end), _place(new, len(new) - end))


def _common(text: str, other: str) -> int:
    """The number of characters that both texts begin with."""
    low, high = 0, min(len(text), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if text[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _place(text: str, offset: int) -> tuple[int, int]:
    before = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - before
