"""The documents say what the code does, and their links lead somewhere."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from codeagent_protocol import errors, messages
from codeagent_shim.options import Options
from codeagentd.boot.settings import KEYS
from codeagentd.cli.command_list import COMMANDS
from codeagentd.cli.commands.schema import PACKAGE
from codeagentd.cli.main import parser_of
from codeagentd.toolkit.toolsets import load
from tests.harness import documents, editor_packages
from tests.harness.docs_site import OUTSIDE, site_links

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
README = (ROOT / "README.md").read_text()
ARCHITECTURE = (DOCS / "architecture.md").read_text()
PROTOCOL = next(path for path in (DOCS / "protocol.md", ROOT / "protocol" / "README.md") if path.exists())
DECISIONS = DOCS / "decisions"
PAGES = sorted(
    [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *ROOT.glob("editors/*/README.md"), ROOT / "tests" / "README.md"]
)

README_LINES = 150
WIDTH = 120


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
INTERNAL = {
    "CODEAGENT_FAULT",
    "CODEAGENT_SPECULATION",
    "CODEAGENT_WHOLE_PATH",
}  # for tests, and for processes of our own
PINNED_FOR_THE_PACK = {
    "tree-sitter-c-sharp",
    "tree-sitter-embedded-template",
    "tree-sitter-yaml",
}  # what tree-sitter-language-pack imports


def requirements() -> list[str]:
    groups = PROJECT["dependency-groups"]
    extras = [requirement for extra in PROJECT["project"]["optional-dependencies"].values() for requirement in extra]
    grouped = [requirement for group in groups.values() for requirement in group]
    wanted = [*PROJECT["project"]["dependencies"], *extras, *grouped]
    return sorted({re.split(r"[<>=!~ \[]", requirement)[0] for requirement in wanted})


@pytest.mark.parametrize(
    ("page", "name"), [pytest.param(page, name, id=name) for page, parts in documents.PAGES.items() for name in parts]
)
def test_the_documents_show_what_the_code_makes(page: Path, name: str):
    assert documents.generated_block(name, page.read_text()) == documents.PAGES[page][name](), "run `make docs`"


@pytest.mark.parametrize("path", editor_packages.FILES, ids=lambda path: path.name)
def test_the_packages_for_editors_are_what_the_code_makes(path: Path):
    assert path.read_bytes().decode() == editor_packages.FILES[path](), "run `make docs`"


def test_the_marked_cases_are_counted():
    assert documents.CASE_COUNTS.read_bytes() == documents.case_counts(), "run `make docs`"


@pytest.mark.parametrize("name", requirements())
def test_every_dependency_is_explained(name: str):
    assert f"| `{name}` |" in (DECISIONS / "0001-dependencies.md").read_text()


def test_the_checkout_holds_the_sources_and_nothing_that_a_run_left():
    passed_over = {line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()} | {".git", "__pycache__"}
    top = {
        "daemon",
        "shim",
        "protocol",
        "tests",
        "systemd",
        "launchd",
        "packaging",
        "docs",
        "editors",
        "pyproject.toml",
    }
    assert {path.name for path in ROOT.iterdir()} - passed_over == top | {
        ".ci",
        ".github",
        ".claude-plugin",
        ".gitignore",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "Makefile",
        "README.md",
        "mkdocs.yml",
        "SECURITY.md",
    }


def test_no_explained_dependency_is_gone():
    explained = re.findall(r"^\| `([\w.-]+)` \|", (DECISIONS / "0001-dependencies.md").read_text(), re.MULTILINE)
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
    assert f"| `{code}` |" in (DOCS / "answers-and-freshness.md").read_text()


@pytest.mark.parametrize("code", sorted({*errors.FLAT_CODES.values(), errors.FLAT_FAILURE}))
def test_every_code_of_flat_errors_is_documented(code: str):
    assert f"`{code}`" in (DOCS / "answers-and-freshness.md").read_text()


@pytest.mark.parametrize(
    "folder",
    sorted(path.name for path in (ROOT / "daemon" / "codeagentd").iterdir() if (path / "__init__.py").exists()),
)
def test_the_architecture_page_maps_every_package(folder: str):
    assert re.search(rf"^ {{6}}{folder}/ ", ARCHITECTURE, re.MULTILINE)


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def prose(path: Path) -> tuple[str, ...]:
    """The lines of a page without its code blocks."""
    return tuple(re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.DOTALL | re.MULTILINE).splitlines())


def links(path: Path) -> Iterator[tuple[str, str]]:
    """The links and pictures of a page: path and anchor. Those to other hosts are left out."""
    text = re.sub(r"`[^`\n]*`", "", "\n".join(prose(path)))
    for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text):
        if "://" not in target and not target.startswith("mailto:"):
            yield target, anchor


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a page's headings, where a repository's pages and the site agree on them."""
    headings = [line.lstrip("#").strip().lower() for line in prose(path) if re.match(r"#{1,6} ", line)]
    plain = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading) for heading in headings]
    in_repository = {re.sub(r"[^\w\s-]", "", heading).replace(" ", "-") for heading in plain}
    on_site = {re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip()) for heading in plain}
    return frozenset(in_repository & on_site)


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere(page: Path):
    missing = [target for target, _ in links(page) if target and not (page.parent / target).exists()]
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_anchors_lead_somewhere(page: Path):
    missing = []
    for target, anchor in links(page):
        other = (page.parent / target).resolve() if target else page
        if anchor and other.suffix == ".md" and anchor not in anchors(other):
            missing.append(f"{target}#{anchor}")
    assert not missing


