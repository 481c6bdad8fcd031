"""Every tool as tools/list shows it: a change that clients can see is a change of a file here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codeagentd.toolkit.toolsets import load

CATALOGUE = load("codeagentd.tools")
FOLDER = Path(__file__).parent / "tools"


@pytest.mark.parametrize("name", CATALOGUE)
def test_a_tool_is_listed_as_in_its_snapshot(name: str, matches_snapshot: Callable[[Path, Any], bool]) -> None:
    assert matches_snapshot(FOLDER / f"{name}.json", CATALOGUE[name].as_listed()), (
        f"{name} differs from tests/snapshots/tools/{name}.json"
    )


def test_every_snapshot_has_its_tool() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == CATALOGUE.keys()
