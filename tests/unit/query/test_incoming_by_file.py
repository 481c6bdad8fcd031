"""Callers of a symbol with very many references: the same pages as those of any symbol, without reading all."""

from __future__ import annotations

import random

import pytest

from codeagentd.model.kinds import Confidence, ReferenceKind, SymbolKind
from codeagentd.model.results.symbol_results import Neighbour
from codeagentd.query.graph import incoming_by_file
from codeagentd.query.graph.edges import CALLERS, REFERENCES, EdgeFilter, neighbours
from codeagentd.query.symbols.name_resolution import resolve
from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex

FILES, PER_FILE = 40, 5


@pytest.fixture
def callers(index: SampleIndex) -> SampleIndex:
    """A function with several hundred references of all kinds, in files whose numbers are not in the order of paths."""
    chance = random.Random(3)
    target = index.symbol(index.file("core/alloc.c", "c"), "alloc")
    numbers = [*range(FILES)]
    chance.shuffle(numbers)
    kinds = (ReferenceKind.CALL, ReferenceKind.CALL, ReferenceKind.READ, ReferenceKind.WRITE, ReferenceKind.TYPE)
    for number in numbers:
        file = index.file(f"drivers/d{number:02}.c", "c")
        for at in range(PER_FILE):
            source = index.symbol(file, f"f{number}_{at}", lines=(10 * at + 1, 10 * at + 9))
            for line in range(chance.randint(1, 4)):
                sure = Confidence.EXACT if chance.random() < 0.9 else Confidence.INFERRED
                index.reference(source, target, chance.choice(kinds), 10 * at + 1 + line, confidence=sure)
    return index


def pages(db: Database, question: EdgeFilter, limit: int) -> list[Neighbour]:
    target, result, after = resolve(db, "alloc"), [], None
    while True:
        page = neighbours(db, target, question, after, limit)
        result += page.items
        after = page.after
        if after is None:
            return result


@pytest.mark.usefixtures("callers")
@pytest.mark.parametrize("question", [CALLERS, REFERENCES])
@pytest.mark.parametrize("limit", [1, 7, 100])
def test_pages_are_the_same_as_those_of_all_references(
    db: Database, question: EdgeFilter, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = pages(db, question, limit)
    monkeypatch.setattr(incoming_by_file, "MANY", 1)
    assert pages(db, question, limit) == expected
    assert len(expected) > FILES


@pytest.mark.usefixtures("callers")
def test_the_first_page_reads_only_the_first_files(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incoming_by_file, "MANY", 1)
    names: list[str] = []
    every = Database.all

    def noted(self: Database, name: str, parameters: object = ()) -> list[tuple[object, ...]]:
        names.append(name)
        return every(self, name, parameters)  # type: ignore[arg-type]

    monkeypatch.setattr(Database, "all", noted)
    page = neighbours(db, resolve(db, "alloc"), CALLERS, None, 10)
    assert [item.file_path for item in page.items] == sorted(item.file_path for item in page.items)
    assert "graph.incoming" not in names
    assert names.count("graph.sources_in_file") < FILES / 4


def test_a_caller_that_several_files_define_is_listed_where_it_calls(
    index: SampleIndex, db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(incoming_by_file, "MANY", 1)
    target = index.symbol(index.file("core/alloc.c", "c"), "alloc")
    one, other = index.file("mm/one.c", "c"), index.file("mm/other.c", "c")
    shared = index.symbol(one, "split", SymbolKind.FUNCTION, lines=(1, 9))
    index.span(shared, one, 1, 9)
    index.span(shared, other, 21, 29)
    index.reference(shared, target, line=3)
    index.reference(shared, target, line=23, file=other)
    for line in range(31, 34):
        index.reference(index.symbol(other, f"f{line}", lines=(line, line)), target, line=line)
    page = neighbours(db, resolve(db, "alloc"), CALLERS, None, 2)
    places = [(item.file_path, item.line_start, [site.line for site in item.sites]) for item in page.items]
    assert places == [("mm/one.c", 1, [3]), ("mm/other.c", 21, [23])]
