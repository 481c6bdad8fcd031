"""The page that shows how one symbol reaches another."""

from __future__ import annotations

from codeagentd.serve.page.questions import Json, PageRequest, Shown


def flow(request: PageRequest) -> Shown:
    """Show the shortest way from a source to a target; with one of them alone, what is next to it."""
    source, target = (request.query.get(name, "").strip() for name in ("source", "target"))
    values: Json = {"source": _name(request, source), "target": _name(request, target), "answer": {}, "near": {}}
    if source and target:
        values["answer"] = request.maybe("path_between", source=source, target=target)
    elif source:
        values["near"] = request.maybe("impact_of", target=source, direction="down", depth=2)
    elif target:
        values["near"] = request.maybe("impact_of", target=target, direction="up", depth=2)
    return Shown("flow", "Flow", values)


def _name(request: PageRequest, written: str) -> str:
    """The name of what an id stands for; other texts stay as they are."""
    answer = request.maybe("get_symbol", node_id=written) if written else {}
    return str(answer.get("qualified_name", written))
