"""The titles of communities on the map: their two strongest symbols, each title once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

STRONGEST: Final = 2  # symbols in a title
CANDIDATES: Final = 12  # of the most connected symbols from which these are taken


class Titled(NamedTuple):
    """What the title of a community is made of: its number, the folder of most of it, and the labels
    of its most connected symbols in descending order.
    """

    id: int
    folder: str
    labels: Sequence[str]


def titles(communities: Iterable[Titled]) -> list[str]:
    """Return a title for each of `communities`, in their order: the first ones have the shortest titles."""
    taken: set[str] = set()
    found = []
    for community in communities:
        title = next(title for title in _possible(community) if title not in taken)
        taken.add(title)
        found.append(title)
    return found


def _possible(community: Titled) -> Iterable[str]:
    """Titles of growing length; the last one is no other's."""
    names: list[str] = []
    for label in community.labels:
        if not any(label == other or label.startswith(f"{other}.") for other in names):
            names.append(label)
    for count in range(min(STRONGEST, len(names)), len(names) + 1):
        if names:
            yield ", ".join(names[:count])
    folder = community.folder or "."
    yield f"{names[0]} ({folder})" if names else folder
    yield f"{names[0] if names else folder} ({community.id})"
    yield f"{', '.join(names)} ({folder}, {community.id})"
