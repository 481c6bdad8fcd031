"""The answer to `initialize`."""

from __future__ import annotations

import re

import pytest

from codeagent_protocol.initialize import (
    LATEST,
    PROTOCOL_VERSIONS,
    PURPOSE,
    USES,
    completed,
    initialize_result,
    instructions,
)
from codeagent_protocol.version import __version__
from codeagentd.toolkit.toolsets import DEFAULT_TOOLS, load

CATALOGUE = load("codeagentd.tools")
NAMED = [tool for tools, _ in USES for tool in tools]


@pytest.mark.parametrize("version", PROTOCOL_VERSIONS)
def test_a_known_protocol_version_is_spoken(version: str):
    assert initialize_result(version)["protocolVersion"] == version


@pytest.mark.parametrize("version", ["2099-01-01", 7, ["2025-06-18"]])
def test_another_protocol_version_is_answered_with_the_latest(version: object):
    result = initialize_result(version)
    assert result["protocolVersion"] == LATEST == "2025-11-25"
    assert result["serverInfo"] == {"name": "codeagentd", "version": __version__}
    assert result["capabilities"].keys() == {"tools", "resources", "prompts", "completions", "logging"}
    assert 0 < len(result["instructions"]) < 1_600  # characters, four of which make a token: 400 tokens


def test_a_client_that_names_no_version_gets_the_one_of_the_contract():
    assert initialize_result(None)["protocolVersion"] == "2025-06-18"


CLIENT = {"name": "x", "version": "1"}


@pytest.mark.parametrize(
    ("params", "completed_params"),
    [
        (None, {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "", "version": ""}}),
        (
            {"protocolVersion": "2025-03-26"},
            {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "", "version": ""}},
        ),
        (
            {"clientInfo": {"name": "x"}},
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": ""}},
        ),
        (
            {"capabilities": None, "clientInfo": CLIENT},
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT},
        ),
        (
            {"clientInfo": 5, "_meta": {}},
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": 5, "_meta": {}},
        ),
    ],
)
def test_what_a_handshake_leaves_out_is_filled_in_and_what_it_says_is_kept(
    params: dict[str, object] | None, completed_params: dict[str, object]
):
    assert completed(params) == completed_params


def test_every_tool_that_instructions_may_name_is_there() -> None:
    assert set(NAMED) <= CATALOGUE.keys()
    assert len(NAMED) == len(set(NAMED))


@pytest.mark.parametrize("offered", [(), DEFAULT_TOOLS, ("read_file", "store"), tuple(CATALOGUE)])
def test_instructions_name_the_tools_of_the_session_and_no_others(offered: tuple[str, ...]) -> None:
    text = instructions(offered)
    assert set(re.findall(r"\w+", text)) & set(NAMED) == set(NAMED) & set(offered)
    assert text.startswith(PURPOSE)
    assert len(text) < 800 + 400 * (len(offered) > 60)  # characters, four of which make a token


def test_tools_are_named_with_what_they_are_for() -> None:
    assert "Use search_code for a question in words; read_file for what is there. A name, path" in instructions(
        ("read_file", "search_code", "get_status")
    )
