"""The page of the map: the parts of the code that belong together, as circles and as lists."""

from __future__ import annotations

from typing import Final

from codeagent_protocol.errors import EngineUnavailable, NotFound
from codeagentd.analysis.layers import layers
from codeagentd.query.graph.community_map import PARTS, Members, members_of
from codeagentd.serve.page.map_places import Maps, PlacedMap, members_data
from codeagentd.serve.page.questions import Json, PageRequest, Shown
from codeagentd.serve.page.templating import with_query
from codeagentd.toolkit.graph_analysis import begin

LISTED: Final = 200  # communities, and members of one, in the lists
LAYERED: Final = 40  # communities, the largest, that stand in layers
AGAINST: Final = 10  # uses that lead upwards, in the list
USED: Final = 30  # symbols that most others depend on
ALWAYS: Final = "code"  # the part that is shown whatever the switches say
SWITCHES: Final = tuple(part for part in PARTS if part != ALWAYS)

_maps: Final = Maps()


def communities(request: PageRequest) -> Shown:
    """Show the communities of the code, or the members of one. While there is no analysis, one is begun."""
    begin(request.ctx)
    parts = _parts(request)
    with request.ctx.read() as db:
        placed = _maps.get(request.ctx.root, db, parts)
        chosen = placed.community(_chosen(request)) if placed else None
        inside = members_of(db, chosen.id, parts, LISTED) if chosen else Members([], [])
    shown = placed.map.communities[:LISTED] if placed else []
    values: Json = {
        "placed": placed, "chosen": chosen, "members": inside.members, "communities": shown,
        "switches": _switches(request), "address": {part: "1" for part in parts if part != ALWAYS},
        "used": _most_used(request) if placed and not chosen else [],
        "layers": layers(min(LAYERED, len(shown)), placed.map.uses) if placed and not chosen else None,
        "most_against": AGAINST,
        "is_missing": bool(placed) and chosen is None and bool(request.query.get("community")),
    }  # fmt: skip
    return Shown("map", f"Map: {chosen.title}" if chosen else "Map", values)


def map_data(request: PageRequest) -> Json:
    """Return the circles of the map, for the script that draws it. Errors: engine_unavailable without an analysis."""
    return _placed(request).data()


def map_members(request: PageRequest) -> Json:
    """Return the members of a community with their places. Errors: not_found, engine_unavailable."""
    chosen = _placed(request).community(_chosen(request))
    if chosen is None:
        raise NotFound("this community is not on the map")
    with request.ctx.read() as db:
        return members_data(db, chosen, _parts(request))


def _placed(request: PageRequest) -> PlacedMap:
    with request.ctx.read() as db:
        placed = _maps.get(request.ctx.root, db, _parts(request))
    if placed is None:
        raise EngineUnavailable("the whole graph has not been analysed yet", remedy="ask again in some seconds")
    return placed


def _parts(request: PageRequest) -> tuple[str, ...]:
    """The parts that are shown, in their order."""
    return (ALWAYS, *(part for part in SWITCHES if request.query.get(part)))


def _chosen(request: PageRequest) -> int:
    """The number of the community that is chosen; -1 for none."""
    text = request.query.get("community", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def _switches(request: PageRequest) -> list[Json]:
    """For each switch its part, whether it is on, and the address with it changed."""
    state = {part: bool(request.query.get(part)) for part in SWITCHES}
    community = request.query.get("community", "")
    switches = []
    for part, is_on in state.items():
        after = {name: "1" for name, on in (state | {part: not is_on}).items() if on}
        switches.append({"part": part, "is_on": is_on, "url": with_query("/map", community=community, **after)})
    return switches


def _most_used(request: PageRequest) -> list[Json]:
    """The symbols that most others depend on."""
    used: list[Json] = request.maybe("architecture_overview", limit=USED).get("god_nodes", [])
    return used
