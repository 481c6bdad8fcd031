"""The form of answers, compact for models and full for programs, as each kind of window chooses it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.harness.asking import blanks
from tests.harness.typescript import typescript_client
from tests.harness.window import Json
from tests.harness.world import BIN, World

MODES = ("auto", "legacy")
PATIENCE_S = 30.0
COMPACT = {"results": {"shop/orders/checkout.py": ["8:11 checkout_cart"]}}
QUESTION = {"node_id": "compute_total"}


def answered(world: World, repo: Path, *flags: str, **variables: str) -> Json:
    """The answer of a window to the question, in whatever form."""
    window = world.window(repo, *flags, **({"CODEAGENT_ROWS": ""} | variables))
    window.initialize()
    return window.must("get_callers", QUESTION).data


def is_full(answer: Json) -> bool:
    return isinstance(answer["results"], list) and answer["results"][0]["name"] == "checkout_cart"


@pytest.mark.parametrize(
    ("flags", "variables"),
    [
        ((), {}),
        (("--toolsets", "default,memory"), {}),
        (("--toolsets", "navigation"), {}),
        (("--tools", "get_callers"), {}),
        (("--rows", "compact"), {}),
        (("--rows=compact", "--toolsets", "all"), {}),
        (("--rows", "compact"), {"CODEAGENT_ROWS": "full"}),
        (("--toolsets", "all"), {"CODEAGENT_ROWS": "compact"}),
    ],
)
def test_a_window_of_a_model_has_compact_rows(
    shared_world: World, indexed_shop: Path, flags: tuple[str, ...], variables: dict[str, str]
) -> None:
    assert answered(shared_world, indexed_shop, *flags, **variables) == COMPACT


@pytest.mark.parametrize(
    ("flags", "variables"),
    [
        (("--toolsets", "all"), {}),
        (("--toolsets", "all,hierarchy"), {}),
        (("--rows", "full"), {}),
        ((), {"CODEAGENT_ROWS": "full"}),
        (("--rows", "full"), {"CODEAGENT_ROWS": "compact"}),
    ],
)
def test_a_window_of_a_program_has_full_rows(
    shared_world: World, indexed_shop: Path, flags: tuple[str, ...], variables: dict[str, str]
) -> None:
    assert is_full(answered(shared_world, indexed_shop, *flags, **variables))


@pytest.mark.parametrize(("flags", "variables"), [(("--rows", "tiny"), {}), ((), {"CODEAGENT_ROWS": "tiny"})])
def test_a_form_that_is_not_there_ends_the_shim_with_those_that_are(
    shared_world: World, indexed_shop: Path, flags: tuple[str, ...], variables: dict[str, str]
) -> None:
    done = subprocess.run(
        [str(BIN / "codeagent-mcp"), "--repo", str(indexed_shop), *flags], env=shared_world.environment | variables,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert f"{flags[0] if flags else 'CODEAGENT_ROWS'} is compact or full, not 'tiny'" in done.stderr
    assert not done.stdout


def test_the_command_line_has_full_rows_whatever_windows_have(shared_world: World, indexed_shop: Path) -> None:
    words = ("call", "get_callers", "node_id=compute_total", "--repo", str(indexed_shop))
    for form in ("", "compact", "full"):
        assert is_full(shared_world.codeagentd(*words, CODEAGENT_ROWS=form).json)


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_reads_compact_answers_and_errors(
    shared_world: World, indexed_shop: Path, mode: str
) -> None:
    async def talk(client: Any) -> None:
        tools = (await client.list_tools()).tools
        assert {tuple(tool.output_schema.items()) for tool in tools} == {(("type", "object"),)}
        for name, arguments in ASKED:
            result = await client.call_tool(name, arguments)
            assert json.loads(result.content[0].text) == result.structured_content
            assert len(result.content) == 1, "nothing is said twice"
            assert result.is_error == ("error" in result.structured_content)
            assert not list(blanks(result.structured_content))

    shared_world.converse(indexed_shop, talk, "--rows", "compact", mode=mode)


ASKED: tuple[tuple[str, Json], ...] = (
    ("get_callers", QUESTION), ("get_references", {"symbol": "Discount"}), ("describe_symbol", {"symbol": "shop/pricing.py:21"}),
    ("search_code", {"query": "how is the total computed"}), ("explain_code", {"query": "how is a discount applied"}),
    ("get_file_outline", {"path": "shop/pricing.py"}), ("search_symbols", {"query": "apply"}), ("affected", {"label": "compute_total"}),
    ("affected_tests", {}), ("working_changes_impact", {}), ("read_file", {"path": "shop/pricing.py"}), ("get_callers", {"node_id": "nobody"}),
    ("describe_symbol", {"symbol": "apply"}), ("get_callers", {}), ("get_callers", {"node_id": "a", "symbol": "b"}), ("no_such_tool", {}),
)  # fmt: skip


@pytest.mark.limit(180)  # where the SDK has to be fetched
def test_a_client_that_checks_schemas_reads_compact_answers_and_errors(shared_world: World, indexed_shop: Path) -> None:
    command = [str(BIN / "codeagent-mcp"), "--repo", str(indexed_shop), "--rows", "compact"]
    with typescript_client(command, shared_world.environment) as ask:
        ask({"list": True})
        for name, arguments in ASKED:
            answer = ask({"name": name, "arguments": arguments})
            assert "thrown" not in answer, answer["thrown"]
            structured = answer["result"]["structuredContent"]
            assert json.loads(answer["result"]["content"][0]["text"]) == structured
