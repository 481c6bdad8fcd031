"""Which tools a session offers."""

from __future__ import annotations

import json

import pytest

from codeagent_protocol.errors import CodedError
from codeagentd.toolkit.tool import Tool
from codeagentd.toolkit.toolsets import DEFAULT_TOOLS, EVERYTHING, FURTHER, TOOLSETS, load, select

CATALOGUE = load("codeagentd.tools")
DOTTED = CATALOGUE["code.symbol.search"]
WRITERS = {
    "index_files",
    "speculate",
    "store",
    "update",
    "delete",
    "link",
    "create_task",
    "get_next_task",
    "complete_task",
    "reflect",
    "index_file",
}


def names(tools: list[Tool]) -> set[str]:
    return {tool.name for tool in tools}


def test_the_default_selection_is_small() -> None:
    default = select(CATALOGUE)
    cost = len(json.dumps([tool.as_listed() for tool in default], separators=(",", ":"))) / 4
    assert names(default) == set(DEFAULT_TOOLS)
    assert len(default) <= 14
    assert cost <= 4_000
    assert read_by_models(default) <= 1_500


def read_by_models(tools: list[Tool]) -> float:
    """The tokens of what clients pass on to a model: names, descriptions and input schemas."""
    parts = ("name", "description", "inputSchema")
    listed = [{part: tool.as_listed()[part] for part in parts} for tool in tools]
    return len(json.dumps(listed, separators=(",", ":"))) / 4


@pytest.mark.parametrize(
    ("flags", "is_compact"),
    [
        ({}, True),
        ({"toolsets": "default,memory"}, True),
        ({"tools": "get_callers"}, True),
        ({"toolsets": "all"}, False),
        ({"toolsets": "all", "rows": "compact"}, True),
        ({"rows": "full"}, False),
    ],
)
def test_a_session_with_all_tools_is_a_program_s_unless_it_says_otherwise(
    flags: dict[str, str], is_compact: bool
) -> None:
    assert {tool.is_compact for tool in select(CATALOGUE, **flags)} == {is_compact}


def test_a_form_of_answers_that_is_not_there_is_refused() -> None:
    with pytest.raises(CodedError) as caught:
        select(CATALOGUE, rows="tiny")
    assert caught.value.facts["parameter"] == "rows"


def test_a_listing_for_a_model_leaves_out_what_errors_say() -> None:
    full, brief = (
        next(tool for tool in select(CATALOGUE, tools="search_symbols", rows=rows)).as_listed()["inputSchema"]
        for rows in ("full", "compact")
    )
    assert full["properties"]["node_type"]["enum"]
    assert full["properties"]["limit"]["maximum"] == 50
    assert brief["properties"]["node_type"] == {"type": "string"}
    assert brief["properties"]["limit"] == {"type": "integer", "default": 20}
    assert brief["required"] == full["required"]


def test_few_tools_ask_to_be_loaded_always_and_all_are_in_the_default_selection() -> None:
    loaded = {tool.name for tool in CATALOGUE.values() if "_meta" in tool.as_listed()}
    assert loaded == {"search_code", "describe_symbol", "get_references"} <= set(DEFAULT_TOOLS)


def test_the_cost_of_a_tool_is_that_of_its_listing() -> None:
    tool = CATALOGUE["get_status"]
    assert tool.tokens == -(-len(json.dumps(tool.as_listed(), separators=(",", ":"))) // 4)


def test_all_holds_everything_but_what_runs_code() -> None:
    assert names(select(CATALOGUE, toolsets=EVERYTHING)) == CATALOGUE.keys() - {"speculate"}
    assert names(select(CATALOGUE, toolsets=EVERYTHING, allow_exec=True)) == CATALOGUE.keys()
    assert names(select(CATALOGUE, tools="speculate")) == set()


def test_what_no_page_specifies_yet_is_offered_by_name_only() -> None:
    everything = select(CATALOGUE, toolsets=EVERYTHING)
    assert (
        {tool.name for tool in everything if tool.toolset in FURTHER}
        == names(everything) - names(select(CATALOGUE, toolsets="all"))
        != set()
    )


def test_the_named_toolsets_together_hold_every_tool_of_today() -> None:
    union = {name for toolset in TOOLSETS for name in names(select(CATALOGUE, toolsets=toolset, allow_exec=True))}
    assert union == CATALOGUE.keys()
    assert names(select(CATALOGUE, toolsets="files, engine")) == {
        "list_directory",
        "read_file",
        "get_directory_tree",
        "index_files",
        "get_status",
    }


def test_what_runs_code_is_offered_with_its_flag_alone() -> None:
    assert select(CATALOGUE, toolsets="exec") == []
    assert names(select(CATALOGUE, toolsets="exec", allow_exec=True)) == {"speculate"}


def test_named_tools_stand_alone_or_add_to_toolsets() -> None:
    assert names(select(CATALOGUE, tools="lookup_symbol,get_callers")) == {"lookup_symbol", "get_callers"}
    assert names(select(CATALOGUE, tools="read_file", toolsets="engine")) == {"read_file", "index_files", "get_status"}


def test_excluded_tools_are_gone() -> None:
    assert names(select(CATALOGUE, toolsets=EVERYTHING, exclude_tools="get_callers")) == CATALOGUE.keys() - {
        "get_callers",
        "speculate",
    }


def test_read_only_leaves_out_what_writes() -> None:
    assert names(select(CATALOGUE, toolsets=EVERYTHING, read_only=True, allow_exec=True)) == CATALOGUE.keys() - WRITERS


@pytest.mark.parametrize(
    ("flag", "value"),
    [("toolsets", "navgation"), ("tools", "get_caller"), ("exclude_tools", "x"), ("tool_names", "camel")],
)
def test_unknown_names_are_errors_that_list_the_valid_ones(flag: str, value: str) -> None:
    with pytest.raises(CodedError) as caught:
        select(CATALOGUE, **{flag: value})  # type: ignore[arg-type]
    assert value in caught.value.message
    assert caught.value.remedy


def test_dots_become_underscores_for_clients_that_refuse_them() -> None:
    tool = next(
        tool for tool in select(CATALOGUE, toolsets="lens", tool_names="underscore") if tool.name.endswith("_search")
    )
    assert (tool.name, tool.as_listed()["name"], tool.function) == (
        "code_symbol_search",
        "code_symbol_search",
        DOTTED.function,
    )
    assert names(select(CATALOGUE, tools="code_symbol_search")) == {"code.symbol.search"}


def test_no_two_tools_are_one_under_underscores() -> None:
    listed = select(CATALOGUE, toolsets=EVERYTHING, allow_exec=True, tool_names="underscore")
    assert len(names(listed)) == len(CATALOGUE)
