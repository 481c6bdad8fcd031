"""The generated files of editors/: the plugin of Claude Code, and what the extension of VS Code has from the code.

`python -m tests.harness.documents --write` writes them; a test compares them.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from codeagent_protocol.version import __version__
from codeagentd.clients import skill_file
from codeagentd.clients.catalogue import LanguageServer, client
from codeagentd.clients.config_entries import LANGUAGE_SERVER_PROGRAM, PROGRAM, EntrySpec, Hook, Server
from codeagentd.clients.language_servers import entry_of
from codeagentd.clients.safe_files import Original
from codeagentd.languages.language_ids import ids_by_extension, ids_by_file_name, language_ids

ROOT: Final = Path(__file__).resolve().parents[2]
PLUGIN: Final = ROOT / "editors" / "claude-code"
EXTENSION: Final = ROOT / "editors" / "vscode"

NAME: Final = "codeagentd"
DESCRIPTION: Final = (
    "Code intelligence from an index that follows every save, shared by all windows on a repository: MCP server, "
    "language server for every indexed language, a hook that tells agents of the index, and a skill with the commands. "
    "The programs codeagent-mcp and codeagent-lsp have to be on the PATH."
)
AUTHORS: Final = {"name": "The codeagentd authors"}
_NO_FILE: Final = Original("", "", None, None)

# as code.claude.com/docs/en/plugins-reference has it, by way of deepwiki.com/boostvolt/claude-code-lsps (2026-11-27)
_PLUGIN_SERVER: Final = LanguageServer(
    sources=(), entry={"command": "$command", "args": "$args", "env": "$env", "extensionToLanguage": "$ids"}
)


def _text(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def marketplace() -> str:
    """The marketplace: this repository, with one plugin."""
    plugin = {"name": NAME, "source": "./editors/claude-code", "description": DESCRIPTION, "category": "development"}
    return _text({"name": NAME, "owner": AUTHORS, "description": "codeagentd for Claude Code", "plugins": [plugin]})


def plugin_manifest() -> str:
    """The manifest of the plugin."""
    return _text(
        {
            "name": NAME,
            "version": __version__,
            "description": DESCRIPTION,
            "author": AUTHORS,
            "license": "MIT",
            "keywords": ["code-intelligence", "mcp", "lsp", "search"],
        }
    )


def plugin_servers() -> str:
    """The MCP server of the plugin, as `codeagentd install claude-code` writes it, found by its name."""
    return _text(json.loads(Server(client("claude-code"), EntrySpec(PROGRAM)).put(_NO_FILE, "")))


def plugin_language_servers() -> str:
    """The language server of the plugin."""
    return _text(json.loads(entry_of(_PLUGIN_SERVER, EntrySpec(LANGUAGE_SERVER_PROGRAM)).put(_NO_FILE, "")))


def plugin_hooks() -> str:
    """The hook of the plugin, as `codeagentd install claude-code --hooks` writes it."""
    return _text(json.loads(Hook(client("claude-code"), "json", PROGRAM).put(_NO_FILE, "")))


def extension_manifest() -> str:
    """The manifest of the extension: its version and its activation are from the code, all else is written by hand."""
    manifest = json.loads((EXTENSION / "package.json").read_text())
    manifest["version"] = __version__
    manifest["activationEvents"] = [f"onLanguage:{name}" for name in language_ids()]
    return _text(manifest)


def extension_languages() -> str:
    """The files that the extension hands to the language server: the endings and the names of files."""
    return _text({"extensions": [*ids_by_extension()], "names": [*ids_by_file_name()]})


FILES: Final[dict[Path, Callable[[], str]]] = {
    ROOT / ".claude-plugin" / "marketplace.json": marketplace,
    PLUGIN / ".claude-plugin" / "plugin.json": plugin_manifest,
    PLUGIN / ".mcp.json": plugin_servers,
    PLUGIN / ".lsp.json": plugin_language_servers,
    PLUGIN / "hooks" / "hooks.json": plugin_hooks,
    PLUGIN / "skills" / skill_file.NAME / skill_file.FILE: skill_file.body,
    EXTENSION / "package.json": extension_manifest,
    EXTENSION / "src" / "languages.json": extension_languages,
}


def stale() -> list[Path]:
    """Return the files that differ from what is generated."""
    return [path for path, generate in FILES.items() if not path.exists() or path.read_text() != generate()]


def write(path: Path) -> None:
    """Write one of the files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FILES[path]())
