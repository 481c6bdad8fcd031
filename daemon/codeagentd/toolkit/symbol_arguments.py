"""Resolution of a symbol argument, which may be a path as the caller writes it."""

from __future__ import annotations

from codeagentd.query.symbols import name_resolution
from codeagentd.query.symbols.name_resolution import ANYTHING, NameResolution, Usable
from codeagentd.store.connection import Database

from .context import Context
from .path_arguments import readings


def single(
    ctx: Context, db: Database, name: str, parameter: str = "node_id", usable: Usable = ANYTHING
) -> NameResolution:
    """Return the resolution of `name`, which may be a path as the caller writes it, for an answer about one definition.

    Errors: not_found; invalid_parameter with the candidates of an ambiguous name.
    """
    return name_resolution.single(db, name, parameter, usable, readings(ctx, name))


def listed(
    ctx: Context, db: Database, name: str, parameter: str = "node_id", usable: Usable = ANYTHING
) -> NameResolution:
    """Return the resolution of `name`, which may be a path as the caller writes it, for a list. Errors: as `single`, if
    more than a few distinct definitions have the name.
    """
    return name_resolution.listed(db, name, parameter, usable, readings(ctx, name))
