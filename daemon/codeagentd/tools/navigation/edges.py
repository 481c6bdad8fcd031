"""How is a question about edges answered in pages?"""

from __future__ import annotations

from codeagentd.model.parameters import Cursor
from codeagentd.model.results import Neighbour
from codeagentd.query import graph
from codeagentd.query.symbols import resolve
from codeagentd.toolkit.answers import Page, page, position
from codeagentd.toolkit.context import Context


def neighbours(
    ctx: Context, tool: str, question: graph.Question, node_id: str, limit: int, cursor: Cursor | None, edge_type: str | None = None
) -> Page[Neighbour]:
    """One page of a symbol's neighbours, of one edge type when it is named."""
    asked = (tool, node_id, edge_type)
    after = position(cursor, *asked)
    narrowed = question.only(edge_type) if edge_type else question
    with ctx.read() as db:
        return page(graph.neighbours(db, resolve(db, node_id), narrowed, after, limit), *asked)
