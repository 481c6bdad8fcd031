"""What does a planned edit of one symbol break, and how would it be renamed?"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from codeagentd.model.change_results import EditForecast
from codeagentd.model.labels import clean
from codeagentd.query.editing import KINDS, verdict
from codeagentd.query.impact import unseen
from codeagentd.query.nodes import find, node_of
from codeagentd.query.steps import seeds_of
from codeagentd.query.touched import blast
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .changes import DEEPEST, LISTED, Depth, line_of
from .naming import Label, blank, in_words, missing

Kind = Annotated[str, Meta(description="delete, signature or visibility (narrowed to private)")]


def _edit_told(answer: EditForecast) -> str:
    lines = [answer.message]
    lines += ["Will break:", *map(line_of, answer.will_break)] if answer.will_break else []
    lines += ["Review:", *map(line_of, answer.review)] if answer.review else []
    return "\n".join([*lines, *([f"Note: {answer.note}"] if answer.note else [])])


@tool("graph", told=in_words(_edit_told))
def predict_edit(ctx: Context, symbol: Label, kind: Kind, depth: Depth = 3) -> EditForecast:
    """Tell what breaks when a symbol is deleted, gets another signature or becomes private, and what should be reviewed. For renaming: plan_rename.

    Returns: at most 200 of each, the nearest first, each with its reason; what is only ambiguous is for review.
    Source:  002 predict_edit.
    """
    if kind not in KINDS:
        return blank(EditForecast, message=f"There is no edit of kind '{clean(kind)}': use one of {', '.join(KINDS)}.")
    with ctx.read() as db:
        meant = find(db, symbol)
        if meant.subject is None:
            return missing(EditForecast, symbol, meant)
        node, start = node_of(db, meant.subject), seeds_of(db, meant.subject)
        reached, cut = blast(db, start.ids, min(max(depth, 1), DEEPEST))
        found = verdict(db, kind, node.file, reached)
        notes = [cut, *unseen(db, start, bool(reached))]
    return EditForecast(
        found=True,
        message=f"{kind} {node.label}: {len(found.breaks)} will break, {len(found.review)} to review",
        symbol=node.label,
        kind=kind,
        breaking=len(found.breaks),
        reviewing=len(found.review),
        will_break=found.breaks[:LISTED],
        review=found.review[:LISTED],
        note="; ".join(filter(None, notes)),
    )
