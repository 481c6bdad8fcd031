"""The tool that compares the graphs of two revisions."""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta
from msgspec.structs import replace

from codeagentd.analysis.graph_diff import Name, Revision, differences
from codeagentd.model.labels import clean
from codeagentd.model.results.change_results import HistoryDiff
from codeagentd.toolkit.change_scope import commit
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool
from codeagentd.vcs import history, time_budget

MOST: Final = 500  # rows of a section
NO_GIT: Final = (
    "there is no git repository here, or no command git: only revisions of one can be compared (git init, and commit; "
    "or install git)"
)
TOO_SLOW: Final = (
    "git did not answer in time, so nothing was compared: try again; a large .git/config or a busy disk makes git slow"
)
NO_LINES: Final = "git did not say how many lines were changed: hotspots leave them out"

Revision1 = Annotated[str, Meta(max_length=history.MAX_REVISION, description="base: HEAD~10, a branch, a hash")]
Revision2 = Annotated[str, Meta(max_length=history.MAX_REVISION, description="default: the working tree")]


def _render(answer: HistoryDiff) -> str:
    if not answer.totals:
        return answer.note
    head = (
        f"{answer.rev1} -> {answer.rev2}: {answer.new_nodes} new nodes, {answer.new_edges} new edges, "
        f"{answer.removed_nodes} nodes removed, {answer.removed_edges} edges removed, {answer.moved_nodes} nodes moved"
    )
    overall = f"Communities: {answer.communities_before} -> {answer.communities_after}"
    blocks = (
        (
            "Added dependencies",
            "added_dependencies",
            [
                f"- {added_dependency.source} -> {added_dependency.target} ({added_dependency.edges} edges)"
                for added_dependency in answer.added_dependencies
            ],
        ),
        (
            "Removed dependencies",
            "removed_dependencies",
            [
                f"- {removed_dependency.source} -> {removed_dependency.target} ({removed_dependency.edges} edges)"
                for removed_dependency in answer.removed_dependencies
            ],
        ),
        (
            "Removed APIs",
            "removed_apis",
            [f"- {api.label} [{api.kind}] {api.file}:{api.line}, used by {api.used_by}" for api in answer.removed_apis],
        ),
        (
            "Drift (edges that leave their module)",
            "",
            [f"- {drift.module or 'all'}: {drift.before:.1%} -> {drift.after:.1%}" for drift in answer.drift],
        ),
        (
            "New cycles",
            "new_cycles",
            [f"- {' -> '.join([*new_cycle, new_cycle[0]])}" for new_cycle in answer.new_cycles],
        ),
        (
            "Hotspots",
            "hotspots",
            [
                f"- {hotspot.file}: {hotspot.score} ({hotspot.lines} lines, {hotspot.nodes} nodes)"
                for hotspot in answer.hotspots
            ],
        ),
    )
    lines = [head, overall]
    for title, name, block in blocks:
        total = f" ({answer.totals[name]})" if name else ""
        lines += [f"{title}{total}:", *block] if block else []
    return "\n".join([*lines, *([f"Note: {answer.note}"] if answer.note else [])])


@tool("graph", render_text=_render, open_world=True)
def time_travel_diff(ctx: Context, rev1: Revision1, rev2: Revision2 = "", top: int = 20) -> HistoryDiff:
    """Compare the code graph of two revisions, commits or releases of git history: what changed in the architecture:
    module dependencies added and removed, removed APIs, drift, new import cycles, hotspots.

    Takes seconds the first time; kept by commit.

    Returns: at most `top` rows (1 to 500) of each section; `totals` counts all. Symbols and references are resolved as
             in the index itself.
    Errors:  invalid_parameter for a revision that git does not know; engine_unavailable.
    Source:  002 time_travel_diff.
    """
    if not history.is_repository(ctx.root):
        return _nothing(clean(rev1), clean(rev2), TOO_SLOW if time_budget.is_late() else NO_GIT)
    first = commit(ctx, rev1, "rev1")
    second = commit(ctx, rev2, "rev2") if rev2 else ""
    numbers: dict[Name, int] = {}
    before, after = (Revision(snapshot, numbers) for snapshot in ctx.engine.snapshots([first, second]))
    counted = history.lines_changed(ctx.root, first, second)
    lines = {path: count for path, count in (counted or {}).items() if path in before.files or path in after.files}
    result = differences(before, after, lines, min(max(top, 1), ctx.most(MOST)))
    return replace(
        result, rev1=clean(rev1), rev2=clean(rev2) or "working tree", note="" if counted is not None else NO_LINES
    )


def _nothing(rev1: str, rev2: str, note: str) -> HistoryDiff:
    return HistoryDiff(
        rev1=rev1, rev2=rev2, new_nodes=0, removed_nodes=0, moved_nodes=0, new_edges=0, removed_edges=0,
        added_dependencies=[], removed_dependencies=[], removed_apis=[], drift=[], communities_before=0,
        communities_after=0, new_cycles=[], hotspots=[], totals={}, note=note,
    )  # fmt: skip
