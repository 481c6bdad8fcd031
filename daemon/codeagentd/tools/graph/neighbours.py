"""What is at the other ends of a node's edges?"""

from __future__ import annotations

from typing import Annotated, Final

from msgspec import Meta

from codeagentd.model.graph_results import NeighboursAnswer
from codeagentd.model.kinds import EDGE_TYPES
from codeagentd.query.graph import DEPENDENCIES, DEPENDENTS, Question, bits
from codeagentd.query.nodes import find, node_of
from codeagentd.query.relatives import Relatives, relatives
from codeagentd.query.symbols import Subject, with_constructors
from codeagentd.store.connection import Database
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.tool import tool

from .naming import Label, in_words, missing

MOST: Final = 500  # neighbours each way
CALL_LIKE: Final = bits("calls", "uses", "references", "accepts", "returns", "decorates")
CALLERS: Final = Question(incoming=True, kinds=CALL_LIKE, dispatch=True)
CALLEES: Final = Question(incoming=False, kinds=CALL_LIKE, dispatch=True, external=True)

_ARROWS: Final = {"out": "-->", "in": "<--"}

Filter = Annotated[str, Meta(description="part of a relation's name: calls, imports, contains, …")]


def _told(answer: NeighboursAnswer) -> str:
    lines = [f"{_ARROWS[one.direction]} {one.label} [{one.relation}] {one.file}:{one.line}" for one in answer.neighbors]
    return "\n".join([f"{len(lines)} neighbor{'' if len(lines) == 1 else 's'} of {answer.label}:", *lines, *([f"Note: {answer.note}"] if answer.note else [])])


@tool("graph", told=in_words(_told))
def get_neighbors(ctx: Context, label: Label, relation_filter: Filter | None = None) -> NeighboursAnswer:
    """List a node's neighbours, in both directions, with the relation to each.

    Returns: the surest first, at most 500 each way; candidates (id, file, degree) when several nodes match.
    Source:  002 get_neighbors.
    """
    with ctx.read() as db:
        meant = find(db, label)
        if meant.subject is None:
            return missing(NeighboursAnswer, label, meant)
        both = [relatives(db, [meant.subject], _narrowed(question, relation_filter)) for question in (DEPENDENCIES, DEPENDENTS)]
        return _answer(ctx, db, meant.subject, *both)


def _narrowed(question: Question, part: str | None) -> Question:
    """The question about the relations whose name contains this."""
    if not part:
        return question
    return question.only(*(edge for edge in EDGE_TYPES if part.lower() in edge))


@tool("graph", told=in_words(_told))
def find_callers(ctx: Context, label: Label) -> NeighboursAnswer:
    """List what calls, uses or references a symbol; for a type also what constructs it.

    Returns: the surest first; candidates (id, file, degree) when several nodes match.
    Source:  002 find_callers.
    """
    with ctx.read() as db:
        meant = find(db, label)
        if meant.subject is None:
            return missing(NeighboursAnswer, label, meant)
        return _answer(ctx, db, meant.subject, relatives(db, with_constructors(db, meant.subject), CALLERS))


@tool("graph", told=in_words(_told))
def find_callees(ctx: Context, label: Label) -> NeighboursAnswer:
    """List what a symbol calls, uses or references.

    Returns: the surest first; candidates (id, file, degree) when several nodes match.
    Source:  002 find_callees.
    """
    with ctx.read() as db:
        meant = find(db, label)
        if meant.subject is None:
            return missing(NeighboursAnswer, label, meant)
        return _answer(ctx, db, meant.subject, relatives(db, [meant.subject], CALLEES))


def _answer(ctx: Context, db: Database, subject: Subject, *found: Relatives) -> NeighboursAnswer:
    node = node_of(db, subject)
    note = "; ".join(filter(None, dict.fromkeys(part.note for part in found)))
    return NeighboursAnswer(found=True, label=node.label, id=node.id, neighbors=[one for part in found for one in part.neighbours[: ctx.most(MOST)]], note=note)
