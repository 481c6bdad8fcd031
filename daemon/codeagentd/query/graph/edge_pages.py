"""Rows of edges as pages of neighbours.

A page is limited in items and in places. A neighbour with many places is listed as several items, so that no place is
lost.
"""

from __future__ import annotations

import json
from typing import Final

from codeagentd.model.ids import node_id
from codeagentd.model.kinds import EDGE_OF_REFERENCE, Confidence, Origin
from codeagentd.model.results.symbol_results import Neighbour, Site
from codeagentd.query.paging import Key, Slice
from codeagentd.query.symbols.lookup import LABELS
from codeagentd.store.connection import Database

EDGE_KEY: Final = ("after_confidence", "after_path", "after_line", "after_uid", "after_kind", "after_origin")
START: Final[Key] = (-1, "", 0, b"", 0, 0)
SITES_PER_ITEM: Final = 50  # places listed with one item: 3.5 kB
SITES_PER_PAGE: Final = 400  # 28 kB; a page of a hundred callers seldom has more

_KEY: Final = len(EDGE_KEY)
_SITES: Final = 10  # the column that lists the places
_EDGES: Final = {0: "contains"} | {int(kind): edge for kind, edge in EDGE_OF_REFERENCE.items()}
_CONFIDENCES: Final = {int(confidence): confidence.label for confidence in Confidence}
_ORIGINS: Final = {int(origin): origin.label for origin in Origin}


def assemble(
    db: Database, rows: list[Key], start: Key, skipped: int, limit: int, direction: str, note: str = ""
) -> Slice[Neighbour]:
    """Return a page of at most `limit` neighbours, from `rows` in order. It begins at the row `start`, and `skipped`
    places of that row were listed before.

    The position of the next page consists of a row's key and the number of its places that have been listed.
    """
    chunks, position = _chunks(rows, start, skipped, limit)
    paths = _paths(db, chunks)
    items = [_neighbour(row, sites, total, paths, direction) for row, sites, total in chunks]
    return Slice(items, position, note)


def merged(rows: list[Key]) -> list[Key]:
    """Return `rows` with duplicate edges merged. Several definitions may lead to the same symbol; it then gets the
    places of all.
    """
    merged_rows: dict[Key, Key] = {}
    for row in rows:
        key = row[:_KEY]
        merged_rows[key] = (
            (*row[:_SITES], _together(merged_rows[key][_SITES], row[_SITES])) if key in merged_rows else row
        )
    return list(merged_rows.values())


def _together(sites: str, others: str) -> str:
    return " ".join(sorted({*sites.split(), *others.split()}, key=lambda site: tuple(map(int, site.split(":")))))


def _chunks(
    rows: list[Key], start: Key, skipped: int, limit: int
) -> tuple[list[tuple[Key, list[str], int]], Key | None]:
    """Each item's row, its places and the number of all places; and the position after the last item, if there is
    more.
    """
    chunks: list[tuple[Key, list[str], int]] = []
    budget = SITES_PER_PAGE
    position: Key = (*start, skipped)
    for row in rows:
        sites = row[_SITES].split()
        at = skipped if row[:_KEY] == start else 0
        while at < len(sites):
            if len(chunks) == limit or budget <= 0:
                return chunks, position
            piece = sites[at : at + min(SITES_PER_ITEM, budget)]
            chunks.append((row, piece, len(sites)))
            at += len(piece)
            budget -= len(piece)
            position = (*row[:_KEY], at)
    return chunks, None


def _paths(db: Database, chunks: list[tuple[Key, list[str], int]]) -> dict[str, str]:
    """The paths of the files that places refer to by number."""
    ids = {site.partition(":")[0] for _, sites, _ in chunks for site in sites}
    return {str(number): path for number, path in db.all("files.paths", (json.dumps([int(number) for number in ids]),))}


def _neighbour(row: Key, sites: list[str], total: int, paths: dict[str, str], direction: str) -> Neighbour:
    confidence, path, line_start, uid, kind, origin, name, qualified_name, symbol_kind, line_end, _ = row
    return Neighbour(
        node_id=node_id(uid),
        name=name,
        qualified_name=qualified_name,
        node_type=LABELS[symbol_kind],
        file_path=path,
        line_start=line_start,
        line_end=line_end,
        edge_type=_EDGES[kind],
        confidence=_CONFIDENCES[confidence],
        origin=_ORIGINS[origin],
        direction=direction,
        sites=[_site(site, paths) for site in sites],
        total_sites=total if total > len(sites) else 0,
    )


def _site(site: str, paths: dict[str, str]) -> Site:
    file, line, column = site.split(":")
    return Site(paths.get(file, ""), int(line), int(column))
