"""The generated files of registries: the entry of the MCP registry, the package of the npm registry, the bundle for
Claude Desktop. Their version is the package's, and whoever publishes them is named once, in pyproject.toml.

`python -m tests.harness.documents --write` writes them; a test compares them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from codeagent_protocol.version import __version__

Json = dict[str, Any]

ROOT: Final = Path(__file__).resolve().parents[2]
NPM: Final = ROOT / "packaging" / "npm" / "package.json"
BUNDLE: Final = ROOT / "packaging" / "mcpb"

PROJECT: Final[Json] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
REPOSITORY: Final[str] = PROJECT["urls"]["Repository"]
OWNER: Final = REPOSITORY.split("/")[-2]
SERVER_NAME: Final = f"io.github.{OWNER}/codeagentd"
IMAGE: Final = f"ghcr.io/{OWNER.lower()}/codeagentd:{__version__}"

PYTHONS: Final[str] = PROJECT["requires-python"]

SUMMARY: Final = "Code intelligence from one index per repository that follows every save, shared by all windows"
MAX_SUMMARY: Final = 100  # of the registry's schema

# github.com/modelcontextprotocol/registry docs/modelcontextprotocol-io/package-types.mdx (2026-11-27)
SERVER_SCHEMA: Final = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
REPO_VARIABLE: Final[Json] = {
    "name": "CODEAGENT_REPO",
    "description": "The repository; a path inside a git work tree means all of it. Unset: the one that the client has open.",
    "format": "filepath",
    "isRequired": False,
}


def text(value: Any) -> str:
    """Return a value as the content of a JSON file."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def server_entry() -> str:
    """The entry of the MCP registry; the release adds the bundle, whose SHA-256 only it knows."""
    return text(
        {
            "$schema": SERVER_SCHEMA,
            "name": SERVER_NAME,
            "title": "codeagentd",
            "description": SUMMARY,
            "repository": {"url": REPOSITORY, "source": "github"},
            "version": __version__,
            "packages": [_of_runner("pypi", "uvx"), _of_runner("npm", "npx"), _image()],
        }
    )


def _of_runner(registry: str, runner: str) -> Json:
    """A package that `uvx` or `npx` runs by its name: it has to say which of its programs is the server."""
    return {
        "registryType": registry,
        "identifier": PROJECT["name"],
        "version": __version__,
        "runtimeHint": runner,
        "transport": {"type": "stdio"},
        "packageArguments": [{"type": "positional", "value": "mcp"}],
        "environmentVariables": [REPO_VARIABLE],
    }


def _image() -> Json:
    """The container image, with one repository that the client's user names."""
    repository = {"description": "The repository, by its absolute path", "format": "filepath", "isRequired": True}
    mount = {
        "type": "named",
        "name": "--mount",
        "value": "type=bind,src={repository},dst=/repository",
        "variables": {"repository": repository},
    }
    words = ["mcp", "--repo", "/repository"]
    return {
        "registryType": "oci",
        "identifier": IMAGE,
        "runtimeHint": "docker",
        "transport": {"type": "stdio"},
        "runtimeArguments": [mount, {"type": "named", "name": "--entrypoint", "value": "codeagentd"}],
        "packageArguments": [{"type": "positional", "value": word} for word in words],
    }


def registry_name() -> str:
    """The line of the README by which the MCP registry knows that a package is of this server."""
    return f"<!-- mcp-name: {SERVER_NAME} -->"


def plugin_lines() -> str:
    """The commands that install the plugin of Claude Code from the address of the repository, and remove it again."""
    return f"""```
claude plugin marketplace add {OWNER}/codeagentd    # or a folder with the files of this repository
claude plugin install codeagentd@codeagentd
codeagentd uninstall claude-code                    # if it was installed: the plugin replaces it
claude plugin uninstall codeagentd@codeagentd
```"""


def npm_manifest() -> str:
    """The manifest of the npm package: its version, the Pythons that will do, and what a registry asks of it; all else is written by hand."""
    manifest = json.loads(NPM.read_text())
    repository = {"type": "git", "url": f"git+{REPOSITORY}.git", "directory": "packaging/npm"}
    generated = {
        "version": __version__,
        "mcpName": SERVER_NAME,
        "repository": repository,
        "config": {"python": PYTHONS},
    }
    return text(manifest | generated)


def bundle_manifest() -> str:
    """The manifest of the bundle, version 0.4: its host has a uv of its own, and makes the environment.

    Source: github.com/modelcontextprotocol/mcpb MANIFEST.md; Claude Desktop brings uv for this type:
    github.com/CursorTouch/Windows-MCP/issues/200; what a user configures reaches the server since July:
    github.com/modelcontextprotocol/mcpb/issues/291 (2026-11-27).
    """
    folder = {
        "type": "directory",
        "title": "Repository",
        "description": "The repository that Claude may ask about. The index is kept outside of it.",
        "required": True,
    }
    command = ["run", "--directory", "${__dirname}", "server.py"]
    return text(
        {
            "manifest_version": "0.4",
            "name": PROJECT["name"],
            "display_name": "codeagentd",
            "version": __version__,
            "description": SUMMARY,
            "author": {"name": PROJECT["authors"][0]["name"]},
            "repository": {"type": "git", "url": REPOSITORY},
            "license": "MIT",
            "keywords": ["code-intelligence", "code-search", "call-graph"],
            "server": {
                "type": "uv",
                "entry_point": "server.py",
                "mcp_config": {
                    "command": "uv",
                    "args": command,
                    "env": {"CODEAGENT_REPO": "${user_config.repository}", "CODEAGENT_TOOL_NAMES": "underscore"},
                },
            },
            "user_config": {"repository": folder},
            "tools_generated": True,
            "compatibility": {
                "platforms": ["darwin", "win32", "linux"],
                "runtimes": {"python": PYTHONS},
            },
        }
    )


def bundle_project() -> str:
    """The project of the bundle, from which its host makes the environment."""
    return (
        f'[project]\nname = "codeagentd-bundle"\nversion = "{__version__}"\n'
        f'requires-python = "{PYTHONS}"\ndependencies = ["codeagentd=={__version__}"]\n'
    )


FILES: Final[dict[Path, Callable[[], str]]] = {
    ROOT / "packaging" / "server.json": server_entry,
    NPM: npm_manifest,
    BUNDLE / "manifest.json": bundle_manifest,
    BUNDLE / "pyproject.toml": bundle_project,
}
