"""What the property tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeagentd.pipeline.engine import Engine


@pytest.fixture
def engines() -> Iterator[list[Engine]]:
    started: list[Engine] = []
    yield started
    for engine in started:
        engine.close(10)
