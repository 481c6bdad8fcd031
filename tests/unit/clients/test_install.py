"""`codeagentd install` and `uninstall`, as a user sees them: what is written, what is kept, what is undone."""

from __future__ import annotations

import json
import stat
import tomllib
from pathlib import Path

import pytest

from codeagentd.cli.doctor.client_checks import examine
from codeagentd.cli.doctor.finding import OK, WARN, Finding
from codeagentd.clients.catalogue import System, clients, configuration
from codeagentd.clients.install import Scope
from codeagentd.clients.instruction_blocks import BEGIN, BODY, END
from tests.unit.clients.conftest import OF_MCP, Run, entry_of, tree

WRITTEN = {
    "json": '{\n    "theme": "dark",\n    "mcpServers": {\n        "other": {"command": "x"}\n    }\n}\n',
    "jsonc": '// mine\n{\n\t"theme": "dark", // at night\n\t/* nothing yet */\n}',
    "toml": '# mine\nmodel = "m"\r\n\n[projects."/a"]\ntrust_level = "trusted" # yes',
}


def file_of(name: str, home: Path) -> Path:
    return Path(configuration(clients()[name], System("linux", str(home), {}), ""))


def written(name: str, home: Path) -> Path:
    """The client's configuration, as its owner has it."""
    path = file_of(name, home)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(WRITTEN[clients()[name].format].encode())
    return path


@pytest.mark.parametrize("name", OF_MCP)
def test_an_entry_comes_once_and_goes_without_a_trace(name: str, home: Path, run: Run, program: str):
    path = written(name, home)
    before = tree(home)
    code, out, err = run("install", name)
    assert (code, err) == (0, "")
    assert program in path.read_text()
    after = tree(home)
    assert [text for place, text in after.items() if place.endswith(".bak")] == [before[str(path.relative_to(home))]]
    assert run("install", name)[1].startswith(f"{name}  unchanged")
    assert tree(home) == after
    assert run("uninstall", name)[1].startswith(f"{name}  restored")
    assert tree(home) == before
    assert run("uninstall", name)[1].startswith(f"{name}  unchanged")
    assert out.startswith(f"{name}  installed  {path}  copy: ")


@pytest.mark.parametrize("name", OF_MCP)
def test_a_file_that_was_not_there_is_made_and_goes_again(name: str, home: Path, run: Run, program: str):
    assert run("install", name)[0] == 0
    path = file_of(name, home)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    text = path.read_text()
    entry = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    for key in (*clients()[name].keys, "codeagent"):
        entry = entry[key]
    assert program in (entry["command"] if isinstance(entry["command"], list) else [entry["command"]])
    run("uninstall", name)
    assert tree(home) == {}


@pytest.mark.parametrize("name", [of.id for of in clients().values() if of.project])
def test_a_project_has_its_own_file(name: str, home: Path, project: Path, run: Run):
    code, out, _ = run("install", name, "--project")
    assert code == 0
    of = clients()[name]
    assert (project / of.project).is_file()
    assert "think before you commit it" in out
    assert ("--repo" in (project / of.project).read_text()) == (not of.finds)
    assert tree(home) == {}
    run("uninstall", name, "--project")
    assert list(tree(project)) == [".git", ".git/HEAD"]


def test_a_client_without_files_for_projects_is_refused(project: Path, run: Run):
    code, _, err = run("install", "windsurf", "--project")
    assert code == 1
    assert (
        err
        == "windsurf: error: Windsurf (Cascade) has no configuration for one project (try the other of --project and --global)\n"
    )


def test_what_others_changed_since_stays(home: Path, run: Run):
    path = written("claude-code", home)
    run("install", "claude-code")
    path.write_text(path.read_text().replace('"dark"', '"light"'))
    code, out, _ = run("uninstall", "claude-code")
    assert (code, out.split()[1]) == (0, "removed")
    assert path.read_text() == WRITTEN["json"].replace('"dark"', '"light"')
    copies = [place for place in tree(home) if place.endswith(".bak")]
    assert len(copies) == 2


def test_a_file_of_ours_that_others_use_by_now_stays(home: Path, run: Run):
    run("install", "cursor")
    path = file_of("cursor", home)
    path.write_text(json.dumps({"mcpServers": entry_of(path, "mcpServers") | {"other": {"command": "x"}}}))
    run("uninstall", "cursor")
    assert json.loads(path.read_text()) == {"mcpServers": {"other": {"command": "x"}}}


