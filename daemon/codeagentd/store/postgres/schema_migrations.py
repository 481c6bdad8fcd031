"""Numbered migrations of the server's schema, store/postgres/schema/NNNN_*.sql: applied once among all machines."""

from __future__ import annotations

import functools
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from codeagent_protocol.errors import StoreFailed

if TYPE_CHECKING:
    import psycopg

LOCK: Final = 0x636F6465  # of the migration among all machines
_BEGINNING: Final = """
CREATE SCHEMA IF NOT EXISTS codeagent;
CREATE TABLE IF NOT EXISTS codeagent.schema_versions(number integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
"""

_ADMISSION: Final = "SELECT admit(rolname) FROM pg_roles WHERE rolname IN (SELECT role FROM grants)"  # to new tables


@functools.cache
def scripts() -> list[str]:
    """Return the migrations in order; number n is at n - 1."""
    folder = resources.files("codeagentd.store.postgres") / "schema"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sql"))
    return [(folder / name).read_text(encoding="utf-8") for name in names]


def check(connection: psycopg.Connection[Any], version: int, address: object, *, may_write: bool) -> None:
    """Migrate the database from `version` if it is older than this build, in one transaction. Errors: db_error for a
    newer one, which is left alone, and for an older one that this role may not change; those of psycopg.
    """
    if version > len(scripts()):
        raise StoreFailed(
            f"{address} was written by a newer codeagentd (schema {version}, this one knows {len(scripts())})",
            remedy="install that version; this one leaves the database alone",
        )
    if version == len(scripts()):
        return
    if not may_write:
        raise StoreFailed(
            f"{address} has schema {version} and is only read here", remedy="let a daemon that may write migrate it"
        )
    try:
        _migrate(connection)
    except Exception as error:
        if getattr(error, "sqlstate", "") != "42501":
            raise
        raise StoreFailed(
            f"{address} has {f'schema {version}' if version else 'no schema yet'}, and this role may not change it",
            remedy="let the database's owner run `codeagentd memory status` once with this version",
        ) from None


def _migrate(connection: psycopg.Connection[Any]) -> None:
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        connection.execute(_BEGINNING)
        row = connection.execute("SELECT coalesce(max(number), 0) FROM codeagent.schema_versions").fetchone()
        assert row is not None
        connection.execute("SET LOCAL search_path = codeagent, public")
        for number in range(row[0], len(scripts())):
            connection.execute(scripts()[number].encode())
            connection.execute("INSERT INTO codeagent.schema_versions(number) VALUES (%s)", (number + 1,))
        connection.execute(_ADMISSION)
