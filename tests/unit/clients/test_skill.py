"""The skill that `codeagentd install --skill` writes: what it says, where it is, and how it goes again."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from codeagentd.clients import skill_file
from codeagentd.clients.catalogue import System, clients, configuration, skill
from codeagentd.toolkit.toolsets import load
from codeagentd.tools import __name__ as tools
from tests.unit.clients.conftest import Run, tree, understood_commands

READERS = [of.id for of in clients().values() if of.skills_paths]
OTHERS = [of.id for of in clients().values() if not of.skills_paths]
CLAUDE = ".claude/skills/codeagentd/SKILL.md"
AGENTS = ".agents/skills/codeagentd/SKILL.md"
OLDER = "---\nname: codeagentd\ndescription: older\n---\n\nAsk.\n\n<!-- written by codeagentd install, 0556edb96ef2593a -->\n"


def test_the_skill_names_commands_and_tools_that_exist():
    text = skill_file.content()
    named = understood_commands(text)
    assert {"explain", "symbol", "describe", "callers", "refs", "outline", "affected", "schema"} <= named
    assert {*re.findall(r"\b[a-z]+_[a-z_]+\b", text)} <= load(tools).keys()


def test_the_skill_has_the_head_that_clients_ask_for():
    head, _, body = skill_file.content().removeprefix("---\n").partition("\n---\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    assert fields.keys() == {"name", "description"}
    assert fields["name"] == skill_file.NAME
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", skill_file.NAME)
    assert len(fields["description"]) <= 1024
    assert "Use it" in fields["description"]
    assert ": " not in fields["description"]  # YAML would need quotes
    assert "Nothing has to be started" in body


def test_the_skill_costs_an_agent_at_most_600_tokens():
    assert len(skill_file.content()) / 4 <= 600


def test_every_folder_of_skills_has_its_source():
    for of in clients().values():
        named = [source for source in of.sources if source.startswith("skills: ")]
        assert bool(of.skills_paths) == bool(of.skills_project) == bool(named), of.id


@pytest.mark.parametrize(
    ("name", "variables", "path"),
    [
        ("claude-code", {}, "/home/ada/.claude/skills/codeagentd/SKILL.md"),
        ("claude-code", {"CLAUDE_CONFIG_DIR": "/else"}, "/else/skills/codeagentd/SKILL.md"),
        ("codex", {"CODEX_HOME": "/else"}, "/home/ada/.agents/skills/codeagentd/SKILL.md"),
        ("opencode", {"XDG_CONFIG_HOME": "/else"}, "/else/opencode/skills/codeagentd/SKILL.md"),
        ("copilot", {"COPILOT_HOME": "/else"}, "/else/skills/codeagentd/SKILL.md"),
    ],
)
def test_folders_of_skills_follow_the_variables_of_clients(name: str, variables: dict[str, str], path: str):
    assert skill(clients()[name], System("linux", "/home/ada", variables), "") == path


def test_windows_has_its_own_separators():
    path = skill(clients()["gemini"], System("windows", r"C:\Users\ada", {}), "")
    assert path == r"C:\Users\ada\.gemini\skills\codeagentd\SKILL.md"


@pytest.mark.parametrize("name", READERS)
def test_a_skill_comes_once_and_goes_without_a_trace(name: str, home: Path, run: Run):
    code, _, err = run("install", name, "--skill")
    assert (code, err) == (0, "")
    path = Path(skill(clients()[name], System("linux", str(home), {}), ""))
    assert path.read_text() == skill_file.content()
    before = tree(home)
    assert "installed" not in run("install", name, "--skill")[1]
    assert tree(home) == before
    run("uninstall", name)
    assert tree(home) == {}


@pytest.mark.parametrize("name", [name for name in READERS if clients()[name].project])
def test_a_project_has_its_own_skill(name: str, home: Path, project: Path, run: Run):
    before = tree(project)
    assert run("install", name, "--project", "--skill")[0] == 0
    assert (project / clients()[name].skills_project / "codeagentd" / "SKILL.md").read_text() == skill_file.content()
    assert tree(home) == {}
    run("uninstall", name, "--project")
    assert tree(project) == before


def test_without_the_option_there_is_no_skill(project: Path, run: Run):
    run("install", "claude-code", "--project")
    assert not (project / ".claude").exists()


@pytest.mark.parametrize("name", OTHERS)
def test_a_client_that_is_not_known_to_read_skills_is_refused(name: str, home: Path, run: Run):
    code, _, err = run("install", name, "--skill")
    assert code == 1
    assert "has no folder of skills that is known for all projects (leave --skill out" in err
    assert tree(home) == {}


def test_a_dry_run_shows_the_skill_and_writes_nothing(home: Path, run: Run):
    code, out, _ = run("install", "claude-code", "--skill", "--dry-run")
    assert (code, out.count("would be installed")) == (0, 2)
    assert "+name: codeagentd" in out
    assert tree(home) == {}
    run("install", "claude-code", "--skill")
    before = tree(home)
    assert "-name: codeagentd" in run("uninstall", "claude-code", "--dry-run")[1]
    assert tree(home) == before


def test_other_skills_of_the_folder_stay(home: Path, run: Run):
    run("install", "claude-code", "--skill")
    mine = home / ".claude" / "skills" / "mine" / "SKILL.md"
    mine.parent.mkdir()
    mine.write_text("mine\n")
    run("uninstall", "claude-code")
    assert tree(home) == {
        ".claude": None,
        ".claude/skills": None,
        ".claude/skills/mine": None,
        ".claude/skills/mine/SKILL.md": b"mine\n",
    }


def test_folders_that_skill_and_configuration_share_go_with_the_last_of_them(home: Path, run: Run):
    run("install", "gemini", "--skill", "--instructions")
    run("uninstall", "gemini")
    assert tree(home) == {}


def test_clients_that_read_the_same_folder_share_the_skill(home: Path, run: Run):
    run("install", "codex", "zed", "--skill")
    assert "shared" in run("uninstall", "codex")[1]
    assert (home / AGENTS).exists()
    run("uninstall", "zed")
    assert tree(home) == {}


def test_a_changed_skill_is_left_with_a_word(home: Path, run: Run):
    run("install", "claude-code", "--skill")
    path = home / CLAUDE
    path.write_text(path.read_text() + "\nMine.\n")
    before = path.read_bytes()
    dry = run("uninstall", "claude-code", "--dry-run")[1]
    code, out, _ = run("uninstall", "claude-code")
    for text in (dry, out):
        assert f"left {path}" in " ".join(text.split())
        assert "was changed since it was installed" in " ".join(text.split())
    assert code == 0
    assert path.read_bytes() == before
    assert not (home / ".claude.json").exists()


def test_a_changed_skill_is_replaced_only_by_force_and_comes_back(home: Path, run: Run):
    path = home / CLAUDE
    path.parent.mkdir(parents=True)
    path.write_text("mine\n")
    before = tree(home)
    code, _, err = run("install", "claude-code", "--skill")
    assert code == 1
    assert f"{path} was changed, or is not ours (move it away, or pass --force" in err
    assert tree(home) == before
    assert run("install", "claude-code", "--skill", "--force")[0] == 0
    assert path.read_text() == skill_file.content()
    run("uninstall", "claude-code")
    assert tree(home) == before


def test_an_older_skill_is_replaced_though_nothing_remembers_it(project: Path, run: Run):
    path = project / CLAUDE
    path.parent.mkdir(parents=True)
    for text in (OLDER, OLDER.replace("\n", "\r\n")):
        path.write_bytes(text.encode())
        assert "updated" in run("install", "claude-code", "--project", "--skill")[1]
        assert path.read_text() == skill_file.content()


def test_a_skill_from_a_clone_goes_though_nothing_remembers_it(home: Path, project: Path, tmp_path: Path, run: Run):
    run("install", "claude-code", "--project", "--skill")
    shutil.rmtree(tmp_path / "data")
    run("uninstall", "claude-code", "--project")
    assert not (project / CLAUDE).parent.exists()


def test_a_folder_of_skills_that_leads_out_of_the_project_is_refused(project: Path, home: Path, run: Run):
    (home / "skills").mkdir()
    (project / ".claude").mkdir()
    (project / ".claude" / "skills").symlink_to(home / "skills")
    before = tree(project)
    code, _, err = run("install", "claude-code", "--project", "--skill")
    assert code == 1
    assert "leads out of the project" in err
    assert (tree(project), tree(home)) == (before, {"skills": None})
    assert run("install", "claude-code", "--project")[0] == 0
    assert run("uninstall", "claude-code", "--project")[0] == 0
    assert tree(project) == before


def test_the_list_says_who_can_have_a_skill_and_who_has_one(home: Path, project: Path, run: Run):
    run("install", "claude-code", "gemini", "--skill")
    (home / ".gemini/skills/codeagentd/SKILL.md").write_text("mine\n")
    (home / ".qwen/skills/codeagentd/SKILL.md").mkdir(parents=True)
    rows = {cells[0]: cells for line in run("install", "--list")[1].splitlines() if (cells := re.split(r"  +", line))}
    assert rows["client"] == ["client", "found", "state", "lsp", "skill", "configuration"]
    skills = {name: cells[4] for name, cells in rows.items()}
    assert (skills["claude-code"], skills["gemini"], skills["qwen"]) == ("installed", "changed", "broken")
    assert (skills["codex"], skills["amp"]) == ("possible", "-")
    told = {row["client"]: row["configurations"][0] for row in json.loads(run("install", "--list", "--json")[1])}
    assert (told["claude-code"]["skill"], told["claude-code"]["skill_path"]) == ("ours", str(home / CLAUDE))
    assert (told["amp"]["skill"], told["amp"]["skill_path"]) == ("", "")
    assert configuration(clients()["amp"], System("linux", str(home), {}), "") == told["amp"]["path"]