def test_a_file_of_ours_that_others_left_again_goes(home: Path, run: Run):
    run("install", "cursor")
    path = file_of("cursor", home)
    path.write_text(json.dumps(json.loads(path.read_text())))
    run("uninstall", "cursor")
    assert tree(home).keys() == set()


def test_without_its_record_an_entry_is_taken_out_by_its_name(home: Path, tmp_path: Path, run: Run):
    path = written("claude-code", home)
    run("install", "claude-code")
    (tmp_path / "data" / "clients.json").write_text("{ damaged")
    run("uninstall", "claude-code")
    assert path.read_text() == WRITTEN["json"]


def test_somebody_elses_entry_is_never_overwritten(home: Path, run: Run):
    path = file_of("cursor", home)
    path.parent.mkdir()
    path.write_text('{\n  "mcpServers": {\n    "codeagent": {"command": "/opt/other"}\n  }\n}\n')
    before = path.read_text()
    code, _, err = run("install", "cursor")
    assert code == 1
    assert (
        f"{path}, line 3, column 18: codeagent starts /opt/other: this entry is not ours (--force replaces it, and keeps a copy)"
        in err
    )
    assert path.read_text() == before
    assert run("uninstall", "cursor")[1].startswith("cursor  unchanged")
    assert run("install", "cursor", "--force")[0] == 0
    assert run("uninstall", "cursor")[0] == 0
    assert path.read_text() == before


def test_somebody_elses_table_of_toml_is_never_overwritten(home: Path, run: Run):
    path = file_of("codex", home)
    path.parent.mkdir()
    path.write_text('a = 1\n\n[mcp_servers.codeagent]\nurl = "http://localhost"\n')
    _, _, err = run("install", "codex")
    assert f"{path}, line 3, column 1: codeagent starts something else" in err


def test_what_its_owner_added_to_our_entry_stays(home: Path, run: Run, program: str):
    path = file_of("vscode", home)
    path.parent.mkdir(parents=True)
    path.write_text(
        '{"servers": {"codeagent": {"command": "/gone/codeagent-mcp", "args": ["--read-only"], /* why */ "env": {"A": "b"}, "dev": 1}}}'
    )
    code, out, _ = run("install", "vscode", "--env", "C=d=e")
    assert (code, out.split()[1]) == (0, "updated")
    assert (
        f'{{"servers": {{"codeagent": {{"command": "{program}", "args": ["--read-only"], /* why */ "env": {{"A": "b", "C": "d=e"}}, "dev": 1'
        in path.read_text()
    )
    run("install", "vscode", "--args", "--toolsets all")
    assert '"args": ["--toolsets", "all"]' in path.read_text()
    run("uninstall", "vscode")
    assert path.read_text() == '{"servers": {}}'


def test_a_switched_off_entry_stays_switched_off(home: Path, run: Run, program: str):
    path = file_of("opencode", home)
    path.parent.mkdir(parents=True)
    path.write_text(
        '{"mcp": {"codeagent": {"type": "local", "command": ["/gone/codeagent-mcp", "--read-only"], "enabled": false}}}'
    )
    run("install", "opencode")
    assert entry_of(path, "mcp", "codeagent") == {
        "type": "local",
        "command": [program, "--read-only"],
        "enabled": False,
    }


def test_tools_are_there_from_the_start_where_a_client_would_load_them_on_demand(home: Path, run: Run):
    run("install", "claude-code", "copilot", "cursor")
    assert entry_of(file_of("claude-code", home), "mcpServers", "codeagent", "alwaysLoad") is True
    assert entry_of(file_of("copilot", home), "mcpServers", "codeagent", "deferTools") == "never"
    assert entry_of(file_of("cursor", home), "mcpServers", "codeagent").keys() == {"command", "args"}


def test_an_older_entry_gets_what_is_new_unless_its_owner_chose_otherwise(home: Path, run: Run, program: str):
    path = file_of("claude-code", home)
    for before, after in (("", True), (', "alwaysLoad": false', False)):
        path.write_text(
            f'{{"mcpServers": {{"codeagent": {{"type": "stdio", "command": "{program}", "args": []{before}}}}}}}'
        )
        run("install", "claude-code")
        assert entry_of(path, "mcpServers", "codeagent", "alwaysLoad") is after


