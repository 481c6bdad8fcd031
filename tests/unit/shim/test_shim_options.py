"""Flags and variables of a window."""

from __future__ import annotations

import pytest

from codeagent_shim.options import Options, UsageError, parse, usage


def test_nothing_given_means_the_defaults():
    assert parse([], {}) == Options()


def test_every_option_can_be_a_flag_or_a_variable():
    variables = {
        "CODEAGENT_TOOLSETS": "all",
        "CODEAGENT_TOOLS": "a",
        "CODEAGENT_EXCLUDE_TOOLS": "b",
        "CODEAGENT_READ_ONLY": "1",
        "CODEAGENT_ALLOW_EXEC": "Yes",
        "CODEAGENT_TOOL_NAMES": "underscore",
    }
    flags = [
        "--toolsets",
        "all",
        "--tools=a",
        "--exclude-tools",
        "b",
        "--read-only",
        "--allow-exec=on",
        "--tool-names",
        "underscore",
    ]
    assert parse([], variables) == parse(flags, {}) == Options("", "all", "a", "b", True, True, "underscore")


def test_a_flag_beats_its_variable():
    options = parse(
        ["--toolsets", "files", "--read-only=no"], {"CODEAGENT_TOOLSETS": "all", "CODEAGENT_READ_ONLY": "true"}
    )
    assert options == Options(toolsets="files")


def test_the_repository_of_the_flag_and_of_the_variable_are_told_apart():
    options = parse(["--repo", "here"], {"CODEAGENT_REPO": "there"})
    assert (options.repo, options.repo_variable) == ("here", "there")


@pytest.mark.parametrize(
    ("flags", "variables", "told"),
    [
        (["--repos"], {}, "--repos"),
        (["repo"], {}, "repo"),
        (["--exclude_tools", "x"], {}, "--exclude_tools"),
        (["--repo"], {}, "--repo needs a value"),
        (["--tool-names", "camel"], {}, "dotted or underscore"),
        ([], {"CODEAGENT_TOOL_NAMES": "camel"}, "CODEAGENT_TOOL_NAMES"),
        (["--rows", "tiny"], {}, "--rows is compact or full, not 'tiny'"),
        (["--rows"], {}, "--rows needs a value"),
        ([], {"CODEAGENT_ROWS": "tiny"}, "CODEAGENT_ROWS is compact or full, not 'tiny'"),
        ([], {"CODEAGENT_READ_ONLY": "maybe"}, "CODEAGENT_READ_ONLY"),
        (["--read-only=maybe"], {}, "--read-only"),
    ],
)
def test_what_cannot_be_understood_is_named(flags: list[str], variables: dict[str, str], told: str):
    with pytest.raises(UsageError, match=told):
        parse(flags, variables)


def test_the_help_names_every_flag_with_its_variable():
    text = usage()
    for name in ("repo", "toolsets", "tools", "exclude_tools", "read_only", "allow_exec", "tool_names", "rows"):
        assert f"--{name.replace('_', '-')}" in text
        assert f"[CODEAGENT_{name.upper()}]" in text
    assert parse(["-h"], {}).wants_help
    assert parse(["--version"], {}).wants_version
