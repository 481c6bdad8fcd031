"""Whole answers of page 002's tools on a small repository, as values and in words."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.past import committed
from tests.harness.served import surroundings
from tests.snapshots.library import LIBRARY

CATALOGUE = load("codeagentd.tools")
FOLDER = Path(__file__).parent / "graph"

ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "query_graph": ("query_graph", {"question": "how are fines calculated"}),
    "get_node": ("get_node", {"label": "Book"}),
    "get_node_ambiguous": ("get_node", {"label": "spine"}),
    "get_source": ("get_source", {"label": "fine"}),
    "get_neighbors": ("get_neighbors", {"label": "library/fines.py"}),
    "get_community": ("get_community", {"community_id": 0}),
    "god_nodes": ("god_nodes", {"top_n": 3}),
    "graph_stats": ("graph_stats", {}),
    "list_repos": ("list_repos", {}),
    "repo_stats": ("repo_stats", {"repo": "library"}),
    "shortest_path": ("shortest_path", {"source": "serve()", "target": "fine()"}),
    "affected": ("affected", {"label": "fine()"}),
    "find_callers": ("find_callers", {"label": "fine()"}),
    "find_callees": ("find_callees", {"label": "serve()"}),
    "describe_node": ("describe_node", {"label": "fine()"}),
    "structural_search": ("structural_search", {"query": "MATCH (c:class)-[:contains]->(m) RETURN c, m"}),
    "working_changes_impact": ("working_changes_impact", {"base": "HEAD~1"}),
    "predict_impact": ("predict_impact", {"files": ["library/fines.py"]}),
    "affected_tests": ("affected_tests", {"files": ["library/loans.py"]}),
    "predict_edit": ("predict_edit", {"symbol": "fine()", "kind": "signature"}),
    "time_travel_diff": ("time_travel_diff", {"rev1": "HEAD~1", "rev2": "HEAD"}),
    "plan_rename": ("plan_rename", {"name": "fine", "to": "charge"}),
    "list_prs": ("list_prs", {}),
    "get_pr_impact": ("get_pr_impact", {"pr_number": 1}),
    "triage_prs": ("triage_prs", {}),
    "structural_search_counts": ("structural_search", {"query": "MATCH (n) RETURN n.kind, count(*)"}),
}


EARLIER = {
    **LIBRARY,
    "library/fines.py": "def penalty(days):\n    return days\n",
    "library/loans.py": "from library.fines import penalty\n",
}


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    place = tmp_path_factory.mktemp("answers")
    committed(place / "repo", EARLIER, LIBRARY)
    git = shutil.which("git")
    assert git
    (place / "bin").mkdir()
    (place / "bin" / "git").symlink_to(git)
    with pytest.MonkeyPatch.context() as patch, surroundings(place, LIBRARY) as found:
        patch.setenv("PATH", str(place / "bin"))  # git is there, and gh is not
        assert found.engine.analysed(30)
        yield found


@pytest.mark.parametrize("name", ASKED)
def test_a_tool_answers_as_in_its_snapshot(
    name: str, ctx: Context, matches_snapshot: Callable[[Path, Any], bool]
) -> None:
    tool, arguments = ASKED[name]
    answer = run(CATALOGUE[tool], ctx, arguments)
    assert not answer.is_error
    jsonschema.validate(answer.structured, CATALOGUE[tool].output_schema)
    told = {"told": answer.rendered.split("\n"), "structured": answer.structured}
    assert matches_snapshot(FOLDER / f"{name}.json", told), f"{name} differs from tests/snapshots/graph/{name}.json"


def test_every_tool_has_a_snapshot_and_every_snapshot_a_question() -> None:
    assert {tool for tool, _ in ASKED.values()} == {name for name, tool in CATALOGUE.items() if tool.toolset == "graph"}
    assert {path.stem for path in FOLDER.glob("*.json")} == ASKED.keys()
