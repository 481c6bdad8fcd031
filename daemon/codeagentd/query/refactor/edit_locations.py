"""The locations of a plan's edits in the present text: by line and column if nothing moved, else by the text of the
line.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgspec

from codeagentd.model.labels import clean
from codeagentd.model.results.change_results import Planned, Site

from .mentions import Lines, word

RENAME_FILE: Final = "rename the file to "  # with the new name: begins the reason of a place whose file is renamed


class PlacedEdit(NamedTuple):
    """A planned place and its present position, (0, 0) if unknown.

    `is_done`: the new name is at this position; `is_old`: the old name is.
    """

    site: Site
    line: int = 0
    column: int = 0
    is_done: bool = False
    is_old: bool = False


def follow_files(plan: Planned, lines: Lines) -> tuple[Planned, list[Site]]:
    """Return `plan` with the present paths of the files that it renames, and the places of those that still have their
    old names.
    """
    moved: dict[str, str] = {}
    kept: list[Site] = []
    for site in plan.review:
        if site.reason.startswith(RENAME_FILE):
            folder, slash, _ = site.file.rpartition("/")
            path = f"{folder}{slash}{site.reason.removeprefix(RENAME_FILE).partition(':')[0]}"
            if lines(path) and not lines(site.file):
                moved[site.file] = path
            else:
                kept.append(site)
    if not moved:
        return plan, kept
    edits, review = (
        [msgspec.structs.replace(site, file=moved.get(site.file, site.file)) for site in sites]
        for sites in (plan.edits, plan.review)
    )
    return msgspec.structs.replace(plan, edits=edits, review=review), kept


def placed_edits(sites: Sequence[Site], old: str, new: str, lines: Lines, shown: Lines) -> list[PlacedEdit]:
    """Return the present state of `sites`, the places of a plan. Their texts are lines as `shown` returns them: without
    secrets.
    """
    groups: dict[tuple[str, int], list[Site]] = defaultdict(list)
    for item in sorted(sites, key=lambda item: (item.file, item.line, item.column)):
        groups[item.file, item.line].append(item)
    result = []
    for (path, _), group in groups.items():
        result += _Group(group, old, new, lines(path), functools.partial(shown, path)).placed_edits()
    return result


class _Group:
    """The places on one line; completed edits further left have moved the others."""

    def __init__(
        self, sites: list[Site], old: str, new: str, lines: Sequence[str], shown: Callable[[], Sequence[str]]
    ) -> None:
        self._sites = sites
        self._old, self._new = old, new
        self._lines = lines
        self._shown = shown
        self._words = (word(old), word(new))

    def placed_edits(self) -> list[PlacedEdit]:
        here = self._at(self._sites[0].line)
        if all(site.line for site in here):
            return here
        for line in self._alike():
            there = self._at(line)
            if all(site.line for site in there):
                return there
        return here

    def _at(self, line: int) -> list[PlacedEdit]:
        text = self._lines[line - 1] if 0 < line <= len(self._lines) else ""
        old, new = self._words
        shift, matches = 0, []
        for site in self._sites:
            column = site.column + shift
            if new.match(text, column):
                matches.append(PlacedEdit(site, line, column, is_done=True))
                shift += len(self._new) - len(self._old)
            elif old.match(text, column):
                matches.append(PlacedEdit(site, line, column, is_old=True))
            else:
                matches.append(PlacedEdit(site))
        return matches

    def _alike(self) -> list[int]:
        """The lines with the same text as the planned one, with either name, the nearest first."""
        near = self._sites[0].line
        planned = self._renamed(self._sites[0].text)
        matches = [
            number for number, text in enumerate(self._shown(), 1) if number != near and self._renamed(text) == planned
        ]
        return sorted(matches, key=lambda number: abs(number - near))

    def _renamed(self, text: str) -> str:
        """The line `text` with the new name alone, without indentation, and cut as very long lines of plans are."""
        return clean(self._words[0].sub(lambda _: self._new, text.strip()))
