"""Memories on a PostgreSQL server of the tests, with the product's own objects."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from codeagentd.memory.memory_store import MemoryStore
from codeagentd.model.embedding import Embedder, NoEmbedder
from codeagentd.store.postgres.postgres_database import PostgresDatabase
from tests.harness.postgres import OWNER, PostgresServer, missing, session_server

needs_postgres = pytest.mark.skipif(bool(missing()), reason=missing())


def server() -> PostgresServer:
    """The server of this test process; the test is skipped where none can be started."""
    if why := missing():
        pytest.skip(why)
    return session_server()


@contextlib.contextmanager
def team_memories(repository: str = "", embedder: Embedder | None = None) -> Iterator[MemoryStore]:
    """Memories in a database of their own, as its owner."""
    database = server().migrated()
    store = PostgresDatabase(server().url(database, OWNER))
    try:
        yield MemoryStore(store, repository, embedder or NoEmbedder())
    finally:
        store.close()
        server().drop(database)
