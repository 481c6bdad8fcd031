"""The map of the last analysis with a place for everything: made once for each analysis and choice of parts."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from codeagentd.analysis.circle_layout import Circles, place_communities, place_members, radius_of
from codeagentd.query.graph.community_map import CommunityMap, MapCommunity, community_map, map_version, members_of
from codeagentd.store.connection import Database

from .templating import symbol_url

MOST_MAPS: Final = 4  # in memory, of the last choices of parts; one of 2,000 communities takes about 1 MB
MOST_MEMBERS: Final = 2_000  # of one community; more cannot be told apart

Json = dict[str, Any]
Key = tuple[Path, str, tuple[str, ...]]


class PlacedMap(NamedTuple):
    """A map and the places of its circles. `version` names the analysis and the parts."""

    version: str
    map: CommunityMap
    circles: Circles

    def community(self, number: int) -> MapCommunity | None:
        """Return the community with this number, if it is on the map."""
        return next((community for community in self.map.communities if community.id == number), None)

    def data(self) -> Json:
        """Return the map as columns for the script that draws it."""
        shown = self.map.communities
        return {
            "version": self.version,
            "ids": [community.id for community in shown], "titles": [community.title for community in shown],
            "folders": [community.folder for community in shown], "sizes": [community.size for community in shown],
            "circles": self.circles.columns(),
        }  # fmt: skip


class Maps:
    """The last maps. May be used from any thread; one map is made at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._maps: dict[Key, PlacedMap] = {}

    def get(self, root: Path, db: Database, parts: Sequence[str]) -> PlacedMap | None:
        """Return the map of these parts of the last analysis of the repository at `root`; None while there is none."""
        version = map_version(db)
        if not version:
            return None
        key = (root, version, tuple(parts))
        with self._lock:
            placed = self._maps.pop(key, None) or _placed(db, version, parts)
            self._maps[key] = placed
            while len(self._maps) > MOST_MAPS:
                del self._maps[next(iter(self._maps))]
        return placed


def members_data(db: Database, community: MapCommunity, parts: Sequence[str]) -> Json:
    """Return the members of a community with their places, the most connected first, as columns for the script that
    draws them. `pairs`: two indexes for each pair that an edge joins.
    """
    members, pairs = members_of(db, community.id, parts, MOST_MEMBERS)
    spots = place_members([member.rank for member in members], radius_of(max(community.size, len(members))))
    return {
        "x": spots.x, "y": spots.y, "labels": [member.label for member in members],
        "places": [f"{member.path}:{member.line}" for member in members],
        "urls": [symbol_url(member.id) for member in members], "degrees": [member.degree for member in members],
        "pairs": [end for pair in pairs for end in pair],
    }  # fmt: skip


def _placed(db: Database, version: str, parts: Sequence[str]) -> PlacedMap:
    map_ = community_map(db, parts)
    circles = place_communities([community.size for community in map_.communities], map_.between)
    return PlacedMap(f"{version}-{'-'.join(parts)}", map_, circles)
