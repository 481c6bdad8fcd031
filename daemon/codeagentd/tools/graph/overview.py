"""The tools about the whole graph: its size, its most central nodes, its communities."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from codeagentd.federation.workspace import Count
from codeagentd.model.analysis import HUBS
from codeagentd.model.labels import clean
from codeagentd.model.results.graph_results import (
    CommunityAnswer,
    GodsAnswer,
    Hub,
    Member,
    RepoCount,
    ReposAnswer,
    StatsAnswer,
)
from codeagentd.query.graph.node_metrics import figures
from codeagentd.query.graph.nodes import nodes
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.graph_analysis import ensure, whole
from codeagentd.toolkit.tool import tool

MOST: Final = 500  # entries of one page
NUMBERS: Final = range(1 << 31)  # valid numbers of a community or an offset

Offset = Annotated[int, Meta(ge=0)]


def _render_gods(answer: GodsAnswer) -> str:
    lines = [
        f"{rank}. {hub.label} - {hub.degree} edges"
        for rank, hub in enumerate(answer.god_nodes, start=answer.offset + 1)
    ] or ["No god nodes."]
    return "\n".join([*lines, f"Note: {answer.note}"] if answer.note else lines)


@tool("graph", render_text=_render_gods)
def god_nodes(
    ctx: Context, top_n: int = 10, offset: Offset = 0, by: Literal["degree", "dependents"] = "degree"
) -> GodsAnswer:
    """List the most important, most connected symbols (hubs, hotspots), central by their distinct neighbours, or by how
    many depend on them.

    Returns: at most 500, without files and documents.
    Errors:  engine_unavailable while the first analysis is being made.
    Source:  002 god_nodes.
    """
    findings = whole(ctx)
    ranking = findings.hubs if by == "degree" else findings.pillars
    ranked = ranking[offset : offset + min(max(top_n, 0), ctx.most(MOST))]
    with ctx.read() as db:
        known, counted = nodes(db, ranked), figures(db, ranked)
    listed = [(known[symbol], counted[symbol]) for symbol in ranked if symbol in known and symbol in counted]
    return GodsAnswer(
        [Hub(node.label, counts.degree, node.id, counts.fan_in, node.file) for node, counts in listed],
        offset,
        _missing(len(ranking), offset + len(ranked), offset + top_n),
    )


def _missing(ranked: int, shown: int, requested: int) -> str:
    """The note for a list that ends at `shown` of the ranked symbols, if more were requested."""
    if shown < min(ranked, requested):
        return f"cut off after {shown} of {min(ranked, requested)}: go on with offset={shown}"
    return f"no more than {HUBS} are ranked" if ranked == HUBS and requested > HUBS else ""


def _render_stats(answer: StatsAnswer) -> str:
    return (
        f"Graph: {answer.nodes} nodes, {answer.edges} edges, {answer.communities} communities\n"
        f"Edges: {answer.extracted} EXTRACTED, {answer.inferred} INFERRED, {answer.ambiguous} AMBIGUOUS"
    )


@tool("graph", render_text=_render_stats)
def graph_stats(ctx: Context) -> StatsAnswer:
    """Count how many nodes, edges and communities are in the graph, and edges by confidence.

    Returns: one edge for each pair of nodes and relation, containment included.
    Errors:  engine_unavailable while the first analysis is being made.
    Source:  002 graph_stats.
    """
    result = whole(ctx)
    return StatsAnswer(result.nodes, sum(result.edges), result.communities, *result.edges)


def _render_community(answer: CommunityAnswer) -> str:
    if not answer.total:
        return f"No community {answer.community_id}"
    lines = [f"- {member.label} ({member.file})" for member in answer.members]
    return "\n".join([f"Community {answer.community_id} (showing {len(answer.members)} of {answer.total}):", *lines])


@tool("graph", render_text=_render_community)
def get_community(ctx: Context, community_id: int, offset: Offset = 0, limit: int = 100) -> CommunityAnswer:
    """List the members of a community, a cluster of related code, a page at a time; get_node tells a node's community.

    Returns: the most connected first, at most 500 a page; total 0 for a community that is not there.
    Errors:  engine_unavailable while the first analysis is being made.
    Source:  002 get_community.
    """
    ensure(ctx)
    if community_id not in NUMBERS:
        return CommunityAnswer(community_id=community_id, total=0, members=[])
    parameters = {
        "community": community_id,
        "offset": min(offset, NUMBERS.stop),
        "limit": min(max(limit, 0), ctx.most(MOST)),
    }
    with ctx.read() as db:
        numbers = [number for (number,) in db.all("analysis.members", parameters)]
        known = nodes(db, numbers)
        name, cohesion = db.row("analysis.community", (community_id,)) or ("", 0.0)
        total = int(db.value("analysis.count_members", (community_id,)))
    members = [Member(known[number].label, known[number].id, known[number].file) for number in numbers]
    return CommunityAnswer(community_id=community_id, total=total, members=members, name=clean(name), cohesion=cohesion)


def _render_repos(answer: ReposAnswer) -> str:
    lines = [
        f"{repo.repo}: {repo.nodes} nodes, {repo.edges} edges" + (f" ({repo.note})" if repo.note else "")
        for repo in answer.repos
    ]
    return "\n".join(
        [*(lines or ["No federated repos (single-repo graph)"]), *(f"Note: {note}" for note in answer.notes)]
    )


@tool("graph", render_text=_render_repos)
def list_repos(ctx: Context) -> ReposAnswer:
    """List which repositories are in a workspace, with nodes and edges; none for a single one. `repo::label` is a label
    in one of them.

    Returns: this one first, then as they are named; folders of this repository that a package manager names count as
             members.
    Source:  002 list_repos.
    """
    counts, notes = ctx.workspace.counts(ctx.read) if ctx.workspace else ([], [])
    return ReposAnswer([_repo(count) for count in counts], notes)


def _repo(count: Count) -> RepoCount:
    return RepoCount(
        count.name, count.nodes, count.edges, clean(count.root), clean(count.folder), count.state, count.note
    )


def _render_repo(answer: RepoCount) -> str:
    message = (
        f"Repo {answer.repo}: {answer.nodes} nodes, {answer.edges} edges"
        if answer.nodes
        else f"No nodes for repo {answer.repo}"
    )
    return f"{message} ({answer.note})" if answer.note else message


@tool("graph", render_text=_render_repo)
def repo_stats(ctx: Context, repo: str) -> RepoCount:
    """Count nodes and edges of one repository of a workspace: its size.

    Returns: zeros for one that is not there.
    Source:  002 repo_stats.
    """
    counts, _ = ctx.workspace.counts(ctx.read) if ctx.workspace else ([], [])
    return next((_repo(count) for count in counts if count.name == repo), RepoCount(clean(repo), 0, 0))
