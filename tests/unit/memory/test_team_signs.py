"""Signs of vectors that a daemon has of a team's memories: they follow what others write, whenever that is committed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import pytest

from codeagentd.memory.memory_store import MemoryStore
from codeagentd.store.memory_backend import Narrowing
from codeagentd.store.postgres.postgres_database import PostgresDatabase
from codeagentd.store.postgres.signs import digits, packed
from codeagentd.toolkit.context import Context
from tests.harness.postgres import OWNER, missing
from tests.harness.team import server
from tests.harness.vectors import WordVectors
from tests.unit.memory.notebook import Notebook

Open = Callable[[], Notebook]


@pytest.fixture
def open_window(shop: Context) -> Iterator[Open]:
    database = server().migrated()
    opened: list[PostgresDatabase] = []

    def window() -> Notebook:
        opened.append(PostgresDatabase(server().url(database, OWNER)))
        memories = MemoryStore(opened[-1], "shop", WordVectors(synonyms={"automobile": "car"}))
        return Notebook(msgspec.structs.replace(shop, memory=memories), session=f"window {len(opened)}".encode())

    yield window
    for store in opened:
        store.close()
    server().drop(database)


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_what_others_write_change_and_delete_is_followed(open_window: Open) -> None:
    here, there = open_window(), open_window()
    first = there.store("automobile")
    assert here.hits("car") == [first]
    second = there.store("automobile tax")
    assert set(here.hits("car")) == {first, second}
    there.ok("update", id=first, content="penguins swim")
    assert here.hits("car") == [second]
    there.ok("delete", id=second)
    assert here.hits("car") == []


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_what_is_committed_late_is_found_then(open_window: Open) -> None:
    here, there = open_window(), open_window()
    memory = there.store("automobile")
    vector = WordVectors().embed(["car"])
    assert vector
    with there.ctx.memory.store.write() as db:
        ((_, number),) = db.all("memory.numbers_of", (f'["{memory}"]',))
        db.run("recall.delete_bits", {"number": number})
        db.recall.put_vector(number, b"digest", 1, vector[0])
        others = [here.store(f"penguins swim {n}") for n in range(3)]  # later transactions, committed before
        assert set(here.hits("penguins")) >= set(others)
    with here.ctx.memory.store.read() as db:
        assert db.recall.nearest(vector[0], 1, Narrowing(), 1) == [number]


@pytest.mark.parametrize("size", [8, 12, 384])
def test_signs_are_packed_as_the_server_sends_them(size: int) -> None:
    import array

    numbers = array.array("f", [(-1.0) ** (n % 3) * (n + 1) for n in range(size)]).tobytes()
    text = digits(numbers)
    assert len(text) == size
    assert "".join(f"{byte:08b}" for byte in packed(numbers))[:size] == text
