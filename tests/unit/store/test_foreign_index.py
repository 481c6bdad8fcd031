"""An index of another repository, read while its own daemon writes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.store.connection import Database
from codeagentd.store.foreign_index import BUILDING, OLDER, ForeignIndex, Unreadable
from codeagentd.store.migrations import migrations


@pytest.mark.parametrize(("generation", "why"), [(None, BUILDING), (0, BUILDING), (3, OLDER)])
def test_an_index_between_two_migrations_is_older_only_where_it_has_files(
    tmp_path: Path, generation: int | None, why: str
) -> None:
    path = tmp_path / "index.db"
    database = Database(path, writable=True)
    database.connection.execute(migrations("index")[0])
    database.connection.execute("PRAGMA user_version=1")
    if generation is not None:
        database.run("writer.put_meta", ("generation", generation))
    database.close()
    with pytest.raises(Unreadable) as refused:
        ForeignIndex(path)
    assert refused.value.why == why
