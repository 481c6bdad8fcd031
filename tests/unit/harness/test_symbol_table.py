"""The symbol table in memory resolves references as the one over the index does."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.harness.namesakes import NAMESAKES
from tests.harness.small_index import SmallIndex
from tests.harness.symbol_table import InMemorySymbolTable


@pytest.mark.parametrize("language", NAMESAKES)
def test_references_lead_to_the_same_definitions(tmp_path: Path, language: str) -> None:
    table = InMemorySymbolTable(NAMESAKES[language])
    with closing(SmallIndex(tmp_path)) as index:
        index.update(NAMESAKES[language])
        assert table.references() == index.references()
