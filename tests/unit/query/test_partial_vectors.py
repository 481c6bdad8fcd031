"""A symbol without a vector is ranked by its words, not behind symbols of which the meaning is known."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from codeagentd.model.embedding import of_numbers
from codeagentd.query.retrieval.features import Candidate
from codeagentd.query.retrieval.nearest_vectors import Meaning, Near
from codeagentd.query.retrieval.retrieve import retrieve
from codeagentd.store.connection import Database
from tests.harness.filling import Filling
from tests.harness.served import served
from tests.harness.stored_rows import stored_rows

QUESTION = "extend the deadline of borrowed volumes"
RIGHT = "def prolong(volumes):\n    # extend the deadline of volumes that are borrowed\n    return [one.deadline for one in volumes]\n"
FILES = {
    "prolong.py": RIGHT,
    "archive.py": "def archive(volumes):\n    return sorted(volumes)\n",
    **{f"user{n}.py": f"from archive import archive\n\n\ndef use{n}():\n    return archive([{n}])\n" for n in range(6)},
}


@contextmanager
def index(place: Path, budget: int) -> Iterator[Database]:
    with served(place, FILES) as engine:
        writer = Database(engine.index_path, writable=True)
        Filling(writer, budget).fill()
        writer.close()
        with engine.readers.read() as db:
            yield db


def hits(db: Database) -> list[Candidate]:
    """What is found for the question when `archive` is the nearest in meaning by far."""
    rows = stored_rows(db)
    far = [Near(symbol.id, 0.9) for symbol in rows.symbols() if symbol.id in rows.symbols_with_vectors()]
    archive = rows.symbol("archive.archive").id
    near = [Near(archive, 0.1), *(one for one in far if one.symbol != archive)]
    return retrieve(db, QUESTION, 10, lambda: Meaning(of_numbers(bytes(8)), near)).chunks


def test_what_the_words_find_stays_first_where_the_budget_had_no_place_for_it(tmp_path: Path) -> None:
    with index(tmp_path, 2) as db:
        by_words = [hit.path for hit in retrieve(db, QUESTION, 10).chunks]
        result = hits(db)
        assert result[0].path == by_words[0] == "prolong.py"
        assert result[0].meaning == result[0].text == 1.0
        assert "meaning" not in result[0].reasons


def test_where_every_symbol_has_a_vector_a_piece_that_is_not_near_gets_nothing_for_its_meaning(tmp_path: Path) -> None:
    with index(tmp_path, 0) as db:
        (right,) = [hit for hit in hits(db) if hit.path == "prolong.py"]
        assert right.meaning == 0.0
