"""Full-text indexes are put together a few pages at a time, and only where that is worth it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.store import fts_merge
from codeagentd.store.connection import Database
from codeagentd.store.fts_merge import Segments
from codeagentd.store.opening import open_disposable

ROWS = 3_000  # of a commit


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened, _ = open_disposable(tmp_path / "index.db", "index")
    yield opened
    opened.close()


def write(database: Database, first: int, rows: int = ROWS) -> None:
    """One commit of so many symbols."""
    with database.transaction():
        for number in range(first, first + rows):
            database.run(
                "writer.put_words", (number, f"take{number}", f"take {number}", f"shop.take{number}", "(value)", None)
            )


def pages(database: Database) -> list[int]:
    return [count for (count,) in database.all("segments.of_symbols_fts")]


def found(database: Database, match: str) -> list[int]:
    return [symbol for symbol, _ in database.all("search.ranked", {"match": match, "scan": 100_000})]


def test_what_many_commits_wrote_ends_in_one_piece_and_says_the_same(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fts_merge, "PAGES_AT_ONCE", 20)
    for commit in range(3):
        write(database, 1 + commit * ROWS)
    before = [found(database, match) for match in ("value", "take7", "shop", '"take 2999"')]
    assert len(pages(database)) == 3
    merging, steps = Segments(), 0
    while merging.merge(database):
        steps += 1
    assert len(pages(database)) == 1
    assert steps > 2  # a few pages each
    assert [found(database, match) for match in ("value", "take7", "shop", '"take 2999"')] == before
    assert not merging.merge(database)


def test_commits_between_the_steps_are_found_too(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fts_merge, "PAGES_AT_ONCE", 20)
    for commit in range(3):
        write(database, 1 + commit * ROWS)
    merging, last = Segments(), 3 * ROWS
    for _ in range(500):
        if not merging.merge(database):
            break
        last += 1
        write(database, last, rows=1)
    assert not merging.merge(database)
    assert max(pages(database)) >= fts_merge.WHOLE * sum(pages(database))
    assert len(found(database, "value")) == last
    assert found(database, f"take{last}") == [last]


def test_a_little_beside_much_stays_as_it_is(database: Database) -> None:
    for commit in range(3):
        write(database, 1 + commit * ROWS)
    merging = Segments()
    while merging.merge(database):
        pass
    write(database, 10 * ROWS, rows=100)
    changes = database.connection.total_changes()
    assert not merging.merge(database)
    assert database.connection.total_changes() == changes
    assert len(pages(database)) == 2


def test_an_empty_index_needs_nothing(database: Database) -> None:
    assert not Segments().merge(database)
