"""A small repository on disk, an index of it made by hand, and functions that call tools on both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.query.sample_index import SampleIndex
from tests.unit.tools.surroundings import Caller, RecordingEngine, context_of


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    root = tmp_path / "repo"
    (root / "shop/orders").mkdir(parents=True)
    (root / "shop/pricing.py").write_text('"""Prices."""\n\n\ndef compute_total(amounts):\n    return sum(amounts)\n')
    (root / "shop/orders/checkout.py").write_text("from shop.pricing import compute_total\n")
    (root / "README.md").write_text("# Shop\n")
    return root


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SampleIndex]:
    sample = SampleIndex(tmp_path / "index.db")
    yield sample
    sample.close()


@pytest.fixture
def call(repo: Path, index: SampleIndex) -> Iterator[Caller]:
    readers, engine = index.readers(), RecordingEngine()
    yield Caller(context_of(repo, readers, engine), engine)
    readers.close()
