"""The lines of a file that differ between two of its states."""

from __future__ import annotations

from typing import NamedTuple


class Hunk(NamedTuple):
    """Lines of a file that differ: `first` is the number of the first of the `added` ones, from 1; where there are
    none, that of the line before the `removed` ones.
    """

    first: int
    removed: list[str]
    added: list[str]
