"""Whole answers of toolset retrieval on a small repository, without what differs from run to run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.served import surroundings
from tests.snapshots.library import LIBRARY

CATALOGUE = load("codeagentd.tools")
FOLDER = Path(__file__).parent / "retrieval"
PASSING = ("built_at", "root", "head_commit", "package_version", "generation", "database_bytes", "blobs_bytes", "score")
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "healthcheck": ("healthcheck", {}),
    "search_code": ("search_code", {"query": "what does a late book cost", "limit": 2}),
    "find_symbol": ("find_symbol", {"name": "Book"}),
    "find_symbol_by_words": ("find_symbol", {"name": "give back"}),
    "find_refs": ("find_refs", {"symbol": "Book"}),
    "impact_of_symbol": ("impact_of", {"target": "fine", "depth": 3}),
    "impact_of_file": ("impact_of", {"target": "library/books.py", "direction": "both"}),
    "explain_code": ("explain_code", {"query": "how are fines calculated", "limit": 2}),
    "architecture_overview": ("architecture_overview", {}),
    "path_between": ("path_between", {"source": "serve", "target": "library/fines.py"}),
    "describe_symbol": ("describe_symbol", {"symbol": "library.fines.fine"}),
    "index_stats": ("index_stats", {}),
    "error": ("describe_symbol", {"symbol": "spine"}),
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("answers"), LIBRARY) as found:
        yield found


@pytest.mark.parametrize("name", ASKED)
def test_a_tool_answers_as_in_its_snapshot(
    name: str, ctx: Context, matches_snapshot: Callable[[Path, Any], bool]
) -> None:
    tool, arguments = ASKED[name]
    answer = run(CATALOGUE[tool], ctx, arguments).structured
    assert (answer["schema_version"], answer["tool"]) == (1, tool)
    assert answer["index"]["exists"]
    if "error" not in answer:
        jsonschema.validate(answer, CATALOGUE[tool].output_schema)
    assert matches_snapshot(FOLDER / f"{name}.json", lasting(answer)), (
        f"{name} differs from tests/snapshots/retrieval/{name}.json"
    )


def test_every_snapshot_has_its_question() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == ASKED.keys()


def lasting(value: Any) -> Any:
    """A value without what differs from run to run."""
    if isinstance(value, dict):
        return {key: "…" if key in PASSING else lasting(item) for key, item in value.items()}
    return [lasting(item) for item in value] if isinstance(value, list) else value
