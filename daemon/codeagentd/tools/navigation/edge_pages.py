"""Pages of a symbol's edges."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Final

import msgspec

from codeagentd.model.parameters import Cursor, Include
from codeagentd.model.results.symbol_results import Neighbour, Site
from codeagentd.query.graph import edges
from codeagentd.query.graph.definition_edges import neighbours_of_match
from codeagentd.query.retrieval.excerpts import quoted_line, shown_lines
from codeagentd.query.symbols.name_resolution import ANYTHING, IMPLEMENTABLE
from codeagentd.store.connection import Database
from codeagentd.toolkit.compact.symbol_rows import outgoing
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.symbol_arguments import listed
from codeagentd.toolkit.tool import RowWriter

TARGETS: Final[Mapping[type, RowWriter]] = {Neighbour: outgoing}  # compact rows of edges that lead away from the symbol


def neighbours(
    ctx: Context,
    tool: str,
    question: edges.EdgeFilter,
    node_id: str,
    limit: int,
    cursor: Cursor | None,
    edge_type: str | None = None,
    include: Include | None = None,
    *,
    lines: bool = False,
) -> Page[Neighbour]:
    """One page of the neighbours of all definitions that a name means, limited to `edge_type` if it is set. `include`:
    "possible" adds the references on receivers of unknown type; None: the tool has no such parameter. `lines`: each
    site has its line of source.
    """
    query = (tool, node_id, edge_type, "by group", *filter(None, (include,)))  # older versions name no group
    after = position(cursor, *query)
    usable = IMPLEMENTABLE if question == edges.IMPLEMENTATIONS else ANYTHING
    whole = msgspec.structs.replace(
        question, whole_files=True, possible=include == "possible", has_include=include is not None
    )
    with ctx.read() as db:
        definitions = listed(ctx, db, node_id, usable=usable)
        part = neighbours_of_match(db, definitions, whole.only(edge_type) if edge_type else whole, after, limit)
        return page(msgspec.structs.replace(part, items=_with_lines(ctx, db, part.items)) if lines else part, *query)


def _with_lines(ctx: Context, db: Database, items: list[Neighbour]) -> list[Neighbour]:
    """The neighbours with the line of source of each site, without secrets."""
    shown = functools.cache(lambda path: shown_lines(db, path, ctx.lines(path)))

    def quoted(site: Site) -> Site:
        return msgspec.structs.replace(site, text=quoted_line(shown(site.file_path), site.line).strip())

    return [msgspec.structs.replace(item, sites=[*map(quoted, item.sites)]) for item in items]