def test_names_of_tools_suit_the_client(home: Path, run: Run):
    run("install", "copilot", "zed")
    assert entry_of(file_of("copilot", home), "mcpServers", "codeagent", "args") == ["--tool-names", "underscore"]
    assert entry_of(file_of("copilot", home), "mcpServers", "codeagent", "tools") == ["*"]
    assert entry_of(file_of("zed", home), "context_servers", "codeagent", "args") == []


def test_a_client_that_does_not_tell_its_folder_can_be_given_one(home: Path, project: Path, run: Run):
    assert "name the repository with --repo" in run("install", "claude-desktop")[1]
    assert "--repo" not in run("install", "claude-desktop", "--repo", ".")[1]
    args = entry_of(file_of("claude-desktop", home), "mcpServers", "codeagent", "args")
    assert args == ["--repo", str(project), "--tool-names", "underscore"]


def test_a_dry_run_shows_a_diff_and_writes_nothing(home: Path, tmp_path: Path, run: Run, program: str):
    written("codex", home)
    before = tree(tmp_path)
    code, out, _ = run("install", "codex", "cursor", "--dry-run")
    assert code == 0
    assert out.count("would be installed") == 2
    assert f'+command = "{program}"' in out
    assert "--- /dev/null" in out
    assert "-trust_level" in out
    assert "\\ No newline at end of file" in out
    assert tree(tmp_path) == before
    run("install", "codex")
    state = tree(tmp_path)
    shown = run("uninstall", "codex", "--dry-run")[1]
    assert "would be restored" in shown
    assert f'-command = "{program}"' in shown
    assert tree(tmp_path) == state


def test_json_says_everything(home: Path, run: Run):
    code, out, _ = run("install", "cursor", "--json", "--dry-run")
    (told,) = json.loads(out)
    assert (code, told["client"], told["done"], told["path"]) == (
        0,
        "cursor",
        "installed",
        str(file_of("cursor", home)),
    )
    assert told["dry_run"]
    assert told["diff"].startswith("--- /dev/null")


def test_a_refusal_does_not_keep_others_from_being_done(home: Path, run: Run):
    path = file_of("cursor", home)
    path.parent.mkdir()
    path.write_text("{")
    code, out, err = run("install", "cursor", "kiro", "--json")
    refusal, done = json.loads(out)
    assert (code, refusal["error"]["code"], done["done"]) == (1, "invalid_parameter", "installed")
    assert err.startswith(f"cursor: error: {path}, line 1, column 2: ")


def test_an_unknown_client_names_those_that_there_are(run: Run):
    code, _, err = run("install", "sublime")
    assert code == 2
    assert "there is no client 'sublime' (use one of: claude-code, claude-desktop, " in err


def test_nothing_to_install_is_wrong_usage(run: Run):
    assert run("install") == (2, "", "error: name a client, or pass --list (see `codeagentd install --help`)\n")
    assert run("install", "zed", "--env", "nothing")[0] == 2
    assert run("install", "zed", "--args", "'")[0] == 2


def test_the_list_says_what_is_found_and_how_it_stands(home: Path, project: Path, run: Run):
    written("claude-code", home)
    run("install", "claude-code")
    run("install", "cursor", "--project")
    (home / ".gemini").mkdir()
    (home / ".gemini" / "settings.json").write_text("{")
    (home / ".kiro" / "settings").mkdir(parents=True)
    (home / ".kiro" / "settings" / "mcp.json").write_text('{"mcpServers": {"codeagent": {"url": "x"}}}')
    lines = {(words[0], words[2]): line for line in run("install", "--list")[1].splitlines() if (words := line.split())}
    assert ("claude-code", "installed") in lines
    assert lines["cursor", "installed"].endswith(str(project / ".cursor" / "mcp.json"))
    assert "line 1, column 2" in lines["gemini", "broken"]
    assert ("kiro", "another's") in lines
    told = {row["client"]: row for row in json.loads(run("install", "--list", "--json")[1])}
    assert len(told) == len(clients())
    assert (told["claude-code"]["found"], told["claude-code"]["configurations"][0]["state"]) == (True, "ours")
    assert told["claude-desktop"]["configurations"][0]["state"] == "absent"


