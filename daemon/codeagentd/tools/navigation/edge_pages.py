"""Pages of a symbol's edges."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Final

import msgspec

from codeagentd.model.file_kinds import is_product
from codeagentd.model.parameters import Cursor, Include
from codeagentd.model.results.symbol_results import Neighbour, Site
from codeagentd.query.graph import edges
from codeagentd.query.graph.definition_edges import neighbours_of_match
from codeagentd.query.retrieval.excerpts import quoted_line, shown_lines
from codeagentd.query.symbols.name_resolution import ANYTHING, IMPLEMENTABLE, NameResolution
from codeagentd.store.connection import Database
from codeagentd.toolkit.compact.edge_rows import dependents_of, outgoing
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.pages import Page, page, position
from codeagentd.toolkit.symbol_arguments import listed
from codeagentd.toolkit.tool import RowWriter

TARGETS: Final[Mapping[type, RowWriter]] = {Neighbour: outgoing}  # compact rows of edges that lead away from the symbol


DEPENDENT_ROWS: Final[Mapping[type, RowWriter]] = {Neighbour: dependents_of}
FEW: Final = 10  # sure neighbours up to which those that are only possible are listed as well
POSSIBLE: Final = 20  # of these
EXAMINED: Final = 100  # edges among which they are looked for


class Users(Page[Neighbour], frozen=True, omit_defaults=True):
    """A page of callers or references. `possible`: where there are few, uses in the product on receivers of unknown
    type that may mean the symbol; only in answers for models, where they cost little.
    """

    possible: list[Neighbour] = []


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
) -> Users:
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
        possible = []
        if ctx.is_compact and include == "" and after is None and len(part.items) <= FEW:
            possible = _possible(db, definitions, whole, part.items)
        items, possible = (_with_lines(ctx, db, some) if lines else some for some in (part.items, possible))
    whole_page = page(msgspec.structs.replace(part, items=items), *query)
    return Users(whole_page.results, whole_page.next_cursor, whole_page.note, possible)


def _possible(
    db: Database, definitions: NameResolution, question: edges.EdgeFilter, sure: list[Neighbour]
) -> list[Neighbour]:
    """The uses in the product that may mean the symbol and are not among those of a page."""
    wider = msgspec.structs.replace(question, possible=True)
    known = {item.node_id for item in sure}
    others = neighbours_of_match(db, definitions, wider, None, EXAMINED).items
    return [item for item in others if item.node_id not in known and is_product(item.file_path)][:POSSIBLE]


def _with_lines(ctx: Context, db: Database, items: list[Neighbour]) -> list[Neighbour]:
    """The neighbours with the line of source of each site, without secrets."""
    shown = functools.cache(lambda path: shown_lines(db, path, ctx.lines(path)))

    def quoted(site: Site) -> Site:
        return msgspec.structs.replace(site, text=quoted_line(shown(site.file_path), site.line).strip())

    return [msgspec.structs.replace(item, sites=[*map(quoted, item.sites)]) for item in items]
