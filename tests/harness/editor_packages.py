"""The generated files of packages: the plugin of Claude Code, what the extension of VS Code has from the code, and
those of `registry_files`.

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
from tests.harness import registry_files

ROOT: Final = Path(__file__).resolve().parents[2]
PLUGIN: Final = ROOT / "editors" / "claude-code"
EXTENSION: Final = ROOT / "editors" / "vscode"

NAME: Final = "codeagentd"
DESCRIPTION: Final = (
    "Code intelligence from an index that follows every save, shared by all windows on a repository: MCP server, "
    "language server for every indexed language, a hook that tells agents of the index, and a skill with the commands. "
    "Starts the codeagentd that is installed, or else fetches it with uvx or npx."
)
AUTHORS: Final = {"name": "The codeagentd authors"}
# Claude Code puts the folder of the plugin here; it adds bin/ to the PATH of the agent's shell too, for the skill
LAUNCHERS: Final = "${CLAUDE_PLUGIN_ROOT}/bin/"
_NO_FILE: Final = Original("", "", None, None)

# as code.claude.com/docs/en/plugins-reference has it, by way of deepwiki.com/boostvolt/claude-code-lsps (2026-11-27)
_PLUGIN_SERVER: Final = LanguageServer(
    sources=(), entry={"command": "$command", "args": "$args", "env": "$env", "extensionToLanguage": "$ids"}
)


PROGRAMS: Final = ("codeagentd", PROGRAM, LANGUAGE_SERVER_PROGRAM)

LAUNCHER: Final = """#!/bin/sh
# Starts the program of this name that is installed; else that of version VERSION, which uvx or npx fetch once.
name=${0##*/}
own=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
folders=$PATH:$HOME/.local/bin:/opt/homebrew/bin:/usr/local/bin
IFS=:
set -f
for folder in $folders; do
    case $folder in /*) ;; *) continue ;; esac # never from the repository that is open
    if [ -x "$folder/$name" ] && [ "$(CDPATH='' cd -- "$folder" && pwd -P)" != "$own" ]; then
        exec "$folder/$name" "$@"
    fi
done
if [ "$1" = --nudge ]; then exit 0; fi # a hook does not wait for a download
for folder in $folders; do
    case $folder in /*) ;; *) continue ;; esac
    if [ -x "$folder/uvx" ]; then exec "$folder/uvx" --python 'PYTHONS' --from codeagentd==VERSION "$name" "$@"; fi
    if [ -x "$folder/npx" ]; then exec "$folder/npx" --yes --package codeagentd@VERSION "$name" "$@"; fi
done
echo "$name: codeagentd is not installed, and there is no uvx or npx to fetch it: install uv, or pipx install codeagentd" >&2
exit 127
"""

WINDOWS_LAUNCHER: Final = """@echo off
rem Starts the program of this name that is installed; else that of version VERSION, which uvx or npx fetch once.
setlocal
rem never from the repository that is open
set NoDefaultCurrentDirectoryInExePath=1
for %%I in (%~n0.exe) do if not "%%~$PATH:I"=="" (
    "%%~$PATH:I" %*
    exit /b
)
if "%~1"=="--nudge" exit /b 0
for %%I in (uvx.exe) do if not "%%~$PATH:I"=="" (
    "%%~$PATH:I" --python "PYTHONS" --from codeagentd==VERSION %~n0 %*
    exit /b
)
for %%I in (npx.cmd) do if not "%%~$PATH:I"=="" (
    call "%%~$PATH:I" --yes --package codeagentd@VERSION %~n0 %*
    exit /b
)
echo %~n0: codeagentd is not installed, and there is no uvx or npx to fetch it: install uv, or pipx install codeagentd 1>&2
exit /b 127
"""


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
    """The MCP server of the plugin, as `codeagentd install claude-code` writes it, with the launcher."""
    return _text(json.loads(Server(client("claude-code"), EntrySpec(LAUNCHERS + PROGRAM)).put(_NO_FILE, "")))


def plugin_language_servers() -> str:
    """The language server of the plugin."""
    return _text(json.loads(entry_of(_PLUGIN_SERVER, EntrySpec(LAUNCHERS + LANGUAGE_SERVER_PROGRAM)).put(_NO_FILE, "")))


def plugin_hooks() -> str:
    """The hook of the plugin, as `codeagentd install claude-code --hooks` writes it, with the launcher."""
    written = Hook(client("claude-code"), "json", PROGRAM).put(_NO_FILE, "")
    return _text(json.loads(written.replace(PROGRAM, json.dumps(f'"{LAUNCHERS}{PROGRAM}"')[1:-1])))


def launcher() -> str:
    """The program that starts the one of its own name: the installed one, or that of this version, fetched once."""
    return _filled(LAUNCHER)


def windows_launcher() -> str:
    """The same for Windows, in its lines."""
    return _filled(WINDOWS_LAUNCHER).replace("\n", "\r\n")


def _filled(script: str) -> str:
    return script.replace("VERSION", __version__).replace("PYTHONS", registry_files.PYTHONS)


def extension_manifest() -> str:
    """The manifest of the extension: its version, its repository and its activation are from the code, all else is written by hand."""
    manifest = json.loads((EXTENSION / "package.json").read_text())
    manifest["version"] = __version__
    manifest["repository"] = {"type": "git", "url": registry_files.REPOSITORY}
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
    **{PLUGIN / "bin" / name: launcher for name in PROGRAMS},
    **{PLUGIN / "bin" / f"{name}.cmd": windows_launcher for name in PROGRAMS},
    PLUGIN / "skills" / skill_file.NAME / skill_file.FILE: skill_file.body,
    EXTENSION / "package.json": extension_manifest,
    EXTENSION / "src" / "languages.json": extension_languages,
    **registry_files.FILES,
}


def stale() -> list[Path]:
    """Return the files that differ from what is generated."""
    return [path for path, generate in FILES.items() if not path.exists() or _read(path) != generate()]


def write(path: Path) -> None:
    """Write one of the files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FILES[path](), newline="")
    if path.parent.name == "bin":
        path.chmod(0o755)


def _read(path: Path) -> str:
    """The text of a file with its own line ends."""
    return path.read_bytes().decode()
