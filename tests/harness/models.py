"""The embedding model that tests use: one beside the checkout, if there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeagentd.embed.model import ModelChoice
from codeagentd.model.embedding import PACKAGED
from codeagentd.pipeline.engine.engine import IndexingEngine
from tests.harness.waiting import comes

MODEL = Path("shared") / "models" / "all-MiniLM-L6-v2-int8"
PLACES = [place / MODEL for place in Path(__file__).parents[3:]]  # beside the checkout, or beside a folder above it
FOLDER = next((place for place in PLACES if place.is_dir()), PLACES[0])
PATIENCE_S = 90.0  # loading takes a second on an idle machine

needs_model = pytest.mark.skipif(not FOLDER.is_dir(), reason="there is no model beside the checkout")


def wanted(place: Path, folder: Path | str = FOLDER) -> ModelChoice:
    """The model in a directory, or the included one by its name; none is ever fetched."""
    if folder == PACKAGED:
        return ModelChoice(PACKAGED, "", str(place / "models"), may_fetch=False)
    return ModelChoice("sentence-transformers/all-MiniLM-L6-v2", str(folder), str(place / "models"), may_fetch=False)


def embedded(engine: IndexingEngine, patience_s: float = PATIENCE_S) -> bool:
    """Wait until every symbol that may have a vector has the one of what it says now."""

    def is_whole() -> bool:
        said = engine.embeddings
        return said.state == "ready" and said.count > 0 and said.pending == 0

    return comes(is_whole, patience_s)
