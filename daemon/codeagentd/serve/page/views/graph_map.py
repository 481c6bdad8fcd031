"""The page of the map: the parts of the code that belong together."""

from __future__ import annotations

from codeagentd.serve.page.questions import PageRequest, Shown


def communities(request: PageRequest) -> Shown:
    """Show the communities of the code, or the members of one."""
    chosen = request.query.get("community", "")
    values = {"chosen": chosen, "overview": request.maybe("architecture_overview", limit=50), "members": {}}
    if chosen.isascii() and chosen.isdigit():
        values["members"] = request.maybe("get_community", community_id=int(chosen))
    return Shown("map", "Map", values)
