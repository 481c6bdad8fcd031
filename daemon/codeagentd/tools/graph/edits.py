"""The tools about a planned edit of a symbol: its effects, and its renaming."""

from __future__ import annotations

import functools
import re
from functools import partial
from typing import Annotated, Final, Literal

from msgspec import Meta

from codeagentd.model.labels import clean
from codeagentd.model.results.change_results import EditForecast, RenamePlan, Site
from codeagentd.query.graph.federated_graph import FederatedGraph
from codeagentd.query.graph.federated_lookup import placed
from codeagentd.query.graph.impact import unseen
from codeagentd.query.graph.nodes import Node, all_candidates, find, node_of
from codeagentd.query.graph.traversal import FILES, seeds_of
from codeagentd.query.refactor.changed_symbols import blast
from codeagentd.query.refactor.edit_impact import Verdict, verdict
from codeagentd.query.refactor.new_names import check_new_name
from codeagentd.query.refactor.rename_plan import quoted, renaming
from codeagentd.query.retrieval.excerpts import shown_lines
from codeagentd.query.symbols.coverage import is_generic
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .changes import LISTED, Depth, line_of
from .not_found import Label, blank, find_node, in_words, missing

FAR: Final = 6  # hops within which a renaming may have effects (page 002's origin)

SITES: Final = 500  # places in each list of a plan

_IDENTIFIER: Final = re.compile(r"[^\W\d][\w$]*|\$[\w$]*")

Kind = Annotated[Literal["delete", "signature", "visibility"], Meta(description="visibility: narrowed to private")]


def _render_edit(answer: EditForecast) -> str:
    lines = [answer.message]
    lines += ["Will break:", *map(line_of, answer.will_break)] if answer.will_break else []
    lines += ["Review:", *map(line_of, answer.review)] if answer.review else []
    return "\n".join([*lines, *([f"Note: {answer.note}"] if answer.note else [])])


@tool("graph", render_text=in_words(_render_edit))
def predict_edit(ctx: Context, symbol: Label, kind: Kind, depth: Depth = 3) -> EditForecast:
    """Tell what breaks, such as callers, when a symbol is deleted, gets another signature or becomes private, and what
    should be reviewed: whether that is safe. For renaming: plan_rename.

    Returns: at most 200 of each, the nearest first, each with its reason; what is only ambiguous is for review.
    Source:  002 predict_edit.
    """
    return ctx.across(partial(_edit, ctx, symbol, kind, max(depth, 1)))


def _edit(ctx: Context, symbol: str, kind: str, depth: int, graph: FederatedGraph) -> EditForecast:
    match = find_node(ctx, graph, symbol)
    place = placed(match)
    if place is None:
        return missing(EditForecast, symbol, match)
    node, start = place.node, place.seeds
    reached, cut = ctx.once("reached", lambda: blast(graph, start.ids, depth))
    result = verdict(graph, kind, node, reached, ctx.most(LISTED))
    notes = [place.note, cut, *unseen(place.db, start, bool(reached)), *graph.notes]
    return EditForecast(
        found=True,
        message=f"{kind} {node.label}: {_broken(node, result)}, {result.reviewing} to review",
        symbol=node.label,
        kind=kind,
        breaking=result.breaking,
        reviewing=result.reviewing,
        will_break=result.breaks,
        review=result.review,
        note="; ".join(filter(None, notes)),
    )


def _broken(node: Node, result: Verdict) -> str:
    """How many dependents break, in words."""
    return "not known what breaks" if is_generic(node.language) else f"{result.breaking} will break"


def _render_plan(answer: RenamePlan) -> str:
    lines = [answer.message, *(f"Collision: {collision}" for collision in answer.collisions)]
    for title, sites in (("Edits:", answer.edits), ("Review:", answer.review)):
        lines += [title, *map(_site_line, sites)] if sites else []
    return "\n".join([*lines, *([f"Note: {answer.note}"] if answer.note else [])])


def _site_line(site: Site) -> str:
    return f"- {site.file}:{site.line}:{site.column} [{site.confidence}] {site.reason}: {clean(site.text.strip())}"


@tool("graph", render_text=in_words(_render_plan))
def plan_rename(
    ctx: Context,
    name: Label,
    to: str,
    id: str = "",  # noqa: A002 - the page's name
    file: str = "",
) -> RenamePlan:
    """Rename a symbol safely: a refactoring preview of edits that are sure, places to review, collisions. Changes
    nothing.

    id, or a part of the file's path, says which of several is meant.

    Returns: edits and review by file and line (from 1; column from 0, in characters); `affected` counts dependents up
             to 6 hops away.
    Errors:  invalid_parameter for a new name that is no identifier of the language, or a keyword, or the old one.
    Source:  002 plan_rename.
    """
    complete = ctx.engine.text_ready()
    with ctx.read() as db:
        match = all_candidates(db, find(db, id or (f"{name}@{file}" if file else name)))
        if match.subject is None:
            return missing(RenamePlan, id or name, match)
        subject, node = match.subject, node_of(db, match.subject)
        if subject.id < 0 or subject.kind in FILES or not _IDENTIFIER.fullmatch(subject.name):
            return blank(RenamePlan, message=f"{node.label} is no definition of this repository that can be renamed.")
        check_new_name(subject, to)
        lines = functools.cache(ctx.lines)
        plan = renaming(db, subject, to, lines)
        shown = functools.cache(lambda path: shown_lines(db, path, lines(path)))
        edits, review = quoted(plan.edits[: ctx.most(SITES)], shown), quoted(plan.review[: ctx.most(SITES)], shown)
        start = seeds_of(db, subject)
        reached, cut = blast(db, start.ids, FAR)
        notes = [
            "" if complete else "text is still being indexed: the word may stand in more of it",
            cut,
            *unseen(db, start, bool(reached)),
        ]
    files = len({edit.file for edit in plan.edits})
    if len(edits) + len(review) < len(plan.edits) + len(plan.review):
        notes.append(
            f"only {len(edits)} of {len(plan.edits)} edits and {len(review)} of {len(plan.review)} places to review "
            "are listed"
        )
    message = (
        f"Rename {subject.name} -> {to} [{plan.confidence}], {len(plan.edits)} edit(s) across {files} file(s), "
        f"{len(plan.review)} to review, {len(reached)} affected"
    )
    return RenamePlan(
        found=True, message=clean(message), old=subject.name, new=to, id=node.id, confidence=plan.confidence,
        score=plan.score, edits=edits, review=review, files=files, affected=len(reached), collisions=plan.collisions,
        note="; ".join(filter(None, notes)),
    )  # fmt: skip
