"""Resolution of a symbol argument, which may be a path or a place as the caller writes it."""

from __future__ import annotations

from codeagentd.model.ids import node_id
from codeagentd.model.kinds import SymbolKind
from codeagentd.query.symbols import name_resolution
from codeagentd.query.symbols.lookup import Subject
from codeagentd.query.symbols.name_resolution import ANYTHING, NameResolution, Usable
from codeagentd.store.connection import Database

from .context import Context
from .path_arguments import at_line, readings


def id_at(ctx: Context, db: Database, name: str) -> str:
    """Return the id of the symbol at the place `path:line` that `name` is; `name` itself if it is no such place."""
    place = at_line(name)
    for path in readings(ctx, place[0]) if place else ():
        parameters = {"path": path, "line": place[1] if place else 0, "namespace": SymbolKind.NAMESPACE}
        if row := db.row("symbols.at_line", parameters):
            return node_id(Subject(*row).uid)
    return name


def single(
    ctx: Context, db: Database, name: str, parameter: str = "node_id", usable: Usable = ANYTHING
) -> NameResolution:
    """Return the resolution of `name`, which may be a path or a place as the caller writes it, for an answer about one
    definition.

    Errors: not_found; invalid_parameter with the candidates of an ambiguous name.
    """
    return name_resolution.single(db, id_at(ctx, db, name), parameter, usable, readings(ctx, name))


def listed(
    ctx: Context, db: Database, name: str, parameter: str = "node_id", usable: Usable = ANYTHING
) -> NameResolution:
    """Return the resolution of `name`, which may be a path or a place as the caller writes it, for a list. Errors: as
    `single`, if more than a few distinct definitions have the name.
    """
    return name_resolution.listed(db, id_at(ctx, db, name), parameter, usable, readings(ctx, name))
