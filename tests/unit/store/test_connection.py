"""What the writer's connection promises beyond SQLite's own word."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest

from codeagentd.pipeline.workers.messages import STORED_COLUMNS
from codeagentd.store.connection import ROWS_AT_ONCE, Database, ReaderPool
from codeagentd.store.migrations import migrate
from codeagentd.store.opening import open_disposable


@pytest.mark.parametrize("rows", [0, 1, ROWS_AT_ONCE, ROWS_AT_ONCE + 1, 3 * ROWS_AT_ONCE - 1])
def test_rows_that_follow_one_another_are_inserted_each_as_it_is(tmp_path: Path, rows: int) -> None:
    database = Database(tmp_path / "index.db", writable=True)
    migrate(database, "index")
    database.insert("writer.put_ref", STORED_COLUMNS, array("q", range(1, rows * STORED_COLUMNS + 1)))
    found = database.connection.execute("SELECT * FROM refs ORDER BY id").fetchall()
    assert [number for row in found for number in row] == list(range(1, rows * STORED_COLUMNS + 1))
    database.close()


def test_values_that_make_no_whole_row_are_refused(tmp_path: Path) -> None:
    database = Database(tmp_path / "index.db", writable=True)
    migrate(database, "index")
    with pytest.raises(ValueError):
        database.insert("writer.put_ref", STORED_COLUMNS, range(STORED_COLUMNS + 1))
    database.close()


def test_a_thread_beside_one_that_has_the_last_connection_waits_for_none(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    open_disposable(path, "index")[0].close()
    pool = ReaderPool(path, 1)
    with pool.read(), pool.read_beside() as database:
        assert database.value("writer.meta", ("generation",), 0) == 0
    pool.close()


def test_connections_that_were_only_needed_at_the_same_time_are_closed_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "index.db"
    open_disposable(path, "index")[0].close()
    pool = ReaderPool(path, 3)
    with pool.read() as first, pool.read() as second, pool.read():
        pass
    pool.shrink()
    with pool.read() as again:
        assert again is first
        with pool.read() as another:
            assert another is not second
            assert another.value("writer.meta", ("generation",), 0) == 0
    pool.close()
