"""The page that shows how one symbol reaches another."""

from __future__ import annotations

from codeagent_protocol.errors import CodedError
from codeagentd.query.graph.forward_path import ForwardPath, forward_path
from codeagentd.query.graph.traversal import seeds_of_all, summaries
from codeagentd.serve.page.questions import Json, PageRequest, Shown
from codeagentd.toolkit.symbol_arguments import single


def flow(request: PageRequest) -> Shown:
    """Show the shortest way from a source to a target; with one of them alone, what is next to it."""
    source, target = (request.query.get(name, "").strip() for name in ("source", "target"))
    values: Json = {"source": _name(request, source), "target": _name(request, target), "answer": {}, "near": {}}
    values |= {"forward": None, "way": [], "note": "", "error": None}
    if source and target:
        try:
            values |= _forward(request, source, target)
        except CodedError as error:
            values["error"] = error
        else:
            if values["forward"].steps is None:
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


def _forward(request: PageRequest, source: str, target: str) -> Json:
    """The way from the source to the target along edges in their own direction. Errors: not_found, invalid_parameter
    with candidates.
    """
    with request.ctx.read() as db:
        ends = [
            single(request.ctx, db, name, parameter) for name, parameter in ((source, "source"), (target, "target"))
        ]
        start, goal = (seeds_of_all(db, end.subjects) for end in ends)
        result: ForwardPath = forward_path(db, start, goal)
        along = result.steps or []
        known = summaries(db, [result.start, *(step.end for step in along)])
    way: list[Json] = [{"card": known[result.start], "edge": ""}] if along else []
    way += [{"card": known[step.end], "edge": step.edge_type, "sure": step.confidence == 0} for step in along]
    return {"forward": result, "way": way, "note": "; ".join(filter(None, (end.note for end in ends)))}
