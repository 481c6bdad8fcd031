"""The communities of the last analysis for the map: sizes, titles, the edges between them, and their members."""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections import Counter
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from codeagentd.model.analysis import NodeSort
from codeagentd.model.ids import node_id
from codeagentd.model.labels import CANDIDATES, Titled, clean, label, titles
from codeagentd.store.connection import Database, Row

MOST_COMMUNITIES: Final = 2_000  # circles; the smallest ones are left out
MOST_EDGES: Final = 1_000_000  # references that are counted, about; of more, those of every n-th file
MOST_PAIRS: Final = 20_000  # of the members of one community
PARTS: Final[Mapping[str, NodeSort]] = {
    "code": NodeSort.CODE, "tests": NodeSort.ANY, "documents": NodeSort.NO_HUB,
}  # fmt: skip


class MapCommunity(NamedTuple):
    """A community with members in the parts of the map. `folder`: of most of its strongest members."""

    id: int
    title: str
    folder: str
    size: int


class CommunityMap(NamedTuple):
    """The communities from the largest to the smallest, how many there are in all, and how often the first of two of
    them uses the second, by their indexes.
    """

    communities: list[MapCommunity]
    total: int
    uses: dict[tuple[int, int], int]

    @property
    def between(self) -> dict[tuple[int, int], int]:
        """The number of edges between two of them, whichever way they lead, with the lower index first."""
        counted: Counter[tuple[int, int]] = Counter()
        for (source, target), count in self.uses.items():
            counted[min(source, target), max(source, target)] += count
        return dict(counted)


class MapMember(NamedTuple):
    """A member of a community. `rank`: its place in the order of files and lines among those listed."""

    id: str
    label: str
    path: str
    line: int
    degree: int
    rank: int


class Members(NamedTuple):
    """The most connected members of a community, and the pairs of them that an edge joins, by their indexes."""

    members: list[MapMember]
    pairs: list[tuple[int, int]]


def map_version(db: Database) -> str:
    """Return what changes with each analysis; '' while there is none."""
    row = db.row("analysis.kept")
    return hashlib.blake2b(row[1], digest_size=8).hexdigest() if row else ""


def community_map(db: Database, parts: Collection[str]) -> CommunityMap:
    """Return the communities with members in `parts` (keys of PARTS)."""
    sorts = _sorts(parts)
    rows = db.all("map.sizes", {"sorts": sorts})
    shown = rows[:MOST_COMMUNITIES]
    titled = [_titled(number, _members(db, number, sorts, CANDIDATES)) for number, _ in shown]
    communities = [
        MapCommunity(item.id, title, item.folder, size)
        for item, title, (_, size) in zip(titled, titles(titled), shown, strict=True)
    ]
    at = {community.id: index for index, community in enumerate(communities)}
    uses = {
        (at[source], at[target]): count
        for source, target, count in db.each("map.uses", {"sorts": sorts, "step": 1 + _edges(db) // MOST_EDGES})
        if source in at and target in at
    }
    return CommunityMap(communities, len(rows), uses)


def members_of(db: Database, community: int, parts: Collection[str], limit: int) -> Members:
    """Return at most `limit` members of a community that are in `parts`, the most connected first."""
    rows = _members(db, community, _sorts(parts), limit)
    order = sorted(range(len(rows)), key=lambda index: (rows[index][5], rows[index][6], rows[index][1]))
    rank = {index: place for place, index in enumerate(order)}
    at = {row[0]: index for index, row in enumerate(rows)}
    members = [
        MapMember(node_id(row[1]), _label(row), clean(row[5]), row[6], row[7], rank[index])
        for index, row in enumerate(rows)
    ]
    pairs = db.all("map.pairs", {"symbols": json.dumps([*at]), "limit": MOST_PAIRS})
    return Members(members, sorted((min(at[first], at[second]), max(at[first], at[second])) for first, second in pairs))


def _members(db: Database, community: int, sorts: str, limit: int) -> list[Row]:
    return db.all("map.members", {"community": community, "sorts": sorts, "limit": limit})


def _titled(number: int, strongest: list[Row]) -> Titled:
    folders = Counter(posixpath.dirname(row[5]) for row in strongest)
    return Titled(number, clean(folders.most_common(1)[0][0]) if folders else "", [_label(row) for row in strongest])


def _label(row: Row) -> str:
    _, _, kind, name, module, path, *_ = row
    return label(kind, name, module, path, is_file=False)


def _sorts(parts: Collection[str]) -> str:
    return json.dumps(sorted(int(PARTS[part]) for part in parts))


def _edges(db: Database) -> int:
    """About how many edges there are, which nobody has to count."""
    _, exact, inferred, ambiguous, *_ = db.all("analysis.totals")[0]
    return int(exact + inferred + ambiguous)
