"""An empty index, and a connection that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from codeagentd.store.connection import Database
from tests.unit.query.sample_index import SampleIndex


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SampleIndex]:
    sample = SampleIndex(tmp_path / "index.db")
    yield sample
    sample.close()


@pytest.fixture
def db(index: SampleIndex) -> Iterator[Database]:
    database = index.database()
    yield database
    database.close()
