"""The tools about impact, paths, and the architecture."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from codeagentd.model.parameters import EdgeLimit, SearchLimit
from codeagentd.model.results.retrieval_results import (
    ArchitectureAnswer,
    ImpactAnswer,
    PathAnswer,
    PathStep,
    SymbolCard,
)
from codeagentd.query.graph.architecture import architecture
from codeagentd.query.graph.impact import impact
from codeagentd.query.graph.shortest_path import shortest
from codeagentd.query.graph.traversal import Seeds, Step, seeds_of_all, summaries
from codeagentd.query.symbols.symbol_places import CONFIDENCES
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.graph_analysis import whole
from codeagentd.toolkit.symbol_arguments import single
from codeagentd.toolkit.tool import tool

from .envelope import coverage, envelope, state, state_of

Target = Annotated[str, Meta(description="a file's path, a name, dotted if need be, or a node_id")]
Depth = Annotated[int, Meta(ge=1, le=5)]

FILES: Final = 100  # paths listed for one impact

_DIRECTIONS: Final = {"up": {"up": False}, "down": {"down": True}, "both": {"up": False, "down": True}}


@tool("retrieval", envelope=envelope)
def impact_of(
    ctx: Context,
    target: Target,
    direction: Literal["up", "down", "both"] = "up",
    depth: Depth = 2,
    limit: EdgeLimit = 50,
) -> ImpactAnswer:
    """Analyse the impact of a change: what a symbol or file affects (up), or what it rests and depends on (down), by
    distance. Types include their members. E.g. `app/models.py`, `Order.total`. Fails on a name of nothing, and of
    several symbols, with candidates.

    Returns: files and nodes, nearest and surest first; via_confidence is the least on the way; ambiguous edges are not
             followed; `note` says what is cut.
    Errors:  not_found, invalid_parameter (candidates).
    Source:  003 impact_of.
    """
    with ctx.read() as db:
        start, of_target = _seeds(ctx, db, target, "target")
        result = impact(db, start, _DIRECTIONS[direction], depth)
    more = f"the first {limit} of {len(result.nodes):,} nodes" if len(result.nodes) > limit else ""
    most_files = ctx.most(FILES)
    files = f"the first {most_files} of {len(result.files):,} files" if len(result.files) > most_files else ""
    status = ctx.engine.status()
    return ImpactAnswer(
        tool="impact_of",
        index=state_of(status),
        target=start.name,
        direction=direction,
        depth=depth,
        files=result.files[:most_files],
        nodes=result.nodes[:limit],
        total_nodes=len(result.nodes),
        coverage=coverage(status, start.languages, {node.via_confidence for node in result.nodes}),
        note="; ".join(filter(None, (of_target, more, files, result.note))),
    )


@tool("retrieval", envelope=envelope)
def path_between(ctx: Context, source: Target, target: Target) -> PathAnswer:
    """Find how two symbols or files are connected, how one reaches the other: the shortest path along calls, imports,
    inheritance and references, whichever way these point. E.g. from `app.views.checkout` to `app/models.py`. Fails on a
    name of nothing, and of several symbols, with candidates.

    Returns: nodes from source to target, and a step between each two; `direction` backward where the edge points the
             other way.
    Errors:  not_found, invalid_parameter (candidates).
    Source:  003 path_between.
    """
    with ctx.read() as db:
        (start, of_start), (end, of_end) = _seeds(ctx, db, source, "source"), _seeds(ctx, db, target, "target")
        way = shortest(db, start, end)
        along = way.steps or []
        order = [way.start, *(step.end for step in along)] if way.steps is not None else []
        shown = order[: ctx.most(len(order))]
        known = summaries(db, shown)
    nodes = [SymbolCard(card.name, card.kind, card.path, card.line) for card in map(known.__getitem__, shown)]
    none = "" if way.steps is not None else f"no way among the {way.visits:,} symbols around them"
    steps = [_step(step, nodes[at], nodes[at + 1]) for at, step in enumerate(along[: len(nodes) - 1])]
    return PathAnswer(
        tool="path_between",
        index=state(ctx),
        source=start.name,
        target=end.name,
        found=way.steps is not None,
        hops=len(along),
        nodes=nodes,
        steps=steps,
        note="; ".join(filter(None, (of_start, of_end, none))),
    )


def _seeds(ctx: Context, db: Database, query: str, parameter: str) -> tuple[Seeds, str]:
    """The symbols that a query starts from, and the note about the name.

    Errors: not_found, invalid_parameter with candidates.
    """
    match = single(ctx, db, query, parameter)
    return seeds_of_all(db, match.subjects), match.note


def _step(step: Step, start: SymbolCard, end: SymbolCard) -> PathStep:
    return PathStep(
        start.name, end.name, step.edge_type, "forward" if step.is_forward else "backward", CONFIDENCES[step.confidence]
    )


@tool("retrieval", envelope=envelope)
def architecture_overview(ctx: Context, limit: SearchLimit = 10) -> ArchitectureAnswer:
    """Give an overview of the codebase's architecture, its structure: communities of files, what most depends on,
    surprising connections, questions worth asking. E.g. on a project that is new to you. Without an index yet, it is
    empty.

    Returns: at most `limit` of each, the largest first; tests and documents left out; as of the last analysis.
    Errors:  engine_unavailable while the first analysis is being made.
    Source:  003 architecture_overview.
    """
    findings = whole(ctx)
    with ctx.read() as db:
        shown = architecture(db, findings)
    seen = findings.overview
    return ArchitectureAnswer(
        tool="architecture_overview",
        index=state(ctx),
        available=seen.files > 0,
        communities=shown.communities[:limit],
        community_count=len(shown.communities),
        modularity=seen.modularity,
        god_nodes=shown.gods[:limit],
        surprising=shown.surprising[:limit],
        questions=shown.questions[:limit],
        node_count=seen.files,
        edge_count=seen.edges,
        note="tests and documents are left out" if seen.files else "no file refers to another yet",
    )
