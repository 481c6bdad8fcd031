"""The language server in clients and editors: what is written, what is left to the user, and how it goes again."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from codeagentd.cli.doctor.client_checks import examine
from codeagentd.clients.catalogue import System, clients, configuration, language_server
from codeagentd.clients.install import Scope
from codeagentd.languages.language import languages
from codeagentd.languages.language_ids import ids_by_extension, ids_by_file_name, language_ids
from tests.unit.clients.conftest import Run, entry_of, tree

TAKERS = {of.id: of.language_server for of in clients().values() if of.language_server}
ENTRIES = [name for name, declared in TAKERS.items() if declared.entry]
FOR_ALL = [name for name in ENTRIES if TAKERS[name].paths]
BY_HAND = [name for name, declared in TAKERS.items() if not declared.is_written]
EDITORS = [of.id for of in clients().values() if not of.takes_mcp]
COMMENTED = {
    "json": '{\n  "theme": "dark"\n}\n',
    "jsonc": '// mine\n{\n\t"theme": "dark", // at night\n}',
    "toml": '# mine\ntheme = "dark"\r\n\n[[language]]\nname = "python" # yes\nlanguage-servers = ["ty"]\n',
}
CONFIG = ".config/nvim/lsp/codeagentd.lua"
ENABLE = ".config/nvim/plugin/codeagentd.lua"


def file_of(name: str, home: Path) -> Path:
    return Path(language_server(clients()[name], System("linux", str(home), {}), ""))


def written(name: str, home: Path) -> Path:
    path = file_of(name, home)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(COMMENTED[TAKERS[name].format].encode())
    return path


def declared_in(path: Path, name: str) -> dict[str, object]:
    text = path.read_text()
    value = tomllib.loads(text) if path.suffix == ".toml" else json.loads(re.sub(r"//.*|,(?=\s*})", "", text))
    for key in (*TAKERS[name].keys, "codeagentd"):
        value = value[key]
    return value


@pytest.mark.parametrize("name", FOR_ALL)
def test_an_entry_comes_once_and_goes_without_a_trace(name: str, home: Path, run: Run, program: str):
    path = written(name, home)
    before = tree(home)
    code, _, err = run("install", name, "--lsp")
    assert (code, err) == (0, "")
    entry = declared_in(path, name)
    assert program.replace("-mcp", "-lsp") in (entry["command"], *entry["command"])
    after = tree(home)
    assert "installed" not in run("install", name, "--lsp")[1]
    assert tree(home) == after
    assert "restored" in run("uninstall", name)[1]
    assert tree(home) == before


@pytest.mark.parametrize("name", FOR_ALL)
def test_what_its_owner_changed_since_stays_in_place(name: str, home: Path, run: Run):
    path = written(name, home)
    run("install", name, "--lsp")
    path.write_bytes(path.read_bytes().replace(b"dark", b"light"))
    assert "removed" in run("uninstall", name)[1]
    assert path.read_bytes() == COMMENTED[TAKERS[name].format].replace("dark", "light").encode()


@pytest.mark.parametrize("name", FOR_ALL)
def test_a_broken_file_is_refused_and_left(name: str, home: Path, run: Run):
    path = written(name, home)
    path.write_text('{"lsp"' if path.suffix == ".json" else "a = [")
    before = tree(home)
    code, _, err = run("install", name, "--lsp")
    assert code == 1
    assert f"{path}, line 1, column " in err
    assert tree(home) == before


@pytest.mark.parametrize("name", [name for name in ENTRIES if TAKERS[name].project])
def test_a_project_has_its_own_file(name: str, home: Path, project: Path, run: Run):
    assert run("install", name, "--lsp", "--project")[0] == 0
    assert declared_in(project / TAKERS[name].project, name)["command"]
    run("uninstall", name, "--project")
    assert list(tree(project)) == [".git", ".git/HEAD"]


@pytest.mark.parametrize("name", [name for name in FOR_ALL if clients()[name].takes_mcp])
def test_without_the_option_there_is_only_the_server(name: str, home: Path, run: Run):
    run("install", name)
    assert "codeagent-lsp" not in "".join(path.read_text() for path in home.rglob("*") if path.is_file())


def test_every_language_is_declared_by_its_extensions(home: Path, project: Path, run: Run):
    run("install", "copilot", "opencode", "crush", "--lsp")
    run("install", "qwen", "--lsp", "--project")
    extensions = [extension for language in languages().values() for extension in language.extensions]
    copilot = entry_of(file_of("copilot", home), "lspServers", "codeagentd", "fileExtensions")
    assert list(copilot) == extensions
    assert entry_of(project / ".lsp.json", "codeagentd", "extensionToLanguage") == copilot
    assert entry_of(file_of("opencode", home), "lsp", "codeagentd", "extensions") == extensions
    assert entry_of(file_of("crush", home), "lsp", "codeagentd", "filetypes") == [name[1:] for name in extensions]


def test_editors_call_languages_by_the_ids_of_the_protocol():
    ids = ids_by_extension()
    expected = {
        ".tsx": "typescriptreact",
        ".jsx": "javascriptreact",
        ".sh": "shellscript",
        ".hpp": "cpp",
        ".cs": "csharp",
    }
    assert {extension: ids[extension] for extension in expected} == expected
    assert ids_by_file_name()["Makefile"] == "makefile"
    assert {*ids.values()} <= {*language_ids()}
    assert all(re.fullmatch(r"[a-z.-]+", name) for name in language_ids())


def test_one_file_with_both_servers_is_written_at_once(home: Path, run: Run):
    path = written("opencode", home)
    assert "switches on" in run("install", "opencode", "--lsp")[1]
    assert path.read_text().count("codeagentd") == 1
    assert len(list(path.parent.glob("*.bak"))) == 1


def test_a_switch_in_the_place_of_the_table_is_left(home: Path, run: Run):
    path = file_of("opencode", home)
    path.parent.mkdir(parents=True)
    path.write_text('{"lsp": false}')
    code, _, err = run("install", "opencode", "--lsp")
    assert code == 1
    assert "an object is expected here" in err
    assert path.read_text() == '{"lsp": false}'


def test_anothers_entry_of_our_name_is_refused(home: Path, run: Run):
    path = file_of("copilot", home)
    path.parent.mkdir(parents=True)
    path.write_text('{"lspServers": {"codeagentd": {"command": "/opt/other", "fileExtensions": {}}}}')
    before = tree(home)
    code, _, err = run("install", "copilot", "--lsp")
    assert (code, "codeagentd starts /opt/other: this entry is not ours" in err) == (1, True)
    assert tree(home) == before  # not even the server, which has a file of its own


def test_languages_that_its_owner_took_out_stay_out(home: Path, run: Run, program: str):
    path = file_of("copilot", home)
    path.parent.mkdir(parents=True)
    path.write_text(
        '{"lspServers": {"codeagentd": {"command": "/gone/codeagent-lsp", "fileExtensions": {".rs": "rust"}}}}'
    )
    assert "updated" in run("install", "copilot", "--lsp")[1]
    entry = entry_of(path, "lspServers", "codeagentd")
    assert entry["command"] == program.replace("-mcp", "-lsp")
    assert entry["fileExtensions"] == {".rs": "rust"}


def test_the_server_and_the_language_server_serve_the_named_repository(home: Path, project: Path, run: Run):
    run("install", "copilot", "--lsp", "--repo", str(project), "--env", "A=b")
    for file, table, name in (("mcp", "mcpServers", "codeagent"), ("lsp", "lspServers", "codeagentd")):
        entry = entry_of(home / f".copilot/{file}-config.json", table, name)
        assert entry["args"][:2] == ["--repo", str(project)]
        assert entry["env"] == {"A": "b"}
    assert "--tool-names" not in str(entry)


@pytest.mark.parametrize("name", BY_HAND)
def test_where_nothing_can_be_written_its_user_is_told_what_to_do(name: str, home: Path, run: Run, program: str):
    code, out, _ = run("install", name, "--lsp")
    assert code == 0
    assert "note: " in out
    assert "$command" not in out
    if name in EDITORS:
        assert out.startswith(f"{name}  by hand")
        assert program.replace("-mcp", "-lsp") in out
        assert run("uninstall", name)[1].startswith(f"{name}  by hand")
        assert tree(home) == {}


def test_helix_keeps_the_servers_of_its_languages(home: Path, run: Run):
    path = written("helix", home)
    _, out, _ = run("install", "helix")
    assert tomllib.loads(path.read_text())["language"] == [{"name": "python", "language-servers": ["ty"]}]
    assert '\n      language-servers = ["ty", "ruff", "codeagentd"]\n' in out


def test_neovim_gets_files_of_its_own(home: Path, run: Run, program: str):
    assert run("install", "neovim")[0] == 0
    text = (home / CONFIG).read_text()
    assert f'cmd = {{ "{program.replace("-mcp", "-lsp")}" }}' in text
    assert '[".tsx"] = "typescriptreact"' in text
    assert '["Makefile"] = "makefile"' in text
    assert "$" not in text.replace("%.[^.]+$", "")
    assert "vim.lsp.enable('codeagentd')" in (home / ENABLE).read_text()
    before = tree(home)
    assert "installed" not in run("install", "neovim")[1]
    assert tree(home) == before
    run("uninstall", "neovim")
    assert tree(home) == {}
    assert run("uninstall", "neovim")[1].startswith("neovim  unchanged")


def test_changed_files_of_neovim_are_left(home: Path, run: Run):
    run("install", "neovim")
    with (home / CONFIG).open("a") as file:
        file.write("-- mine\n")
    before = tree(home)
    assert run("install", "neovim")[0] == 1
    assert tree(home) == before
    assert "left" in run("uninstall", "neovim")[1]
    assert (home / CONFIG).exists()
    assert not (home / ENABLE).exists()


def test_without_a_record_the_folders_of_neovim_stay(home: Path, tmp_path: Path, run: Run):
    run("install", "neovim")
    (tmp_path / "data" / "clients.json").unlink()
    run("uninstall", "neovim")
    assert [*tree(home)] == [".config", ".config/nvim", ".config/nvim/lsp", ".config/nvim/plugin"]


def test_commands_with_quotes_and_backslashes_are_texts_in_lua(home: Path, tmp_path: Path, run: Run):
    folder = tmp_path / 'a "b\\c'
    folder.mkdir()
    for name in ("codeagent-mcp", "codeagent-lsp"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    run("install", "neovim", "--command", str(folder / "codeagent-mcp"))
    assert '/a \\"b\\\\c/codeagent-lsp" }' in (home / CONFIG).read_text()


def test_either_program_may_be_named(home: Path, run: Run, program: str):
    run("install", "copilot", "--lsp", "--command", program.replace("-mcp", "-lsp"))
    assert entry_of(home / ".copilot/mcp-config.json", "mcpServers", "codeagent", "command") == program


def test_a_missing_language_server_is_refused_before_anything_is_written(home: Path, run: Run, program: str):
    Path(program.replace("-mcp", "-lsp")).unlink()
    code, _, err = run("install", "copilot", "--lsp")
    assert (code, "there is no codeagent-lsp beside" in err) == (1, True)
    assert tree(home) == {}
    assert run("install", "copilot")[0] == 0


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("cursor", "--lsp"), "Cursor is not known to take language servers (leave --lsp out)"),
        (
            ("qwen", "--lsp"),
            "has no table of language servers for all projects (try the other of --project and --global)",
        ),
        (("neovim", "--project"), "has no table of language servers for one project"),
        (("helix", "--skill"), "has no folder of skills"),
    ],
)
def test_what_a_client_does_not_take_is_refused(
    words: tuple[str, ...], reason: str, home: Path, project: Path, run: Run
):
    code, _, err = run("install", *words)
    assert (code, reason in err) == (1, True)
    assert tree(home) == {}


def test_the_list_says_who_takes_it_and_who_has_it(home: Path, run: Run):
    run("install", "copilot", "helix", "neovim", "--lsp")
    (home / ".config/crush").mkdir(parents=True)
    (home / ".config/crush/crush.json").write_text("{")
    rows = {cells[0]: cells for line in run("install", "--list")[1].splitlines() if (cells := re.split(r"  +", line))}
    states = {name: cells[3] for name, cells in rows.items()}
    assert (states["copilot"], states["helix"], states["neovim"]) == ("installed",) * 3
    assert (states["opencode"], states["cursor"], states["emacs"]) == ("possible", "-", "by hand")
    assert states["crush"] == "broken"
    assert rows["helix"][2] == "-"
    listed = {row["client"]: row["configurations"][0] for row in json.loads(run("install", "--list", "--json")[1])}
    assert listed["copilot"]["language_server"]["state"] == "ours"
    assert listed["copilot"]["path"] == str(home / ".copilot/mcp-config.json")
    assert listed["cursor"]["language_server"] is None


def test_the_doctor_names_language_servers_that_start_nothing(home: Path, run: Run, program: str):
    def findings() -> list[tuple[str, str]]:
        return [(finding.text, finding.remedy) for finding in examine([Scope(System("linux", str(home), {}))])]

    run("install", "copilot", "helix", "--lsp")
    assert findings() == [("copilot, helix", "")]
    command = Path(program.replace("-mcp", "-lsp"))
    command.unlink()
    gone = f"starts {command}, which is not there"
    assert findings()[:2] == [
        (f"copilot {gone}", "codeagentd install copilot --lsp"),
        (f"helix {gone}", "codeagentd install helix"),
    ]


@pytest.mark.parametrize("name", TAKERS)
def test_every_declaration_is_whole(name: str):
    declared = TAKERS[name]
    values = str(declared.entry)
    if declared.entry:
        assert ("$command" in values and "$args" in values) != ("$argv" in values)
        assert "$env" in values
        assert declared.paths or declared.project
    assert declared.is_written or declared.advice
    assert declared.checked == ("from memory" not in " ".join(declared.sources))
    assert declared.sources
    assert all("(2026-11-27)" in source for source in declared.sources)


def test_an_editor_has_nothing_else():
    assert EDITORS == ["helix", "neovim", "emacs"]
    assert all(configuration(clients()[name], System("linux", "/home/ada", {}), "") == "" for name in EDITORS)
    windows = System("windows", r"C:\Users\ada", {"APPDATA": r"C:\Users\ada\AppData\Roaming"})
    assert language_server(clients()["helix"], windows, "") == r"C:\Users\ada\AppData\Roaming\helix\languages.toml"


def test_an_editor_is_found_by_its_program_or_folder(tmp_path: Path):
    system = System("linux", str(tmp_path), {"PATH": str(tmp_path)})
    assert not any(system.has(clients()[name]) for name in EDITORS)
    (tmp_path / ".config/helix").mkdir(parents=True)
    (tmp_path / "nvim").write_text("")
    (tmp_path / "nvim").chmod(0o755)
    assert [system.has(clients()[name]) for name in EDITORS] == [True, True, False]
