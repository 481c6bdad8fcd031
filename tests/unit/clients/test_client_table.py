"""The table of clients: every entry is whole, and its paths are right on every system."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from codeagent_shim import session_start_hook
from codeagentd.cli.main import parsed, parser_of
from codeagentd.clients import instruction_blocks
from codeagentd.clients.catalogue import Client, System, clients, configuration, hooks, instructions
from codeagentd.toolkit.toolsets import DEFAULT, DEFAULT_TOOLS, load, select
from codeagentd.tools import __name__ as tools
from tests.unit.clients.conftest import OF_MCP, understood_commands

LINUX = System("linux", "/home/ada", {})
MACOS = System("macos", "/Users/ada", {})
WINDOWS = System(
    "windows",
    r"C:\Users\ada",
    {"APPDATA": r"C:\Users\ada\AppData\Roaming", "LOCALAPPDATA": r"C:\Users\ada\AppData\Local"},
)

EVERYWHERE = {
    "claude-code": "~/.claude.json",
    "codex": "~/.codex/config.toml",
    "cursor": "~/.cursor/mcp.json",
    "windsurf": "~/.codeium/windsurf/mcp_config.json",
    "opencode": "~/.config/opencode/opencode.json",
    "gemini": "~/.gemini/settings.json",
    "copilot": "~/.copilot/mcp-config.json",
    "antigravity": "~/.gemini/config/mcp_config.json",
    "kiro": "~/.kiro/settings/mcp.json",
    "cline": "~/.cline/data/settings/cline_mcp_settings.json",
    "qwen": "~/.qwen/settings.json",
    "amp": "~/.config/amp/settings.json",
    "junie": "~/.junie/mcp/mcp.json",
    "lm-studio": "~/.lmstudio/mcp.json",
    "crush": "~/.config/crush/crush.json",
}
BY_SYSTEM = {
    "claude-desktop": ("~/.config/Claude/%", "~/Library/Application Support/Claude/%", "~/AppData/Roaming/Claude/%", "claude_desktop_config.json"),
    "vscode": ("~/.config/Code/User/%", "~/Library/Application Support/Code/User/%", "~/AppData/Roaming/Code/User/%", "mcp.json"),
    "vscode-insiders": (
        "~/.config/Code - Insiders/User/%", "~/Library/Application Support/Code - Insiders/User/%", "~/AppData/Roaming/Code - Insiders/User/%", "mcp.json",
    ),
    "zed": ("~/.config/zed/%", "~/.config/zed/%", "~/AppData/Roaming/Zed/%", "settings.json"),
}  # fmt: skip


def expected(name: str, system: System) -> str:
    if name in EVERYWHERE:
        path = EVERYWHERE[name]
    else:
        *paths, file = BY_SYSTEM[name]
        path = paths[("linux", "macos", "windows").index(system.platform)].replace("%", file)
    whole = path.replace("~", system.home)
    return whole.replace("/", "\\") if system.platform == "windows" else whole


@pytest.mark.parametrize("system", [LINUX, MACOS, WINDOWS], ids=lambda system: system.platform)
@pytest.mark.parametrize("name", OF_MCP)
def test_every_client_has_its_file_on_every_system(name: str, system: System):
    assert configuration(clients()[name], system, "") == expected(name, system)


@pytest.mark.parametrize("of", [of for of in clients().values() if of.takes_mcp], ids=lambda of: of.id)
def test_every_entry_is_whole(of: Client):
    values = str(of.entry)
    assert ("$command" in values and "$args" in values) != ("$argv" in values)
    assert "$env" in values
    assert of.keys
    assert of.sources
    assert of.tool_names == "" or any("dots" in source for source in of.sources)
    assert of.checked == ("paths: not checked" not in " ".join(of.sources))
    assert all(re.search(r"\(2026-\d\d-\d\d\)", source) for source in of.sources)
    assert bool(of.hooks_keys) == ("$nudge" in str(of.hooks_item))


@pytest.mark.parametrize(
    ("name", "variable", "value", "path"),
    [
        ("claude-code", "CLAUDE_CONFIG_DIR", "/elsewhere", "/elsewhere/.claude.json"),
        ("codex", "CODEX_HOME", "/elsewhere", "/elsewhere/config.toml"),
        ("copilot", "COPILOT_HOME", "/elsewhere", "/elsewhere/mcp-config.json"),
        ("zed", "XDG_CONFIG_HOME", "/elsewhere", "/elsewhere/zed/settings.json"),
        ("zed", "XDG_CONFIG_HOME", "relative", "/home/ada/.config/zed/settings.json"),
        ("cline", "CLINE_MCP_SETTINGS_PATH", "/elsewhere/x.json", "/elsewhere/x.json"),
    ],
)
def test_variables_of_clients_are_obeyed(name: str, variable: str, value: str, path: str):
    assert configuration(clients()[name], System("linux", "/home/ada", {variable: value}), "") == path


def test_the_file_that_exists_is_the_one(tmp_path: Path):
    folder = tmp_path / ".config" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.jsonc").write_text("{}")
    assert configuration(clients()["opencode"], System("linux", str(tmp_path), {}), "") == str(
        folder / "opencode.jsonc"
    )
    (tmp_path / ".opencode").mkdir()
    (tmp_path / ".opencode" / "opencode.json").write_text("{}")
    assert configuration(clients()["opencode"], LINUX, str(tmp_path)) == str(tmp_path / ".opencode" / "opencode.json")


def test_a_star_finds_the_folder_that_was_used_last(tmp_path: Path):
    for number, name in enumerate(("Claude_old", "Claude_new")):
        (tmp_path / name).mkdir()

        os.utime(tmp_path / name, (number, number))
    paths = {"all": [f"{tmp_path}/Claude_*/config.json", "~/other.json"]}
    assert LINUX.first(paths) == f"{tmp_path}/Claude_new/config.json"
    assert LINUX.first({"all": [f"{tmp_path}/Nobody_*/config.json", "~/other.json"]}) == "/home/ada/other.json"


def test_a_client_is_found_by_its_program_folder_or_file(tmp_path: Path):
    cursor = clients()["cursor"]
    assert not System("linux", str(tmp_path), {"PATH": str(tmp_path)}).has(cursor)
    (tmp_path / "cursor").write_text("")
    (tmp_path / "cursor").chmod(0o755)
    assert System("linux", str(tmp_path), {"PATH": str(tmp_path)}).has(cursor)
    (tmp_path / ".cursor").mkdir()
    assert System("linux", str(tmp_path), {"PATH": ""}).has(cursor)
    assert not System("linux", str(tmp_path), {"PATH": ""}).has(
        clients()["claude-code"]
    )  # its file is in the home directory, which is always there


def test_instructions_and_hooks_have_places():
    of = clients()["claude-code"]
    assert instructions(of, LINUX, "") == "/home/ada/.claude/CLAUDE.md"
    assert instructions(of, LINUX, "/shop") == "/shop/CLAUDE.md"
    assert hooks(of, LINUX, "") == "/home/ada/.claude/settings.json"
    assert hooks(clients()["gemini"], LINUX, "/shop") == "/shop/.gemini/settings.json"
    assert hooks(clients()["zed"], LINUX, "") == ""


TOLD = pytest.mark.parametrize("text", [instruction_blocks.BODY, session_start_hook.TEXT], ids=["block", "hook"])


@TOLD
def test_agents_are_told_of_tools_that_they_have(text: str):
    offered = {tool.name for tool in select(load(tools), toolsets=DEFAULT)}
    named = {*re.findall(r"\b[a-z]+_[a-z_]+\b", text)}
    assert "explain_code" in named <= offered == {*DEFAULT_TOOLS}


@TOLD
def test_agents_are_told_of_commands_that_exist(text: str):
    assert "explain" in understood_commands(text)


def test_the_block_names_nothing_but_tools_and_commands():
    with_mcp, without = instruction_blocks.BODY.split("Without", 1)
    assert {*re.findall(r"`([^`]+)`", with_mcp)} <= {*DEFAULT_TOOLS}
    others = [named for named in re.findall(r"`([^`]+)`", without) if not named.startswith("codeagentd ")]
    assert others == ["--json"]
    assert all(parsed(parser_of(name), ["x", "--json"]).json for name in understood_commands(without))


def test_the_block_costs_an_agent_at_most_170_tokens():
    assert len(instruction_blocks.BODY) / 4 <= 170
