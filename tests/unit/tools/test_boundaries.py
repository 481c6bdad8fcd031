"""What the tools say of edges between languages and processes."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from codeagentd.toolkit.call import run
from codeagentd.toolkit.context import Context
from codeagentd.toolkit.toolsets import load
from tests.harness.asking import ask, validate
from tests.harness.served import surroundings

CATALOGUE = load("codeagentd.tools")
FILES = {
    "shop/api.py": """from fastapi import FastAPI
import subprocess

app = FastAPI()


@app.get("/users/{user_id}")
def read_user(user_id: int):
    return load_user(user_id)


def load_user(user_id):
    subprocess.run(["bash", "tools/dump.sh"])
""",
    "web/client.ts": "export async function showUser(id: number) {\n  return await fetch(`/users/${id}`);\n}\nexport function page() { return showUser(1); }\n",
    "web/other.ts": "export async function weather() {\n  return await fetch('https://weather.example.org/now');\n}\n",
    "tools/dump.sh": "echo\n",
    "native/sum.c": "int sum_all(int a) { return a; }\n",
    "native/use.py": 'import ctypes\nlib = ctypes.CDLL("x.so")\n\n\ndef total():\n    return lib.sum_all(1)\n',
}
ROUTE = "GET /users/{}"


@pytest.fixture(scope="module")
def ctx(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Context]:
    with surroundings(tmp_path_factory.mktemp("boundaries"), FILES) as found:
        assert found.engine.analysed(30)
        yield found


def test_a_change_of_a_handler_reaches_who_requests_it_in_another_language(ctx: Context) -> None:
    found = {
        one["label"]: (one["depth"], one["via_relation"])
        for one in ask(ctx, "affected", label="read_user").structured["affected"]
    }
    assert found[ROUTE] == (1, "handled_by")
    assert found["showUser()"] == (2, "calls_service")
    assert found["page()"][0] == 3


def test_the_change_of_a_script_reaches_who_starts_it(ctx: Context) -> None:
    found = {one["label"] for one in ask(ctx, "affected", label="tools/dump.sh").structured["affected"]}
    assert {"load_user()", "read_user()"} <= found


def test_only_the_named_relations_are_followed(ctx: Context) -> None:
    assert ask(ctx, "affected", label="read_user", relations=["calls"]).structured["affected"] == []
    found = ask(ctx, "affected", label="sum_all", relations=["binds_native"]).structured["affected"]
    assert [(one["label"], one["via_relation"], one["confidence"]) for one in found] == [
        ("total()", "binds_native", "INFERRED")
    ]


def test_a_boundary_is_a_node(ctx: Context) -> None:
    node = ask(ctx, "get_node", label=ROUTE).structured
    assert (node["label"], node["kind"], node["source_file"]) == (ROUTE, "boundary", "boundary:http")
    found = {
        (one["label"], one["relation"], one["direction"])
        for one in ask(ctx, "get_neighbors", label=ROUTE).structured["neighbors"]
    }
    assert {("read_user()", "handled_by"), ("showUser()", "calls_service")} == {
        (label, relation) for label, relation, _ in found
    }
    assert (
        ask(ctx, "get_neighbors", label="showUser", relation_filter="calls_service").structured["neighbors"][0]["label"]
        == ROUTE
    )


def test_a_boundary_has_no_source(ctx: Context) -> None:
    assert run(CATALOGUE["get_source"], ctx, {"label": ROUTE}).structured["message"].startswith("Source not available")
    for tool in ("get_symbol", "get_dependents", "get_dependencies", "get_callers"):
        answer = run(CATALOGUE[tool], ctx, {"node_id": ROUTE})
        assert not answer.is_error
        validate(tool, answer.structured)


def test_paths_lead_through_boundaries(ctx: Context) -> None:
    assert ROUTE in [
        one["label"] for one in ask(ctx, "shortest_path", source="page", target="load_user").structured["nodes"]
    ]


def test_a_request_to_somebody_else_ends_at_a_boundary_of_its_own(ctx: Context) -> None:
    found = ask(ctx, "describe_node", label="weather").structured
    assert "GET weather.example.org/now" in found["callees"]


def test_boundaries_are_no_calls(ctx: Context) -> None:
    callers = run(CATALOGUE["get_callers"], ctx, {"node_id": "read_user"})
    assert callers.structured["results"] == []
    assert "showUser" not in run(CATALOGUE["find_callers"], ctx, {"label": "read_user"}).text


def test_the_query_language_knows_them(ctx: Context) -> None:
    rows = ask(
        ctx,
        "structural_search",
        query="MATCH (a)-[:calls_service]->(b:boundary)-[:handled_by]->(c) RETURN a.name, b.name, c.name",
    ).structured
    assert "showUser" in json.dumps(rows)
    assert "read_user" in json.dumps(rows)


def test_a_plan_to_rename_a_handler_leaves_its_route_alone(ctx: Context) -> None:
    plan = ask(ctx, "plan_rename", name="read_user", to="show_user").structured
    assert [(site["file"], site["line"]) for site in plan["edits"]] == [("shop/api.py", 8)]
