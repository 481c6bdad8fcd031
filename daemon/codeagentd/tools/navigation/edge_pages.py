"""Pages of a symbol's edges."""

from __future__ import annotations

import msgspec

from codeagentd.model.parameters import Cursor, Include
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.graph import edges
from codeagentd.query.graph.definition_edges import neighbours_of_match
from codeagentd.query.symbols.name_resolution import ANYTHING, IMPLEMENTABLE
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.symbol_arguments import listed


def neighbours(
    ctx: Context,
    tool: str,
    question: edges.EdgeFilter,
    node_id: str,
    limit: int,
    cursor: Cursor | None,
    edge_type: str | None = None,
    include: Include | None = None,
) -> Page[Neighbour]:
    """One page of the neighbours of all definitions that a name means, limited to `edge_type` if it is set. `include`:
    "possible" adds the references on receivers of unknown type; None: the tool has no such parameter.
    """
    query = (tool, node_id, edge_type, "by group", *filter(None, (include,)))  # older versions name no group
    after = position(cursor, *query)
    usable = IMPLEMENTABLE if question == edges.IMPLEMENTATIONS else ANYTHING
    whole = msgspec.structs.replace(
        question, whole_files=True, possible=include == "possible", has_include=include is not None
    )
    with ctx.read() as db:
        definitions = listed(ctx, db, node_id, usable=usable)
        return page(
            neighbours_of_match(db, definitions, whole.only(edge_type) if edge_type else whole, after, limit), *query
        )
