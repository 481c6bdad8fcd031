"""A stage for each test of the shim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.unit.shim.stage import Stage


@pytest.fixture
def make_stage() -> Iterator[Callable[..., Stage]]:
    """Stages with words for the stub daemon and other limits; closed at the end."""
    with ExitStack() as stack:

        def make(*stub: str, **limits: Any) -> Stage:
            stage = Stage(*stub, **limits)
            stack.callback(stage.close)
            return stage

        yield make


@pytest.fixture
def stage(make_stage: Callable[..., Stage]) -> Stage:
    """A stage as it is."""
    return make_stage()
