"""The files of registries: one version and one name everywhere, and what each registry asks of its entry."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import bundle
import homebrew
import jsonschema
import pytest

from codeagent_protocol.version import __version__
from codeagentd.cli.command_list import COMMANDS
from tests.harness.editor_packages import EXTENSION, PLUGIN
from tests.harness.registry_files import BUNDLE, MAX_SUMMARY, NPM, REPOSITORY, ROOT, SERVER_NAME

Json = dict[str, Any]
SERVER = ROOT / "packaging" / "server.json"
README = ROOT / "README.md"

# what github.com/modelcontextprotocol/registry docs/reference/server-json/draft/server.schema.json asks of the fields
# that we have (2026-11-27)
_TEXT = {"type": "string", "minLength": 1}
_INPUT = {
    "type": "object",
    "properties": {
        "format": {"enum": ["string", "number", "boolean", "filepath"]},
        "isRequired": {"type": "boolean"},
        "variables": {"type": "object", "additionalProperties": {"type": "object"}},
    },
}
_ARGUMENT = {
    "oneOf": [
        {"required": ["type", "value"], "properties": {"type": {"const": "positional"}}},
        {"required": ["type", "name"], "properties": {"type": {"const": "named"}}},
    ]
}
_PACKAGE = {
    "type": "object",
    "required": ["registryType", "identifier", "transport"],
    "properties": {
        "registryType": {"enum": ["pypi", "npm", "oci", "mcpb"]},
        "identifier": _TEXT,
        "version": {**_TEXT, "not": {"const": "latest"}},
        "fileSha256": {"pattern": "^[a-f0-9]{64}$"},
        "runtimeHint": _TEXT,
        "transport": {"const": {"type": "stdio"}},
        "runtimeArguments": {"type": "array", "items": {"allOf": [_ARGUMENT, _INPUT]}},
        "packageArguments": {"type": "array", "items": {"allOf": [_ARGUMENT, _INPUT]}},
        "environmentVariables": {"type": "array", "items": {**_INPUT, "required": ["name"]}},
    },
    "additionalProperties": False,
}
_ENTRY = {
    "type": "object",
    "required": ["$schema", "name", "description", "version"],
    "properties": {
        "name": {"pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "maxLength": 200},
        "title": {**_TEXT, "maxLength": 100},
        "description": {**_TEXT, "maxLength": MAX_SUMMARY},
        "repository": {"required": ["url", "source"]},
        "packages": {"type": "array", "items": _PACKAGE},
        "version": {"type": "string"},
        "$schema": {"type": "string"},
    },
    "additionalProperties": False,
}


def read(path: Path) -> Json:
    """The content of a JSON file."""
    content: Json = json.loads(path.read_text())
    return content


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """A folder with what a release makes of the files of registries, beside stand-ins of what that depends on."""
    for name in (".tar.gz", "-py3-none-any.whl", "-constraints.txt"):
        (tmp_path / f"codeagentd-{__version__}{name}").write_text(name)
    bundle.build(ROOT, tmp_path)
    homebrew.build(ROOT, tmp_path)
    return tmp_path


def test_every_manifest_has_the_version_of_the_package(released: Path):
    entry = read(released / "server.json")
    versions = {
        "server.json": entry["version"],
        **{package["registryType"]: package.get("version") or package["identifier"] for package in entry["packages"]},
        "package.json": read(NPM)["version"],
        "manifest.json": read(BUNDLE / "manifest.json")["version"],
        "bundle": tomllib.loads((BUNDLE / "pyproject.toml").read_text())["project"]["dependencies"][0],
        "plugin.json": read(PLUGIN / ".claude-plugin" / "plugin.json")["version"],
        "vscode": read(EXTENSION / "package.json")["version"],
        "homebrew": (released / "codeagentd.rb").read_text(),
    }
    assert {name for name, text in versions.items() if __version__ not in text} == set()


def test_the_entry_is_what_the_registry_takes(released: Path):
    judge = jsonschema.Draft202012Validator(_ENTRY)
    for path in (SERVER, released / "server.json"):
        assert [error.message for error in judge.iter_errors(read(path))] == []


def test_the_registry_finds_its_name_in_each_package():
    assert read(SERVER)["name"] == SERVER_NAME == read(NPM)["mcpName"]
    assert re.findall(r"mcp-name: (\S+) -->", README.read_text()) == [SERVER_NAME]


def test_the_packages_are_started_with_a_command_that_exists():
    for package in read(SERVER)["packages"]:
        assert package["packageArguments"][0]["value"] in COMMANDS


def test_the_bundle_of_the_entry_is_the_one_that_was_built(released: Path):
    listed = read(released / "server.json")["packages"][-1]
    assert listed["identifier"] == f"{REPOSITORY}/releases/download/v{__version__}/codeagentd-{__version__}.mcpb"
    assert len(listed["fileSha256"]) == 64
    assert (released / f"codeagentd-{__version__}.mcpb").stat().st_size < 2_000


def test_the_programs_of_the_npm_package_are_those_of_the_python_package():
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    assert read(NPM)["bin"] == {name: f"bin/{name}.js" for name in scripts}


def test_the_npm_package_needs_no_other_and_runs_nothing_when_it_is_installed():
    assert not {"dependencies", "optionalDependencies", "scripts"} & read(NPM).keys()
