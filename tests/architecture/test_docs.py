"""The documents say what the code does."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from codeagent_protocol import errors, messages
from codeagent_shim.options import Options
from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.main import parser_of
from tests.harness import documents

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
PROTOCOL = ROOT / "docs" / "protocol.md"
DECISIONS = ROOT / "docs" / "decisions"


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PINNED_FOR_THE_PACK = {
    "tree-sitter-c-sharp",
    "tree-sitter-embedded-template",
    "tree-sitter-yaml",
}  # what tree-sitter-language-pack imports


def requirements() -> list[str]:
    wanted = [*PROJECT["project"]["dependencies"], *PROJECT["dependency-groups"]["dev"]]
    return [re.split(r"[<>=!~ \[]", requirement)[0] for requirement in wanted]


@pytest.mark.parametrize(
    ("page", "name"), [pytest.param(page, name, id=name) for page, parts in documents.PAGES.items() for name in parts]
)
def test_the_documents_show_what_the_code_makes(page: Path, name: str):
    assert documents.written(name, page.read_text()) == documents.PAGES[page][name](), "run `make docs`"


def test_the_marked_cases_are_counted():
    assert documents.COUNTED.read_bytes() == documents.counted(), "run `make docs`"


@pytest.mark.parametrize("name", requirements())
def test_every_dependency_is_explained(name: str):
    assert f"| `{name}` |" in (DECISIONS / "0001-dependencies.md").read_text()


def test_the_checkout_holds_the_sources_and_nothing_that_a_run_left():
    passed_over = {line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()} | {".git", "__pycache__"}
    top = {"daemon", "shim", "protocol", "tests", "systemd", "launchd", "docs", "pyproject.toml"}
    assert {path.name for path in ROOT.iterdir()} - passed_over == top | {
        ".ci",
        ".gitignore",
        "CHANGELOG.md",
        "LICENSE",
        "Makefile",
        "README.md",
    }


def test_no_explained_dependency_is_gone():
    explained = re.findall(r"^\| `([\w-]+)` \|", (DECISIONS / "0001-dependencies.md").read_text(), re.MULTILINE)
    assert set(explained) == set(requirements())


def test_every_package_that_users_install_is_used():
    modules: dict[str, list[str]] = {}
    for module, packages in packages_distributions().items():
        for package in packages:
            modules.setdefault(package.lower(), []).append(module)
    code = "\n".join(path.read_text() for top in ("protocol", "shim", "daemon") for path in (ROOT / top).rglob("*.py"))
    wanted = [re.split(r"[<>=]", requirement)[0] for requirement in PROJECT["project"]["dependencies"]]
    unused = [
        name
        for name in wanted
        if not any(
            re.search(rf"\b(?:import|from) {module}\b|find_spec\(\"{module}\"\)", code)
            for module in modules[name.lower()]
        )
    ]
    assert set(unused) == PINNED_FOR_THE_PACK


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in vars(messages)
        if name.isupper() and name != "PROTOCOL" and isinstance(getattr(messages, name), int)
    ],
)
def test_the_protocol_page_names_every_kind_and_flag(name: str):
    assert re.search(rf"\b{name}\b", PROTOCOL.read_text())


@pytest.mark.parametrize("code", errors.CODES)
def test_every_error_code_is_documented(code: str):
    assert f"`{code}`" in README + PROTOCOL.read_text()


@pytest.mark.parametrize(
    "folder",
    sorted(path.name for path in (ROOT / "daemon" / "codeagentd").iterdir() if (path / "__init__.py").exists()),
)
def test_the_architecture_page_maps_every_package(folder: str):
    assert re.search(rf"^ {{6}}{folder}/ ", ARCHITECTURE, re.MULTILINE)


@pytest.mark.parametrize(
    "page",
    ["README.md", "CHANGELOG.md", "docs/architecture.md", "docs/languages.md", "docs/clients.md", "docs/protocol.md"],
)
def test_links_between_pages_lead_somewhere(page: str):
    path = ROOT / page
    targets = [target for target in re.findall(r"\]\(([^)#]+)\)", path.read_text()) if "://" not in target]
    missing = [target for target in targets if not (path.parent / target).exists()]
    assert not missing


@pytest.mark.parametrize(
    "name", [name for name in Options._fields if not name.startswith("wants_") and name != "repo_variable"]
)
def test_every_flag_of_a_window_is_in_the_readme(name: str):
    assert f"--{name.replace('_', '-')}" in README
    assert f"CODEAGENT_{name.upper()}" in README


def test_the_client_configuration_is_json_that_starts_the_shim():
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", README, re.DOTALL)]
    servers = [block["mcpServers"] for block in blocks if "mcpServers" in block]
    assert servers
    assert all(server["command"].endswith("codeagent-mcp") for block in servers for server in block.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name: str):
    text = parser_of(name).format_help()
    assert "examples:" in text
    assert "--no-color" in text


def test_every_make_target_of_the_readme_exists():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.findall(r"(?:`|^ {4})make (\w+)", README, re.MULTILINE))
    assert {"demo", "test", "bench"} <= targets
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)