def test_the_site_links_to_its_own_pages_alone():
    text = "[a](architecture.md#layers) [b](../CHANGELOG.md) [c](../daemon/codeagentd) [d](https://example.org)"
    assert site_links(text, "tools.md") == "[a](architecture.md#layers) [b](changelog.md) c [d](https://example.org)"
    assert site_links("[a](../tools.md) [b](../../CHANGELOG.md)", "decisions/0001-dependencies.md") == (
        "[a](../tools.md) [b](../changelog.md)"
    )
    assert site_links("[a](docs/tools.md)", "changelog.md") == "[a](tools.md)"


def test_the_navigation_lists_every_page():
    text = (ROOT / "mkdocs.yml").read_text()
    listed = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", text[text.index("\nnav:") :], re.MULTILINE)
    pages = [path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")]
    assert sorted(listed) == sorted([*pages, *OUTSIDE.values()])


def test_the_site_fetches_nothing_from_elsewhere():
    settings = (ROOT / "mkdocs.yml").read_text()
    assert re.search(r"^  font: false", settings, re.MULTILINE)
    assert "analytics" not in settings


def test_the_readme_is_short():
    assert len(README.splitlines()) <= README_LINES


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_lines_of_prose_are_short(page: Path):
    long = [
        line
        for line in prose(page)
        if len(line) > WIDTH and not line.startswith(("|", "    ")) and " " in line[: WIDTH + 1].lstrip("- ")
    ]
    assert not long


@pytest.mark.parametrize(
    "name", [name for name in Options._fields if not name.startswith("wants_") and name != "repo_variable"]
)
def test_every_flag_of_a_window_is_documented(name: str):
    page = (DOCS / "clients.md").read_text()
    assert f"`--{name.replace('_', '-')}" in page
    assert f"`CODEAGENT_{name.upper()}`" in page


@pytest.mark.parametrize("name", KEYS)
def test_every_setting_is_explained(name: str):
    assert documents.MEANINGS[name]
    assert set(documents.MEANINGS) == set(KEYS)


def test_every_variable_that_the_product_reads_is_documented():
    code = "\n".join(path.read_text() for top in ("protocol", "shim", "daemon") for path in (ROOT / top).rglob("*.py"))
    read = set(re.findall(r'"(CODEAGENT_[A-Z_]*[A-Z])"', code)) - INTERNAL
    pages = (DOCS / "settings.md").read_text() + (DOCS / "clients.md").read_text()
    assert not {name for name in read if f"`{name}" not in pages}


@pytest.mark.parametrize("name", load(PACKAGE))
def test_every_tool_is_documented(name: str):
    assert f"\n### `{name}`\n" in (DOCS / "tools.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_blocks_of_json_are_json(page: Path):
    for block in re.findall(r"```json\n(.*?)```", page.read_text(), re.DOTALL):
        assert isinstance(json.loads(block), dict | list)


def test_the_client_configuration_is_json_that_starts_the_shim():
    page = (DOCS / "clients.md").read_text()
    blocks = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", page, re.DOTALL)]
    servers = [block["mcpServers"] for block in blocks if "mcpServers" in block]
    assert servers
    assert all(server["command"].endswith("codeagent-mcp") for block in servers for server in block.values())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_examples(name: str):
    text = parser_of(name).format_help()
    assert "examples:" in text
    assert "--no-color" in text


def test_every_make_target_of_the_documents_exists():
    makefile = (ROOT / "Makefile").read_text()
    targets = {
        target for page in PAGES for target in re.findall(r"(?:`|^)make ([a-z]+)\b", page.read_text(), re.MULTILINE)
    }
    assert {"demo", "test", "bench", "docs"} <= targets
    assert not {target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)}


def test_every_command_of_the_documents_exists():
    texts = [page.read_text() for page in PAGES if page.name != "CHANGELOG.md"]
    code = [
        block for text in texts for block in re.findall(r"^```\n(.*?)^```|`([^`\n]+)`", text, re.DOTALL | re.MULTILINE)
    ]
    lines = [line.removeprefix("$ ") for block in code for line in "".join(block).splitlines()]
    assert {line.split()[1] for line in lines if re.match(r"codeagentd [a-z]+\b", line)} <= set(COMMANDS)
