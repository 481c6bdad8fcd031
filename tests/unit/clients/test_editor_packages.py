"""The plugin of Claude Code and the extension of VS Code: they start our programs for our languages, and nothing else."""

from __future__ import annotations

import json
import os
import re
import tomllib
from pathlib import Path
from typing import Any

from codeagent_protocol.version import __version__
from codeagentd.clients import skill_file
from codeagentd.languages.language import language_of, languages
from codeagentd.languages.language_ids import language_ids
from tests.harness.editor_packages import EXTENSION, PLUGIN, ROOT

SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]


def content(path: Path) -> Any:
    return json.loads(path.read_text())


def test_the_marketplace_leads_to_the_plugin():
    (plugin,) = content(ROOT / ".claude-plugin/marketplace.json")["plugins"]
    assert (ROOT / plugin["source"]).resolve() == PLUGIN
    manifest = content(PLUGIN / ".claude-plugin/plugin.json")
    assert (manifest["name"], manifest["version"]) == (plugin["name"], __version__)


def test_the_plugin_starts_its_own_launchers():
    (server,) = content(PLUGIN / ".mcp.json")["mcpServers"].values()
    (language_server,) = content(PLUGIN / ".lsp.json").values()
    ((hook,),) = [entry["hooks"] for entry in content(PLUGIN / "hooks/hooks.json")["hooks"]["SessionStart"]]
    folder = "${CLAUDE_PLUGIN_ROOT}/bin"
    assert (server["command"], language_server["command"]) == (f"{folder}/codeagent-mcp", f"{folder}/codeagent-lsp")
    assert hook["command"] == f'"{folder}/codeagent-mcp" --nudge'
    assert {path.name for path in (PLUGIN / "bin").iterdir() if os.access(path, os.X_OK)} >= {*SCRIPTS}


def test_the_plugin_declares_every_extension_of_every_language():
    (language_server,) = content(PLUGIN / ".lsp.json").values()
    assert [*language_server["extensionToLanguage"]] == [
        extension for language in languages().values() for extension in language.extensions
    ]


def test_the_skill_of_the_plugin_is_that_of_install_without_its_mark():
    text = (PLUGIN / "skills/codeagentd/SKILL.md").read_text()
    assert skill_file.content().startswith(text.rstrip("\n"))
    assert "written by" not in text


def test_the_extension_is_activated_by_every_language():
    manifest = content(EXTENSION / "package.json")
    assert manifest["activationEvents"] == [f"onLanguage:{name}" for name in language_ids()]
    assert manifest["version"] == __version__


def test_the_extension_hands_over_files_that_have_a_language():
    files = content(EXTENSION / "src/languages.json")
    names = [*(f"a{extension}" for extension in files["extensions"]), *files["names"]]
    with_files = {name for name, language in languages().items() if language.extensions or language.filenames}
    assert {language_of(name) for name in names} == with_files - {"other"}


def test_a_workspace_cannot_choose_what_the_extension_starts():
    manifest = content(EXTENSION / "package.json")
    settings = manifest["contributes"]["configuration"]["properties"]
    assert settings["codeagentd.command"]["scope"] == "machine"
    assert manifest["capabilities"]["untrustedWorkspaces"]["supported"] is False


def test_the_manifest_and_the_source_of_the_extension_name_the_same_things():
    manifest = content(EXTENSION / "package.json")["contributes"]
    source = (EXTENSION / "src/extension.ts").read_text()
    used = {*re.findall(r"\.get<\w+>\('([\w.]+)'", source), "trace.server"}  # the last one, the library reads
    assert {name.removeprefix("codeagentd.") for name in manifest["configuration"]["properties"]} == used
    assert [entry["command"] for entry in manifest["commands"]] == ["codeagentd.restart"]
    assert [entry["id"] for entry in manifest["mcpServerDefinitionProviders"]] == ["codeagentd"]
    assert "const ID = 'codeagentd'" in source


def test_the_packages_of_the_extension_are_pinned_without_a_host():
    packages = content(EXTENSION / "package-lock.json")["packages"]
    assert "://" not in "".join(f"{name} {entry.get('resolved', '')}" for name, entry in packages.items())
    assert all(entry.get("integrity") for name, entry in packages.items() if name)