def test_instructions_are_a_block_that_clients_share(home: Path, project: Path, run: Run):
    (project / "AGENTS.md").write_text("# Ours\n")
    before = tree(project)
    assert run("install", "codex", "opencode", "--project", "--instructions")[0] == 0
    assert (project / "AGENTS.md").read_text().count("codeagentd: begin") == 1
    assert "shared" in run("uninstall", "codex", "--project")[1]
    assert "codeagentd: begin" in (project / "AGENTS.md").read_text()
    run("uninstall", "opencode", "--project")
    assert tree(project) == before


def test_an_older_block_is_replaced_where_it_stands(project: Path, run: Run):
    older = f"{BEGIN}\n## Code index\n\nAsk `get_dependencies`.\n{END}"
    page = project / "AGENTS.md"
    page.write_text(f"# Above\n\n{older}\n\nbelow\n")
    assert "updated" in run("install", "codex", "--project", "--instructions")[1]
    assert page.read_text() == f"# Above\n\n{BEGIN}\n{BODY}\n{END}\n\nbelow\n"
    run("uninstall", "codex", "--project")
    assert page.read_text() == "# Above\n\nbelow\n"


def test_instructions_leave_the_rest_of_a_text_alone(project: Path, run: Run):
    run("install", "claude-code", "--project", "--instructions")
    page = project / "CLAUDE.md"
    page.write_text("# Above\n\n" + page.read_text() + "\nbelow\n")
    run("uninstall", "claude-code", "--project")
    assert page.read_text() == "# Above\n\nbelow\n"


def test_hooks_stand_beside_those_of_others(home: Path, run: Run, program: str):
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(
        '{\n  "hooks": {\n    "SessionStart": [\n      {"hooks": [{"type": "command", "command": "date"}]}\n    ]\n  }\n}\n'
    )
    before = tree(home)
    run("install", "claude-code", "--hooks")
    others, ours = entry_of(path, "hooks", "SessionStart")
    assert others == {"hooks": [{"type": "command", "command": "date"}]}
    assert ours == {"hooks": [{"type": "command", "command": f"{program} --nudge", "timeout": 5}]}
    assert "unchanged" in run("install", "claude-code", "--hooks")[1]
    run("uninstall", "claude-code")
    assert tree(home) == before


def test_server_and_hook_of_one_file_are_written_at_once(home: Path, run: Run):
    (home / ".gemini").mkdir()
    path = home / ".gemini" / "settings.json"
    path.write_text('{ "theme": "x" } // mine\n')
    run("install", "gemini", "--hooks")
    assert len([place for place in tree(home) if place.endswith(".bak")]) == 1
    assert "--nudge" in path.read_text()
    path.write_text(path.read_text().replace('"x"', '"y"'))
    run("uninstall", "gemini")
    assert path.read_text() == '{ "theme": "y" } // mine\n'


def test_a_client_without_known_hooks_or_instructions_is_refused_before_anything_is_written(home: Path, run: Run):
    assert run("install", "zed", "--hooks")[0] == 1
    assert run("install", "zed", "--instructions")[0] == 1
    (home / ".claude" / "settings.json").mkdir(parents=True)
    assert run("install", "claude-code", "--hooks")[0] == 1
    assert [place for place in tree(home) if not place.startswith(".claude")] == []
    assert not (home / ".claude.json").exists()


def test_the_doctor_names_entries_that_start_nothing(home: Path, project: Path, run: Run, program: str):
    def findings() -> list[Finding]:
        here = System("linux", str(home), {})
        return list(examine([Scope(here), Scope(here, str(project))]))

    (nothing,) = findings()
    assert (nothing.level, nothing.text) == (OK, "none has this server (codeagentd install --list)")
    run("install", "cursor")
    run("install", "zed", "--project")
    assert [(finding.level, finding.text) for finding in findings()] == [(OK, "cursor, zed")]
    Path(program).unlink()
    (home / ".kiro" / "settings").mkdir(parents=True)
    (home / ".kiro" / "settings" / "mcp.json").write_text("{")
    levels, remedies = zip(*((finding.level, finding.remedy) for finding in findings()), strict=True)
    assert levels == (WARN, WARN, WARN, OK)
    assert remedies[:2] == ("codeagentd install cursor", "codeagentd install zed --project")
