"""Remedies of tools, as they are told at the door that was used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import codeagentd
from codeagent_protocol.errors import NotFound
from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.commands.schema import PACKAGE
from codeagentd.cli.exit_codes import error_json, error_line
from codeagentd.cli.rendering import remedies
from codeagentd.cli.rendering.remedies import COMMAND_OF, in_calls, in_commands
from codeagentd.toolkit.toolsets import load

CATALOGUE = load(PACKAGE)
NAMES = {name for name in CATALOGUE if re.search(r"[._]", name)}  # not those that are words, such as read
NAMED = re.compile(rf"\b({'|'.join(map(re.escape, sorted(NAMES, key=len, reverse=True)))})\b|tools/list|--toolsets")
DAEMON = Path(codeagentd.__file__).parent
# prompts and blocks of instructions are for agents with MCP; parts of `cli` are in words of commands already
ELSEWHERE = ("cli", "capabilities", "clients", "serve")
HELP = {"a file's path, a name, dotted if need be, or a node_id"}


def texts() -> Iterator[str]:
    """The texts of the daemon that name a tool, or what only windows have."""
    for path in sorted(DAEMON.rglob("*.py")):
        if path.relative_to(DAEMON).parts[0] in ELSEWHERE:
            continue
        tree = ast.parse(path.read_text())
        statements = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and id(node) not in statements
                and " " in node.value.strip()
                and NAMED.search(node.value)
            ):
                yield node.value


TEXTS = sorted(set(texts()))


def test_there_are_remedies_that_name_tools():
    assert "search_symbols finds node ids by name" in TEXTS
    assert len(TEXTS) > 20


@pytest.mark.parametrize("text", TEXTS)
def test_a_remedy_names_commands_in_a_shell(text: str):
    shown = in_commands(text)
    commands = re.findall(r"`codeagentd (\S+?)`|`codeagentd (\S+) ", shown)
    assert {first or second for first, second in commands} <= set(COMMANDS)
    assert not NAMED.search(re.sub(r"`codeagentd call [\w.]+`", "", shown)), shown
    assert in_commands(shown) == shown


@pytest.mark.parametrize("text", TEXTS)
def test_a_remedy_names_calls_for_a_caller_of_tools(text: str):
    shown = in_calls(text)
    assert not NAMED.search(re.sub(r"`codeagentd call [\w.]+`", "", shown)), shown
    assert in_commands(shown) == shown, "the line on stderr does not replace them again"


def test_every_tool_is_replaced_by_a_command_that_exists():
    known = COMMAND_OF.keys() | remedies._OF_SHELLS.keys() | set(remedies._CALLED)
    assert known == NAMES
    assert {words.split()[0] for words in COMMAND_OF.values()} <= COMMANDS.keys()


def test_names_of_the_repository_stay():
    assert in_commands("use a node_id of those called 'get_callers'") == "use a node_id of those called 'get_callers'"


def test_an_error_is_told_in_words_of_commands_in_both_forms():
    error = NotFound("there is none", remedy="search_symbols finds ids; `search_code` looks into the text")
    told = "`codeagentd symbol` finds ids; `codeagentd search` looks into the text"
    assert error_line(error) == f"error: there is none ({told})"
    assert f'"remedy": "{told}"' in error_json(error)
