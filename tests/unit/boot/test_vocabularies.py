"""Where the vocabulary of tokens is looked for."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from codeagentd.boot.composition import vocabularies


@pytest.mark.parametrize(
    ("variables", "places"),
    [
        ({"TIKTOKEN_CACHE_DIR": "/a", "DATA_GYM_CACHE_DIR": "/b"}, (Path("/a"),)),
        ({"DATA_GYM_CACHE_DIR": "/b"}, (Path("/b"),)),
        ({"TIKTOKEN_CACHE_DIR": ""}, ()),
        ({}, (Path(tempfile.gettempdir()) / "data-gym-cache",)),
    ],
)
def test_it_is_looked_for_where_tiktoken_would(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], places: tuple[Path, ...]
) -> None:
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert vocabularies() == places
