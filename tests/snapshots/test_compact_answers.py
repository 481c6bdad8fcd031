"""The answers that models get, on a small repository: rows of text below their files, and nothing empty, false or said twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load, select
from tests.harness.asking import blanks
from tests.harness.served import surroundings
from tests.snapshots.library import LIBRARY

CATALOGUE = load("codeagentd.tools")
OF_MODELS = {tool.name: tool for tool in select(CATALOGUE, toolsets="all", rows="compact")}
FOLDER = Path(__file__).parent / "compact"
ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "search_code": ("search_code", {"query": "what does a late book cost", "limit": 2}),
    "search_code_for_a_name": ("search_code", {"query": "Book"}),
    "explain_code": ("explain_code", {"query": "how are fines calculated"}),
    "search_symbols": ("search_symbols", {"query": "spine"}),
    "describe_function": ("describe_symbol", {"symbol": "library.fines.fine"}),
    "describe_class": ("describe_symbol", {"symbol": "Loan", "token_budget": 120}),
    "describe_place": ("describe_symbol", {"symbol": "library/loans.py:11"}),
    "ambiguous_name": ("describe_symbol", {"symbol": "spine"}),
    "get_file_outline": ("get_file_outline", {"path": "library/books.py"}),
    "get_callers": ("get_callers", {"node_id": "fine"}),
    "get_callers_with_lines": ("get_callers", {"node_id": "fine", "lines": True}),
    "get_callers_of_several": ("get_callers", {"node_id": "spine"}),
    "get_callers_of_nothing": ("get_callers", {"node_id": "serve", "limit": 5}),
    "get_callees": ("get_callees", {"node_id": "lend"}),
    "get_references": ("get_references", {"node_id": "Book"}),
    "get_implementations": ("get_implementations", {"node_id": "Book"}),
    "get_dependents": ("get_dependents", {"node_id": "library/fines.py"}),
    "affected": ("affected", {"label": "fine"}),
    "affected_tests": ("affected_tests", {"files": ["library/fines.py"]}),
    "impact_of": ("impact_of", {"target": "fine"}),
    "get_directory_tree": ("get_directory_tree", {"depth": 2}),
    "list_directory": ("list_directory", {"path": "library"}),
    "get_symbol": ("get_symbol", {"node_id": "Loan.give_back"}),
    "find_refs": ("find_refs", {"symbol": "fine"}),
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("answers"), LIBRARY) as found:
        yield found


@pytest.mark.parametrize("name", ASKED)
def test_a_model_is_answered_as_in_the_snapshot(
    name: str, ctx: Context, matches_snapshot: Callable[[Path, Any], bool]
) -> None:
    tool, arguments = ASKED[name]
    answer = run(OF_MODELS[tool], ctx, arguments)
    assert json.loads(answer.text) == answer.structured, "some clients show the text, others the structured content"
    assert not answer.rendered
    assert not list(blanks(answer.structured))
    assert matches_snapshot(FOLDER / f"{name}.json", answer.structured), (
        f"{name} differs from tests/snapshots/compact/{name}.json"
    )


def test_every_snapshot_has_its_question() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == ASKED.keys()
